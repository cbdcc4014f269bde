"""Scenes of Memo Dice with exact truth, drawn by `companion.simulation.memo_dice.render`, and the training of its net."""
