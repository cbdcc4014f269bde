"""What the buttons of controllers stand for, as people taught them; stored beside the journal."""

from dataclasses import asdict
from pathlib import Path

from pydantic import Field

from companion.config.json_store import JsonStore, StrictModel
from companion.events import Button, ControllerId
from companion.i18n import N_
from hardware.buttons.controllers.bindings import ButtonBinding

TAUGHT_BUTTONS_FILE = "controllers.json"


class _StoredController(StrictModel):
    vendor: int
    product: int
    name: str
    serial: str = ""
    port: str = ""
    buttons: dict[str, str] = Field(default_factory=dict)
    """Button of the table by the control that stands for it."""


class _StoredControllers(StrictModel):
    controllers: tuple[_StoredController, ...] = ()


class TaughtButtons:
    """The taught buttons. All calls come from one thread; `bindings` and `is_teaching` may be read by others.

    While somebody teaches, only what was taught since then holds; so every button of a controller can be taught again.

    Args:
        folder: where they are stored; None: they hold for this session.

    Attributes:
        problem: trouble with the stored ones, in one line; None: there is none.
        is_teaching: somebody teaches now.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._store = JsonStore(
            folder / TAUGHT_BUTTONS_FILE if folder else None,
            _StoredControllers,
            N_("The taught buttons cannot be read and are ignored; the file is {where}"),
        )
        self.problem = self._store.problem
        self.is_teaching = False
        self._stored = self._load()
        self.bindings: tuple[ButtonBinding, ...] = self._stored
        """In force now."""

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
        taught = {each.controller for each in self.bindings}
        self.is_teaching = False
        if not taught:
            self.bindings = self._stored
            return None
        # By the whole id: an equal device in another socket may be a second one.
        self._stored = (*(each for each in self._stored if each.controller not in taught), *self.bindings)
        self.bindings = self._stored
        return self._save()

    def cancel_teaching(self) -> None:
        """End the teaching; everything stands for what it stood for before."""
        self.is_teaching, self.bindings = False, self._stored

    def forget_all(self) -> str | None:
        """Forget everything that was taught; returns why that cannot be stored, or None."""
        self._stored = ()
        if not self.is_teaching:
            self.bindings = ()
        return self._save()

    def _load(self) -> tuple[ButtonBinding, ...]:
        return tuple(
            ButtonBinding(
                ControllerId(each.vendor, each.product, each.name, each.serial, each.port), control, Button(name)
            )
            for each in self._store.value.controllers
            for control, name in each.buttons.items()
            if name in set(Button)
        )

    def _save(self) -> str | None:
        devices = dict.fromkeys(each.controller for each in self._stored)
        return self._store.save(
            _StoredControllers(
                controllers=tuple(
                    _StoredController(
                        **asdict(device),
                        buttons={each.control: str(each.button) for each in self._stored if each.controller == device},
                    )
                    for device in devices
                )
            )
        )
