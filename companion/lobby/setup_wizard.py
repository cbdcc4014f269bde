"""The first start: language, picture, buttons, camera, a page each. All can be skipped, and found again later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.events import SEAT_BUTTONS, Button, ButtonPressed, Signal
from companion.games.api.offers import Command, Console, Kit, NumberPress, Offer
from companion.i18n import LANGUAGES, Words
from companion.lobby.preferences import PALETTES, TURNS, Box, following
from companion.lobby.stage import Hall
from companion.referee.buttons import keys_of
from companion.screen_state import Eyes, Page, Place, SetUpView, Shown

_ = Words("companion")


class SetUp(Hall):
    """Page after page.

    Args:
        kit: the game that the lobby will open with.
        box: takes the choices.
        monotonic: the host's monotonic clock, in seconds.
        camera: there is a camera to look at.
    """

    def __init__(self, kit: Kit, box: Box, monotonic: Callable[[], float], *, camera: bool = True) -> None:
        super().__init__(kit, monotonic)
        self.box = box
        self.pages = tuple(page for page in Page if camera or page is not Page.CAMERA)
        self.page = self.pages[0]
        self.left = False
        self.notice: str | None = None
        self._pressed: frozenset[Button] = frozenset()

    @property
    def done(self) -> bool:
        return self.left

    def take(self, signal: Signal) -> None:
        """See `Intake.take`; on the page of the buttons every seat's button is tried out."""
        if isinstance(signal, ButtonPressed) and self.page is Page.BUTTONS and signal.button in SEAT_BUTTONS:
            self._pressed |= {signal.button}
        super().take(signal)

    def offers(self) -> Sequence[Offer]:
        last = self.page is self.pages[-1]
        first = self.page is self.pages[0]
        return [
            *self._on_this_page(),
            Offer(Command("next"), Console.OK, _("Done") if last else _("Next"), awaited=True),
            Offer(Command("back"), Console.NO, _("Skip all") if first else _("Back")),
        ]

    def _on_this_page(self) -> list[Offer]:
        match self.page:
            case Page.LANGUAGE:
                return [
                    Offer(Command("language", (n,)), NumberPress(n), name, awaited=True)
                    for n, name in enumerate(LANGUAGES.values(), 1)
                ]
            case Page.PICTURE:
                return [
                    Offer(Command("palette"), Console.PLUS, _("Other colours")),
                    Offer(Command("turn"), Console.MINUS, _("Turn it")),
                ]
            case Page.BUTTONS:
                return [
                    Offer(Command("tried", (n,)), NumberPress(n), _("Press me"), awaited=button not in self._pressed)
                    for n, button in enumerate(SEAT_BUTTONS, 1)
                ]
            case _:
                return []

    def obey(self, command: Command) -> None:
        self.notice = None
        match command:
            case Command(name="language", value=(n,)):
                self._choose("language", list(LANGUAGES)[n - 1])
            case Command(name="palette"):
                self._choose("palette", following(self.box.choices.palette, tuple(PALETTES)))
            case Command(name="turn"):
                self._choose("turned", following(self.box.choices.turned, TURNS))
            case Command(name="next") if self.page is not self.pages[-1]:
                self.page = following(self.page, self.pages)
            case Command(name="back") if self.page is not self.pages[0]:
                self.page = self.pages[self.pages.index(self.page) - 1]
            case Command(name="next" | "back"):
                self.box.done()
                self.left = True
            case _:  # a button that was tried: it lights up
                pass

    def _choose(self, name: str, value: Any) -> None:
        self.notice = self.box.change(name, value)

    @property
    def sentence(self) -> str:
        """What this page is for."""
        match self.page:
            case Page.LANGUAGE:
                return "Language? · Lingua? · Sprache?"
            case Page.PICTURE:
                return _("Can everybody read this, and does the frame touch all four edges?")
            case Page.BUTTONS:
                return _("Press every seat's button once")
            case _:
                return _("Does the camera see the whole table?")

    def _details(self) -> tuple[str, ...]:
        match self.page:
            case Page.PICTURE:
                return (_("Great letters are read from three metres"), _("Small letters are read from the table"))
            case Page.BUTTONS:
                return (_("A button that stays dark: look at its cable, or at `companion buttons`"),)
            case _:
                return ()

    def shown(self, eyes: Eyes) -> Shown:
        """The page as the display is told it."""
        place = self.pages.index(self.page) + 1
        return Shown(
            place=Place.SETUP,
            game=self.kit.name,
            title=_("Step {n} of {most}", n=place, most=len(self.pages)),
            camera=self.page is Page.CAMERA,
            sentence=self.sentence,
            view=SetUpView(self.page, place, len(self.pages), self.box.choices.language, self._pressed),
            keys=keys_of(self.offers(), ()),
            notice=self.notice or self.box.trouble or self.trouble(),
            heard=self.heard.now(),
            eyes=eyes,
            details=self._details(),
        )
