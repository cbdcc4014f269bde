"""Games that a file describes (`games/*.toml` beside this module, and the files of the people at the box)."""
