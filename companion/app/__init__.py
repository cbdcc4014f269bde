"""The program at a screen: main loop, session, window, simulated table, self-play.

The commands that start it: `companion.commands`. What is open before a game: `companion.lobby`; in one:
`companion.referee`.
"""
