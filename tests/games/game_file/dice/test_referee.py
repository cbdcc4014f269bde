"""Games with dice that a file describes, at a table with a real journal: by keys alone, from the first throw on.

Also throws that score, lost turns and hot dice.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.api.registry import find_game
from companion.events import SEAT_BUTTONS, Button
from companion.games.game_file.dice.samples import make_dice_game
from companion.games.game_file.dice.state import Phase
from companion.testing.table import TableUnderTest

Tables = Callable[..., TableUnderTest]


def sit_down(table: Tables, name: str, players: int = 2) -> TableUnderTest:
    return table(players, definition=find_game(name), camera=False)


def enter(table: TableUnderTest, *dice: int) -> None:
    table.press(*(SEAT_BUTTONS[value - 1] for value in dice))


def list_labels(table: TableUnderTest) -> dict[Button, str]:
    return {key.button: key.label for key in table.state.soft_keys if key.label and not key.is_hold}


def test_yacht_by_keys(table: Tables) -> None:
    yacht = sit_down(table, "yacht")
    enter(yacht, 6, 6, 2, 3, 6)
    assert yacht.game.table == (6, 6, 2, 3, 6)
    yacht.press(Button.SEAT1, Button.SEAT2, Button.SEAT5)
    assert yacht.state.marked_dice == (1, 2, 5)
    assert list_labels(yacht)[Button.SEAT3] == "Keep the 2"
    assert list_labels(yacht)[Button.SEAT1] == "Leave the 6"
    yacht.press(Button.OK)
    assert (yacht.game.aside, yacht.game.table) == ((6, 6, 6), (2, 3))
    enter(yacht, 6, 1)
    assert yacht.game.throw_count == 2
    yacht.press(Button.SEAT1, Button.OK)
    enter(yacht, 4)
    assert yacht.game.phase is Phase.CHOOSE
    # 28, 28 and 24 points, by how much they exceed those of an average throw; "Any dice" brings 28 as well, but 17.5
    # on the average.
    assert [list_labels(yacht)[b] for b in SEAT_BUTTONS[:3]] == ["4 alike", "3 alike", "Sixes"]
    yacht.press(Button.PLUS)
    assert yacht.state.choices == (0, 1, 2, 3, 4, 8)
    yacht.press(Button.PLUS)
    assert yacht.state.choices == (9, 10, 11, 12)
    yacht.press(Button.SEAT4)
    assert yacht.game.totals == (28, 0)
    assert yacht.game.boxes[0][12] == 28
    assert yacht.game.active_seat == 1


def test_dice_kept_earlier_may_be_thrown_again(table: Tables) -> None:
    yacht = sit_down(table, "yacht")
    enter(yacht, 6, 6, 2, 3, 6)
    yacht.press(Button.SEAT3, Button.OK)
    yacht.press(Button.NO)
    assert (yacht.game.aside, sorted(yacht.game.table)) == ((), [2, 3, 6, 6, 6])
    yacht.press(Button.SEAT1, Button.OK)
    enter(yacht, 4, 4, 1, 1)
    assert yacht.game.throw_count == 2
    yacht.press(Button.OK)
    enter(yacht, 5, 5, 5, 5)
    assert yacht.game.all_dice.count(5) == 4


def test_score_at_once_and_take_it_back(table: Tables) -> None:
    yacht = sit_down(table, "yacht")
    enter(yacht, 2, 3, 4, 5, 6)
    yacht.press(Button.PLUS)
    assert list_labels(yacht)[Button.SEAT1] == "Long run"
    yacht.press(Button.SEAT1)
    assert yacht.game.totals == (40, 0)
    yacht.hold(Button.NO)
    assert yacht.game.totals == (0, 0)
    assert yacht.game.table == (2, 3, 4, 5, 6)
    yacht.restart()
    assert yacht.game.table == (2, 3, 4, 5, 6)


def test_only_dice_that_score_are_set_aside(table: Tables) -> None:
    farkle = sit_down(table, "farkle")
    enter(farkle, 1, 5, 2, 2, 2, 4)
    farkle.press(Button.SEAT3, Button.SEAT6)
    assert farkle.state.prompt == "4 2: not every die scores"
    assert Button.OK not in list_labels(farkle)
    farkle.press(Button.SEAT6)
    assert farkle.state.prompt == "2: not every die scores"
    farkle.press(Button.SEAT4, Button.SEAT5)
    assert list_labels(farkle)[Button.OK] == "Keep 200"
    farkle.press(Button.OK)
    assert farkle.game.aside == (2, 2, 2)
    enter(farkle, 1, 1, 3)
    # The best of the throw is one press away, and OK takes it too.
    assert list_labels(farkle)[Button.PLUS] == "Best: 200"
    assert Button.OK not in list_labels(farkle), "the first turn that counts needs 500 points"
    farkle.press(Button.SEAT1)
    farkle.press(Button.SEAT2)
    farkle.press(Button.OK)
    enter(farkle, 1)
    farkle.press(Button.OK)
    assert farkle.game.totals == (500, 0)


def test_a_throw_without_points_loses_the_turn(table: Tables) -> None:
    farkle = sit_down(table, "farkle")
    enter(farkle, 1, 2, 3, 4, 6, 6)
    farkle.press(Button.PLUS)
    enter(farkle, 2, 3, 4, 6, 6)
    assert farkle.game.active_seat == 1
    assert farkle.state.last_move == "Ada throws 6 6 4 3 2: 100 lost"


def test_hot_dice(table: Tables) -> None:
    ten = sit_down(table, "ten_thousand")
    enter(ten, 1, 2, 3, 4, 5, 6)
    assert Button.OK not in list_labels(ten), "all dice score: they are thrown again"
    ten.press(Button.PLUS)
    assert ten.game.dice_to_throw == 6
    enter(ten, 1, 1, 1, 2, 3, 4)
    assert list_labels(ten)[Button.OK] == "Score 3000"
    ten.press(Button.OK)
    assert ten.game.totals == (3000, 0)


def test_correct_the_dice(table: Tables) -> None:
    yacht = sit_down(table, "yacht")
    enter(yacht, 6, 6, 2, 3, 6)
    yacht.correct("The dice", Button.SEAT3, Button.SEAT3)
    assert yacht.game.table == (6, 6, 4, 3, 6)
    assert yacht.state.last_move == "Corrected: the dice, 6 6 6 3 2 to 6 6 6 4 3"


def test_correct_a_box(table: Tables) -> None:
    yacht = sit_down(table, "yacht")
    enter(yacht, 6, 6, 6, 6, 6)
    yacht.press(Button.PLUS, Button.SEAT1)
    assert yacht.game.totals == (50, 0)
    yacht.correct("Ada: Yacht", *[Button.MINUS] * 51)
    assert yacht.game.totals == (0, 0)
    assert yacht.game.boxes[0] == (None,) * 13


def test_a_player_leaves(table: Tables) -> None:
    bunco = sit_down(table, "bunco", 3)
    bunco.correct("Bob is away", Button.PLUS)
    enter(bunco, 2, 2, 3)
    assert bunco.game.active_seat == 2


def test_dice_of_twenty_sides_are_entered_one_by_one(table: Tables) -> None:
    dice = table(2, definition=make_dice_game(2, 20), camera=False)
    dice.press(Button.PLUS)
    dice.press(*[Button.PLUS] * 16)
    dice.press(Button.OK, Button.SEAT6, Button.OK)
    assert dice.game.totals == (1, 0)
    assert dice.game.ended_turn.dice == (17, 6)


def test_points_in_the_thousands_are_corrected_in_few_presses(table: Tables) -> None:
    farkle = sit_down(table, "farkle")
    farkle.correct("Bob's points", *[Button.SEAT6] * 2, *[Button.SEAT5] * 3, Button.SEAT3)
    assert farkle.game.totals == (0, 2_290)
