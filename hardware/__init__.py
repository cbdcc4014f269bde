"""Everything that touches the physical table: buttons, lamps, cameras, and their virtual twins."""
