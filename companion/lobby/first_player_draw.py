"""The draw of the starting player: at random, unless somebody claims it by their button; and what to lay out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from random import Random
from typing import Any

from companion.api import (
    AnyGameDefinition,
    Command,
    CommandName,
    ConsolePress,
    NumberPress,
    Offer,
    Seat,
)
from companion.events import SEAT_BUTTONS, Button
from companion.i18n import _
from companion.lobby.pre_game_stage import PreGameStage
from companion.referee.screen_parts import build_players
from companion.screen_state import CameraView, ScreenKind, ScreenState

DRAW_LAPS = 2
"""Laps of the light around the table before it stops at the first player."""
FIRST_STEP_SECONDS = 0.09
"""Seconds for which the light stays on a player at the start of the draw."""
LAST_STEP_SECONDS = 0.32
"""The same at its end."""
BEGIN_SECONDS = 2.0
"""Seconds for which the first player is shown before a game begins by itself. Shorter: nobody can claim the turn."""
PAGE_STEPS = 3
"""Steps of setting up on a page at most, beside the first player: they can be read from a distance."""
WIDE_PAGE_STEPS = 5
"""The same in a game without a first player: the steps have the whole width."""


def draw_first_player(player_count: int, rng: Random) -> Seat:
    """Draw the seat that begins; all are equally likely."""
    return Seat(rng.randrange(player_count))


@dataclass(frozen=True, slots=True)
class FirstPlayerView:
    """The light of the draw."""

    lit_seat: Seat | None
    """None: nobody begins, all play at once."""
    is_settled: bool
    """The light stays there."""
    first_step: int = 0
    """Index of the first step of setting up that is shown."""
    end_step: int | None = None
    """Index after the last one; None: all are shown."""
    page: int = 1
    """Number of the page of steps, from 1."""
    page_count: int = 1
    """Number of pages of steps."""
    goal: str = ""
    """How the game ends and who wins, translated; empty: it is not known."""


class FirstPlayerDraw(PreGameStage):
    """The draw, between the lobby and the game: `exit` is BEGIN, or BACK to the lobby.

    Where nothing is to be laid out the game begins by itself after `BEGIN_SECONDS`.

    Args:
        seating: the players' buttons, by seat.
        settings: house rules of the game, an instance of its `settings_model`.
        first: the seat that `draw_first_player` drew.
        monotonic: the host's monotonic clock, in seconds.
        is_laid_out: the table is simulated: all lies there already.

    Attributes:
        first: the seat that begins: the one that was drawn, or that claimed it by its button.
        page: index of the open page of what to lay out, from 0.
    """

    def __init__(
        self,
        definition: AnyGameDefinition,
        names: Sequence[str],
        seating: Sequence[Button],
        settings: Any,
        first: Seat,
        monotonic: Callable[[], float],
        *,
        is_laid_out: bool = False,
    ) -> None:
        super().__init__(definition, monotonic)
        self.names, self.seating, self.settings, self.first = tuple(names), tuple(seating), settings, first
        self._is_laid_out = is_laid_out
        steps_to_lay_out = () if is_laid_out else definition.list_setup_steps(settings, len(self.names))
        self._setup_steps = tuple(steps_to_lay_out)
        self.page = 0
        self._since = monotonic()
        steps, slower = DRAW_LAPS * len(names) + first, LAST_STEP_SECONDS - FIRST_STEP_SECONDS
        # Seconds after the start at which the light moves to the next player; none once a player has claimed the turn.
        self._step_times = tuple(accumulate(FIRST_STEP_SECONDS + slower * (i / steps) ** 2 for i in range(steps)))

    @property
    def view(self) -> FirstPlayerView:
        """The light of the draw at this moment: it runs around the table by the clock, then stays at the first player.

        Without a first player, or once one has claimed the turn, it stands still at once.
        """
        steps, pages = len(self._setup_steps), self._page_count
        first_step = self.page * self._page_steps
        goal = self.definition.explain_ending(self.settings)
        shown = (first_step, min(steps, first_step + self._page_steps), self.page + 1, pages, goal)
        if not self.definition.has_first_player:
            return FirstPlayerView(None, True, *shown)
        elapsed = self._monotonic() - self._since
        passed = sum(1 for at in self._step_times if at <= elapsed)
        is_settled = passed == len(self._step_times)
        return FirstPlayerView(self.first if is_settled else Seat(passed % len(self.names)), is_settled, *shown)

    @property
    def _page_steps(self) -> int:
        return PAGE_STEPS if self.definition.has_first_player else WIDE_PAGE_STEPS

    @property
    def _page_count(self) -> int:
        return max(1, -(-len(self._setup_steps) // self._page_steps))

    def find_rules(self) -> tuple[AnyGameDefinition, Any]:
        return self.definition, self.settings

    def list_offers(self) -> Sequence[Offer]:
        """List the offers to begin (OK), to go back (NO), for the next page (PLUS) and, on the players' buttons, to
        play first.

        The next page is awaited as well until the last one is open. The buttons are for all players while the light
        still moves, then for all but the first player; nobody has one in a game without a first player.
        """
        others = [
            Offer(Command(CommandName.ME, (seat,)), NumberPress(SEAT_BUTTONS.index(button) + 1), _("I begin"))
            for seat, button in enumerate(self.seating)
            if self.definition.has_first_player and (seat != self.first or not self.view.is_settled)
        ]
        has_more = self.page + 1 < self._page_count
        more = Offer(Command(CommandName.MORE), ConsolePress.PLUS, _("Next page"), awaited=has_more)
        pages = [more] if self._page_count > 1 else []
        return [
            *others,
            *pages,
            Offer(Command(CommandName.BEGIN), ConsolePress.OK, _("Begin"), awaited=True),
            Offer(Command(CommandName.BACK), ConsolePress.NO, _("Back")),
        ]

    def tick(self) -> None:
        """Handle the queued presses; begin if all lies there and nobody has claimed the turn for `BEGIN_SECONDS`."""
        super().tick()
        settled_at = self._since + (self._step_times[-1] if self._step_times else 0.0)
        if self._is_laid_out and self.exit is None and self._monotonic() - settled_at >= BEGIN_SECONDS:
            # Whoever has just pressed a key of this page does not mean what it does in the game.
            for button in (Button.OK, *self.seating):
                self.press_guard.accept_press(button, self._monotonic(), None)
            self.exit = Command(CommandName.BEGIN)

    def execute(self, command: Command) -> None:
        """Execute the command of an offer: choose the first player (the light stops there), turn the page of what to
        lay out, or leave by `exit`, with any other command.

        Raises:
            IndexError: ME has no seat.
        """
        if command.name is CommandName.ME:
            self.first, self._step_times, self._since = Seat(command.value[0]), (), self._monotonic()
        elif command.name is CommandName.MORE:
            self.page = (self.page + 1) % self._page_count
        else:
            self.exit = command

    @property
    def prompt(self) -> str:
        """Main line of the screen in the current language: who begins, or what is played."""
        if self.definition.presets or (self._is_laid_out and not self.definition.has_first_player):
            return _("{game}: begin with OK", game=self.definition.format_title(self.settings))
        if not self.definition.has_first_player:
            return _("Lay everything out, then begin with OK")
        return _("{who}: you begin", who=self.names[self.first]) if self.view.is_settled else _("Who begins?")

    def build_screen_state(self, camera_view: CameraView) -> ScreenState:
        """Build the screen of the draw, with the list of things to lay out; changes nothing.

        Raises:
            ValueError: there are not as many buttons as names.
            KeyError: the house rules do not allow this number of players.
            Exception: a game of another package may raise any error.
        """
        view = self.view
        return replace(
            self._build_base_state(ScreenKind.FIRST, self.prompt, camera_view),
            title=self.definition.format_title(self.settings),
            addressed=self.first if view.is_settled and self.definition.has_first_player else None,
            view=view,
            players=build_players(self.definition, self.names, self.seating),
            details=self._setup_steps,
        )
