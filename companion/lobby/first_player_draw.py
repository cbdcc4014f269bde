"""Who begins: drawn at random with a little show, or whoever says so by their button; and what is to be laid out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from companion.events import SEAT_BUTTONS, Button
from companion.games.api.game import Seat
from companion.games.api.offers import Command, ConsolePress, GameDefinition, NumberPress, Offer
from companion.i18n import Translator
from companion.lobby.stage import PreGameStage
from companion.referee.buttons import build_soft_keys
from companion.screen_state import CameraView, Player, ScreenKind, ScreenState

_ = Translator("companion")

DRAW_LAPS = 2
"""Rounds of the light before it slows down on the one who begins."""
FIRST_STEP_SECONDS, LAST_STEP_SECONDS = 0.09, 0.32
"""Seconds for which the light rests on one player, at its start and at its end."""


@dataclass(frozen=True, slots=True)
class FirstPlayerView:
    """On whom the light rests, and whether it stays there."""

    lit_seat: Seat | None
    """None: nobody begins, all play at once."""
    is_settled: bool


class FirstPlayerDraw(PreGameStage):
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
        definition: GameDefinition,
        names: Sequence[str],
        seating: Sequence[Button],
        settings: Any,
        first: Seat,
        monotonic: Callable[[], float],
    ) -> None:
        super().__init__(definition, monotonic)
        self.names, self.seating, self.settings, self.first = tuple(names), tuple(seating), settings, first
        self.is_cancelled = False
        self.is_begun = False
        self._since = monotonic()
        self._steps = self._step_times()
        self._chosen = False

    @property
    def is_done(self) -> bool:
        return self.is_begun or self.is_cancelled

    def _step_times(self) -> list[float]:
        """When the light goes on to the next player, in seconds since the start; it ends on the one who begins."""
        count = DRAW_LAPS * len(self.names) + self.first
        times, at = [], 0.0
        for i in range(count):
            at += FIRST_STEP_SECONDS + (LAST_STEP_SECONDS - FIRST_STEP_SECONDS) * (i / count) ** 2
            times.append(at)
        return times

    @property
    def view(self) -> FirstPlayerView:
        """Where the light is now."""
        if not self.definition.has_first_player:
            return FirstPlayerView(None, is_settled=True)
        if self._chosen:
            return FirstPlayerView(self.first, is_settled=True)
        gone = self._now() - self._since
        passed = sum(1 for at in self._steps if at <= gone)
        return FirstPlayerView(Seat(passed % len(self.names)), is_settled=passed == len(self._steps))

    def list_offers(self) -> Sequence[Offer]:
        others = [
            Offer(Command("me", (seat,)), NumberPress(SEAT_BUTTONS.index(button) + 1), _("I begin"))
            for seat, button in enumerate(self.seating)
            if self.definition.has_first_player and (seat != self.first or not self.view.is_settled)
        ]
        return [
            *others,
            Offer(Command("begin"), ConsolePress.OK, _("Begin"), awaited=True),
            Offer(Command("back"), ConsolePress.NO, _("Back")),
        ]

    def execute(self, command: Command) -> None:
        match command:
            case Command(name="me", value=(seat,)):
                self.first, self._chosen = Seat(seat), True
            case Command(name="begin"):
                self.is_begun = True
            case _:
                self.is_cancelled = True

    @property
    def prompt(self) -> str:
        """Who begins, once that is known."""
        if not self.definition.has_first_player:
            return _("Lay everything out, then begin with OK")
        return _("{who}: you begin", who=self.names[self.first]) if self.view.is_settled else _("Who begins?")

    def build_screen_state(self, camera_view: CameraView) -> ScreenState:
        """The draw as the display is told it."""
        view = self.view
        pieces = self.definition.piece_colours
        return ScreenState(
            kind=ScreenKind.FIRST,
            game_name=self.definition.name,
            title=self.definition.title,
            uses_camera=self.definition.uses_camera,
            prompt=self.prompt,
            view=view,
            players=tuple(
                Player(Seat(i), name, button, pieces[i] if i < len(pieces) else "")
                for i, (name, button) in enumerate(zip(self.names, self.seating, strict=True))
            ),
            soft_keys=build_soft_keys(self.list_offers(), ()),
            notice=self.describe_problem(),
            pressed_buttons=self.press_feedback.recent_presses(),
            camera_view=camera_view,
            details=tuple(self.definition.setup_steps(self.settings, len(self.names))),
        )
