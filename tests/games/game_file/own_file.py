"""A small game in a file of one's own, for tests of what becomes of such files."""

MINE = """
name = "mine"
title = "Mine"
players_min = 2
players_max = 4

[points]
end = "score >= 50"

[[points.entries]]
id = "points"
name = "Points"
high = 99
"""
