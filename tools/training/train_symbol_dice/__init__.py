"""Scenes of Memo Dice with exact labels, drawn by the simulator, and the training of its network."""
