raise OSError("no configuration")
