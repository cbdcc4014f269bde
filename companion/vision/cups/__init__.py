"""A row of dice and cups (Memo Dice): `watcher` is the entrance."""
