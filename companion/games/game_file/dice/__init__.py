"""Games with dice that a file describes (G30 to G53 in `docs/rules/game_files.md`)."""
