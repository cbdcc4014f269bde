"""Panels that show the simulated table beside the display; mouse and fingers move it.

The table itself, and what its camera sees: `companion/simulation/`, and `simulator/` of a game.
"""
