"""Teaching the camera the box's own dice, face after face.

The frames: `companion.vision.dice.teaching_watcher`; stored by `companion.config.taught_dice_store`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from companion.api import AnyGameDefinition, CameraUse, Command, CommandName, ConsolePress, Offer
from companion.config.taught_dice_store import TaughtDice
from companion.events import Event, FacesShown
from companion.i18n import _
from companion.lobby.pre_game_stage import PreGameStage
from companion.lobby_views import DiceTeachingView
from companion.screen_state import CameraView, ScreenKind, ScreenState

LAST_VALUE = 6
DICE_TEACHING_CAMERA = CameraUse(
    watcher="companion.vision.dice.teaching_watcher:make_dice_teaching_watcher",
    layout_file="dice-teaching.json",
    readings="",
    events=(FacesShown,),
)
"""What the camera does while dice are taught."""


class DiceTeaching(PreGameStage):
    """Asks for one face after the other: `exit` is NEXT after the last one, BACK if it was cancelled.

    Six faces take six presses. OK is offered once the camera has seen dice at rest since the last press, so that a face
    is not taught twice by a double press.

    Args:
        definition: the game that the lobby will open with.
        taught: stores what is learned, at the end.
        monotonic: the host's monotonic clock, in seconds.

    Attributes:
        wanted: the value, 1 to 6, that is asked for.
        problem: what to say in the next stage: that it is learned, or why it could not be stored; None: nothing.
    """

    def __init__(self, definition: AnyGameDefinition, taught: TaughtDice, monotonic: Callable[[], float]) -> None:
        super().__init__(definition, monotonic)
        self.wanted = 1
        self.problem: str | None = None
        self._taught = taught
        self._shown: tuple[bytes, ...] = ()
        self._learned: list[tuple[int, bytes]] = []
        self._labelled: tuple[CameraView, int, CameraView] | None = None
        """A view of the camera, a value, and that view with this value on all dice: it is drawn again if it changes."""

    def receive(self, event: Event) -> None:
        """Keep the dice that are shown; queue any other event for the next `tick`."""
        if isinstance(event, FacesShown):
            self._shown = event.pictures
        else:
            super().receive(event)

    def list_offers(self) -> Sequence[Offer]:
        """List the offers: OK teaches the shown dice, PLUS teaches them and asks for more, NO goes back.

        MINUS skips the face; on the first one, if there are taught dice, it forgets them.
        """
        offers = [Offer(Command(CommandName.BACK), ConsolePress.NO, _("Back"))]
        if self._shown:
            offers += [
                Offer(Command(CommandName.NEXT), ConsolePress.OK, _("Teach"), awaited=True),
                Offer(Command(CommandName.MORE), ConsolePress.PLUS, _("Once more")),
            ]
        if self.wanted == 1 and not self._taught.is_empty:
            return [*offers, Offer(Command(CommandName.FORGET), ConsolePress.MINUS, _("Forget"))]
        skip = _("Done") if self.wanted == LAST_VALUE else _("Skip")
        return [*offers, Offer(Command(CommandName.FINISH), ConsolePress.MINUS, skip)]

    def execute(self, command: Command) -> None:
        """Execute the command of an offer; at the end what was learned is stored."""
        self.notice = None
        match command.name:
            case CommandName.BACK if self.wanted == 1:
                self.exit = command
            case CommandName.BACK:
                self.wanted -= 1
                self._learned = [face for face in self._learned if face[0] != self.wanted]
            case CommandName.NEXT | CommandName.MORE:
                self._learned += [(self.wanted, picture) for picture in self._shown]
                self._shown = ()
                if command.name is CommandName.NEXT:
                    self._ask_for_next()
                else:
                    self.notice = _("Learned: roll or turn the dice, the same face on top")
            case CommandName.FINISH:
                self._ask_for_next()
            case CommandName.FORGET:
                self.notice = self._taught.forget_all() or _("Everything that was taught is forgotten")

    def _ask_for_next(self) -> None:
        """Ask for the next face; after the last one store what was learned, and end."""
        if self.wanted < LAST_VALUE:
            self.wanted += 1
            return
        if self._learned:
            count = len({value for value, _picture in self._learned})
            self.problem = self._taught.add(self._learned) or _.plural(
                "One face of your dice is learned", "{n} faces of your dice are learned", count
            )
        self.exit = Command(CommandName.NEXT)

    def build_screen_state(self, camera_view: CameraView) -> ScreenState:
        """Build the screen that asks for the wanted face; changes nothing."""
        if self._labelled is None or self._labelled[0] is not camera_view or self._labelled[1] != self.wanted:
            self._labelled = camera_view, self.wanted, _label_dice(camera_view, self.wanted)
        camera_view = self._labelled[2]
        count = len(self._shown)
        seen = (
            _.plural("The camera sees one die: is it framed?", "The camera sees {n} dice: are all framed?", count)
            if count
            else _("Put your dice below the camera, apart, and nothing else; then take the hand away")
        )
        return replace(
            self._build_base_state(
                ScreenKind.DICE_TEACHING, _("Turn all dice: {n} on top", n=self.wanted), camera_view
            ),
            game_name="",  # any dice may lie below the camera
            title=_("Teach your dice"),
            uses_camera=True,
            view=DiceTeachingView(self.wanted, frozenset(value for value, _picture in self._learned)),
            details=(seen,),
        )


def _label_dice(camera_view: CameraView, value: int) -> CameraView:
    """Return the view with this value on all dice, as it will be learned."""
    reading = camera_view.reading
    if reading is None:
        return camera_view
    dice = tuple(replace(die, value=value, confidence=1.0) for die in reading.dice)
    return replace(camera_view, reading=replace(reading, dice=dice))
