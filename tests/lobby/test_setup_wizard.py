"""The set-up wizard: page by page, with wrong presses; skipped, and opened again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion import catalogues, i18n
from companion.app.stage_flow import StageFlow
from companion.events import SEAT_BUTTONS, Button, ButtonPressed, ButtonReleased, DeviceLost
from companion.games.macroscope import GAME
from companion.i18n import LANGUAGES
from companion.journal.database import Journal
from companion.lobby import Lobby, Preferences, SetupWizard
from companion.lobby_views import WizardPage
from companion.screen_state import CameraView, ScreenKind
from companion.testing.table import ManualClock
from tests.app.session_table import SessionTable

OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS
SHOWN_LANGUAGES = list(LANGUAGES.values())[: len(SEAT_BUTTONS)]
MORE = ["More"] * (len(LANGUAGES) > len(SEAT_BUTTONS))
SCREENS = ("7 inches", "10 inches", "15 inches", "24 inches", "TV")


def open_wizard(journal: Journal, preferences: Preferences, **options: Any) -> SessionTable:
    return SessionTable(journal, run_setup_wizard=True, preferences=preferences, **options)


def find_seat(language: str) -> Button:
    """Return the button that chooses a language."""
    return SEAT_BUTTONS[list(LANGUAGES).index(language)]


def page(table: SessionTable) -> WizardPage:
    return table.state.view.page


def test_a_new_device_is_set_up_page_by_page(journal: Journal, tmp_path: Path) -> None:
    box = Preferences(folder=tmp_path)
    table = open_wizard(journal, box)
    assert table.state.kind is ScreenKind.SETUP
    assert page(table) is WizardPage.LANGUAGE
    table.press(find_seat("de"), OK)
    assert i18n.current_language() == "de"
    assert page(table) is WizardPage.SCREEN
    table.press(Button.SEAT1, PLUS, PLUS, PLUS, PLUS, MINUS, OK)
    assert (box.values.screen_inches, box.values.distance_m) == (7, 3)
    assert page(table) is WizardPage.PICTURE
    table.press(PLUS, MINUS, OK)
    assert (box.values.palette, box.values.turned) == ("light", 90)
    assert page(table) is WizardPage.BUTTONS
    table.press(Button.SEAT1, Button.SEAT5, Button.SEAT1)
    assert table.state.view.tried_buttons == {Button.SEAT1, Button.SEAT5}
    table.press(OK)
    assert page(table) is WizardPage.CAMERA
    assert table.state.uses_camera
    table.press(OK)
    assert isinstance(table.stage, Lobby)
    assert Preferences(folder=tmp_path).is_set_up


@pytest.mark.parametrize(("inches", "chosen"), [(6.9, 7), (11.6, 10), (13.3, 15), (27.0, 24), (55.0, 43), (None, 24)])
def test_the_size_that_the_screen_tells_is_chosen_beforehand(
    journal: Journal, inches: float | None, chosen: int
) -> None:
    box = Preferences()
    table = open_wizard(journal, box, screen_inches=inches)
    table.press(OK)
    assert page(table) is WizardPage.SCREEN
    assert table.state.details[table.state.view.screen] == SCREENS[(7, 10, 15, 24, 43).index(chosen)]
    assert box.values.screen_inches == chosen


def test_the_size_of_the_screen_hides_no_notice(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    def report(flow: StageFlow, _number: int | None) -> Lobby:
        flow.notice = "The last game cannot go on"
        return flow._make_lobby()

    monkeypatch.setattr(StageFlow, "_choose_first_stage", report)
    assert open_wizard(journal, Preferences(), screen_inches=7).state.notice == "The last game cannot go on"


def test_the_wizard_can_be_skipped_and_opened_again(journal: Journal) -> None:
    box = Preferences()
    table = open_wizard(journal, box)
    table.press(NO)
    assert isinstance(table.stage, Lobby)
    assert box.is_set_up
    table.open_lines("This device", "Set up")


def test_reopened_without_a_camera_the_wizard_has_no_camera_page(journal: Journal) -> None:
    table = SessionTable(journal, preferences=Preferences(), has_camera=False)
    table.open_lines("This device", "Set up")
    table.press(OK, OK, OK)
    assert page(table) is WizardPage.BUTTONS
    table.press(OK)
    assert isinstance(table.stage, Lobby)


def test_more_languages_than_seats_are_shown_six_at_a_time(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = ("en", "de", *(f"x{letter}" for letter in "abcdef"))
    monkeypatch.setattr(catalogues, "_list_codes", lambda: codes)
    table = open_wizard(journal, Preferences())
    assert table.state.details == ("English", "Deutsch", "xa", "xb", "xc", "xd")
    table.press(PLUS)
    assert (i18n.current_language(), table.state.details, table.state.view.language) == ("xe", ("xe", "xf"), 1)
    table.press(Button.SEAT2)
    assert (i18n.current_language(), table.state.view.language) == ("xf", 2)
    table.press(PLUS)
    assert i18n.current_language() == "en"


def test_a_language_of_ones_own_is_chosen_and_spoken_from_the_first_page_on(
    journal: Journal, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    request.addfinalizer(lambda: catalogues.use_language_folder(None))
    (tmp_path / "pl").mkdir()
    text = 'msgid ""\nmsgstr "X-Language-Name: Polski\\n"\n\nmsgid "Next"\nmsgstr "Dalej"\n'
    (tmp_path / "pl" / "companion.po").write_text(text, encoding="utf-8")
    catalogues.use_language_folder(tmp_path)
    table = open_wizard(journal, Preferences())
    assert table.state.details[-1] == "Polski"
    table.press(find_seat("pl"))
    assert "Dalej" in {key.label for key in table.state.soft_keys}


def test_one_page_back(journal: Journal) -> None:
    table = open_wizard(journal, Preferences())
    table.press(OK, OK, NO, NO)
    assert page(table) is WizardPage.LANGUAGE


def test_every_seat_can_be_tried(journal: Journal) -> None:
    table = open_wizard(journal, Preferences())
    table.press(OK, OK, OK, *SEAT_BUTTONS)
    shown = table.state
    assert shown.view.tried_buttons == set(SEAT_BUTTONS)
    assert not any(key.awaited for key in shown.soft_keys if key.button in SEAT_BUTTONS)


@pytest.mark.parametrize(
    ("page_number", "title", "labels", "awaited", "uses_camera"),
    [
        (1, "Step 1 of 5", [*SHOWN_LANGUAGES, *MORE, "Next", "Skip all"], len(SHOWN_LANGUAGES) + 1, False),
        (2, "Step 2 of 5", [*SCREENS, "Farther", "Nearer", "Next", "Back"], 1, False),
        (3, "Step 3 of 5", ["Other colours", "Rotate", "Next", "Back"], 1, False),
        (4, "Step 4 of 5", [*["Press me"] * 6, "Gamepad", "Next", "Back"], 7, False),
        (5, "Step 5 of 5", ["Teach dice", "Done", "Back"], 1, True),
    ],
)
def test_the_keys_of_each_page(
    page_number: int, title: str, labels: list[str], awaited: int, uses_camera: bool
) -> None:
    stage = SetupWizard(GAME, Preferences(), ManualClock())
    for at in range(1, page_number):
        stage.receive(ButtonPressed(OK, float(at)))
        stage.tick()
    shown = stage.build_screen_state(CameraView())
    assert (shown.title, shown.uses_camera) == (title, uses_camera)
    offers = stage.list_offers()
    assert [offer.label for offer in offers] == labels
    assert sum(offer.awaited for offer in offers) == awaited
    assert [offer.label for offer in offers if offer.awaited][-1] == labels[-2], "OK blinks"


def test_colours_and_rotation_may_be_changed_by_quick_presses() -> None:
    preferences = Preferences()
    stage = SetupWizard(GAME, preferences, ManualClock())
    for at in (0.0, 0.5):
        stage.receive(ButtonPressed(OK, at))
    for button in (PLUS, MINUS):
        for at in (1.0, 1.1):
            stage.receive(ButtonPressed(button, at))
    stage.tick()
    assert (preferences.values.palette, preferences.values.turned) == ("contrast", 180)
    assert not any(offer.repeats for offer in stage.list_offers() if offer.label in ("Next", "Back"))


def test_presses_of_other_pages_and_other_buttons_try_nothing() -> None:
    stage = SetupWizard(GAME, Preferences(), ManualClock())
    for at, button in enumerate((Button.SEAT3, OK, OK, Button.SEAT1, OK, PLUS)):
        stage.receive(ButtonPressed(button, float(at)))
        stage.tick()
    stage.receive(ButtonReleased(Button.SEAT2, 9.0))
    view = stage.build_screen_state(CameraView()).view
    assert (view.page, view.tried_buttons) == (WizardPage.BUTTONS, frozenset())


def test_the_wizard_reports_what_cannot_be_stored_and_what_is_missing(tmp_path: Path) -> None:
    stage = SetupWizard(GAME, Preferences(), ManualClock())
    assert stage.build_screen_state(CameraView()).notice is None
    stage.receive(DeviceLost("camera", 0.0))
    assert (stage.build_screen_state(CameraView()).notice or "").startswith("The camera is gone")
    stage.notice = "said first"
    assert stage.build_screen_state(CameraView()).notice == "said first"
    stage = SetupWizard(GAME, Preferences(folder=tmp_path / "gone"), ManualClock())
    stage.receive(ButtonPressed(find_seat("it"), 0.0))
    stage.tick()
    assert "stasera" in (stage.build_screen_state(CameraView()).notice or "")


@pytest.mark.parametrize("button", [PLUS, MINUS])
def test_a_held_key_changes_the_picture_once(button: Button) -> None:
    """Colours or rotations that change ten times a second flicker, and each change is stored."""
    clock, preferences = ManualClock(), Preferences()
    wizard = SetupWizard(GAME, preferences, clock)
    while wizard.page is not WizardPage.PICTURE:
        clock.now += 1.0
        wizard.receive(ButtonPressed(OK, clock.now))
        wizard.tick()
    before = preferences.values
    wizard.receive(ButtonPressed(button, clock.now))
    wizard.tick()
    once = preferences.values
    assert once != before
    for _ in range(40):
        clock.now += 0.1
        wizard.tick()
        assert preferences.values == once
