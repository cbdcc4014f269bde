"""Games whose points people enter, as a file describes them (G60 to G78 in `docs/rules/game_files.md`)."""
