"""What the places before a game have in common; and the question whether an interrupted game goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.events import Button, ButtonPressed, DeviceBack, DeviceLost, Lamp
from companion.games.api.offers import Command, Console, Kit, Offer
from companion.i18n import N_, Words
from companion.referee.buttons import keys_of, lamps_of, press_of
from companion.referee.stage import Intake
from companion.screen_state import Eyes, Place, Shown

_ = Words("companion")


class Hall(Intake):
    """Presses in, offers out, no journal."""

    MEANWHILE = N_("Buttons are enough to play.")

    def __init__(self, kit: Kit, monotonic: Callable[[], float]) -> None:
        super().__init__(monotonic)
        self.kit = kit

    def offers(self) -> Sequence[Offer]:
        """What may be pressed now."""
        raise NotImplementedError

    def obey(self, command: Command) -> None:
        """Do what an offer says."""
        raise NotImplementedError

    @property
    def done(self) -> bool:
        """Whether this place has what it is for; presses after that are for the next one."""
        raise NotImplementedError

    def tick(self) -> None:
        """Do what the presses ask for."""
        for signal in self._due():
            match signal:
                case ButtonPressed(button=button) if not self.done:
                    offer = press_of(self.offers(), button, ())
                    if offer is not None and isinstance(offer.does, Command):
                        self.obey(offer.does)
                case DeviceLost() | DeviceBack():
                    self._note_device(signal)
                case _:
                    pass

    def lamps(self) -> Mapping[Button, Lamp]:
        """Lit: may be pressed now. Blinking: the table waits for it."""
        return lamps_of(self.offers(), ())


class Resume(Hall):
    """A sitting was interrupted: go on, or put it away.

    Args:
        kit: its game.
        lines: what is to be said of it (players, round, scores, when).
    """

    def __init__(self, kit: Kit, lines: Sequence[str], monotonic: Callable[[], float]) -> None:
        super().__init__(kit, monotonic)
        self.lines = tuple(lines)
        self.answer: bool | None = None

    @property
    def done(self) -> bool:
        return self.answer is not None

    def offers(self) -> Sequence[Offer]:
        return [
            Offer(Command("resume"), Console.OK, _("Go on"), awaited=True),
            Offer(Command("put away"), Console.NO, _("Put it away"), awaited=True),
        ]

    def obey(self, command: Command) -> None:
        self.answer = command.name == "resume"

    def shown(self, eyes: Eyes) -> Shown:
        """The question as the display is told it."""
        return Shown(
            place=Place.RESUME,
            game=self.kit.name,
            title=self.kit.title,
            camera=self.kit.camera,
            sentence=_("A game was interrupted: go on with it?"),
            keys=keys_of(self.offers(), ()),
            notice=self.trouble(),
            heard=self.heard.now(),
            eyes=eyes,
            details=self.lines,
        )
