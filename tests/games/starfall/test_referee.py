"""StarFall with the real referee and journal: by buttons alone, and whole games by random presses."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from companion.api import Command, CommandName, ConsolePress, Correction, Move, Offer, Seat
from companion.events import Button, LampState
from companion.games.starfall import GAME, SkyTile
from companion.games.starfall.rules import format_end_reason
from companion.games.starfall.state import Phase
from companion.journal.entry import EntryKind
from companion.referee.button_mapping import find_button
from companion.screen_state import ScreenKind
from companion.testing.table import TableUnderTest
from tests.games.differential.comparisons import STARFALL
from tests.games.differential.driver import score_moves
from tests.games.starfall.positions import view_payment

Tables = Callable[..., TableUnderTest]
S1, S2, S3, S4, S5, S6 = list(Button)[:6]
OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS
LONGEST = 8000
SHORT = {"2": 22}
"""Tiles removed, so that a session of two ends soon: five are in play."""


def at_the_count(table: Tables) -> TableUnderTest:
    """Two players; five tiles were in play, four are taken or gone, the last one lies on the board."""
    t = table(2, definition=GAME, tiles_removed=SHORT)
    t.press(OK, S1)  # Ada adds, Bob takes the 9
    t.press(OK, OK, OK)  # 9, 8, 7
    t.press(S1, OK)  # Bob owns a tile: the 9, and he pays 9 dust for it
    t.press(S1)  # Ada takes the 8
    t.press(OK, S1, OK)  # Bob adds the last one, Ada takes it
    assert t.game.phase is Phase.CHOOSE, t.state.prompt
    return t


def fill(t: TableUnderTest, *counts: int) -> None:
    """A page, by its keys."""
    for wanted in counts:
        while wanted > 0:
            t.press(list(Button)[min(6, wanted) - 1])
            wanted -= min(6, wanted)
        t.press(OK)


# A session ------------------------------------------------------------------------------------------------------


def test_a_whole_game_by_buttons(table: Tables) -> None:
    t = at_the_count(table)
    assert format_end_reason(t.game) == "The pile is empty and one tile is left on the board"
    assert t.game.dust == (32 - 8 - 9, 32 - 9 - 9)
    assert t.state.prompt == "The game is over: press your button to count your tiles"
    t.press(S2)
    fill(t, 4, 4, 4, 0, 2, 2, 0, 0, 0, 0)
    assert t.game.counting_seat == 0, "Ada's page opens by itself"
    fill(t, 9, 0, 0, 3, 5, 1, 1, 1, 1, 1)
    assert t.game.phase is Phase.TABLE
    t.press(OK)
    assert t.state.kind is ScreenKind.RESULT
    assert t.state.scores == (95 + 7, 44 + 7)
    assert t.state.prompt == "Ada wins with 102"
    assert t.state.details[-1] == "The count is right; for stars: Ada +10"
    t.press(OK)
    assert t.referee.exit == Command(CommandName.AGAIN)


def test_a_turn_is_one_press_and_lamps_show_what_waits(table: Tables) -> None:
    t = table(3, definition=GAME)
    t.press(OK)
    assert t.game.occupied_spaces == (9,)
    assert [t.referee.map_lamps()[b] for b in (S1, S4, OK, S2)] == [
        LampState.BLINK,
        LampState.BLINK,
        LampState.BLINK,
        LampState.OFF,
    ]
    t.press(S4)
    assert t.game.occupied_spaces == (8,)
    t.press(S1)
    assert t.state.last_move == "Cleo takes the tile on 8 for 8 dust"
    assert t.state.scores == (32, 32, 24)


def test_paying_with_a_tile_and_dust(table: Tables) -> None:
    t = table(2, definition=GAME)
    t.press(OK, OK, S1, S1)  # Ada takes the 9, Bob the 8
    t.press(OK, OK)
    t.press(S1)  # Ada wants the 9
    assert t.state.prompt == "Ada: pay 9 for the tile"
    t.press(S3)  # with a tile of three stars
    assert view_payment(t.game).dust == 6
    t.press(OK)
    assert t.game.dust == (32 - 9 - 6, 32 - 8)
    t.press(S1, NO)  # Bob wants the 8, and then not
    assert t.game.phase is Phase.TURN
    assert t.game.active_seat == 1


def test_a_payment_that_is_too_much_is_asked_about(table: Tables) -> None:
    t = table(2, definition=GAME)
    t.press(OK, OK, S1, S1, OK, S4, S1)  # Ada owns the 9 and wants the 8
    assert t.game.phase is Phase.PAY
    t.press(PLUS, S2)  # one dust more than needed
    t.press(OK)
    assert t.state.question is not None
    assert "more than needed" in t.state.question.title
    t.press(NO)
    assert t.game.phase is Phase.PAY
    t.press(OK, OK)
    assert t.game.dust[0] == 32 - 9 - 9


def test_useless_presses_are_explained(table: Tables) -> None:
    t = table(2, definition=GAME, start_dust=6)
    t.press(S1)
    assert t.state.notice == "The board is empty, so a tile must be added first, and nothing can be discovered"
    t.press(OK, S1)
    assert t.state.notice == "The tile on 9 costs 9, Bob has 6 dust"
    t.press(S4, S4, S4)
    assert t.game.occupied_spaces == (6,)
    t.press(S2)
    assert t.state.notice == "No tile is on that key; it is Ada's turn"
    t.press(S6, S3)
    assert t.game.turn_number == 5, "seats without a player do nothing that is not on the screen"


# Undo, redo, restart ---------------------------------------------------------------------------------------------


def test_undo_and_redo_press_by_press(table: Tables) -> None:
    t = table(2, definition=GAME)
    t.press(OK, OK, S1, S1, OK, S4, S1, S2)
    assert view_payment(t.game).tile_values == (2,)
    t.hold(NO)
    assert t.state.notice == "Undone: Ada gives a tile that pays 2"
    assert view_payment(t.game).tile_values == ()
    t.hold(NO)
    assert t.game.phase is Phase.TURN
    t.press(MINUS, MINUS, OK)  # redo
    assert t.game.phase is Phase.PAY


def test_a_page_survives_a_power_cut_press_by_press(table: Tables) -> None:
    t = at_the_count(table)
    t.press(S1, S6, S3, OK, S2)
    t.restart()
    assert t.game.phase is Phase.PAGE
    assert t.game.symbol_counts[0][:2] == (9, 2)
    assert t.state.prompt == "Ada: how many planets do you have?"
    t.hold(NO)
    assert t.game.symbol_counts[0][:2] == (9, 0)
    t.press(NO)
    assert t.state.prompt == "Ada: how many stars are on your tiles?"
    t.press(NO, PLUS, PLUS)
    assert t.game.symbol_counts[0][0] == 10


def test_undo_across_the_end_and_a_restart(table: Tables) -> None:
    t = at_the_count(table)
    t.hold(NO)
    assert t.game.phase is Phase.PAY
    t.press(OK, S1)
    fill(t, *[0] * 10)
    fill(t, *[0] * 10)
    t.press(OK)
    assert t.state.kind is ScreenKind.RESULT
    t.restart()
    assert t.state.kind is ScreenKind.RESULT
    t.hold(NO)
    assert t.game.phase is Phase.TABLE


def test_the_turns_clock_survives_a_restart_paused(table: Tables) -> None:
    t = table(2, definition=GAME, turn_seconds=60)
    t.press(OK)
    t.wait(20.0)
    before = t.state.clocks[0].seconds_left
    t.restart()
    t.wait(300.0)
    (clock,) = t.state.clocks
    assert clock.paused
    assert abs(clock.seconds_left - before) <= 2
    t.press(OK)
    t.wait(before + 1)
    assert t.game.turn_number == 2, "it only reminds"


# Corrections -----------------------------------------------------------------------------------------------------


def test_dust_is_corrected_from_the_players_own_button(table: Tables) -> None:
    t = table(2, definition=GAME)
    t.press(MINUS, MINUS, S2, MINUS, MINUS, OK)
    assert t.played() == Correction("dust", Seat(1), (30,))
    assert t.state.scores == (32, 30)


def all_lines_open(t: TableUnderTest) -> None:
    """Each line of the menu opens something, and NO leads back."""
    t.press(MINUS, MINUS)
    lines = t.state.menu.items
    t.press(NO)
    for index in range(len(lines) - 1):  # the last one puts the game away
        t.press(MINUS, MINUS, *[MINUS] * index, OK)
        assert t.state.menu or t.state.question, lines[index]
        for _ in range(2):
            if t.state.menu or t.state.question:
                t.press(NO)
        t.wait(3.0)


def test_every_correction_is_reached_by_buttons(table: Tables) -> None:
    t = at_the_count(table)
    all_lines_open(t)
    t.press(S1)
    fill(t, *[1] * 10)
    fill(t, *[1] * 10)
    all_lines_open(t)
    t.press(OK)
    all_lines_open(t)
    assert t.state.kind is ScreenKind.RESULT


def test_a_tile_stands_elsewhere(table: Tables) -> None:
    t = table(2, definition=GAME)
    t.press(OK, MINUS, MINUS)
    line = t.state.menu.items.index("Tiles on 9 8 7 6 5") - t.state.menu.selected
    t.press(*[MINUS] * line, OK, S1, S3, OK)
    assert t.game.occupied_spaces == (7,)
    assert t.state.last_move == "Corrected: tiles on 9 8 7 6 5, 1 0 0 0 0 to 0 0 1 0 0"


def test_a_player_leaves_and_comes_back(table: Tables) -> None:
    t = table(3, definition=GAME)
    t.press(OK)
    t.saved_game.correct(Correction("away", Seat(1), (1,)))
    assert t.game.active_seat == 2
    t.press(OK, OK)
    assert t.game.active_seat == 2
    t.saved_game.correct(Correction("away", Seat(1), (0,)))
    t.press(S4)
    t.press(S4)
    assert t.game.active_seat == 1


def test_a_catalogue_saves_the_counting(table: Tables) -> None:
    catalogue = [{"stars": n % 4, "planets": n % 2, "comets": n // 3} for n in range(6)]
    t = table(2, definition=GAME, tiles_removed={"2": 24}, catalogue=catalogue)
    t.press(PLUS, S1, S1)  # Ada adds and says which, the first one on the keys; Bob takes it
    t.press(PLUS, S1, S1, OK)  # and the next one
    t.press(PLUS, S1)
    assert t.game.phase is Phase.CHOOSE
    t.press(OK)
    assert t.game.phase is Phase.TABLE
    assert list(t.state.scores) == find_points(t)


# Whole games -----------------------------------------------------------------------------------------------------


def weight(t: TableUnderTest, offer: Offer) -> float:
    match offer.action:
        case Move():
            return GAME.get_bot_weight(t.game, offer)
        case Command(CommandName.UNDO):
            return 0.02
        case Command(CommandName.ANSWER) if offer.input is ConsolePress.NO:
            return 0.1
    return 0.0


def pressed(t: TableUnderTest, random: Random) -> None:
    offers = [o for o in t.referee.list_offers() if weight(t, o)]
    (offer,) = random.choices(offers, [weight(t, o) for o in offers])
    t.wait(0.5)
    if offer.input is ConsolePress.HOLD_NO:
        t.hold(NO)
        return
    button = find_button(offer.input, t.saved_game.setup.buttons)
    assert button is not None
    t.press(button)


def journalled(t: TableUnderTest) -> list[Move]:
    """Return the moves that count, from the journal's entries."""
    counting: list[Move] = []
    for entry in t.journal.read_entries(t.saved_game.id):
        if entry.what.kind is EntryKind.MOVE and entry.what.played is not None:
            counting.append(entry.what.played.to_move())
        elif entry.what.kind is EntryKind.UNDO:
            counting.pop()
        else:
            assert entry.what.kind is EntryKind.RESUMED
    return counting


def find_points(t: TableUnderTest) -> list[int]:
    """Return the points of the scorer of the differential tests."""
    points: list[int] = score_moves(
        STARFALL, len(t.saved_game.setup.players), t.saved_game.setup.first, t.game.settings, journalled(t)
    ).points
    return points


def play_through(t: TableUnderTest, seed: int) -> None:
    random = Random(seed)
    for presses in range(LONGEST):
        if t.state.kind is ScreenKind.RESULT:
            break
        pressed(t, random)
        if presses == 150:
            t.restart()
    assert t.state.kind is ScreenKind.RESULT, "no end"
    totals = find_points(t)
    assert list(t.state.scores) == totals
    outcome = t.game.compute_outcome()
    assert set(outcome.winners) == {q for q, total in enumerate(totals) if total == max(totals)}


def box(seed: int) -> list[dict[str, int]]:
    random = Random(seed)
    names = tuple(SkyTile.model_fields)
    return [dict.fromkeys(random.sample(names, 3), random.randint(1, 3)) for _ in range(27)] if seed % 2 else []


@pytest.mark.parametrize("seed", range(1, 4))
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_game_by_random_presses(table: Tables, players: int, seed: int) -> None:
    play_through(table(players, definition=GAME, catalogue=box(seed)), seed)


@pytest.mark.proof
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(1, 51))
def test_fifty_games_for_each_number_of_players(table: Tables, players: int, seed: int) -> None:
    play_through(table(players, definition=GAME, catalogue=box(seed)), seed)


def test_counts_are_corrected_downwards_as_well(table: Tables) -> None:
    t = at_the_count(table)
    t.press(S1)
    fill(t, 5, 0, 2, *[0] * 7)
    t.correct("Ada's stars", MINUS)
    assert t.game.symbol_counts[0][:3] == (4, 0, 2), "the first count is changed by PLUS and MINUS"
    t.correct("Ada's stars", S3, MINUS, MINUS, check=lambda: t.press(PLUS))
    assert t.game.symbol_counts[0][:3] == (5, 0, 1), "a number's key steps it up, and PLUS and MINUS go on with it"
