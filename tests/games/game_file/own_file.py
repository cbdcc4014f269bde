"""Small games in files of one's own, for tests of what becomes of such files."""

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

STARS = """
name = "stars"
title = "Stars"
players_min = 2
players_max = 4
[points]
rounds = 1
score = "points"
rank = "RANK"
[[points.kept]]
id = "stars"
name = "Stars"
next = "stars + star"
[[points.kept]]
id = "moons"
name = "Moons:"
next = "moons + moon"
[[points.entries]]
id = "points"
name = "points"
[[points.entries]]
id = "star"
name = "stars won"
high = 9
[[points.entries]]
id = "moon"
name = "moons won"
high = 9
"""
"""The winner is found by what stands for RANK."""
