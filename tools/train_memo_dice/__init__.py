"""Scenes of Memo Dice with exact truth, drawn by the simulator, and the training of its network."""
