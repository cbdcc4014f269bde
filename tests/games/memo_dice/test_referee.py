"""Memo Dice by buttons alone, through the real referee and journal."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from companion.api import Correction, Move
from companion.events import CONSOLE_BUTTONS, SEAT_BUTTONS, Button, LampState, MemoColour
from companion.games.memo_dice import GAME
from companion.games.memo_dice.state import Phase
from companion.journal.entry import EntryKind
from companion.screen_state import ScreenKind
from companion.testing.table import A, B, C, TableUnderTest
from tests.games.differential.comparisons import MEMO_DICE
from tests.games.differential.driver import score_moves
from tests.games.differential.memo_dice import find_winners

RED, BLUE, BLACK = Button.SEAT6, Button.SEAT1, Button.SEAT3
OK, NO = Button.OK, Button.NO
FOUR_RED = (RED, RED, RED, RED)


@pytest.fixture
def sit(table: Callable[..., TableUnderTest]) -> Callable[..., TableUnderTest]:
    return partial(table, definition=GAME)


Sit = Callable[..., TableUnderTest]


def words(t: TableUnderTest) -> dict[Button, str]:
    return {key.button: key.label for key in t.state.soft_keys if key.label and not key.is_hold}


def test_a_whole_game(sit: Sit) -> None:
    t = sit(3)
    t.press(*FOUR_RED)
    assert (t.game.phase, t.game.active_seat) == (Phase.UNCOVER, A)
    assert words(t) == {OK: "Correct", NO: "Wrong", Button.MINUS: "Pause"}
    t.press(OK, OK, NO, NO)
    assert t.game.round_scores == ((2, 1, 2),)
    assert t.state.prompt == "Cleo: move the pieces, put dice and cups back, then you start"
    assert t.state.scores == (3, 2, 3)
    t.press(OK)
    assert (t.game.round_number, t.game.active_seat) == (2, C)
    t.press(RED, BLUE, BLACK, RED, BLUE, BLACK, RED, BLUE)
    assert words(t)[OK] == "Golden cup"
    t.press(OK)
    for _ in range(9):
        t.press(OK)
        t.wait(0.5)
    assert t.game.round_scores[1] == (0, 10, 0)
    t.press(OK)
    t.press(*FOUR_RED, OK, OK, OK, OK, OK)
    assert t.state.scores == (3, 17, 3)
    t.press(*FOUR_RED, OK, OK, OK, NO)
    assert t.state.kind is ScreenKind.RESULT
    assert t.state.scores == (3, 20, 5)
    assert t.state.prompt == "Bob wins on square 20"
    assert t.state.last_move == "Bob loses the golden cup to Cleo: Bob +3, Cleo +2"
    assert words(t)[OK] == "Play again"


def test_a_colour_without_a_cup_is_the_golden_cup(sit: Sit) -> None:
    t = sit(2)
    t.press(RED, RED, RED)
    assert words(t)[RED] == "Golden cup"
    assert {key.swatch_colour for key in t.state.soft_keys} == {"", "red", "blue", "black"}
    t.press(RED)
    assert t.played() == Move("gold", B)
    assert t.state.last_move == "Bob covers die 4 with the golden cup"


def test_number_keys_do_not_depend_on_the_seats(sit: Sit) -> None:
    t = sit(2)
    assert t.referee.map_lamps()[Button.SEAT3] is LampState.BLINK, "black, though nobody sits there"
    t.press(BLACK)
    assert t.game.cup_row[0].colour is MemoColour.BLACK


def test_wrong_presses_are_explained(sit: Sit) -> None:
    t = sit(4)
    t.press(Button.SEAT4)
    assert t.state.notice == "A symbol is red, blue or black", "seat buttons are number keys now"
    t.press(Button.SEAT5, NO, Button.PLUS, OK)
    assert t.played() is None
    t.press(RED, RED, RED)
    t.press(RED)
    t.press(Button.SEAT1)
    assert t.state.notice == "It is Dan's turn to name the symbol, not Ada's"
    t.press(Button.SEAT4)
    assert t.state.notice == "Name the symbol, then lift the cup; OK if it is right, NO if not"
    t.press(OK, OK, OK, OK, Button.SEAT2)
    assert t.state.notice == "This round is over; OK begins the next one"


def test_undo_redo_and_a_restart_in_the_middle(sit: Sit) -> None:
    t = sit(2)
    t.press(*FOUR_RED, OK, NO)
    before = t.game
    t.hold(NO)
    assert t.state.notice == "Undone: Bob loses cup 2 to Ada"
    assert t.game.next_cup_index == 1
    t.restart()
    assert t.game.next_cup_index == 1
    t.press(Button.MINUS, Button.MINUS, OK)
    assert t.game == before
    t.restart()
    assert t.game == before
    assert t.state.last_move == "Bob loses cup 2 to Ada"


def test_undo_across_the_end_of_a_round_and_of_the_game(sit: Sit) -> None:
    t = sit(2, target_square=6)
    t.press(*FOUR_RED, OK, OK, OK, OK)
    assert t.state.kind is ScreenKind.RESULT
    t.hold(NO)
    assert (t.state.kind, t.game.phase, t.state.scores) == (ScreenKind.PLAY, Phase.UNCOVER, (1, 1))
    t.press(NO)
    assert t.game.phase is Phase.SCORED
    t.press(OK)
    t.hold(NO)
    assert t.game.phase is Phase.SCORED


def test_corrections_through_the_menu(sit: Sit) -> None:
    t = sit(3)
    t.press(RED, BLUE, RED)
    t.correct("Colour of cup 2", Button.PLUS)
    assert t.played() == Correction.from_stored("cup 2", None, (3,))
    assert [cup.colour for cup in t.game.cup_row] == [MemoColour.RED, MemoColour.BLACK, MemoColour.RED]
    t.correct("Whose turn", Button.PLUS)
    assert t.game.active_seat == B
    t.correct("Bob's square", Button.PLUS, Button.PLUS)
    assert t.state.scores == (1, 3, 1)
    t.correct("Cleo is away", Button.PLUS)
    assert t.state.last_move == "Cleo is away"
    t.press(RED, RED)
    assert t.game.active_seat == A, "Cleo is skipped"
    t.press(NO)
    assert t.game.cup_row[0].owner == B
    t.correct("Who has cup 1", Button.MINUS)
    assert t.game.cup_row[0].owner == A
    t.correct("Bob is away", Button.PLUS)
    assert t.state.notice == "Fewer than 2 players would stay; set the game aside instead"
    t.hold(NO)
    assert t.game.cup_row[0].owner == B


def test_any_two_neighbours_change_places_through_the_menu(sit: Sit) -> None:
    """D40: also the first two, and also where there are no others."""
    t = sit(2)
    t.press(RED, BLUE)
    seen: list[str | None] = []
    t.correct("Neighbours", Button.PLUS, check=lambda: seen.append(t.state.menu and t.state.menu.value))
    assert seen == ["None"]
    assert [cup.colour for cup in t.game.cup_row] == [MemoColour.BLUE, MemoColour.RED]
    t.press(BLACK)
    t.correct("Neighbours", Button.PLUS, Button.PLUS)
    assert [cup.colour for cup in t.game.cup_row] == [MemoColour.BLUE, MemoColour.BLACK, MemoColour.RED]
    t.correct("Neighbours")
    assert t.state.last_move == "Corrected: cups 2 and 3 change places", "none: nothing is entered"


def test_a_correction_is_described(sit: Sit) -> None:
    """A player who is here is not "Away: 0"."""
    t = sit(2)
    t.press(RED)
    seen: list[str | None] = []
    for line in ("Colour of cup 1", "Die 1 was knocked over", "Ada is away"):
        t.correct(line, check=lambda: seen.append(t.state.menu and t.state.menu.value))
    assert seen == ["Red", "No", "Here"]


def test_the_look_clock_covers_the_die(sit: Sit) -> None:
    t = sit(2, memorise_seconds=5)
    t.press(RED)
    assert t.game.phase is Phase.LOOK
    assert [clock.seconds_total for clock in t.state.clocks] == [5.0]
    t.wait(3.0)
    assert t.game.phase is Phase.LOOK
    t.wait(2.1)
    assert t.played() == Move("cover", A)
    assert (t.game.phase, t.state.clocks) == (Phase.COVER, ())
    t.press(BLUE, OK)
    assert len(t.game.cup_row) == 2


def test_the_answer_clock_is_paused_by_a_restart_and_continues(sit: Sit) -> None:
    t = sit(2, answer_seconds=15)
    t.press(*FOUR_RED)
    for _ in range(6):
        t.wait(1.0)
    t.restart()
    assert t.state.question is not None
    t.wait(60)
    (clock,) = t.state.clocks
    assert 7.0 <= clock.seconds_left <= 11.0
    assert t.game.next_cup_index == 0
    t.press(OK)  # go on
    t.wait(11)
    assert t.played() == Move("miss", B)
    assert t.game.cup_row[0].owner == A


def test_naming_in_time_stops_the_answer_clock(sit: Sit) -> None:
    t = sit(2, answer_seconds=15)
    t.press(*FOUR_RED)
    assert words(t)[Button.SEAT2] == "I know"
    t.press(Button.SEAT2)
    t.wait(100)
    assert t.state.prompt == "Bob: lift cup 1. Right or wrong?"
    t.press(OK)
    assert t.game.cup_row[0].owner == B
    assert [clock.seconds_total for clock in t.state.clocks] == [15.0]


# Whole games by random presses ------------------------------------------------------------------------------------


def counting(t: TableUnderTest) -> list[Move]:
    """Return the moves of the journal, without undone ones."""
    moves: list[Move] = []
    for entry in t.journal.read_entries(t.saved_game.id):
        if entry.what.kind is EntryKind.MOVE:
            moves.append(entry.what.played.to_move())
        elif entry.what.kind is EntryKind.UNDO:
            moves.pop()
    return moves


def play_at_random(sit: Sit, players: int, seed: int) -> None:
    random = Random(seed)
    rules = random.choice([{}, {"start_square": 0}, {"memorise_seconds": 5}, {"answer_seconds": 15}])
    t = sit(players, **rules)
    for _ in range(2000):
        if t.game.compute_outcome() is not None:
            break
        t.wait(0.3)
        if random.random() < 0.03:
            t.hold(NO)
        elif random.random() < 0.01:
            t.restart()
            if t.state.question is not None:
                t.press(OK)
        elif random.random() < 0.1:
            lit = set(words(t))
            t.press(random.choice([b for b in (*SEAT_BUTTONS, *CONSOLE_BUTTONS) if b not in lit]))
        else:
            t.press(random.choice([b for b in words(t) if b is not Button.MINUS]))
        assert t.state.question is None
        assert t.state.menu is None
    assert t.state.kind is ScreenKind.RESULT
    plain = score_moves(MEMO_DICE, players, 0, t.game.settings, counting(t))
    assert t.state.scores == tuple(plain.squares)
    assert set(t.game.compute_outcome().winners) == find_winners(plain.squares)
    assert plain.over


@pytest.mark.parametrize("players", GAME.player_counts)
@pytest.mark.parametrize("seed", range(1, 5))
def test_whole_games_by_random_presses(sit: Sit, players: int, seed: int) -> None:
    play_at_random(sit, players, seed)


@pytest.mark.proof
@pytest.mark.parametrize("players", GAME.player_counts)
@pytest.mark.parametrize("seed", range(1, 51))
def test_fifty_games_for_every_number_of_players(sit: Sit, players: int, seed: int) -> None:
    play_at_random(sit, players, seed)
