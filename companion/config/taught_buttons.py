"""What the buttons of controllers stand for, as people taught them, and whether the pins have any.

Both are stored beside the journal.
"""

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from pydantic import Field, JsonValue

from companion.config.json_store import JsonStore, StoredModel
from companion.events import Button, ControllerId
from companion.i18n import N_
from hardware.buttons.controllers.bindings import ButtonBinding

TAUGHT_BUTTONS_FILE = "controllers.json"


class _StoredController(StoredModel):
    vendor: int
    product: int
    name: str
    serial: str = ""
    port: str = ""
    buttons: dict[str, JsonValue] = Field(default_factory=dict)
    """Button of the table by the control that stands for it; a newer version may know other buttons."""

    @property
    def id(self) -> ControllerId:
        return ControllerId(self.vendor, self.product, self.name, self.serial, self.port)


class _StoredControllers(StoredModel):
    controllers: tuple[_StoredController, ...] = ()
    pins: bool = False
    """A button at the pins was pressed once."""


class TaughtButtons:
    """The taught buttons. All calls come from one thread; `bindings` and `is_teaching` may be read by others.

    While somebody teaches, only what was taught since then holds; so every button of a controller can be taught again.

    Args:
        folder: where they are stored; None: they hold for this session.

    Attributes:
        store: the file of the taught buttons.
        is_teaching: somebody teaches now.
    """

    def __init__(self, folder: Path | None = None) -> None:
        path = folder / TAUGHT_BUTTONS_FILE if folder else None
        self.store = JsonStore(path, _StoredControllers, N_("The taught buttons"))
        self.is_teaching = False
        self._stored = self._load()
        self.bindings: tuple[ButtonBinding, ...] = self._stored
        """In force now."""

    @property
    def are_pins_wired(self) -> bool:
        """Whether a button at the pins was pressed, now or in an earlier session: something is wired to them."""
        return self.store.value.pins

    def note_pin_press(self) -> str | None:
        """Store (in `TAUGHT_BUTTONS_FILE`) that a button at the pins was pressed; raises nothing.

        Returns:
            None, or in the current language why that cannot be stored; then it holds for this session only.
        """
        if self.store.value.pins:
            return None
        return self.store.update(lambda stored: stored.model_copy(update={"pins": True}))

    @property
    def is_empty(self) -> bool:
        """Whether nothing was taught and stored."""
        return not self._stored

    def begin_teaching(self) -> None:
        """Begin to teach: nothing stands for anything until it is taught."""
        self.is_teaching, self.bindings = True, ()

    def teach(self, controller: ControllerId, control: str, button: Button) -> None:
        """Let a control stand for a button; of one controller several may stand for the same.

        Args:
            controller: the device.
            control: its control, as `ControlPressed` names it; what it stood for before is forgotten.
            button: the button of the table.
        """
        kept = (each for each in self.bindings if (each.controller, each.control) != (controller, control))
        self.bindings = (*kept, ButtonBinding(controller, control, button))

    def forget(self, button: Button) -> None:
        """Forget what was taught for a button since `begin_teaching`."""
        self.bindings = tuple(each for each in self.bindings if each.button is not button)

    def end_teaching(self) -> str | None:
        """End the teaching, and store what was taught; controllers of which nothing was taught keep what they had.

        Returns:
            None, or in the current language why it cannot be stored and holds for this session only.
        """
        self.is_teaching = False
        if not self.bindings:
            self.bindings = self._stored
            return None
        bindings = self.bindings
        problem = self.store.update(lambda stored: _replace_buttons(stored, bindings))
        self._stored = self.bindings = self._load()
        return problem

    def cancel_teaching(self) -> None:
        """End the teaching; everything stands for what it stood for before."""
        self.is_teaching, self.bindings = False, self._stored

    def forget_all(self) -> str | None:
        """Forget everything that was taught, not what is wired; returns why that cannot be stored, or None."""
        self._stored = ()
        if not self.is_teaching:
            self.bindings = ()
        return self.store.replace(_StoredControllers(pins=self.store.value.pins))

    def retry(self) -> None:
        """Read the file again if it could not be read, and write it if it could not be written."""
        if self.store.retry():
            self._stored = self._load()
            if not self.is_teaching:
                self.bindings = self._stored

    def _load(self) -> tuple[ButtonBinding, ...]:
        return tuple(
            ButtonBinding(each.id, control, Button(name))
            for each in self.store.value.controllers
            for control, name in each.buttons.items()
            if isinstance(name, str) and name in set(Button)
        )


def _replace_buttons(stored: _StoredControllers, bindings: Iterable[ButtonBinding]) -> _StoredControllers:
    """Return the stored controllers with other buttons for those that are bound; the others keep theirs."""
    # By the whole id: an equal device in another socket may be a second one.
    controllers = {each.id: each for each in stored.controllers}
    buttons = dict[ControllerId, dict[str, JsonValue]]()
    for each in bindings:
        buttons.setdefault(each.controller, {})[each.control] = str(each.button)
    for device, names in buttons.items():
        controller = controllers.get(device) or _StoredController(**asdict(device))
        controllers[device] = controller.model_copy(update={"buttons": names})
    return stored.model_copy(update={"controllers": tuple(controllers.values())})
