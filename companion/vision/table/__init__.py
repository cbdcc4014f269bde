"""A table with dice and a lid, from frame to frame: `watcher` is the entrance."""
