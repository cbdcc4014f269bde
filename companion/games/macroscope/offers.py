"""What can be pressed or done in each state of a Macroscope game.

The console: OK goes on, NO declines or asks, PLUS enters by hand. MINUS (the menu) and NO held (undo) are the
referee's and never used here. Two commands are the referee's to expand: "second" and "by hand" stand for the legal
"remove" moves, each by its number key, because the number keys are the seats' buttons.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.games.api.game import Move, Seat
from companion.games.api.offers import (
    NUMBER_ENTRY,
    Command,
    ConsolePress,
    NumberPress,
    Offer,
    SeatPress,
    TableAction,
    Visibility,
)
from companion.games.macroscope.rules import Macroscope
from companion.games.macroscope.view import AskingReason, Phase
from companion.i18n import Translator

_ = Translator("macroscope")

ENTER_SECOND_TOKEN = Command("second")
"""The second token, by its number."""
ENTER_TOKEN = Command("by hand")
"""The first token by its number, though the camera looks."""


BOT_WEIGHTS = {"guess": 0.25, "wish": 0.3, "withdraw": 0.1, "ask": 0.4, "renew": 0.0}
"""How much virtual players like a move, where 1 is what they do when nothing speaks against it."""


def get_bot_weight(_game: Macroscope, offer: Offer) -> float:
    """See `Kit.likely`."""
    return BOT_WEIGHTS.get(offer.action.kind, 1.0) if isinstance(offer.action, Move) else 1.0


def list_offers(game: Macroscope, names: Sequence[str], visibility: Visibility) -> Sequence[Offer]:
    """All that is open now. Every legal move is in it, itself or behind one of the two commands."""
    return tuple(_Table(game, names, visibility).offers())


def get_default_move(game: Macroscope, seat: Seat) -> Move | None:
    """Who presses their own button wants to guess."""
    return Move("guess" if seat == game.active_seat else "wish", seat)


@dataclass(frozen=True, slots=True)
class _Table:
    game: Macroscope
    names: Sequence[str]
    sight: Visibility

    def offers(self) -> Iterator[Offer]:
        match self.game.phase:
            case Phase.ROLL:
                yield from self._roll()
            case Phase.OPEN if not self.game.opened_windows:
                yield from self._first_token()
            case Phase.OPEN:
                yield from self._active(stop=ConsolePress.OK)
            case Phase.ASKING:
                yield from self._asking()
            case Phase.PICK:
                yield from self._pick()
            case Phase.CALLED:
                yield from self._called()
            case Phase.COVER:
                cover = Move("cover")
                if self.sight.tokens:
                    yield Offer(cover, TableAction("cover"), _("Cover all windows"), awaited=True)
                yield Offer(cover, ConsolePress.OK, _("Covered, card pulled"), awaited=True)
            case Phase.REVEAL:
                for q in self.game.guessers:
                    words = _("{who} was right", who=self.names[q])
                    yield Offer(Move("right", q), SeatPress(q), words, awaited=True)
                yield Offer(Move("nobody"), ConsolePress.NO, _("Nobody was right"))
            case Phase.OVER:
                pass
        if self.game.may_renew:
            yield self._renew()

    def _roll(self) -> Iterator[Offer]:
        roll = next(move for move in self.game.list_moves() if move.kind == "roll")
        if self.sight.dice:
            yield Offer(roll, TableAction("throw"), _("Roll the dice"), awaited=True)
            yield Offer(roll, ConsolePress.PLUS, _("Enter the roll"))
        else:
            yield Offer(roll, NUMBER_ENTRY, _("Enter the roll"), awaited=True)

    def _renew(self) -> Offer:
        """D1: a button only when the device should be empty; else the referee's menu lists the deed."""
        if self.game.is_deck_empty:
            return Offer(Move("renew"), ConsolePress.OK, _("Deck turned over"), awaited=True)
        return Offer(Move("renew"), TableAction("renew"), _("Deck turned over"))

    def _first_token(self) -> Iterator[Offer]:
        if self.sight.tokens:
            yield from self._takes(awaited=True)
            yield Offer(ENTER_TOKEN, ConsolePress.PLUS, _("Enter the token"))
        else:
            for n in self.game.takeable_tokens:
                yield Offer(self._remove(n), NumberPress(n), _("Open a {n}", n=n), awaited=True)

    def _active(self, stop: ConsolePress) -> Iterator[Offer]:
        """What the active player may do once a window is open (M14); `stop` is the button that is free for it."""
        game = self.game
        his_choice = game.phase is Phase.OPEN  # else the table waits for the others
        yield Offer(Move("guess", game.active_seat), SeatPress(game.active_seat), _("I guess"), his_choice)
        yield Offer(Move("stop", game.active_seat), stop, _("Stop: take {n}", n=game.stop_crystals))
        if game.may_ask:
            yield Offer(Move("ask", game.active_seat), ConsolePress.NO, _("Ask the others"))
        if game.takeable_tokens:
            yield Offer(ENTER_SECOND_TOKEN, ConsolePress.PLUS, _("Open a second"))
            if self.sight.tokens:
                yield from self._takes(awaited=False)

    def _asking(self) -> Iterator[Offer]:
        game = self.game
        if game.asking_reason is AskingReason.MEANWHILE:
            yield from self._active(stop=ConsolePress.NO)
        yield from self._wishes()
        yield from self._withdrawals(game.wish_queue)
        nobody = _("Nobody else") if game.guessers else _("Nobody")
        words = _("Go on with {n}", n=len(game.wishes)) if game.wishes else nobody
        yield Offer(Move("close", game.active_seat), ConsolePress.OK, words, awaited=True)

    def _pick(self) -> Iterator[Offer]:
        game = self.game
        if game.asking_reason is AskingReason.MEANWHILE:
            yield from self._active(stop=ConsolePress.OK)
        yield from self._wishes()
        tied = game.first_in_queue
        for q in tied:
            words = _("{who} first", who=self.names[q])
            yield Offer(Move("pick", game.active_seat, (q,)), SeatPress(q), words, awaited=True)
        yield from self._withdrawals([q for q in game.wish_queue if q not in tied])

    def _called(self) -> Iterator[Offer]:
        game = self.game
        if game.asking_reason is AskingReason.MEANWHILE:
            yield from self._active(stop=ConsolePress.OK)
        yield from self._wishes()
        if game.called_seat is not None:
            words = _("I say it: pay {n}", n=game.guess_cost) if game.guess_cost else _("I say it")
            yield Offer(Move("name", game.called_seat), SeatPress(game.called_seat), words, awaited=True)
            silent = _("{who} says nothing", who=self.names[game.called_seat])
            yield Offer(Move("withdraw", game.called_seat), ConsolePress.NO, silent)
        yield from self._withdrawals([q for q in game.wish_queue if q != game.called_seat])

    def _wishes(self) -> Iterator[Offer]:
        for q in self.game.may_wish:
            yield Offer(Move("wish", q), SeatPress(q), _("I want to guess"))

    def _withdrawals(self, seats: Sequence[Seat]) -> Iterator[Offer]:
        for q in seats:
            yield Offer(Move("withdraw", q), SeatPress(q), _("Not after all"))

    def _takes(self, awaited: bool) -> Iterator[Offer]:
        for n in self.game.takeable_tokens:
            yield Offer(self._remove(n), TableAction("take", n), _("Open a {n}", n=n), awaited)

    def _remove(self, number: int) -> Move:
        return Move("remove", self.game.active_seat, (number,))
