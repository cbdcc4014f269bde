"""Secret Number on the screen: every phase, most and fewest players, long names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.events import SEAT_BUTTONS
from companion.gallery.fixtures import (
    get_refusal_notice,
    list_spinners,
    make_correction_menu,
    make_pause_question,
    make_referee_offers,
    open_dialog,
)
from companion.gallery.secret_number_positions import (
    answer_bonuses,
    lay_cards,
    new_game,
    play_moves,
    start_round,
    turn_cards,
)
from companion.games.api.game import Move, Seat
from companion.games.api.offers import Visibility
from companion.games.secret_number import GAME, SecretNumber
from companion.games.secret_number.view import Phase
from companion.referee.dialogs.base import AgreementDialog
from companion.referee.screen import build_game_state
from companion.screen_state import RunningClock, ScreenState

NAMES = ("Wilhelmina", "Bo", "Maximilianna", "Ada", "Ferdinand")
EARLIER_SCORES = ((-11, 8, 3, 0, -2), (-8, 5, 5, 1, -6))
BONUS_TABLE = {0: 1, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 2, 7: 2, 8: 2, 9: 2, 10: 2, 12: 3, 15: 3, 16: 3, 20: 3, 25: 3}


def show_game(game: SecretNumber, *clocks: float, names: Sequence[str] = NAMES) -> ScreenState:
    """As the referee shows it; `clocks`: seconds left of each."""
    buttons = SEAT_BUTTONS[: game.player_count]
    running = tuple(
        RunningClock(clock.name, left, clock.seconds) for clock, left in zip(game.list_clocks(), clocks, strict=False)
    )
    more = make_referee_offers(paused=bool(running), over=game.phase is Phase.OVER)
    offers = (*GAME.list_offers(game, names, Visibility()), *more)
    return replace(
        build_game_state(GAME, game, names[: game.player_count], buttons, offers, Visibility()),
        last_move=describe_last_move(names),
        clocks=running,
    )


def describe_last_move(names: Sequence[str]) -> str:
    """What was played last, where it makes no difference."""
    game = play_moves(lay_cards(new_game(len(names)), "AB" * 4 + "AC"), *("wrong 0", "wrong 1") * 4, "wrong 0")
    wrong = Move("wrong", Seat(2))
    return GAME.describe(game, wrong, game.play(wrong), names)


def turn_thirty_cards(number: int) -> SecretNumber:
    """Five players in their third game, thirty cards laid; `number` of them turned, nobody right before the tenth."""
    game = replace(new_game(5), game_number=3, earlier_scores=EARLIER_SCORES)
    game = lay_cards(game, "ABCDE" * 3, "ABCDE" * 2, "ABCDE")
    while len(game.cards_right) < number and game.next_card is not None:
        right = len(game.cards_right) in (10, 17, 23)
        game = play_moves(game, f"{'right' if right else 'wrong'} {game.next_card[1]}")
    return game


def build_samples() -> dict[str, ScreenState]:
    """All states, by name."""
    found: dict[str, ScreenState] = {}
    for players in (2, 5):
        found[f"deal_{players}"] = show_game(new_game(players))
        found[f"round_{players}"] = show_game(start_round(players), 180.0)
    later = replace(new_game(5), game_number=3, earlier_scores=EARLIER_SCORES)
    found["deal_last"] = show_game(later)
    for number in (1, 2, 3):
        ready = play_moves(later, "dealt", *("ready", "go", "end") * (number - 1))
        found[f"prepare_{number}"] = show_game(ready)
    found["prepare_timer"] = show_game(play_moves(new_game(3, choose_seconds=90), "dealt"), 85.0)
    show = play_moves(later, "dealt", "ready")
    for left in (3.0, 1.0, 0.0):
        found[f"show_{left:.0f}"] = show_game(show, left)
    some = play_moves(start_round(3), "lay 0", "lay 1", "lay 0", "lay 2")
    found["round_some"] = show_game(some, 155.2)
    most = replace(play_moves(later, "dealt", "ready", "go"), piles=(tuple(Seat(i % 5) for i in range(30)), (), ()))
    found["round_thirty"] = show_game(most, 92.0)
    found["round_soon"] = show_game(some, 29.5)
    found["round_last"] = show_game(most, 7.0)
    found["round_paused"] = replace(
        show_game(some, 64.0), clocks=(RunningClock("game 1, round 1", 64.0, 180.0, paused=True),)
    )
    end = next(offer for offer in GAME.list_offers(some, NAMES, Visibility()) if offer.agreeing_seats)
    assert isinstance(end.action, Move)
    found["question"] = open_dialog(
        show_game(some, 64.0), AgreementDialog(end.label, end.action, end.agreeing_seats, NAMES, 0.0)
    )
    found["paused"] = replace(found["round_paused"], question=make_pause_question())
    found["reveal_first"] = show_game(turn_thirty_cards(0))
    found["reveal_half"] = show_game(turn_thirty_cards(14))
    found["reveal_few"] = show_game(play_moves(lay_cards(new_game(2), "AB", "A"), "wrong 0"))
    found["reveal_one"] = show_game(lay_cards(new_game(3), "C"))
    found["fix"] = show_game(play_moves(turn_thirty_cards(14), "fix"))
    found["fix_end"] = show_game(play_moves(turn_cards(new_game(2), 2, "A1 B0"), "fix"))
    found["fix_nothing"] = show_game(play_moves(lay_cards(new_game(3)), "fix"))
    found["bonus"] = show_game(turn_thirty_cards(30))
    found["bonus_table"] = show_game(turn_cards(new_game(3, display_bonus=BONUS_TABLE), 1, "A1 B0", "C1"))
    scored = answer_bonuses(turn_thirty_cards(30), "A3 B2 C1 D1 E2")
    found["result_5"] = show_game(scored)
    found["result_2"] = show_game(answer_bonuses(turn_cards(new_game(2), 1, "A1 B0", "B1"), "A3 B2"))
    found["result_none"] = show_game(lay_cards(new_game(4)))
    found["menu"] = open_dialog(show_game(scored), make_correction_menu(GAME, scored, NAMES, 4))
    found["menu_round"] = open_dialog(show_game(most, 92.0), list_spinners(GAME, most, NAMES)[1])
    found["notice"] = replace(show_game(some, 92.0), notice=get_refusal_notice(some, Move("lay", Seat(2)), NAMES))
    found["over"] = show_game(play_moves(scored, "next"))
    return found
