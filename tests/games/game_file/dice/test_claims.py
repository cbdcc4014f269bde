"""The next player's own button says whose the last throw was, also after the turn (G51)."""

from __future__ import annotations

import pytest

from companion.api import HoldSeatPress, Move, Seat, SeatPress, Visibility
from companion.api.registry import find_game
from companion.display.widgets.key_caps import list_key_caps
from companion.events import Button, ButtonPressed, ButtonReleased, DiceRead
from companion.games.game_file.dice.state import Phase
from companion.journal.entry import SeatChange
from tests.games.game_file.dice.presses import Tables, choose, press_own

B = Button


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
    yacht.press(B.SEAT2)
    assert yacht.state.notice == "Hold: I threw that", "it said that Bob has not thrown"
    press_own(yacht, 1)
    assert yacht.state.question.title == "Was 6 4 3 2 1 Bob's throw?"
    yacht.press(B.OK)
    assert (yacht.game.phase, yacht.game.active_seat, yacht.game.table) == (Phase.CHOOSE, 0, (2, 2, 3, 3, 3))
    choose(yacht, 8)
    assert (yacht.game.totals, yacht.game.active_seat, yacht.game.table) == ((25, 0), 1, (1, 2, 3, 4, 6))


def test_yacht_a_claimed_third_throw(sit_down: Tables) -> None:
    yacht = sit_down("yacht")
    yacht.roll(3, 3, 3, 2, 2)
    yacht.roll(3, 3, 2, 2, 2)
    yacht.roll(1, 2, 3, 4, 6)
    press_own(yacht, 1)
    yacht.press(B.OK)
    choose(yacht, 8)
    assert (yacht.game.totals, yacht.game.active_seat, yacht.game.table) == ((25, 0), 1, (1, 2, 3, 4, 6))


def test_the_question_whose_throw_it_was_knows_a_new_name(sit_down: Tables) -> None:
    yacht = sit_down("yacht")
    yacht.saved_game.change_seat(SeatChange(seat=1, name="Zoe", button=yacht.saved_game.buttons[1]))
    yacht.roll(3, 3, 3, 2, 1)
    yacht.send(DiceRead((1, 2), 0.99, yacht.clock.now, lying=(True, True)))
    yacht.roll(1, 2, 3, 4, 6)
    offer = yacht.offer(B.OK)
    assert offer is not None
    assert offer.label == "Zoe"
