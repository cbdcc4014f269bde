"""Dialogs over a game, by buttons alone: corrections, pause, players, inputs, results.

How a dialog is drawn: `companion.display.widgets.dialog`. Menus before a game: `companion.lobby`.
"""
