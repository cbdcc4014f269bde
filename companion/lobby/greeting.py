"""The greeting at a virtual table: play, watch a demo, or learn by a lesson."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from companion.api import AnyGameDefinition, Command, CommandName, ConsolePress, NumberPress, Offer
from companion.events import SEAT_BUTTONS
from companion.i18n import _
from companion.lobby.pre_game_stage import PreGameStage
from companion.screen_state import CameraView, ScreenKind, ScreenState


class Greeting(PreGameStage):
    """Three choices: `exit` is LOBBY to play, or LEARN; to watch, `wants_demo` is set.

    Play is one press of OK. Where games have been played before, a seat's button sits down at once, as it does in the
    lobby: the greeting costs those people no press. Then `exit` is JOIN.

    >>> from companion.api import registry
    >>> greeting = Greeting(registry.find_first_game(), lambda: 0.0)
    >>> [offer.label for offer in greeting.list_offers()]
    ['Play', 'Watch', 'Learn']

    Args:
        definition: the game that the lobby will open with.
        monotonic: the host's monotonic clock, in seconds.
        has_played: games have been played here before.

    Attributes:
        wants_demo: somebody wants to watch; whoever starts the demo sets it back.
    """

    def __init__(
        self, definition: AnyGameDefinition, monotonic: Callable[[], float], *, has_played: bool = False
    ) -> None:
        super().__init__(definition, monotonic)
        self._has_played = has_played
        self.wants_demo = False

    def list_offers(self) -> Sequence[Offer]:
        """List the offers: OK plays, PLUS watches, MINUS learns; and the seats' buttons, where games were played."""
        seats = [
            Offer(Command(CommandName.JOIN, (n,)), NumberPress(n), _("Sit here"))
            for n in range(1, len(SEAT_BUTTONS) + 1)
            if self._has_played
        ]
        return [
            *seats,
            Offer(Command(CommandName.LOBBY), ConsolePress.OK, _("Play"), awaited=True),
            Offer(Command(CommandName.WATCH), ConsolePress.PLUS, _("Watch"), awaited=True),
            Offer(Command(CommandName.LEARN), ConsolePress.MINUS, _("Learn"), awaited=True),
        ]

    def execute(self, command: Command) -> None:
        """Ask for a demo, or leave by `exit`."""
        if command.name is CommandName.WATCH:
            self.wants_demo = True
        else:
            self.exit = command

    def build_screen_state(self, camera_view: CameraView) -> ScreenState:
        """Build the screen of the greeting; changes nothing."""
        state = self._build_base_state(ScreenKind.GREETING, _("Welcome! What would you like?"), camera_view)
        notice = _("One moment: the demo begins") if self.wants_demo else state.notice
        return replace(
            state,
            title="",
            uses_camera=False,
            notice=notice,
            details=(_("Sit down and begin"), _("A game plays itself"), _("Two minutes, step by step")),
        )
