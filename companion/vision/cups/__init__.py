"""A row of dice and cups, from frame to frame: `watcher` is the entrance."""
