"""The parts of tools/clients: who is run (`registry` and the files of clients), in place of what (`seats`), and the result (`table`)."""
