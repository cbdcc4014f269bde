"""The set-up wizard of the first start: language, screen, picture, buttons, camera, a page each.

It can be skipped, and opened again later.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from companion.api import AnyGameDefinition, Command, CommandName, ConsolePress, NumberPress, Offer
from companion.events import SEAT_BUTTONS, Button, ButtonPressed, Event
from companion.i18n import LANGUAGES, _
from companion.lobby.pre_game_stage import PreGameStage
from companion.lobby.preferences import (
    DISTANCES_M,
    PALETTES,
    ROTATIONS_DEG,
    SCREEN_INCHES,
    Preferences,
    format_language_label,
    format_screen_size,
    next_value,
)
from companion.lobby_views import WizardPage, WizardView
from companion.screen_state import CameraView, ScreenKind, ScreenState


class SetupWizard(PreGameStage):
    """The pages of the set-up, one after the other: `exit` is NEXT after the last page, BACK if it was skipped.

    It is TEACH for the teaching of a controller's buttons, and TEACH_DICE for that of the box's own dice, after which
    the page is opened again.

    Args:
        definition: the game that the lobby will open with.
        preferences: stores the choices.
        monotonic: the host's monotonic clock, in seconds.
        camera: there is a camera to check; else the page CAMERA is left out.
        first_page: the page that is open at first, one of `pages`.

    Attributes:
        pages: the pages, in order.
        page: the open page.
    """

    def __init__(
        self,
        definition: AnyGameDefinition,
        preferences: Preferences,
        monotonic: Callable[[], float],
        *,
        camera: bool = True,
        first_page: WizardPage = WizardPage.LANGUAGE,
    ) -> None:
        super().__init__(definition, monotonic)
        self.preferences = preferences
        self.pages = tuple(page for page in WizardPage if camera or page is not WizardPage.CAMERA)
        self.page = first_page
        self._tried_buttons: frozenset[Button] = frozenset()

    def receive(self, event: Event) -> None:
        """Queue an event for the next `tick`; on the page BUTTONS also mark a seat's button as tried, at once."""
        if isinstance(event, ButtonPressed) and self.page is WizardPage.BUTTONS and event.button in SEAT_BUTTONS:
            self._tried_buttons |= {event.button}
        super().receive(event)

    def list_offers(self) -> Sequence[Offer]:
        """List the offers of the open page, OK and NO.

        OK opens the next page, and ends the set-up on the last one; NO opens the previous page, and skips all on the
        first one.
        """
        is_last, is_first = self.page is self.pages[-1], self.page is self.pages[0]
        return [
            *self._list_page_offers(),
            Offer(Command(CommandName.NEXT), ConsolePress.OK, _("Done") if is_last else _("Next"), awaited=True),
            Offer(Command(CommandName.BACK), ConsolePress.NO, _("Skip all") if is_first else _("Back")),
        ]

    def _list_page_offers(self) -> list[Offer]:
        match self.page:
            case WizardPage.LANGUAGE:
                first, names = self._list_shown_languages()
                after = (first + len(names)) % len(LANGUAGES)
                more = Offer(Command(CommandName.LANGUAGE, (after + 1,)), ConsolePress.PLUS, _("More"))
                return [
                    *(
                        Offer(Command(CommandName.LANGUAGE, (first + n,)), NumberPress(n), name, awaited=True)
                        for n, name in enumerate(names, 1)
                    ),
                    *[more] * (len(names) < len(LANGUAGES)),
                ]
            case WizardPage.SCREEN:
                return [
                    *(
                        Offer(Command(CommandName.SCREEN_SIZE, (n,)), NumberPress(n), format_screen_size(inches))
                        for n, inches in enumerate(SCREEN_INCHES, 1)
                    ),
                    Offer(Command(CommandName.DISTANCE, (1,)), ConsolePress.PLUS, _("Farther")),
                    Offer(Command(CommandName.DISTANCE, (-1,)), ConsolePress.MINUS, _("Nearer")),
                ]
            case WizardPage.PICTURE:
                return [
                    Offer(Command(CommandName.PALETTE), ConsolePress.PLUS, _("Other colours"), repeats=True),
                    Offer(Command(CommandName.TURN), ConsolePress.MINUS, _("Rotate"), repeats=True),
                ]
            case WizardPage.BUTTONS:
                return [
                    *(
                        Offer(
                            Command(CommandName.TRIED, (n,)),
                            NumberPress(n),
                            _("Press me"),
                            awaited=button not in self._tried_buttons,
                        )
                        for n, button in enumerate(SEAT_BUTTONS, 1)
                    ),
                    Offer(Command(CommandName.TEACH), ConsolePress.PLUS, _("Gamepad")),
                ]
            case WizardPage.CAMERA:
                return [Offer(Command(CommandName.TEACH_DICE), ConsolePress.PLUS, _("Teach dice"))]
            case _:
                return []

    def _list_shown_languages(self) -> tuple[int, Sequence[str]]:
        """Return the languages on the page, one for each seat's button: the index of the first, and their names."""
        first = self._language_index // len(SEAT_BUTTONS) * len(SEAT_BUTTONS)
        return first, list(LANGUAGES.values())[first : first + len(SEAT_BUTTONS)]

    @property
    def _language_index(self) -> int:
        return list(LANGUAGES).index(self.preferences.values.language)

    def execute(self, command: Command) -> None:
        """Execute the command of an offer: choose and store a preference, turn the page, or end the set-up by `exit`.

        `notice` says if a preference cannot be stored. At the end it is stored that the set-up is done.

        Raises:
            IndexError: LANGUAGE or SCREEN_SIZE has a number, from 1, that no language or size has.
        """
        self.notice = None
        values, at = self.preferences.values, self.pages.index(self.page)
        match command:
            case Command(CommandName.LANGUAGE, (n,)):
                self._choose("language", list(LANGUAGES)[n - 1])
            case Command(CommandName.SCREEN_SIZE, (n,)):
                self._choose("screen_inches", SCREEN_INCHES[n - 1])
            case Command(CommandName.DISTANCE, (step,)):
                metres = values.distance_m + step
                self._choose("distance_m", min(max(metres, DISTANCES_M[0]), DISTANCES_M[-1]))
            case Command(CommandName.PALETTE):
                self._choose("palette", next_value(values.palette, tuple(PALETTES)))
            case Command(CommandName.TURN):
                self._choose("turned", next_value(values.turned, ROTATIONS_DEG))
            case Command(CommandName.NEXT) if self.page is not self.pages[-1]:
                self.page = self.pages[at + 1]
            case Command(CommandName.BACK) if self.page is not self.pages[0]:
                self.page = self.pages[at - 1]
            case Command(CommandName.NEXT | CommandName.BACK):
                self.preferences.mark_set_up()
                self.exit = command
            case Command(CommandName.TEACH | CommandName.TEACH_DICE):
                self.exit = command
            case _:  # a button that was tried: it lights up
                pass

    def _choose(self, name: str, value: Any) -> None:
        self.notice = self.preferences.change(name, value)

    def build_screen_state(self, camera_view: CameraView) -> ScreenState:
        """Build the screen of the open page; changes nothing."""
        prompt, *details = {
            WizardPage.LANGUAGE: [format_language_label(), *self._list_shown_languages()[1]],
            WizardPage.SCREEN: [
                _("How large is the screen, and from how far is it read?"),
                f"{self.preferences.values.distance_m} m",
                *map(format_screen_size, SCREEN_INCHES),
            ],
            WizardPage.PICTURE: [
                _("Can everybody read this, and does the frame touch all four edges?"),
                _("Names and scores"),
                _("This says what to do, and can be read from {n} m", n=self.preferences.values.distance_m),
            ],
            WizardPage.BUTTONS: [
                _("Press every seat's button once"),
                _("A button stays dark? Check its cable"),
            ],
            WizardPage.CAMERA: [_("Does the camera see the whole table?")],
        }[self.page]
        return replace(
            self._build_base_state(ScreenKind.SETUP, prompt, camera_view),
            title=_("Step {n} of {most}", n=self.pages.index(self.page) + 1, most=len(self.pages)),
            uses_camera=self.page is WizardPage.CAMERA,
            view=WizardView(
                self.page,
                self._language_index % len(SEAT_BUTTONS) + 1,
                SCREEN_INCHES.index(self.preferences.values.screen_inches) + 1,
                self._tried_buttons,
            ),
            details=tuple(details),
        )
