//! Formulas whose answer is known by construction, with certificates.
