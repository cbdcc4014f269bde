"""Secret Number on the screen: every phase, most and fewest players, long names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.events import SEAT_BUTTONS
from companion.gallery.fixtures import asked, fix_menu, in_vain, paused, spinners, table_offers
from companion.gallery.secret_number_positions import in_round, laid, new, play, turned, with_bonuses
from companion.games.api.game import Move, Seat
from companion.games.api.offers import Sight
from companion.games.secret_number import KIT, SecretNumber
from companion.games.secret_number.view import Phase
from companion.referee.dialogs.base import Agreement
from companion.referee.screen import of_game
from companion.screen_state import RunningClock, Shown

NAMES = ("Wilhelmina", "Bo", "Maximilianna", "Ada", "Ferdinand")
LONG_MATCH = ((-11, 8, 3, 0, -2), (-8, 5, 5, 1, -6))
TABLE = {0: 1, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 2, 7: 2, 8: 2, 9: 2, 10: 2, 12: 3, 15: 3, 16: 3, 20: 3, 25: 3}


def shown(game: SecretNumber, *clocks: float, names: Sequence[str] = NAMES) -> Shown:
    """As the referee shows it; `clocks`: seconds left of each."""
    buttons = SEAT_BUTTONS[: game.players]
    running = tuple(
        RunningClock(clock.name, left, clock.seconds) for clock, left in zip(game.clocks(), clocks, strict=False)
    )
    more = table_offers(paused=bool(running), over=game.phase is Phase.OVER)
    offers = (*KIT.offers(game, names, Sight()), *more)
    return replace(
        of_game(KIT, game, names[: game.players], buttons, offers, Sight()),
        last=turned_card(names),
        clocks=running,
    )


def turned_card(names: Sequence[str]) -> str:
    """What was played last, where it makes no difference."""
    game = play(laid(new(len(names)), "AB" * 4 + "AC"), *("wrong 0", "wrong 1") * 4, "wrong 0")
    wrong = Move("wrong", Seat(2))
    return KIT.tell(game, wrong, game.play(wrong), names)


def full(number: int) -> SecretNumber:
    """Five players in their third game, thirty cards laid; `number` of them turned, nobody right before the tenth."""
    game = replace(new(5), game=3, earlier=LONG_MATCH)
    game = laid(game, "ABCDE" * 3, "ABCDE" * 2, "ABCDE")
    while len(game.marks) < number and game.next_card is not None:
        right = len(game.marks) in (10, 17, 23)
        game = play(game, f"{'right' if right else 'wrong'} {game.next_card[1]}")
    return game


def samples() -> dict[str, Shown]:
    """All states, by name."""
    found: dict[str, Shown] = {}
    for players in (2, 5):
        found[f"deal_{players}"] = shown(new(players))
        found[f"round_{players}"] = shown(in_round(players), 180.0)
    later = replace(new(5), game=3, earlier=LONG_MATCH)
    found["deal_last"] = shown(later)
    for number in (1, 2, 3):
        ready = play(later, "dealt", *("ready", "go", "end") * (number - 1))
        found[f"prepare_{number}"] = shown(ready)
    found["prepare_timer"] = shown(play(new(3, choose_seconds=90), "dealt"), 85.0)
    show = play(later, "dealt", "ready")
    for left in (3.0, 1.0, 0.0):
        found[f"show_{left:.0f}"] = shown(show, left)
    some = play(in_round(3), "lay 0", "lay 1", "lay 0", "lay 2")
    found["round_some"] = shown(some, 155.2)
    most = replace(play(later, "dealt", "ready", "go"), piles=(tuple(Seat(i % 5) for i in range(30)), (), ()))
    found["round_thirty"] = shown(most, 92.0)
    found["round_soon"] = shown(some, 29.5)
    found["round_last"] = shown(most, 7.0)
    found["round_paused"] = replace(
        shown(some, 64.0), clocks=(RunningClock("game 1, round 1", 64.0, 180.0, paused=True),)
    )
    end = next(offer for offer in KIT.offers(some, NAMES, Sight()) if offer.agreed_by)
    assert isinstance(end.does, Move)
    found["question"] = asked(shown(some, 64.0), Agreement(end.words, end.does, end.agreed_by, NAMES, 0.0))
    found["paused"] = replace(found["round_paused"], question=paused())
    found["reveal_first"] = shown(full(0))
    found["reveal_half"] = shown(full(14))
    found["reveal_few"] = shown(play(laid(new(2), "AB", "A"), "wrong 0"))
    found["reveal_one"] = shown(laid(new(3), "C"))
    found["fix"] = shown(play(full(14), "fix"))
    found["fix_end"] = shown(play(turned(new(2), 2, "A1 B0"), "fix"))
    found["fix_nothing"] = shown(play(laid(new(3)), "fix"))
    found["bonus"] = shown(full(30))
    found["bonus_table"] = shown(turned(new(3, display_bonus=TABLE), 1, "A1 B0", "C1"))
    scored = with_bonuses(full(30), "A3 B2 C1 D1 E2")
    found["result_5"] = shown(scored)
    found["result_2"] = shown(with_bonuses(turned(new(2), 1, "A1 B0", "B1"), "A3 B2"))
    found["result_none"] = shown(laid(new(4)))
    found["menu"] = asked(shown(scored), fix_menu(KIT, scored, NAMES, 4))
    found["menu_round"] = asked(shown(most, 92.0), spinners(KIT, most, NAMES)[1])
    found["notice"] = replace(shown(some, 92.0), notice=in_vain(some, Move("lay", Seat(2)), NAMES))
    found["over"] = shown(play(scored, "next"))
    return found
