"""The first start: language, picture, buttons, camera, a page each. All can be skipped, and found again later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.events import SEAT_BUTTONS, Button, ButtonPressed, Event
from companion.games.api.offers import Command, ConsolePress, GameDefinition, NumberPress, Offer
from companion.i18n import LANGUAGES, Translator
from companion.lobby.preferences import PALETTES, ROTATIONS_DEG, Preferences, next_value
from companion.lobby.stage import PreGameStage
from companion.referee.buttons import build_soft_keys
from companion.screen_state import CameraView, ScreenKind, ScreenState, WizardPage, WizardView

_ = Translator("companion")


class SetupWizard(PreGameStage):
    """Page after page.

    Args:
        kit: the game that the lobby will open with.
        box: takes the choices.
        monotonic: the host's monotonic clock, in seconds.
        camera: there is a camera to look at.
    """

    def __init__(
        self,
        definition: GameDefinition,
        preferences: Preferences,
        monotonic: Callable[[], float],
        *,
        camera: bool = True,
    ) -> None:
        super().__init__(definition, monotonic)
        self.box = preferences
        self.pages = tuple(page for page in WizardPage if camera or page is not WizardPage.CAMERA)
        self.page = self.pages[0]
        self.is_left = False
        self.notice: str | None = None
        self._tried_buttons: frozenset[Button] = frozenset()

    @property
    def is_done(self) -> bool:
        return self.is_left

    def receive(self, event: Event) -> None:
        """See `Intake.take`; on the page of the buttons every seat's button is tried out."""
        if isinstance(event, ButtonPressed) and self.page is WizardPage.BUTTONS and event.button in SEAT_BUTTONS:
            self._tried_buttons |= {event.button}
        super().receive(event)

    def list_offers(self) -> Sequence[Offer]:
        last = self.page is self.pages[-1]
        first = self.page is self.pages[0]
        return [
            *self._list_page_offers(),
            Offer(Command("next"), ConsolePress.OK, _("Done") if last else _("Next"), awaited=True),
            Offer(Command("back"), ConsolePress.NO, _("Skip all") if first else _("Back")),
        ]

    def _list_page_offers(self) -> list[Offer]:
        match self.page:
            case WizardPage.LANGUAGE:
                return [
                    Offer(Command("language", (n,)), NumberPress(n), name, awaited=True)
                    for n, name in enumerate(LANGUAGES.values(), 1)
                ]
            case WizardPage.PICTURE:
                return [
                    Offer(Command("palette"), ConsolePress.PLUS, _("Other colours")),
                    Offer(Command("turn"), ConsolePress.MINUS, _("Turn it")),
                ]
            case WizardPage.BUTTONS:
                return [
                    Offer(
                        Command("tried", (n,)), NumberPress(n), _("Press me"), awaited=button not in self._tried_buttons
                    )
                    for n, button in enumerate(SEAT_BUTTONS, 1)
                ]
            case _:
                return []

    def execute(self, command: Command) -> None:
        self.notice = None
        match command:
            case Command(name="language", value=(n,)):
                self._choose("language", list(LANGUAGES)[n - 1])
            case Command(name="palette"):
                self._choose("palette", next_value(self.box.values.palette, tuple(PALETTES)))
            case Command(name="turn"):
                self._choose("turned", next_value(self.box.values.turned, ROTATIONS_DEG))
            case Command(name="next") if self.page is not self.pages[-1]:
                self.page = next_value(self.page, self.pages)
            case Command(name="back") if self.page is not self.pages[0]:
                self.page = self.pages[self.pages.index(self.page) - 1]
            case Command(name="next" | "back"):
                self.box.mark_set_up()
                self.is_left = True
            case _:  # a button that was tried: it lights up
                pass

    def _choose(self, name: str, value: Any) -> None:
        self.notice = self.box.change(name, value)

    @property
    def prompt(self) -> str:
        """What this page is for."""
        match self.page:
            case WizardPage.LANGUAGE:
                return "Language? · Lingua? · Sprache?"
            case WizardPage.PICTURE:
                return _("Can everybody read this, and does the frame touch all four edges?")
            case WizardPage.BUTTONS:
                return _("Press every seat's button once")
            case _:
                return _("Does the camera see the whole table?")

    def _list_details(self) -> tuple[str, ...]:
        match self.page:
            case WizardPage.PICTURE:
                return (_("Great letters are read from three metres"), _("Small letters are read from the table"))
            case WizardPage.BUTTONS:
                return (_("A button that stays dark: look at its cable, or at `companion buttons`"),)
            case _:
                return ()

    def build_screen_state(self, camera_view: CameraView) -> ScreenState:
        """The page as the display is told it."""
        place = self.pages.index(self.page) + 1
        return ScreenState(
            kind=ScreenKind.SETUP,
            game_name=self.definition.name,
            title=_("Step {n} of {most}", n=place, most=len(self.pages)),
            uses_camera=self.page is WizardPage.CAMERA,
            prompt=self.prompt,
            view=WizardView(self.page, place, len(self.pages), self.box.values.language, self._tried_buttons),
            soft_keys=build_soft_keys(self.list_offers(), ()),
            notice=self.notice or self.box.problem or self.describe_problem(),
            pressed_buttons=self.press_feedback.recent_presses(),
            camera_view=camera_view,
            details=self._list_details(),
        )
