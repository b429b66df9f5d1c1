; Rules for the rest of the theory.
