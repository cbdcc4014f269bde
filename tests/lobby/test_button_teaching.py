"""Teaching a controller's buttons: from the lobby, the menu and the set-up wizard, with wrong presses.

Also here: how they are stored (companion/config/taught_buttons.py).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.config.settings import CafeSettings
from companion.config.taught_buttons import TAUGHT_BUTTONS_FILE, TaughtButtons
from companion.events import (
    SEAT_BUTTONS,
    Button,
    ControllerId,
    ControlPressed,
    DeviceLost,
    DeviceRestored,
)
from companion.journal.database import Journal
from companion.lobby import ButtonTeaching, Lobby, Preferences
from companion.lobby.button_teaching import TEACHING_ORDER
from companion.lobby_views import WizardPage
from companion.screen_state import ScreenKind
from tests.app.session_table import SessionTable
from tests.kernel_rig.log_words import DEVICE_GONE

OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS
PAD = ControllerId(0x79, 6, "Pad", port="usb-1")
OTHER = ControllerId(0x79, 6, "Pad", port="usb-2")


class Table(SessionTable):
    """A session at which controllers are plugged in."""

    def __init__(self, journal: Journal, taught: TaughtButtons, **options: Any) -> None:
        super().__init__(journal, preferences=Preferences(), taught_buttons=taught, **options)

    def touch(self, *controls: str, pad: ControllerId = PAD, is_taught: bool = False) -> None:
        """Press controls that stand for nothing yet."""
        for control in controls:
            self.clock.now += 0.5
            self.session.step([ControlPressed(pad, control, self.clock.now, is_taught)])

    @property
    def wanted(self) -> Button:
        return self.state.view.wanted


def list_taught(taught: TaughtButtons) -> dict[str, Button]:
    return {f"{each.controller.port} {each.control}": each.button for each in taught.bindings}


def test_an_unknown_pad_teaches_itself_and_is_kept(journal: Journal, tmp_path: Path) -> None:
    taught = TaughtButtons(tmp_path)
    table = Table(journal, taught)
    table.touch("key 1")
    assert isinstance(table.stage, ButtonTeaching), "the press itself is not learned: nobody was asked"
    assert table.wanted is OK
    table.touch("key 9", "key 10", *(f"key {n}" for n in range(1, 7)))
    assert table.wanted is PLUS
    table.press(OK, OK)
    assert isinstance(table.stage, Lobby)
    expected = {"usb-1 key 9": OK, "usb-1 key 10": NO} | {
        f"usb-1 key {n}": button for n, button in enumerate(SEAT_BUTTONS, 1)
    }
    assert list_taught(taught) == expected
    assert list_taught(TaughtButtons(tmp_path)) == expected
    table.touch("key 30", is_taught=True)
    assert isinstance(table.stage, Lobby), "another button of a known pad teaches nothing"
    table.touch("key 31", pad=OTHER)
    assert isinstance(table.stage, Lobby), "it is offered once; afterwards from the menu"


def test_wrong_presses_while_teaching(journal: Journal) -> None:
    taught = TaughtButtons()
    table = Table(journal, taught)
    table.touch("key 1")
    at = table.clock.now + 0.5
    table.session.step([ControlPressed(PAD, "key 7", at), ControlPressed(PAD, "axis 2 +", at + 0.01)])
    table.clock.now = at
    assert table.wanted is NO, "a trigger is a button and an axis, and one press"
    table.touch("key 8", "key 1")
    assert table.wanted is Button.SEAT2
    table.press(Button.SEAT1)
    assert table.wanted is Button.SEAT2
    assert table.state.notice == "This is already the button of Circle: press another one"
    assert {key.button for key in table.state.soft_keys if key.label} == {OK, NO, PLUS}
    table.press(NO)
    assert table.wanted is Button.SEAT1, "and what it was is forgotten"
    assert list_taught(taught) == {"usb-1 key 7": OK, "usb-1 key 8": NO}
    table.touch("key 2", "key 1")
    table.press(PLUS)
    assert isinstance(table.stage, Lobby)
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
    table = Table(journal, taught)
    table.open_lines("This device", "gamepad")
    assert isinstance(table.stage, ButtonTeaching)
    assert taught.bindings == ()
    table.touch("key 5")
    table.press(PLUS)
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
    table = Table(journal, taught)
    table.touch("key 3", pad=OTHER)
    table.press(NO)
    assert isinstance(table.stage, Lobby)
    assert list_taught(taught) == {"usb-1 key 1": Button.SEAT4}
    table = Table(journal, taught)
    table.touch("key 3", pad=OTHER)
    table.press(MINUS, NO)
    assert list_taught(taught) == {}
    assert TaughtButtons(tmp_path).is_empty


def test_the_wizard_teaches_and_goes_on_where_it_was(journal: Journal) -> None:
    taught = TaughtButtons()
    table = Table(journal, taught, run_setup_wizard=True)
    table.touch("key 1")
    table.touch("key 9", "key 10")
    table.press(PLUS)
    assert table.stage.page is WizardPage.LANGUAGE
    table.press(OK, OK, OK)
    assert table.stage.page is WizardPage.BUTTONS
    table.press(PLUS)
    assert table.state.kind is ScreenKind.TEACHING
    table.press(*[OK] * len(TEACHING_ORDER))
    assert table.stage.page is WizardPage.BUTTONS
    assert list_taught(taught) == {"usb-1 key 9": OK, "usb-1 key 10": NO}, "nothing was taught: nothing is lost"


@pytest.mark.parametrize("control", ["axis 0 -", "key 1"])
def test_a_stick_that_trembles_and_guests_open_nothing(journal: Journal, control: str) -> None:
    table = Table(journal, TaughtButtons(), cafe=CafeSettings(on=control.startswith("key")))
    table.touch(control)
    assert isinstance(table.stage, Lobby)


def test_a_damaged_file_is_set_aside(tmp_path: Path) -> None:
    file = tmp_path / TAUGHT_BUTTONS_FILE
    file.write_text('{"controllers": 5}', encoding="utf-8")
    taught = TaughtButtons(tmp_path)
    assert taught.is_empty
    assert taught.store.problem is not None
    file.write_text(
        '{"controllers": [{"vendor": 1, "product": 2, "name": "Pad", "buttons": {"key 1": "seat9", "key 2": "ok"}}]}',
        encoding="utf-8",
    )
    assert [each.button for each in TaughtButtons(tmp_path).bindings] == [OK]


def test_a_lost_pad_is_named_over_a_line_about_the_last_press(journal: Journal) -> None:
    """Its buttons may be the only ones: nobody could press that line away."""
    table = Table(journal, TaughtButtons())
    table.stage.notice = "Something about the last press"
    table.session.step([DeviceLost("Pad", table.clock.now)])
    assert (table.state.notice or "").startswith(f"Pad {DEVICE_GONE}")
    table.session.step([DeviceRestored("Pad", table.clock.now)])
    assert table.state.notice is None
