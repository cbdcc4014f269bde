"""The simulated tray of dice: its table, picture and mouse. Its players: `companion.simulation.players.dice_tray`."""
