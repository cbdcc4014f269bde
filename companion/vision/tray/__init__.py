"""A tray with any number of dice, from frame to frame: `watcher` is the entrance."""
