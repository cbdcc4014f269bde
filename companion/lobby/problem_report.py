"""What the program could not read or use at its start: shown until somebody has read it."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from companion.api import AnyGameDefinition, Command, CommandName, ConsolePress, Offer
from companion.i18n import _
from companion.lobby.pre_game_stage import PreGameStage
from companion.screen_state import CameraView, ScreenKind, ScreenState

PROBLEMS_PER_PAGE = 3
"""Problems shown at once; more make letters that cannot be read from the table."""


class ProblemReport(PreGameStage):
    """Shows problems, page after page; `exit` is NEXT when the last page was read.

    Args:
        definition: the game that the next stage is for.
        problems: each in one line.
        monotonic: the host's monotonic clock, in seconds.
    """

    def __init__(self, definition: AnyGameDefinition, problems: Sequence[str], monotonic: Callable[[], float]) -> None:
        super().__init__(definition, monotonic)
        self._unread = tuple(problems)

    def list_offers(self) -> Sequence[Offer]:
        """List the one offer: OK turns the page, and leaves the last one."""
        return [Offer(Command(CommandName.NEXT), ConsolePress.OK, _("Continue"), awaited=True)]

    def execute(self, command: Command) -> None:
        """Turn the page; after the last one `exit` is set."""
        self._unread = self._unread[PROBLEMS_PER_PAGE:]
        if not self._unread:
            self.exit = command

    def build_screen_state(self, camera_view: CameraView) -> ScreenState:
        """Build the screen with the problems of the page; changes nothing."""
        prompt = _("Not everything could be used: press OK when you have read it")
        return replace(
            self._build_base_state(ScreenKind.WAITING, prompt, camera_view),
            uses_camera=False,
            details=self._unread[:PROBLEMS_PER_PAGE],
        )
