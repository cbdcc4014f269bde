"""The journal: an append-only SQLite file; the state on screen is always its replay."""
