"""The next player throws before the turn was ended: no throw is lost, and the own button says whose it was (G51)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.api import Correction, HoldSeatPress, Move, Seat, SeatPress, Visibility
from companion.api.registry import find_game
from companion.display import Screen
from companion.display.widgets.key_caps import list_key_caps
from companion.events import Button, ButtonPressed, ButtonReleased, DiceRead
from companion.games.game_file.dice.state import Phase
from companion.journal.entry import SeatChange
from companion.screen_state import HelpView
from companion.testing.table import TableUnderTest

Tables = Callable[..., TableUnderTest]
B = Button


@pytest.fixture
def sit_down(table: Tables) -> Tables:
    """Sit down to one of the five games, with a camera that sees the dice."""
    return lambda name, players=2: table(players, definition=find_game(name))


def press_own(table: TableUnderTest, seat: int) -> None:
    """Press the own button, to take over or to claim a throw: it is held where number keys have another use."""
    button = table.saved_game.setup.buttons[seat]
    if table.definition.name == "pig":
        table.press(button)
    else:
        table.hold(button)


def choose(table: TableUnderTest, box: int) -> None:
    """Choose a box by its index from 0, of those that are open."""
    while box not in (choices := table.state.choices or table.game.ranked_boxes[:3]):
        table.press(B.PLUS)
    table.press((B.SEAT1, B.SEAT2, B.SEAT3, B.SEAT4, B.SEAT5, B.SEAT6)[choices.index(box)])


def test_pig_needs_one_press_a_turn(sit_down: Tables) -> None:
    pig = sit_down("pig")
    pig.roll(5)
    pig.roll(4)
    pig.press(B.OK)
    pig.roll(6)
    assert (pig.game.totals, pig.game.active_seat, pig.game.current_points) == ((9, 0), 1, 6)


def test_yacht_needs_one_press_a_turn(sit_down: Tables) -> None:
    yacht = sit_down("yacht")
    for _throw in range(3):
        yacht.roll(6, 6, 6, 2, 1)
    yacht.press(B.SEAT1)
    assert (yacht.game.active_seat, sum(yacht.game.totals)) == (1, 21)


def test_the_next_player_ends_a_turn_of_one_throw(sit_down: Tables) -> None:
    pig = sit_down("pig", 3)
    pig.roll(5)
    assert [key.label for key in pig.state.soft_keys[:3]] == ["", "My turn", ""]
    press_own(pig, 1)
    assert (pig.game.totals, pig.game.active_seat, pig.state.question) == ((5, 0, 0), 1, None)


def test_pig_the_next_player_claims_the_throw(sit_down: Tables) -> None:
    pig = sit_down("pig")
    pig.roll(5)
    before = pig.game
    pig.roll(4)
    press_own(pig, 1)
    assert pig.state.question.title == "Was 4 Bob's throw?"
    assert [key.label for key in pig.state.soft_keys[6:8]] == ["Yes", "My turn"]
    pig.press(B.OK)
    assert (pig.game.totals, pig.game.active_seat, pig.game.current_points) == ((5, 0), 1, 4)
    assert pig.state.last_move == "Ada: +5 · Bob has thrown: 4"
    pig.restart()
    assert (pig.game.totals, pig.game.current_points) == ((5, 0), 4)
    pig.hold(B.NO)
    pig.hold(B.NO)
    assert pig.game == before


def test_pig_the_throw_was_the_own_one_after_all(sit_down: Tables) -> None:
    pig = sit_down("pig")
    pig.roll(5)
    pig.roll(4)
    press_own(pig, 1)
    pig.press(B.NO)
    assert (pig.game.totals, pig.game.active_seat, pig.game.throw_count) == ((9, 0), 1, 0)


def test_pig_the_next_player_claims_the_throw_after_ok_as_well(sit_down: Tables) -> None:
    """Ada has said "enough", Bob has thrown, and only then she presses OK: she had his points, and he threw again."""
    pig = sit_down("pig", 3)
    pig.roll(5)
    pig.roll(4)
    pig.press(B.OK)
    assert pig.game.totals == (9, 0, 0)
    press_own(pig, 2)
    assert (pig.state.question, pig.game.active_seat) == (None, 1)
    press_own(pig, 1)
    assert pig.state.question.title == "Was 4 Bob's throw?"
    pig.press(B.OK)
    assert (pig.game.totals, pig.game.active_seat, pig.game.current_points) == ((5, 0, 0), 1, 4)
    pig.hold(B.NO)
    pig.roll(3)
    press_own(pig, 1)
    assert (pig.game.totals, pig.game.current_points, pig.state.question) == ((9, 0, 0), 3, None), "the turn has begun"


@pytest.mark.parametrize("mashes", [True, False], ids=["OK twice a second", "the first OK of the turn"])
def test_pig_who_presses_ok_at_the_same_time_says_nothing_about_a_claim(sit_down: Tables, mashes: bool) -> None:
    """Bob presses his own button just before, and Ada's OK said "Yes" to a question that she had not read."""
    pig = sit_down("pig")
    pig.roll(5)
    pig.roll(4)
    first = [(B.OK, 0.2)] if mashes else []
    for button, seconds in (*first, (B.SEAT2, 0.3), (B.OK, 0.5), (B.OK, 0.5)):
        pig.send(ButtonPressed(button, pig.clock.now), ButtonReleased(button, pig.clock.now + 0.05))
        pig.wait(seconds)
    assert pig.game.totals == (9 if mashes else 0, 0)
    assert pig.state.question.title == "Was 4 Bob's throw?"
    pig.press(B.OK)
    assert (pig.game.totals, pig.game.current_points) == ((5, 0), 4)


def test_yacht_the_key_of_a_box_pressed_twice_claims_nothing(sit_down: Tables) -> None:
    """It is Bob's own button, too."""
    yacht = sit_down("yacht")
    yacht.roll(3, 3, 3, 2, 2)
    yacht.roll(1, 2, 3, 4, 6)
    yacht.press(B.PLUS, B.SEAT2, B.SEAT2)
    assert (yacht.game.active_seat, yacht.game.list_seats("claim"), yacht.state.question) == (1, (1,), None)


@pytest.mark.parametrize("name", ["pig", "yacht"])
def test_who_says_after_the_turn_that_the_throw_was_not_the_own_one_begins_the_turn(
    sit_down: Tables, name: str
) -> None:
    tb = sit_down(name)
    if name == "pig":
        tb.roll(5)
        tb.roll(4)
        tb.press(B.OK)
    else:
        tb.roll(3, 3, 3, 2, 2)
        tb.roll(1, 2, 3, 4, 6)
        tb.press(B.PLUS)
        choose(tb, 8)
    before = tb.game
    press_own(tb, 1)
    assert [key.label for key in tb.state.soft_keys[6:8]] == ["Yes", "No"]
    tb.press(B.NO)
    assert (tb.state.question, tb.state.choices, tb.state.notice, tb.game) == (None, (), None, before)


def test_pig_nobody_claims_a_throw_of_before_somebody_joined_or_places_changed(sit_down: Tables) -> None:
    """The claim went back to the game of two, and to the places of before."""
    pig = sit_down("pig")
    pig.roll(5)
    pig.roll(4)
    pig.press(B.OK)
    pig.referee.take_step(SeatChange(seat=2, name="Cleo", button=B.SEAT3))
    assert (pig.game.totals, pig.game.list_seats("claim")) == ((9, 0, 0), ())
    pig.hold(B.NO)
    assert pig.game.list_seats("claim") == (1,)
    pig.referee.take_step(SeatChange(seat=0, name="Ada", button=B.SEAT2))
    assert (pig.game.totals, pig.game.list_seats("claim")) == ((9, 0), ())


@pytest.mark.parametrize(
    ("is_away", "change"),
    [(0, SeatChange(seat=1, name="Bob", button=B.SEAT3)), (1, Correction("away", Seat(1), (0,)))],
    ids=["places", "back"],
)
def test_yacht_what_the_next_player_has_thrown_goes_to_nobody_else(
    sit_down: Tables, is_away: int, change: SeatChange | Correction
) -> None:
    """Bob and Cleo changed places, or Bob came back, before Ada had chosen her box: another one had the dice."""
    yacht = sit_down("yacht", 3)
    yacht.referee.take_step(Correction("away", Seat(1), (is_away,)))
    for _throw in range(3):
        yacht.roll(6, 6, 6, 2, 1)
    yacht.roll(1, 2, 3, 4, 6)
    before = yacht.game
    yacht.referee.take_step(change)
    assert (yacht.game, yacht.state.notice) == (before, "First Ada's turn ends")
    yacht.press(B.SEAT1)
    assert (yacht.game.active_seat, yacht.game.table) == (before.present_seats[1], (1, 2, 3, 4, 6))
    yacht.referee.take_step(change)
    assert yacht.state.notice is None


def test_pig_a_one_that_the_next_player_has_thrown(sit_down: Tables) -> None:
    pig = sit_down("pig", 3)
    pig.roll(5)
    pig.roll(1)
    assert (pig.game.totals, pig.game.active_seat) == ((0, 0, 0), 1)
    press_own(pig, 1)
    assert pig.state.question.title == "Was 1 Bob's throw?"
    pig.press(B.OK)
    assert (pig.game.totals, pig.game.active_seat) == ((5, 0, 0), 2)


def test_a_claim_is_named_as_one_and_shines_less_than_what_is_waited_for(sit_down: Tables) -> None:
    pig = sit_down("pig")
    pig.roll(5)
    pig.roll(4)
    caps = {cap.button: cap for cap in list_key_caps(pig.state, keyboard=False)}
    assert [(caps[b].label, caps[b].is_awaited) for b in (B.SEAT2, B.OK)] == [
        ("I threw that", False),
        ("Score 9", True),
    ]
    pig.roll(1)
    caps = {cap.button: cap for cap in list_key_caps(pig.state, keyboard=False)}
    assert (caps[B.SEAT2].label, caps[B.SEAT2].is_awaited) == ("I threw that", False), "the throw is waited for"


@pytest.mark.parametrize("name", ["pig", "yacht", "farkle"])
def test_at_a_simulated_table_nobody_takes_over_or_claims_a_throw(name: str) -> None:
    """There the window says whose throw it is; a slip is undone."""
    definition = find_game(name)
    game = definition.create_game(2, Seat(0), definition.settings_model())
    count = game.dice_to_throw
    for dice in ((1,) * count, (5,) * count, (2,) * (count - 1) + (1,)):
        thrown = game.play(Move("throw", game.active_seat, dice))
        for virtual in (False, True):
            offers = definition.list_offers(thrown, ("Ada", "Bob"), Visibility(dice=True, is_table_virtual=virtual))
            own = [offer.label for offer in offers if isinstance(offer.input, SeatPress | HoldSeatPress)]
            assert not (virtual and own), (dice, own)
        game = thrown if thrown.list_seats("claim") or name == "pig" else game


def test_who_has_just_thrown_first_claims_nothing(sit_down: Tables) -> None:
    pig = sit_down("pig")
    pig.roll(1)
    press_own(pig, 1)
    assert (pig.state.question, pig.game.active_seat) == (None, 1)
    pig.roll(3)
    pig.correct("Ada's points", B.PLUS)
    press_own(pig, 0)
    assert (pig.game.totals, pig.game.active_seat) == ((1, 3), 0)


def test_without_a_camera_number_keys_enter_dice(table: Tables) -> None:
    pig = table(2, definition=find_game("pig"), camera=False)
    pig.press(B.SEAT5, B.SEAT2)
    assert (pig.game.active_seat, pig.game.current_points) == (0, 7)


def test_yacht_the_next_player_claims_the_second_throw(sit_down: Tables) -> None:
    yacht = sit_down("yacht")
    yacht.roll(3, 3, 3, 2, 2)
    yacht.roll(1, 2, 3, 4, 6)
    press_own(yacht, 1)
    assert yacht.state.question.title == "Was 6 4 3 2 1 Bob's throw?"
    yacht.press(B.OK)
    assert (yacht.game.phase, yacht.game.table) == (Phase.CHOOSE, (2, 2, 3, 3, 3))
    assert yacht.state.prompt == "Ada: choose a box · 6 4 3 2 1 is the next throw"
    choose(yacht, 8)
    assert (yacht.game.totals, yacht.game.active_seat) == ((25, 0), 1)
    assert (yacht.game.table, yacht.game.throw_count) == ((1, 2, 3, 4, 6), 1)


def test_yacht_the_next_player_claims_the_throw_after_a_box_was_chosen_as_well(sit_down: Tables) -> None:
    """Ada chose a box without a look at the screen: she had Bob's dice in it, and he threw again."""
    yacht = sit_down("yacht")
    yacht.roll(3, 3, 3, 2, 2)
    yacht.roll(1, 2, 3, 4, 6)
    yacht.press(B.PLUS)
    choose(yacht, 8)
    assert (yacht.game.totals, yacht.game.active_seat) == ((0, 0), 1)
    press_own(yacht, 1)
    assert yacht.state.question.title == "Was 6 4 3 2 1 Bob's throw?"
    yacht.press(B.OK)
    assert (yacht.game.phase, yacht.game.active_seat, yacht.game.table) == (Phase.CHOOSE, 0, (2, 2, 3, 3, 3))
    choose(yacht, 8)
    assert (yacht.game.totals, yacht.game.active_seat, yacht.game.table) == ((25, 0), 1, (1, 2, 3, 4, 6))


@pytest.mark.parametrize("size", [(800, 480), (1920, 1080)])
def test_yacht_the_screen_says_that_the_own_button_is_held(sit_down: Tables, size: tuple[int, int]) -> None:
    """Its number key marks a die, so that nothing told of it."""
    yacht = sit_down("yacht")
    for dice, words in (((3, 3, 3, 2, 2), "Hold: my turn"), ((1, 2, 3, 4, 6), "Hold: I threw that")):
        yacht.roll(*dice)
        assert [key.label for key in yacht.state.soft_keys if key.is_hold] == [words, "Hold: undo"]
        screen = Screen(size)
        screen.render(yacht.state)
        assert {words, "Hold: undo"} <= {text.text for text in screen.drawn_texts()}
        screen.render(replace(yacht.state, help=HelpView(0, 3)))
        assert words in [text.text for text in screen.drawn_texts()]


def test_yacht_a_claimed_third_throw(sit_down: Tables) -> None:
    yacht = sit_down("yacht")
    yacht.roll(3, 3, 3, 2, 2)
    yacht.roll(3, 3, 2, 2, 2)
    yacht.roll(1, 2, 3, 4, 6)
    press_own(yacht, 1)
    yacht.press(B.OK)
    choose(yacht, 8)
    assert (yacht.game.totals, yacht.game.active_seat, yacht.game.table) == ((25, 0), 1, (1, 2, 3, 4, 6))


def test_yacht_the_own_button_opens_the_boxes(sit_down: Tables) -> None:
    yacht = sit_down("yacht")
    yacht.roll(3, 3, 3, 2, 2)
    press_own(yacht, 1)
    assert yacht.state.choices
    yacht.roll(1, 2, 3, 4, 6)
    choose(yacht, 8)
    assert (yacht.game.totals, yacht.game.active_seat, yacht.game.table) == ((25, 0), 1, (1, 2, 3, 4, 6))


def test_yacht_a_throw_before_the_box_is_chosen_is_kept(sit_down: Tables) -> None:
    yacht = sit_down("yacht", 3)
    for dice in ((3, 3, 3, 2, 1), (3, 3, 3, 2, 4), (3, 3, 3, 2, 2)):
        yacht.roll(*dice)
    yacht.roll(1, 2, 3, 4, 6)
    assert yacht.state.last_move == "Bob has thrown: 6 4 3 2 1"
    # Bob goes on: he takes 6 and 4 out of the tray.
    yacht.send(DiceRead((1, 2, 3), 0.99, yacht.clock.now, lying=(True, True, True)))
    assert yacht.game.table == (2, 2, 3, 3, 3)
    yacht.restart()
    choose(yacht, 8)
    assert (yacht.game.totals[0], yacht.game.active_seat, yacht.game.throw_count) == (25, 1, 1)
    assert yacht.game.table == (1, 2, 3, 4, 6)


def test_yacht_a_die_of_the_kept_throw_may_lie_where_one_lay(sit_down: Tables) -> None:
    """Else they are taken for dice that moved, and neither answer gives the next player the throw."""
    yacht = sit_down("yacht")
    for _throw in range(3):
        yacht.roll(6, 6, 6, 2, 1)
    lying, doubtful = (False, False, False, True, False), (False, False, False, True, False)
    dice = DiceRead((4, 5, 5, 6, 6), 0.99, yacht.clock.now, lying=lying, doubtful=doubtful)
    yacht.send(dice)
    assert yacht.state.question is None
    assert sorted(yacht.game.next_throw) == [4, 5, 5, 6, 6]


def test_yacht_a_die_of_a_throw_that_ends_the_turn_early_may_lie_where_one_lay(sit_down: Tables) -> None:
    """Filmed game 39: it was asked only why five dice are in the tray."""
    yacht = sit_down("yacht")
    yacht.roll(2, 2, 3, 5, 6)
    yacht.send(DiceRead((2, 2, 6), 0.99, yacht.clock.now, lying=(True, True, True)))
    flags = (False, False, False, False, True)
    yacht.send(DiceRead((1, 3, 5, 5, 6), 0.99, yacht.clock.now, lying=flags, doubtful=flags))
    assert yacht.state.question.title == "Whose throw is 1, 3, 5, 5 and 6?"


def test_yacht_a_die_left_in_the_tray_is_not_thrown(sit_down: Tables) -> None:
    yacht = sit_down("yacht")
    for _throw in range(3):
        yacht.roll(6, 6, 6, 2, 1)
    choose(yacht, 0)
    lying = (False, False, False, True, False)
    yacht.send(DiceRead((1, 3, 5, 6, 6), 0.99, yacht.clock.now, lying=lying))
    assert yacht.state.question.title == "Is it 1, 3, 5, 6 and 6?"


def test_yacht_dice_that_the_next_player_sets_aside_before_the_box_is_chosen(sit_down: Tables) -> None:
    yacht = sit_down("yacht")
    for _throw in range(3):
        yacht.roll(3, 3, 3, 2, 2)
    yacht.roll(1, 2, 3, 4, 6)
    yacht.send(DiceRead((1, 2, 3), 0.99, yacht.clock.now, lying=(True, True, True)))
    choose(yacht, 8)
    assert (yacht.game.active_seat, yacht.game.table, sorted(yacht.game.aside)) == (1, (1, 2, 3), [4, 6])


def test_yacht_an_uncertain_throw_before_the_box_is_asked_about(sit_down: Tables) -> None:
    yacht = sit_down("yacht")
    for _throw in range(3):
        yacht.roll(3, 3, 3, 2, 2)
    yacht.roll(1, 2, 3, 4, 6, confidence=0.6)
    assert yacht.state.question.title == "Is it 1, 2, 3, 4 and 6?"
    yacht.press(B.OK)
    assert yacht.game.next_throw == (1, 2, 3, 4, 6)


@pytest.mark.parametrize("way", ["certain", "answered", "by hand"])
@pytest.mark.parametrize(("button", "active"), [(B.OK, 1), (B.NO, 0)])
def test_yacht_all_dice_thrown_while_some_are_aside(sit_down: Tables, button: Button, active: int, way: str) -> None:
    yacht = sit_down("yacht")
    yacht.roll(3, 3, 3, 2, 1)
    yacht.send(DiceRead((1, 2), 0.99, yacht.clock.now, lying=(True, True)))
    assert sorted(yacht.game.aside) == [3, 3, 3]
    yacht.roll(1, 2, 3, 4, 6, confidence=0.99 if way == "certain" else 0.5)
    if way != "certain":
        assert yacht.state.question.title == "Is it 1, 2, 3, 4 and 6?"
        yacht.press(B.OK if way == "answered" else B.MINUS)
    if way == "by hand":
        yacht.press(B.SEAT1, B.SEAT2, B.SEAT3, B.SEAT4, B.SEAT6)
    assert yacht.state.question.title == "Whose throw is 1, 2, 3, 4 and 6?"
    yacht.press(button)
    assert bool(yacht.game.next_throw) == bool(active)
    if active:
        choose(yacht, 6)
    assert (yacht.game.active_seat, yacht.game.table) == (active, (1, 2, 3, 4, 6))
    assert yacht.game.throw_count == 2 - active


@pytest.mark.parametrize("name", ["yacht", "farkle"])
def test_tables_that_wait_for_ok_play_no_early_throw(sit_down: Tables, name: str) -> None:
    tb = sit_down(name)
    tb.referee.services = replace(tb.referee.services, waits_for_ok=True)
    if name == "yacht":
        for _throw in range(3):
            tb.roll(3, 3, 3, 2, 2)
        early = (1, 2, 3, 4, 6)
    else:
        tb.roll(6, 6, 6, 6, 3, 4)
        tb.send(DiceRead((3, 4), 0.99, tb.clock.now, lying=(True, True)))
        early = (1, 2, 3, 4, 6, 6)
    tb.roll(*early)
    assert tb.game.active_seat == 0
    if name == "yacht":  # nothing but the choice of a box ends that turn
        assert (tb.game.next_throw, tb.state.notice) == (early, None)
    else:
        assert (tb.game.throw_count, tb.state.notice) == (1, "Press OK first")
    choose(tb, 8) if name == "yacht" else tb.press(B.OK)
    assert (tb.game.active_seat, tb.game.table) == (1, early), "the throw was kept"


@pytest.mark.parametrize(("confidence", "throws"), [(0.99, 2), (0.8, 1)])
def test_yacht_all_dice_thrown_again_while_nobody_follows(table: Tables, confidence: float, throws: int) -> None:
    yacht = table(1, definition=find_game("yacht"))
    yacht.roll(3, 3, 3, 2, 1)
    yacht.send(DiceRead((1, 2), 0.99, yacht.clock.now, lying=(True, True)))
    yacht.roll(1, 2, 3, 4, 6, confidence=confidence)
    assert yacht.game.throw_count == throws
    assert (yacht.state.question is None) == (throws == 2), "the number of dice is in doubt"
    if throws == 1:
        assert yacht.state.question.title == "Is it 1, 2, 3, 4 and 6?"
        yacht.press(B.OK)
    assert (yacht.game.table, yacht.game.aside, yacht.game.throw_count) == ((1, 2, 3, 4, 6), (), 2)


def test_the_question_whose_throw_it_was_knows_a_new_name(sit_down: Tables) -> None:
    yacht = sit_down("yacht")
    yacht.saved_game.change_seat(SeatChange(seat=1, name="Zoe", button=yacht.saved_game.buttons[1]))
    yacht.roll(3, 3, 3, 2, 1)
    yacht.send(DiceRead((1, 2), 0.99, yacht.clock.now, lying=(True, True)))
    yacht.roll(1, 2, 3, 4, 6)
    offer = yacht.offer(B.OK)
    assert offer is not None
    assert offer.label == "Zoe"


def test_farkle_six_dice_are_asked_about_where_200_points_are_too_few_to_stop(sit_down: Tables) -> None:
    farkle = sit_down("farkle", 3)
    farkle.roll(2, 2, 2, 3, 4, 6)
    farkle.send(DiceRead((3, 4, 6), 0.99, farkle.clock.now, lying=(True, True, True)))
    assert farkle.game.aside == (2, 2, 2)
    farkle.roll(1, 2, 3, 4, 6, 6)
    assert (farkle.game.active_seat, farkle.state.question.title) == (0, "6 dice are in the tray")


def test_farkle_six_dice_are_kept_where_some_must_be_set_aside_first(sit_down: Tables) -> None:
    """Nothing said that they were seen: 250 points are too few to stop, and no dice may be thrown before the 5 is."""
    farkle = sit_down("farkle", 3)
    farkle.roll(1, 1, 5, 2, 3, 4)
    farkle.send(DiceRead((2, 3, 4), 0.99, farkle.clock.now, lying=(True, True, True)))
    farkle.roll(2, 4, 5)
    assert farkle.game.table == (2, 4, 5)
    farkle.roll(1, 2, 3, 4, 6, 6)
    assert (farkle.game.table, farkle.state.notice) == ((2, 4, 5), "1, 2, 3, 4, 6 and 6 thrown: kept for the next turn")
    farkle.press(B.SEAT3, B.OK)
    assert farkle.game.aside == (5,)
    assert farkle.state.question.title == "6 dice are in the tray"


def test_farkle_the_turn_ends_by_the_next_throw(sit_down: Tables) -> None:
    farkle = sit_down("farkle", 3)
    farkle.roll(6, 6, 6, 6, 3, 4)
    farkle.send(DiceRead((3, 4), 0.99, farkle.clock.now, lying=(True, True)))
    farkle.roll(1, 2, 3, 4, 6, 6)
    assert (farkle.game.totals, farkle.game.active_seat, farkle.game.table) == ((1000, 0, 0), 1, (1, 2, 3, 4, 6, 6))
    assert farkle.state.last_move == "Ada: +1000 · Bob has thrown: 6 6 4 3 2 1"


def test_farkle_the_own_button_is_held(sit_down: Tables) -> None:
    farkle = sit_down("farkle", 3)
    farkle.roll(6, 6, 6, 6, 3, 4)
    farkle.press(B.SEAT2)
    assert farkle.state.marked_dice == (2,)
    farkle.press(B.NO)
    press_own(farkle, 1)
    assert (farkle.game.totals, farkle.game.active_seat) == ((1000, 0, 0), 1)
