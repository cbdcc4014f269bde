"""What can be pressed in each state of a Secret Number match. MINUS (pause, menu) and NO held (undo) are the referee's.

No key is ever right or wrong by what it would tell: which keys there are follows from presses alone, for the box knows
no card's value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.games.api.game import Move, Seat
from companion.games.api.offers import ConsolePress, NumberPress, Offer, SeatPress, Visibility
from companion.games.secret_number.rules import SecretNumber
from companion.games.secret_number.settings import DISPLAY_BONUSES
from companion.games.secret_number.view import Phase
from companion.i18n import Translator

_ = Translator("secret_number")

BOT_WEIGHTS = {
    "again": 0.05,
    "wait": 0.05,
    "lay": 0.5,
    "end": 0.4,
    "right": 0.3,
    "fix": 0.03,
    "insert": 0.1,
    "remove": 0.1,
    "earlier": 0.2,
}
"""How much virtual players like a move, where 1 is what nothing speaks against."""


def list_offers(game: SecretNumber, names: Sequence[str], sight: Visibility) -> Sequence[Offer]:
    """All that is open now; every legal move is in it. There is nothing for a camera to see."""
    return tuple(_Table(game, names).offers())


def get_default_move(game: SecretNumber, seat: Seat) -> Move | None:
    """Who presses their own button has laid a card."""
    return Move("insert" if game.phase is Phase.FIX else "lay", seat)


def weigh_for_bots(game: SecretNumber, offer: Offer) -> float:
    """Virtual players lay cards, agree to end a round now and then, and seldom find the pile wrong."""
    return BOT_WEIGHTS.get(offer.action.kind, 1.0) if isinstance(offer.action, Move) else 1.0


@dataclass(frozen=True, slots=True)
class _Table:
    game: SecretNumber
    names: Sequence[str]

    def offers(self) -> Iterator[Offer]:
        game = self.game
        match game.phase:
            case Phase.DEAL:
                yield Offer(Move("dealt"), ConsolePress.OK, _("Dealt"), awaited=True)
                yield Offer(Move("again"), ConsolePress.NO, _("Two zeros: again"))
            case Phase.PREPARE:
                yield Offer(Move("ready"), ConsolePress.OK, _("All have chosen"), awaited=True)
            case Phase.SHOW:
                # Not OK: a second press on it would cut the countdown short.
                yield Offer(Move("go"), ConsolePress.PLUS, _("Start now"))
                yield Offer(Move("wait"), ConsolePress.NO, _("Wait"))
            case Phase.ROUND:
                yield from (Offer(Move("lay", q), SeatPress(q), _("I lay a card")) for q in game.seats_able_to_lay)
                yield Offer(Move("end"), ConsolePress.OK, _("All agree: end"), agreeing_seats=game.active_seats)
            case Phase.REVEAL:
                yield from self._next_card()
            case Phase.FIX:
                yield from self._fix()
            case Phase.BONUS:
                for n in DISPLAY_BONUSES:
                    yield Offer(Move("bonus", game.bonus_seat, (n,)), NumberPress(n), f"{n}", awaited=True)
            case Phase.RESULT:
                last = game.game_number == game.settings.games
                yield Offer(Move("next"), ConsolePress.OK, _("Final result") if last else _("Next game"), awaited=True)
        if game.phase in (Phase.REVEAL, Phase.BONUS, Phase.RESULT):
            yield Offer(Move("fix"), ConsolePress.PLUS, _("Fix the pile"))

    def _next_card(self) -> Iterator[Offer]:
        if self.game.next_card is not None:
            seat = self.game.next_card[1]
            yield Offer(Move("right", seat), ConsolePress.OK, _("Right"), awaited=True)
            yield Offer(Move("wrong", seat), ConsolePress.NO, _("Wrong"), awaited=True)

    def _fix(self) -> Iterator[Offer]:
        """S25: a press of one's button puts one's card under the next one; what has no card is taken out."""
        game = self.game
        yield from (Offer(Move("insert", q), SeatPress(q), _("My card is here")) for q in game.seats_able_to_insert)
        if game.next_card is not None:
            seat = game.next_card[1]
            yield Offer(Move("remove", seat), ConsolePress.NO, _("No card of {who}", who=self.names[seat]))
        if game.cards_right:
            yield Offer(Move("earlier"), ConsolePress.PLUS, _("One card back"))
        yield Offer(Move("back"), ConsolePress.OK, _("Pile is right"), awaited=True)
