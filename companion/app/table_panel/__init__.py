"""The simulated table as it is shown beside the display, which mouse and fingers move.

The table itself, and what its camera sees: `companion/simulation/`, and `simulator/` of a game.
"""
