"""Secret Number on the screen: every phase, most and fewest players, long names; and positions for the tests."""

from collections.abc import Sequence
from dataclasses import replace
from operator import sub
from typing import Any

from companion.api import Move, Seat
from companion.gallery import fixtures
from companion.gallery.fixtures import (
    SEAT_LETTERS,
    describe_move,
    get_refusal_notice,
    list_value_inputs,
    make_correction_menu,
    make_pause_dialog,
    open_dialog,
    parse_move,
    play_moves,
)
from companion.games.secret_number import GAME, SecretNumber, Settings
from companion.games.secret_number.state import Phase
from companion.screen_state import RunningClock, ScreenState

NAMES = ("Wilhelmina", "Bo", "Maximilianna", "Ada", "Ferdinand")
EARLIER_SCORES = ((-11, 8, 3, 0, -2), (-8, 5, 5, 1, -6))
"""Points of two earlier games, by game and seat."""
BONUSES = ((0, 3), (2, 1), (3, 1))
"""Seat and bonus of each player who is asked after `turn_thirty_cards`."""
BONUS_TABLE = {0: 1, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 2, 7: 2, 8: 2, 9: 2, 10: 2, 12: 3, 15: 3, 16: 3, 20: 3, 25: 3}
"""S34: result on a display card to bonus."""


def new_game(player_count: int, **settings: Any) -> SecretNumber:
    """Return a match at its start; `settings` are house rules by name.

    Raises:
        ValueError: `player_count` or a setting is not allowed.
    """
    return SecretNumber.create(player_count, Seat(0), Settings(**settings))


def start_round(player_count: int, round_number: int = 1, **settings: Any) -> SecretNumber:
    """Return a match in a round (1 to 3) of its first game, in which no card has been laid.

    Raises:
        ValueError: `player_count` or a setting is not allowed.
        IllegalMove: `round_number` is more than 3. Less than 1 counts as 1.
    """
    skipped = ("end", "ready", "go") * (round_number - 1)
    return play_moves(new_game(player_count, **settings), "dealt", "ready", "go", *skipped)


def lay_cards(game: SecretNumber, *rounds: str) -> SecretNumber:
    """Play a game from the deal to the reveal.

    Args:
        game: match in which the cards are to be dealt.
        rounds: for each round, at most three, the letters of the players who lay a card, in order ("ABA").

    Raises:
        ValueError: a letter is not one of "A" to "F".
        IllegalMove: a card cannot be laid by the rules, or the cards are dealt already.
    """
    game = play_moves(game, "dealt")
    for letters in (*rounds, "", "", "")[:3]:
        game = play_moves(game, "ready", "go", *(f"lay {SEAT_LETTERS.index(letter)}" for letter in letters), "end")
    return game


def turn_cards(game: SecretNumber, secret: int, *rounds: str) -> SecretNumber:
    """Play a game, written as players and their cards ("A1 B2 A2", "C2"), until all cards are turned.

    Args:
        game: match in which the cards are to be dealt.
        secret: the secret number; the cards with this value are right. Not checked.
        rounds: cards of each round, each with the letter of its player and its value.

    Raises:
        ValueError: a text is not in that notation.
        IllegalMove: a card cannot be laid by the rules.
        IndexError: a card has a letter and no value.
    """
    cards = [card for line in rounds for card in line.split()]
    game = lay_cards(game, *("".join(card[0] for card in line.split()) for line in rounds))
    while game.phase is Phase.REVEAL:
        card = cards[len(game.cards_right)]
        kind = "right" if int(card[1]) == secret else "wrong"
        game = play_moves(game, f"{kind} {SEAT_LETTERS.index(card[0])}")
    return game


def turn_thirty_cards(count: int, game_number: int = 3) -> SecretNumber:
    """Return game 1 to 3 of five players with thirty cards laid, `count` of them turned (0 to 30; not checked).

    Cards 11, 18 and 24 in the order of turning are right, the others wrong.
    """
    game = lay_cards(
        replace(new_game(5), game_number=game_number, earlier_scores=EARLIER_SCORES[: game_number - 1]),
        "ABCDE" * 3,
        "ABCDE" * 2,
        "ABCDE",
    )
    while len(game.cards_right) < count and game.next_card is not None:
        kind = "right" if len(game.cards_right) in (10, 17, 23) else "wrong"
        game = play_moves(game, f"{kind} {game.next_card[1]}")
    return game


def show_game(
    game: SecretNumber, *moves: str, seconds_left: float | None = None, names: Sequence[str] = NAMES
) -> ScreenState:
    """Build the screen of a match after moves.

    Args:
        game: current match.
        moves: moves that are played before, as `play_moves` takes them; the last move of the screen is the last one.
            Without any there is none.
        seconds_left: seconds left on each of its clocks; None: the full time.
        names: players' names by seat, at least as many as players.

    Raises:
        IllegalMove: a move is not legal.
        ValueError: there are fewer names than players.
    """
    last_move = ""
    if moves:
        before = play_moves(game, *moves[:-1])
        last_move = describe_move(GAME, before, parse_move(moves[-1]), names)
        game = play_moves(before, moves[-1])
    return fixtures.show_game(GAME, game, names, seconds_left=seconds_left, last_move=last_move)


def build_samples() -> dict[str, ScreenState]:
    """Return the sample screens of this module by name of the state, with texts in the current language."""
    later = replace(new_game(5), game_number=3, earlier_scores=EARLIER_SCORES)
    second = play_moves(turn_thirty_cards(30, game_number=2), *(f"bonus {seat} {bonus}" for seat, bonus in BONUSES))
    over = show_game(_score_thirty_cards(), "next")
    rounds = [*EARLIER_SCORES]
    rounds.append(tuple(map(sub, over.scores, map(sum, zip(*rounds, strict=True)))))
    return {
        **{f"deal_{count}": show_game(new_game(count)) for count in (2, 5)},
        "deal_last": show_game(second, "next"),
        **_build_round_samples(later),
        **_build_reveal_samples(),
        "over": replace(over, round_points=tuple(rounds)),
    }


def _score_thirty_cards() -> SecretNumber:
    return play_moves(turn_thirty_cards(30), *(f"bonus {seat} {bonus}" for seat, bonus in BONUSES))


def _build_round_samples(later: SecretNumber) -> dict[str, ScreenState]:
    """Rounds of a game (S10 to S24); `later`: the third game of five players is to be dealt."""
    shown = play_moves(later, "dealt", "ready")
    few = ("lay 0", "lay 1", "lay 0", "lay 2")
    many = replace(play_moves(shown, "go"), piles=(tuple(Seat(i % 5) for i in range(29)), (), ()))
    stopped = replace(
        show_game(start_round(3), *few, seconds_left=64.0),
        clocks=(RunningClock("game 1, round 1", 64.0, 180.0, paused=True),),
    )
    full = play_moves(many, "lay 4")
    return {
        **{
            f"round_{count}": show_game(play_moves(new_game(count), "dealt", "ready"), "go", seconds_left=180.0)
            for count in (2, 5)
        },
        **{
            f"prepare_{number}": show_game(later, "dealt", *("ready", "go", "end") * (number - 1))
            for number in (1, 2, 3)
        },
        "prepare_timer": show_game(new_game(3, choose_seconds=90), "dealt", seconds_left=85.0),
        **{f"show_{seconds}": show_game(later, "dealt", "ready", seconds_left=float(seconds)) for seconds in (3, 1, 0)},
        "round_some": show_game(start_round(3), *few, seconds_left=155.2),
        "round_thirty": show_game(many, "lay 4", seconds_left=92.0),
        "round_soon": show_game(start_round(3), *few, seconds_left=29.5),
        "round_last": show_game(many, "lay 4", seconds_left=7.0),
        "round_paused": stopped,
        "hold": replace(show_game(start_round(3), *few, seconds_left=64.0), notice=fixtures.get_hold_notice()),
        "paused": open_dialog(stopped, make_pause_dialog()),
        "menu_round": open_dialog(show_game(many, "lay 4", seconds_left=92.0), list_value_inputs(GAME, full, NAMES)[1]),
        "notice": replace(
            show_game(start_round(3), *few, seconds_left=92.0),
            notice=get_refusal_notice(play_moves(start_round(3), *few), Move("lay", Seat(2)), NAMES),
        ),
    }


def _build_reveal_samples() -> dict[str, ScreenState]:
    """The cards are turned and scored (S25 to S35)."""
    scored = _score_thirty_cards()
    *before, (last_seat, last_bonus) = BONUSES
    nearly_scored = play_moves(turn_thirty_cards(30), *(f"bonus {seat} {bonus}" for seat, bonus in before))
    fix_end = turn_cards(new_game(2), 2, "A1 B0")
    return {
        "reveal_first": show_game(turn_thirty_cards(0)),
        "reveal_half": show_game(turn_thirty_cards(13), "wrong 3"),
        "reveal_few": show_game(lay_cards(new_game(2), "AB", "A"), "wrong 0"),
        "reveal_one": show_game(lay_cards(new_game(3), "C")),
        "fix": show_game(turn_thirty_cards(14), "fix"),
        "fix_end": show_game(fix_end, "fix"),
        "fix_nothing": show_game(lay_cards(new_game(3)), "fix"),
        "bonus": show_game(turn_thirty_cards(29), "wrong 4"),
        "bonus_table": show_game(turn_cards(new_game(3, display_bonus=BONUS_TABLE), 1, "A1 B0", "C1")),
        "result_5": show_game(nearly_scored, f"bonus {last_seat} {last_bonus}"),
        "result_2": show_game(turn_cards(new_game(2), 1, "A1 B0", "B1"), "bonus 0 3", "bonus 1 2"),
        "result_none": show_game(lay_cards(new_game(4))),
        "menu": open_dialog(
            show_game(nearly_scored, f"bonus {last_seat} {last_bonus}"), make_correction_menu(GAME, scored, NAMES, 4)
        ),
    }
