"""Games whose points people enter, as a file describes them (G60 to G77 in `docs/rules/game_files.md`)."""
