"""Odd files of entered points, in which rare keywords meet."""

HEAD = """
name = "{name}"
title = "Odd"
players_min = {least}
players_max = {most}
{options}
[points]
"""


def make_text(name: str, points: str, *, least: int = 1, most: int = 6, options: str = "") -> str:
    """Return the text of a file from its part `[points]`."""
    return HEAD.format(name=name, least=least, most=most, options=options) + points


def make_entry(entry_id: str, *lines: str) -> str:
    return "\n".join(["[[points.entries]]", f'id = "{entry_id}"', f'name = "{entry_id} x"', *lines, ""])


def make_part(part: str, part_id: str, *lines: str) -> str:
    return "\n".join([f"[[points.{part}]]", f'id = "{part_id}"', f'name = "{part_id}"', *lines, ""])


WINS = 'next = "wins + (score + points >= 20)"'
ODD_FILES = {
    "legs_in_turns": make_text(
        "legs_in_turns",
        'order = "turns"\nend = "wins >= 2"\nend_at = "once"\nrestart = "score >= 20"\nbegins = "deal"\n'
        'late_joiners = "as_last"\nrank = "1000 * wins + score"\nbust = "pins == 7"\n'
        + make_part("kept", "wins", WINS, "lasting = true")
        + make_part("flags", "deal", 'start = "first"', 'passes = "pins != 3"')
        + make_part("flags", "crown", 'takes = "pins > 8"')
        + make_entry("pins", "high = 9")
        + make_entry("more", "high = 9", 'most = "9 - pins - crown"', 'when = "pins < 9 and deal"'),
    ),
    "legs_together": make_text(
        "legs_together",
        'end = "wins >= 2"\nrestart = "score >= 20 or round == 7"\nlate_joiners = "from_start"\nties = "play_on"\n'
        + make_part("kept", "wins", WINS, "lasting = true")
        + make_part("kept", "rest", "start = 3", 'next = "max(0, rest - 1)"')
        + make_part("flags", "crown", 'takes = "hand == max(all_hand)"', 'passes = "hand == 0"')
        + make_entry("hand", "high = 12")
        + make_entry("rest_too", "high = 5", 'when = "rest or crown"')
        + '[[points.checks]]\nwhen = "sum(all_hand) % 5"\ntext = "Fives are rare"\nask = true\n',
    ),
    "teams": make_text(
        "teams",
        'teams = true\nend = "wins >= 2"\nrestart = "score >= 30"\n'
        'score = "if(taken >= bid, 10 * bid + taken - bid, -min(bid, score))"\n'
        + make_part("kept", "wins", 'next = "wins + (score + points >= 30)"', "lasting = true")
        + make_part("kept", "bags", 'next = "(bags + max(0, taken - bid)) % 10"', 'shown = "never"')
        + make_part("flags", "deal", 'start = "first"', 'passes = "1"')
        + make_entry("bid", "high = 6", "before_play = true", 'when = "score < 25"')
        + make_entry("taken", "high = 13", "team = true")
        + make_entry("extra", "low = -4", "high = 4", "step = 2", 'when = "taken > bags"')
        + '[[points.checks]]\nwhen = "sum(all_taken) >= 13"\ntext = "There are 13 tricks"\n',
        least=2,
    ),
    "knives": make_text(
        "knives",
        'order = "turns"\nstart = 5\nend = "score >= 30"\nout = "score < 0 or misses >= 3"\n'
        'total = "score + 4 * road"\nscore = "gained - lost"\nrank = "score + 100 * road"\n'
        + make_part("kept", "misses", 'next = "if(gained == 0, misses + 1, 0)"')
        + make_part("flags", "road", 'takes = "gained > 5"', 'passes = "lost > 5"')
        + make_entry("gained", "high = 9", "impossible = [4, 5]")
        + make_entry("lost", "high = 9", 'when = "not road"'),
        least=2,
    ),
    "goal": make_text(
        "goal",
        'order = "turns"\nrounds = 12\nlate_joiners = "as_last"\nscore = "steps + 1"\n'
        + make_entry("steps", "high = 9", 'when = "score < 15 and round != 3"'),
    ),
    "goal_together": make_text(
        "goal_together",
        'rounds = 12\nlowest_wins = true\nties = "play_on"\nlate_joiners = "as_last"\n'
        + make_entry("steps", "high = 9", 'when = "score < 15 and round != 3"')
        + make_entry("more", "high = 99", 'most = "steps * 2"', 'when = "steps % 2"')
        + '[[points.checks]]\nwhen = "sum(all_steps) >= 1"\ntext = "Somebody moves"\n',
    ),
    "only_the_dealer": make_text(
        "only_the_dealer",
        'order = "turns"\nend = "round > 9"\n'
        + make_part("flags", "deal", 'start = "first"', 'passes = "1"')
        + make_entry("points_won", "high = 9", 'when = "deal"'),
    ),
    "last_one": make_text(
        "last_one",
        'out = "lives <= 0"\nrank = "lives"\n'
        + make_part("kept", "lives", "start = 3", 'next = "lives - (card == min(all_card)) - (card == 0)"')
        + make_entry("card", "high = 9")
        + '[[points.checks]]\nwhen = "kinds(all_card) > 1"\ntext = "All are equal"\nask = true\n',
    ),
    "options": make_text(
        "options",
        'end = "score >= goal or round >= 30 // players"\nlowest_wins = "few"\nlate_joiners = "from_start"\n'
        + make_part("flags", "first", 'start = "first"', 'takes = "what == 9"')
        + make_entry(
            "what",
            'choices = [{ name = "none", number = -3 }, { name = "some", number = 4 }, { name = "all", number = 9 }]',
        )
        + make_entry("yes", "high = 1", 'when = "what > 0"'),
        options='[[options]]\nid = "goal"\nname = "Goal"\ndefault = 20\nlow = 10\nhigh = 40\n'
        '[[options]]\nid = "few"\nname = "Few"\ndefault = false\n',
    ),
    "impossible_check": make_text(
        "impossible_check",
        "rounds = 4\n"
        + make_entry("bid", "high = 3", "before_play = true")
        + make_entry("got", "high = 3", 'when = "bid != 2"')
        + '[[points.checks]]\nwhen = "sum(all_got) == players"\ntext = "One each"\n'
        + '[[points.checks]]\nwhen = "sum(all_bid) != players"\ntext = "The bids do not fit"\nask = true\n',
        least=2,
        most=4,
    ),
}
"""Texts of the files by name."""
