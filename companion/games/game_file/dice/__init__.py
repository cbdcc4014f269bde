"""Games with dice that a file describes (G30 to G50 in `docs/rules/game_files.md`)."""
