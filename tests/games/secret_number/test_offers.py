"""Keys, prompts, log lines and labels of Secret Number, and what bots choose."""

from __future__ import annotations

import pytest

from companion.api import (
    ConsolePress,
    Correction,
    Input,
    Move,
    NumberPress,
    Offer,
    Outcome,
    Seat,
    SeatPress,
    Visibility,
)
from companion.games.secret_number import GAME, SecretNumber, Settings
from companion.games.secret_number.samples import lay_cards, new_game, start_round, turn_cards
from companion.testing.checks import list_bot_shares, list_keys
from tests.games.secret_number.positions import NAMES, answer_bonuses, parse_move, play_moves

REVEAL = lay_cards(new_game(3), "AB")
FIXING = play_moves(REVEAL, "wrong 0", "fix")
ALL_TURNED = play_moves(REVEAL, "wrong 0", "wrong 1")
ASKED = play_moves(REVEAL, "wrong 0", "right 1")
LAST_GAME = lay_cards(new_game(2, games=1))


@pytest.mark.parametrize(
    ("game", "keys"),
    [
        (new_game(2), {ConsolePress.OK: "Dealt*", ConsolePress.NO: "Deal again"}),
        (play_moves(new_game(2), "dealt"), {ConsolePress.OK: "All ready*"}),
        (play_moves(new_game(2), "dealt", "ready"), {ConsolePress.PLUS: "Start now", ConsolePress.NO: "Wait"}),
        (
            start_round(2),
            {
                SeatPress(Seat(0)): "Card laid~",
                SeatPress(Seat(1)): "Card laid~",
                ConsolePress.HOLD_OK: "Hold: stop",
            },
        ),
        (REVEAL, {ConsolePress.OK: "Correct*", ConsolePress.NO: "Wrong*", ConsolePress.PLUS: "Fix pile"}),
        (
            FIXING,
            {
                **{SeatPress(Seat(q)): "My card" for q in range(3)},
                ConsolePress.NO: "No card",
                ConsolePress.PLUS: "Card back",
                ConsolePress.OK: "Pile right*",
            },
        ),
        (ASKED, {**{NumberPress(n): f"{n}*" for n in (1, 2, 3)}, ConsolePress.PLUS: "Fix pile"}),
        (ALL_TURNED, {ConsolePress.OK: "Next game*", ConsolePress.PLUS: "Fix pile"}),
        (LAST_GAME, {ConsolePress.OK: "Final result*", ConsolePress.PLUS: "Fix pile"}),
        (play_moves(LAST_GAME, "next"), {}),
    ],
)
def test_keys(game: SecretNumber, keys: dict[Input, str]) -> None:
    assert list_keys(GAME, game, NAMES) == keys


@pytest.mark.parametrize(
    ("game", "shares"),
    [
        (new_game(3), {"Dealt": 95.2, "Deal again": 4.8}),
        (play_moves(new_game(3), "dealt", "ready"), {"Start now": 95.2, "Wait": 4.8}),
        (start_round(3), {"Card laid": 26.3, "Hold: stop": 21.1}),
        (REVEAL, {"Correct": 22.6, "Wrong": 75.2, "Fix pile": 2.3}),
        (FIXING, {"My card": 6.2, "No card": 6.2, "Card back": 12.5, "Pile right": 62.5}),
        (ASKED, {"1": 33.0, "2": 33.0, "3": 33.0, "Fix pile": 1.0}),
    ],
)
def test_how_often_bots_choose_a_key(game: SecretNumber, shares: dict[str, float]) -> None:
    """In percent: a few cards in each round, most of them wrong, and the pile is seldom found wrong."""
    assert list_bot_shares(GAME, game, NAMES) == shares


def test_bots_choose_no_correction_more_often_than_a_usual_move() -> None:
    correction = Offer(Correction("total", Seat(0), (3,)), ConsolePress.OK, "Points")
    assert GAME.get_bot_weight(new_game(2), correction) == 1.0


@pytest.mark.parametrize(
    ("game", "seat_move", "number_move"),
    [
        (start_round(3), Move("lay", Seat(1)), Move("bonus", None, (2,))),
        (FIXING, Move("insert", Seat(1)), Move("bonus", None, (2,))),
        (ASKED, Move("lay", Seat(1)), Move("bonus", Seat(1), (2,))),
    ],
)
def test_what_buttons_usually_mean(game: SecretNumber, seat_move: Move, number_move: Move) -> None:
    assert GAME.get_default_move(game, Seat(1)) == seat_move
    assert GAME.get_number_move(game, 2) == number_move


@pytest.mark.parametrize(
    ("game", "prompt", "addressed"),
    [
        (new_game(2), "Game 1 of 3: deal the cards", None),
        (play_moves(new_game(2), "dealt"), "Lay round card 1 out. Choose a calculation", None),
        (play_moves(new_game(2), "dealt", "ready"), "3, 2, 1: all show at once!", None),
        (start_round(2), "Lay a card face down, press your button", None),
        (lay_cards(new_game(3), "BA"), "Bob: turn the secret and your card. All check: are they the same?", 1),
        (play_moves(REVEAL, "wrong 0"), "Bob: turn your card. All check: is it the secret number?", 1),
        (FIXING, "Is the pile right at card 2?", None),
        (play_moves(REVEAL, "fix"), "Is the pile right at card 1?", None),
        (play_moves(ALL_TURNED, "fix"), "Whose card lies at the end of the pile?", None),
        (play_moves(lay_cards(new_game(3)), "fix"), "Whose card lies at the end of the pile?", None),
        (ASKED, "Bob: your bonus, 1, 2 or 3?", 1),
        (ALL_TURNED, "Game 1 of 3 is scored", None),
        (play_moves(ALL_TURNED, "next"), "Game 2 of 3: deal the cards", None),
        (play_moves(LAST_GAME, "next"), "Ada and Bob share the victory with 0", None),
        (play_moves(turn_cards(new_game(2, games=1), 1, "A0"), "next"), "Bob wins with 0", None),
    ],
)
def test_prompts(game: SecretNumber, prompt: str, addressed: int | None) -> None:
    assert GAME.format_prompt(game, NAMES) == prompt
    assert GAME.get_addressed_seat(game) == addressed


@pytest.mark.parametrize(
    ("game", "text", "line"),
    [
        (new_game(2), "dealt", "Game 1 begins"),
        (new_game(2), "again", "Somebody holds two zeros: dealt again"),
        (play_moves(new_game(2), "dealt"), "ready", "All have chosen what to show"),
        (play_moves(new_game(2), "dealt", "ready"), "wait", "The countdown is cancelled"),
        (play_moves(new_game(2), "dealt", "ready"), "go", "All show it: round 1 begins"),
        (start_round(2), "lay 1", "Bob lays a card, 1 card on the pile"),
        (play_moves(start_round(2), "lay 1"), "lay 0", "Ada lays a card, 2 cards on the pile"),
        (start_round(2), "end", "Round 1 is over, no cards on the pile"),
        (play_moves(start_round(2, 2), "lay 1"), "end", "Round 2 is over, 1 card on the pile"),
        (play_moves(start_round(2), "lay 1", "lay 0"), "end", "Round 1 is over, 2 cards on the pile"),
        (REVEAL, "fix", "The pile is being corrected"),
        (FIXING, "back", "The pile is right"),
        (FIXING, "earlier", "Back to card 1 (Ada +1)"),
        (REVEAL, "wrong 0", "Card 1, Ada: wrong (Ada −1)"),
        (play_moves(REVEAL, "wrong 0"), "right 1", "Card 2, Bob: right (Bob +5)"),
        (ASKED, "bonus 1 3", "Bob has a bonus of 3 (Bob +3)"),
        (ALL_TURNED, "next", "Game 1: Ada −1, Bob −1, Cleo 0"),
    ],
)
def test_the_log(game: SecretNumber, text: str, line: str) -> None:
    move = parse_move(text)
    assert GAME.describe(game, move, game.play(move), NAMES) == line


def test_a_correction_lists_no_changes_of_points() -> None:
    what = Correction.from_stored("card 1", None, (1,))
    assert GAME.describe(ALL_TURNED, what, ALL_TURNED.correct(what), NAMES) == "Corrected: card 1 of Ada is right"
    back = Correction.from_stored("card 1", None, (0,))
    game = ALL_TURNED.correct(what)
    assert GAME.describe(game, back, game.correct(back), NAMES) == "Corrected: card 1 of Ada is wrong"


def test_values_that_a_number_would_not_explain() -> None:
    words = {entry.stored_kind: GAME.label_values(ALL_TURNED, entry, NAMES) for entry in ALL_TURNED.list_correctables()}
    assert words["card 1"] == ("wrong", "right")
    assert words["who laid card 1"] == ("Ada", "Bob", "Cleo")
    assert words["round of card 2"] == words["total"] == words["away"] == ()


def test_what_the_game_is_to_the_session() -> None:
    """All play at the same time, and what the history compares is a game of the match."""
    game = play_moves(ALL_TURNED, "next")
    assert (GAME.has_first_player, GAME.get_round_number(game)) == (False, 2)


@pytest.mark.parametrize(("players", "most"), [(2, 2), (5, 5)])
def test_preparations(players: int, most: int) -> None:
    assert GAME.list_setup_steps(Settings(), players) == (
        f"Number cards 0 to {most}, two of each",
        f"Answer cards 0 to {most}, a colour each",
        "Each: 2 display cards, cover, symbol",
        "Round cards 1 to 3, the fastest card",
    )


def test_the_reason_of_the_outcome() -> None:
    won = play_moves(answer_bonuses(turn_cards(new_game(2, games=1), 1, "A1"), "A1"), "next")
    assert won.compute_outcome() == Outcome((Seat(0),), "The game is scored; 6 points are the most.")


def test_when_nobody_can_lay_a_card_the_table_waits_for_the_end_of_the_round() -> None:
    game = start_round(2)
    end = next(offer for offer in GAME.list_offers(game, NAMES, Visibility()) if offer.action == Move("end"))
    assert end.awaited is False
    while game.seats_able_to_lay:
        game = play_moves(game, f"lay {game.seats_able_to_lay[0]}")
    end = next(offer for offer in GAME.list_offers(game, NAMES, Visibility()) if offer.action == Move("end"))
    assert end.awaited is True
    assert GAME.format_prompt(game, NAMES) == "All cards are laid: hold OK to stop"
