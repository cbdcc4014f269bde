"""What `companion history` says about players beside its tables."""

from companion.commands.history import _list_streaks
from tests.journal.test_highlights import play


def test_streaks_are_listed_in_the_order_of_the_evenings() -> None:
    games = [{**play(day, Ada=9, Bo=3), "over": True} for day in (2, 1, 3)]
    before = {**play(0, Ada=3, Bo=9), "over": True}
    assert _list_streaks([*games, before], ["Bo", "Ada"]) == ["Ada: Beat Bo 3 times in a row"]
    assert _list_streaks([*games[:2], before], ["Bo", "Ada"]) == []
    unfinished = {**play(4, Ada=3, Bo=9), "over": False}
    assert _list_streaks([*games, unfinished, {"trouble": "torn"}], ["Ada"]) == ["Ada: Beat Bo 3 times in a row"]
