"""Who begins: drawn at random with a little show, or whoever says so by their button; and what is to be laid out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from companion.events import SEAT_BUTTONS, Button
from companion.games.api.game import Seat
from companion.games.api.offers import Command, Console, Kit, NumberPress, Offer
from companion.i18n import Words
from companion.lobby.stage import Hall
from companion.referee.buttons import keys_of
from companion.screen_state import Eyes, Place, Player, Shown

_ = Words("companion")

LAPS = 2
"""Rounds of the light before it slows down on the one who begins."""
FAST, SLOW = 0.09, 0.32
"""Seconds for which the light rests on one player, at its start and at its end."""


@dataclass(frozen=True, slots=True)
class FirstView:
    """On whom the light rests, and whether it stays there."""

    lit: Seat | None
    """None: nobody begins, all play at once."""
    settled: bool


class FirstPlayer(Hall):
    """The draw, between the lobby and the game.

    Args:
        kit: the game.
        names: by seat.
        seating: by seat.
        settings: house rules of the game, an instance of `kit.settings`.
        first: who was drawn.
        monotonic: the host's monotonic clock, in seconds.
    """

    def __init__(
        self,
        kit: Kit,
        names: Sequence[str],
        seating: Sequence[Button],
        settings: Any,
        first: Seat,
        monotonic: Callable[[], float],
    ) -> None:
        super().__init__(kit, monotonic)
        self.names, self.seating, self.settings, self.first = tuple(names), tuple(seating), settings, first
        self.left = False
        self.begun = False
        self._since = monotonic()
        self._steps = self._times()
        self._chosen = False

    @property
    def done(self) -> bool:
        return self.begun or self.left

    def _times(self) -> list[float]:
        """When the light goes on to the next player, in seconds since the start; it ends on the one who begins."""
        count = LAPS * len(self.names) + self.first
        times, at = [], 0.0
        for i in range(count):
            at += FAST + (SLOW - FAST) * (i / count) ** 2
            times.append(at)
        return times

    @property
    def view(self) -> FirstView:
        """Where the light is now."""
        if not self.kit.begins:
            return FirstView(None, settled=True)
        if self._chosen:
            return FirstView(self.first, settled=True)
        gone = self._now() - self._since
        passed = sum(1 for at in self._steps if at <= gone)
        return FirstView(Seat(passed % len(self.names)), settled=passed == len(self._steps))

    def offers(self) -> Sequence[Offer]:
        others = [
            Offer(Command("me", (seat,)), NumberPress(SEAT_BUTTONS.index(button) + 1), _("I begin"))
            for seat, button in enumerate(self.seating)
            if self.kit.begins and (seat != self.first or not self.view.settled)
        ]
        return [
            *others,
            Offer(Command("begin"), Console.OK, _("Begin"), awaited=True),
            Offer(Command("back"), Console.NO, _("Back")),
        ]

    def obey(self, command: Command) -> None:
        match command:
            case Command(name="me", value=(seat,)):
                self.first, self._chosen = Seat(seat), True
            case Command(name="begin"):
                self.begun = True
            case _:
                self.left = True

    @property
    def sentence(self) -> str:
        """Who begins, once that is known."""
        if not self.kit.begins:
            return _("Lay everything out, then begin with OK")
        return _("{who}: you begin", who=self.names[self.first]) if self.view.settled else _("Who begins?")

    def shown(self, eyes: Eyes) -> Shown:
        """The draw as the display is told it."""
        view = self.view
        pieces = self.kit.pieces
        return Shown(
            place=Place.FIRST,
            game=self.kit.name,
            title=self.kit.title,
            camera=self.kit.camera,
            sentence=self.sentence,
            view=view,
            players=tuple(
                Player(Seat(i), name, button, pieces[i] if i < len(pieces) else "")
                for i, (name, button) in enumerate(zip(self.names, self.seating, strict=True))
            ),
            keys=keys_of(self.offers(), ()),
            notice=self.trouble(),
            heard=self.heard.now(),
            eyes=eyes,
            details=tuple(self.kit.preparation(self.settings, len(self.names))),
        )
