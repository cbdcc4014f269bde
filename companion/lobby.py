"""Before a game: who plays, in which order; and whether an interrupted sitting goes on.

Seats are taken in clockwise order by pressing one's own button, so that the turn order is the real seating.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.games.game import Seat
from companion.games.offer import Command, Console, Kit, NumberPress, Offer
from companion.referee.intake import Intake
from companion.referee.keys import keys_of, lamps_of, press_of
from companion.shown import Eyes, Place, Player, Shown
from hardware.signals import SEAT_BUTTONS, Button, ButtonPressed, DeviceBack, DeviceLost, Lamp

SHAPES = {
    Button.SEAT1: "Circle",
    Button.SEAT2: "Triangle",
    Button.SEAT3: "Square",
    Button.SEAT4: "Diamond",
    Button.SEAT5: "Star",
    Button.SEAT6: "Hexagon",
}
"""A seat's shape, which is its player's name until somebody gives a better one."""


class Hall(Intake):
    """What the places before a game have in common: presses in, offers out, no journal."""

    MEANWHILE = "Buttons are enough to play."

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


class Lobby(Hall):
    """Players take their seats; `settings` is the house rules that a start uses.

    Args:
        kit: the game to be played.
        names: given names in clockwise order; further players are called by their seat's shape.
        settings: house rules, an instance of `kit.settings`.
        last: there is a last game whose result can be gone back to.
    """

    def __init__(
        self,
        kit: Kit,
        names: Sequence[str],
        settings: Any,
        monotonic: Callable[[], float],
        *,
        last: bool = False,
    ) -> None:
        super().__init__(kit, monotonic)
        self.names = tuple(names)
        self.settings = settings
        self.seating: tuple[Button, ...] = ()
        self.started = False
        self.back = False
        self._last = last

    @property
    def done(self) -> bool:
        return self.started or self.back

    @property
    def seated(self) -> tuple[str, ...]:
        """Names of those who have pressed, in order."""
        given = self.names[: len(self.seating)]
        return (*given, *(SHAPES[b] for b in self.seating[len(given) :]))

    def offers(self) -> Sequence[Offer]:
        offers = []
        full = len(self.seating) == (len(self.names) or self.kit.players[-1])
        for n, button in enumerate(SEAT_BUTTONS, 1):
            if button in self.seating:
                offers.append(Offer(Command("leave", (n,)), NumberPress(n), "Not me"))
            elif not full:
                offers.append(Offer(Command("join", (n,)), NumberPress(n), "I sit here", awaited=True))
        if len(self.seating) in self.kit.players and (full or not self.names):
            offers.append(Offer(Command("start"), Console.OK, "Start", awaited=True))
        variant = getattr(self.settings, "variant", None)
        if variant is not None:
            other = "easy" if variant == "basic" else "basic"
            offers.append(Offer(Command("variant"), Console.PLUS, f"Play {other} rules"))
        if self._last:
            offers.append(Offer(Command("back"), Console.MINUS, "Last result"))
        if self.seating:
            last = SEAT_BUTTONS.index(self.seating[-1]) + 1
            offers.append(Offer(Command("leave", (last,)), Console.NO, f"Without {self.seated[-1]}"))
        return offers

    def obey(self, command: Command) -> None:
        match command:
            case Command(name="join", value=(n,)):
                self.seating = (*self.seating, SEAT_BUTTONS[n - 1])
            case Command(name="leave", value=(n,)):
                self.seating = tuple(b for b in self.seating if b is not SEAT_BUTTONS[n - 1])
            case Command(name="variant"):
                # Through the model again, so that what depends on the variant (V1: no crystals at the start) follows.
                chosen = self.settings.model_dump(exclude_unset=True)
                chosen["variant"] = "easy" if self.settings.variant == "basic" else "basic"
                self.settings = type(self.settings)(**chosen)
            case Command(name="start"):
                self.started = True
            case Command(name="back"):
                self.back = True
            case _:
                raise AssertionError(command)

    @property
    def sentence(self) -> str:
        """Who is to press now."""
        if len(self.seating) < len(self.names):
            return f"{self.names[len(self.seating)]}: press your button"
        if len(self.seating) in self.kit.players and len(self.seating) == len(self.names):
            return "Everybody is seated: start with OK"
        if len(self.seating) == self.kit.players[-1]:
            return "The table is full: start with OK"
        return "Press your buttons, one after the other, clockwise"

    def shown(self, eyes: Eyes) -> Shown:
        """The lobby as the display is told it."""
        seats = zip(self.seated, self.seating, strict=True)
        variant = getattr(self.settings, "variant", None)
        return Shown(
            place=Place.LOBBY,
            game=self.kit.name,
            title=self.kit.title,
            sentence=self.sentence,
            players=tuple(Player(Seat(i), name, button) for i, (name, button) in enumerate(seats)),
            keys=keys_of(self.offers(), ()),
            notice=self.trouble(),
            heard=self.heard.now(),
            eyes=eyes,
            details=(f"{variant.capitalize()} rules",) if variant else (),
        )


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
            Offer(Command("resume"), Console.OK, "Go on", awaited=True),
            Offer(Command("put away"), Console.NO, "Put it away", awaited=True),
        ]

    def obey(self, command: Command) -> None:
        self.answer = command.name == "resume"

    def shown(self, eyes: Eyes) -> Shown:
        """The question as the display is told it."""
        return Shown(
            place=Place.RESUME,
            game=self.kit.name,
            title=self.kit.title,
            sentence="A game was interrupted: go on with it?",
            keys=keys_of(self.offers(), ()),
            notice=self.trouble(),
            heard=self.heard.now(),
            eyes=eyes,
            details=self.lines,
        )
