"""Virtual players, who press and put as people do: at each kind of virtual table, by the screen alone."""
