"""Teaching a controller's buttons: from the lobby, the menu and the set-up wizard, with wrong presses."""

from __future__ import annotations

import random
from itertools import count
from pathlib import Path

import pytest

from companion.app.session import Session, SessionConfig
from companion.app.table_services import TableServices
from companion.config.settings import CafeSettings
from companion.config.taught_buttons import TAUGHT_BUTTONS_FILE, TaughtButtons
from companion.events import (
    SEAT_BUTTONS,
    Button,
    ButtonPressed,
    ButtonReleased,
    ControllerId,
    ControlPressed,
    DeviceLost,
    DeviceRestored,
)
from companion.games.macroscope import GAME
from companion.games.macroscope.settings import Settings
from companion.journal.database import Journal
from companion.lobby import ButtonTeaching, Lobby, Preferences, SetupWizard
from companion.lobby.button_teaching import TEACHING_ORDER
from companion.screen_state import CameraView, ScreenKind, TeachingView, WizardPage
from tests.kernel_rig.log_words import DEVICE_GONE

OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS
PAD = ControllerId(0x79, 6, "Pad", port="usb-1")
OTHER = ControllerId(0x79, 6, "Pad", port="usb-2")
TIMES = count(0.0, 0.5)


def make_session(journal: Journal, taught: TaughtButtons, *, wizard: bool = False, cafe: bool = False) -> Session:
    return Session(
        SessionConfig(GAME, (), Settings(), run_setup_wizard=wizard),
        journal,
        TableServices(
            lambda: 0.0, random.Random(1), preferences=Preferences(), cafe=CafeSettings(on=cafe), taught_buttons=taught
        ),
    )


def press(session: Session, *buttons: Button) -> None:
    for button in buttons:
        at = next(TIMES)
        session.step([ButtonPressed(button, at)])
        session.step([ButtonReleased(button, at + 0.1)])


def touch(session: Session, *controls: str, pad: ControllerId = PAD, is_taught: bool = False) -> None:
    """Press controls that stand for nothing yet."""
    for control in controls:
        session.step([ControlPressed(pad, control, next(TIMES), is_taught)])


def get_wanted(session: Session) -> Button:
    view = session.build_screen_state(CameraView()).view
    assert isinstance(view, TeachingView)
    return view.wanted


def list_taught(taught: TaughtButtons) -> dict[str, Button]:
    return {f"{each.controller.port} {each.control}": each.button for each in taught.bindings}


def test_an_unknown_pad_teaches_itself_and_is_kept(journal: Journal, tmp_path: Path) -> None:
    taught = TaughtButtons(tmp_path)
    session = make_session(journal, taught)
    touch(session, "key 1")
    assert isinstance(session.stage, ButtonTeaching), "the press itself is not learned: nobody was asked"
    assert get_wanted(session) is OK
    touch(session, "key 9", "key 10", *(f"key {n}" for n in range(1, 7)))
    assert get_wanted(session) is PLUS
    press(session, OK, OK)
    assert isinstance(session.stage, Lobby)
    expected = {"usb-1 key 9": OK, "usb-1 key 10": NO} | {
        f"usb-1 key {n}": button for n, button in enumerate(SEAT_BUTTONS, 1)
    }
    assert list_taught(taught) == expected
    assert list_taught(TaughtButtons(tmp_path)) == expected
    touch(session, "key 30", is_taught=True)
    assert isinstance(session.stage, Lobby), "another button of a known pad teaches nothing"
    touch(session, "key 31", pad=OTHER)
    assert isinstance(session.stage, Lobby), "it is offered once; afterwards from the menu"


def test_wrong_presses_while_teaching(journal: Journal) -> None:
    taught = TaughtButtons()
    session = make_session(journal, taught)
    touch(session, "key 1")
    at = next(TIMES)
    session.step([ControlPressed(PAD, "key 7", at), ControlPressed(PAD, "axis 2 +", at + 0.01)])
    assert get_wanted(session) is NO, "a trigger is a button and an axis, and one press"
    touch(session, "key 8", "key 1")
    assert get_wanted(session) is Button.SEAT2
    press(session, Button.SEAT1)
    state = session.build_screen_state(CameraView())
    assert get_wanted(session) is Button.SEAT2
    assert state.notice == "This is already the button of Circle: press another one"
    assert {key.button for key in state.soft_keys if key.label} == {OK, NO, PLUS}
    press(session, NO)
    assert get_wanted(session) is Button.SEAT1, "and what it was is forgotten"
    assert list_taught(taught) == {"usb-1 key 7": OK, "usb-1 key 8": NO}
    touch(session, "key 2", "key 1")
    press(session, PLUS)
    assert isinstance(session.stage, Lobby)
    assert list_taught(taught)["usb-1 key 2"] is Button.SEAT1
    assert not taught.is_teaching


def test_only_what_is_taught_now_counts_while_teaching_and_other_pads_keep_theirs(
    journal: Journal, tmp_path: Path
) -> None:
    taught = TaughtButtons(tmp_path)
    taught.begin_teaching()
    taught.teach(PAD, "key 1", OK)
    taught.teach(OTHER, "key 1", Button.SEAT2)
    taught.end_teaching()
    session = make_session(journal, taught)
    press(session, MINUS)
    menu = session.build_screen_state(CameraView()).menu
    assert menu is not None
    press(session, *[MINUS] * next(i for i, line in enumerate(menu.items) if "This device" in line), OK)
    menu = session.build_screen_state(CameraView()).menu
    assert menu is not None
    press(session, *[MINUS] * next(i for i, line in enumerate(menu.items) if "gamepad" in line), OK)
    assert isinstance(session.stage, ButtonTeaching)
    assert taught.bindings == ()
    touch(session, "key 5")
    press(session, PLUS)
    assert list_taught(taught) == {"usb-1 key 5": OK, "usb-2 key 1": Button.SEAT2}
    assert list_taught(TaughtButtons(tmp_path)) == list_taught(taught)


def test_an_equal_pad_that_is_taught_later_is_a_second_one(tmp_path: Path) -> None:
    taught = TaughtButtons(tmp_path)
    for pad, button in ((PAD, Button.SEAT1), (OTHER, Button.SEAT2)):
        taught.begin_teaching()
        taught.teach(pad, "key 1", button)
        assert taught.end_teaching() is None
    assert list_taught(TaughtButtons(tmp_path)) == {"usb-1 key 1": Button.SEAT1, "usb-2 key 1": Button.SEAT2}


def test_leaving_and_forgetting(journal: Journal, tmp_path: Path) -> None:
    taught = TaughtButtons(tmp_path)
    taught.begin_teaching()
    taught.teach(PAD, "key 1", Button.SEAT4)
    taught.end_teaching()
    session = make_session(journal, taught)
    touch(session, "key 3", pad=OTHER)
    press(session, NO)
    assert isinstance(session.stage, Lobby)
    assert list_taught(taught) == {"usb-1 key 1": Button.SEAT4}
    session = make_session(journal, taught)
    touch(session, "key 3", pad=OTHER)
    press(session, MINUS, NO)
    assert list_taught(taught) == {}
    assert TaughtButtons(tmp_path).is_empty


def test_the_wizard_teaches_and_goes_on_where_it_was(journal: Journal) -> None:
    taught = TaughtButtons()
    session = make_session(journal, taught, wizard=True)
    touch(session, "key 1")
    touch(session, "key 9", "key 10")
    press(session, PLUS)
    assert isinstance(session.stage, SetupWizard)
    assert session.stage.page is WizardPage.LANGUAGE
    press(session, OK, OK)
    assert session.stage.page is WizardPage.BUTTONS
    press(session, PLUS)
    assert session.build_screen_state(CameraView()).kind is ScreenKind.TEACHING
    press(session, *[OK] * len(TEACHING_ORDER))
    assert isinstance(session.stage, SetupWizard)
    assert session.stage.page is WizardPage.BUTTONS
    assert list_taught(taught) == {"usb-1 key 9": OK, "usb-1 key 10": NO}, "nothing was taught: nothing is lost"


@pytest.mark.parametrize("control", ["axis 0 -", "key 1"])
def test_a_stick_that_trembles_and_guests_open_nothing(journal: Journal, control: str) -> None:
    session = make_session(journal, TaughtButtons(), cafe=control.startswith("key"))
    touch(session, control)
    assert isinstance(session.stage, Lobby)


def test_a_damaged_file_is_set_aside(tmp_path: Path) -> None:
    file = tmp_path / TAUGHT_BUTTONS_FILE
    file.write_text('{"controllers": 5}', encoding="utf-8")
    taught = TaughtButtons(tmp_path)
    assert taught.is_empty
    assert taught.problem is not None
    file.write_text(
        '{"controllers": [{"vendor": 1, "product": 2, "name": "Pad", "buttons": {"key 1": "seat9", "key 2": "ok"}}]}',
        encoding="utf-8",
    )
    assert [each.button for each in TaughtButtons(tmp_path).bindings] == [OK]


def test_a_lost_pad_is_named_over_a_line_about_the_last_press(journal: Journal) -> None:
    """Its buttons may be the only ones: nobody could press that line away."""
    session = make_session(journal, TaughtButtons())
    session.stage.notice = "Something about the last press"
    session.step([DeviceLost("Pad", next(TIMES))])
    assert (session.build_screen_state(CameraView()).notice or "").startswith(f"Pad {DEVICE_GONE}")
    session.step([DeviceRestored("Pad", next(TIMES))])
    assert session.build_screen_state(CameraView()).notice is None
