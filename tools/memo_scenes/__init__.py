"""Scenes of Memo Dice with exact truth, drawn by `hardware.virtual.memo_render`, and the training of its net."""
