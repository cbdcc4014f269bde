"""Why a press did nothing: the true reason, about what the button stands for at that moment."""

from __future__ import annotations

from collections.abc import Callable

from companion.api import Move, registry
from companion.events import Button
from companion.games.macroscope.state import Phase
from companion.testing.table import A, TableUnderTest

Tables = Callable[..., TableUnderTest]
S1, S2, S3, S4, S5, S6 = list(Button)[:6]
OK, NO, PLUS = Button.OK, Button.NO, Button.PLUS


def test_a_number_key_pressed_in_vain_is_explained_as_a_number(table: Tables) -> None:
    t = table(camera=False)
    t.press(S2, S6, S5)
    assert t.state.notice == "The dice allow a 2 or a 6, not a 5"
    assert t.saved_game.last_played == Move("roll", A, (2, 6))


def test_where_only_one_second_token_is_possible_plus_takes_it(table: Tables) -> None:
    t = table(camera=False)
    t.press(S2, S6, S6, PLUS)
    assert t.saved_game.last_played == Move("remove", A, (2,))
    assert t.referee.dialog is None


def test_so_it_is_without_a_player_at_that_seat(table: Tables) -> None:
    t = table(2, definition=registry.find_game("memo_dice"), camera=False)
    t.press(S5)
    assert t.state.notice == "A symbol is red, blue or black"
    t.press(OK)
    assert "turn" not in (t.state.notice or ""), "a button of the console has no seat"


def test_so_it_is_for_a_bonus(table: Tables) -> None:
    t = table(2, definition=registry.find_game("secret_number"))
    for _ in range(3):
        t.press(*[OK] * (1 + (t.game.phase == "deal")))
        t.wait(3.1)
        if t.game.round_number == 1:
            t.press(S1)
        t.hold(OK)
    t.press(OK)
    assert t.game.phase == "bonus"
    t.press(S5)
    assert t.state.notice == "A display card gives 1, 2 or 3"


def reveal(table: Tables) -> TableUnderTest:
    t = table(3, camera=False)
    t.press(S2, S6, S6, S1)
    t.press(OK)  # nobody else
    assert t.state.last_move == "Nobody else wants to guess"
    assert t.game.phase is Phase.COVER
    return t


def test_after_the_guessing_nobody_is_told_to_wait_for_it(table: Tables) -> None:
    t = reveal(table)
    t.press(S2)
    assert t.state.notice == "The guessing of this round is over"
    t.press(OK, S3)
    assert t.game.phase is Phase.REVEAL
    assert t.state.notice == "Cleo has not guessed in this round"


def test_nobody_wants_to_guess_if_nobody_did(table: Tables) -> None:
    t = table(3, camera=False)
    t.press(S2, S6, S6, OK, OK)
    assert t.state.last_move == "Nobody wants to guess"


def test_the_keys_that_may_be_pressed_are_not_explained(table: Tables) -> None:
    t = table(3, camera=False)
    t.press(S2, S6)
    t.press(S6)
    assert (t.state.notice, t.game.active_seat) == (None, A)
