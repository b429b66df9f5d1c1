(assert (strlen "a"))
