"""Controllers as a source of presses: a thread of its own finds them, reads them and switches their lights."""

import errno
import logging
import select
import socket
import stat
import threading
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from companion.events import (
    Button,
    ButtonPressed,
    ButtonReleased,
    ControllerId,
    ControlPressed,
    DeviceLost,
    DeviceRestored,
    Event,
)
from hardware.buttons.controllers.bindings import ButtonBinding, clean_name, label_controllers, match_controllers
from hardware.buttons.controllers.controls import ControlChange, ControlTracker
from hardware.buttons.controllers.evdev import InputDevice
from hardware.buttons.controllers.lamps import ControllerLamps
from hardware.buttons.keyboard import BUTTON_BY_KERNEL_CODE
from hardware.buttons.lamp_effects import LampEffect
from hardware.buttons.source import MAX_UNREAD_EVENTS, Clock
from hardware.buttons.thread_waker import ThreadWaker

log = logging.getLogger(__name__)

SOURCE_NAME = "controllers"
"""Name of this source; events carry the name of the device."""

INPUT_FOLDER = Path("/dev/input")
"""Where the kernel has a node for each input device."""

SEARCH_SECONDS = 0.5
"""Time between two searches for new devices. A larger value finds one later."""

TYPING_BUTTONS = {f"key {code}": button for code, button in BUTTON_BY_KERNEL_CODE.items()}
"""The keys that stand for buttons on every keyboard: they are not offered to be taught, and still work on a device that
was taught other keys, although the window no longer has its keys."""


class ControllerSource:
    """A `ButtonSource` of all controllers that are plugged in; starts a thread for them.

    >>> from tempfile import mkdtemp
    >>> from time import monotonic
    >>> source = ControllerSource(lambda: (), lambda: False, monotonic, folder=Path(mkdtemp()))
    >>> source.read()
    []
    >>> source.close()

    Presses of controls that stand for no button are `ControlPressed`. Devices without joystick buttons (keyboards,
    presenters) are only opened while somebody teaches or once a key of theirs was taught; then they are grabbed, so
    that the window does not have the same press again. `read` never raises. A taught controller that goes away is
    reported as `DeviceLost`, and as `DeviceRestored` when it is there (again).

    Args:
        list_bindings: returns what was taught; called from the source's thread, often.
        is_teaching: returns whether somebody teaches; called from the source's thread, often.
        clock: the host's monotonic clock (CLOCK_MONOTONIC), in seconds; called from several threads.
        wake: called from the source's thread when there is something to `read`; must not block.
        folder: where the nodes of input devices are.

    Attributes:
        name: name of this source.
    """

    def __init__(
        self,
        list_bindings: Callable[[], Sequence[ButtonBinding]],
        is_teaching: Callable[[], bool],
        clock: Clock,
        wake: Callable[[], None] = lambda: None,
        folder: Path = INPUT_FOLDER,
    ) -> None:
        self.name = SOURCE_NAME
        self._list_bindings, self._is_teaching = list_bindings, is_teaching
        self._clock, self._wake, self._folder = clock, wake, folder
        self._lock = threading.Lock()
        self._events: deque[Event] = deque(maxlen=MAX_UNREAD_EVENTS)
        self._effects: Mapping[Button, LampEffect] = {}
        self._nodes: dict[Path, tuple[int, int]] = {}
        """The nodes that were looked at, with what tells a new one of the same name from the old one."""
        self._open: dict[Path, _OpenController] = {}
        self._known: tuple[Sequence[ButtonBinding], bool] = ((), False)
        self._search_at = clock()
        self._is_closing = False
        self._thread_waker = ThreadWaker()
        self._thread = threading.Thread(target=self._run, name=SOURCE_NAME, daemon=True)
        self._thread.start()

    def read(self) -> list[Event]:
        """Return the events since the last call, earliest first, without waiting; raises nothing."""
        with self._lock:
            events = sorted(self._events, key=lambda event: event.at)
            self._events.clear()
        return events

    def set_lamps(self, lamps: Mapping[Button, LampEffect]) -> None:
        """Set the effects of the lights of all taught controls, without waiting; raises nothing.

        Args:
            lamps: the effect of each button's lamp; a button that is missing here is dark.
        """
        with self._lock:
            self._effects = dict(lamps)
        self._thread_waker.send()

    def close(self) -> None:
        """Switch the lights off, close all devices and end the thread; may be called twice and raises nothing.

        Must not be called by `wake`: it waits for the thread.
        """
        self._is_closing = True
        self._thread_waker.send()
        self._thread.join()
        self._thread_waker.close()

    # Run by the thread.

    def _run(self) -> None:
        while not self._is_closing:
            try:
                self._turn()
            except Exception:  # the thread must not die; the next search opens the devices again
                log.exception("controllers: all devices are closed")
                self._close_all(self._clock())
        self._close_all(None)

    def _turn(self) -> None:
        poll = select.poll()
        poll.register(self._thread_waker.readable, select.POLLIN)
        for controller in self._open.values():
            poll.register(controller.device, select.POLLIN)
        now = self._clock()
        times = [self._search_at, *(at for each in self._open.values() if (at := each.due_at) is not None)]
        # A millisecond more: poll's whole milliseconds would wake it up too early, again and again.
        poll.poll(max(0.0, min(times) - now) * 1000.0 + 1.0)
        with suppress(BlockingIOError):
            self._thread_waker.readable.recv(4096, socket.MSG_DONTWAIT)
        with self._lock:
            effects = self._effects
        now = self._clock()
        bindings, is_teaching = self._list_bindings(), self._is_teaching()
        if now >= self._search_at or (bindings, is_teaching) != self._known:
            self._search_at = now + SEARCH_SECONDS
            self._search(now, bindings, is_teaching)
        events: list[Event] = []
        for path, controller in list(self._open.items()):
            try:
                events += controller.step(now, effects)
            except OSError as error:
                log.info("%s is gone: %s", clean_name(controller.device.id), error)
                events += self._drop(path, now)
        self._publish(events)

    def _search(self, now: float, bindings: Sequence[ButtonBinding], is_teaching: bool) -> None:
        """Open new devices that may be wanted, close those that are not, and give each its bindings."""
        if (bindings, is_teaching) != self._known:
            self._nodes = {path: node for path, node in self._nodes.items() if path in self._open}
            self._known = (bindings, is_teaching)
        nodes: dict[Path, tuple[int, int]] = {}
        with suppress(OSError):
            for path in self._folder.glob("event*"):
                with suppress(OSError):
                    status = path.stat()
                    if stat.S_ISCHR(status.st_mode):
                        nodes[path] = (status.st_ino, status.st_ctime_ns)
        events: list[Event] = []
        for path in [path for path, node in self._nodes.items() if nodes.get(path) != node]:
            del self._nodes[path]
            if path in self._open:
                events += self._drop(path, now)
        for path in sorted(set(nodes) - set(self._nodes)):
            try:
                device = InputDevice(path)
            except PermissionError:
                # udev may give the rights a moment later, and changes the time of the node then.
                self._nodes[path] = nodes[path]
                continue
            except OSError:
                continue
            self._nodes[path] = nodes[path]
            self._open[path] = _OpenController(device)
        self._bind(events, bindings, is_teaching, now)
        self._publish(events)

    def _bind(self, events: list[Event], bindings: Sequence[ButtonBinding], is_teaching: bool, now: float) -> None:
        taught = list(dict.fromkeys(binding.controller for binding in bindings))
        labels = label_controllers(taught)
        self._number_twins()
        matched = match_controllers([each.id for each in self._open.values()], taught)
        for path, controller in list(self._open.items()):
            own = matched.get(controller.id)
            if own is not None:
                buttons = {each.control: each.button for each in bindings if each.controller == own}
                events += controller.bind(buttons, labels[own], now)
                continue
            events += controller.bind({}, "", now)
            if not controller.device.is_joystick and not (is_teaching and controller.device.is_keyboard):
                controller.close(now)
                del self._open[path]  # its node stays known, so that it is not opened again and again

    def _number_twins(self) -> None:
        """Tell nodes apart that have the same id: an arcade encoder for two players is two joysticks at one port."""
        twins: Counter[ControllerId] = Counter()
        for path in sorted(self._open, key=_get_node_number):
            device = self._open[path].device.id
            twins[device] += 1
            self._open[path].id = (
                device if twins[device] == 1 else replace(device, port=f"{device.port} #{twins[device]}")
            )

    def _drop(self, path: Path, now: float) -> list[Event]:
        self._nodes.pop(path, None)
        events = self._open.pop(path).close(now)
        for event in events:
            if isinstance(event, DeviceLost) and not self._is_closing:
                log.warning("%s: gone", event.name)
        return events

    def _close_all(self, now: float | None) -> None:
        for path in list(self._open):
            events = self._drop(path, self._clock())
            if now is not None:
                self._publish(events)

    def _publish(self, events: Sequence[Event]) -> None:
        if events:
            with self._lock:
                self._events.extend(events)
            self._wake()


class _OpenController:
    """One open device: its controls, what they stand for, and its lights."""

    def __init__(self, device: InputDevice) -> None:
        self.device, self.id = device, device.id
        try:
            self._tracker = ControlTracker(device)
        except BaseException:
            device.close()
            raise
        self._lamps = ControllerLamps(device, self._tracker.list_controls())
        self._buttons: Mapping[str, Button] = {}
        self._label = ""
        self._pressed: dict[str, Button] = {}
        """Buttons that were pressed, by the control that pressed them, also if it stands for another one now."""
        self._is_grabbed = False
        self._lamp_at: float | None = None

    @property
    def due_at(self) -> float | None:
        """When `step` must be called, although the device has no new event."""
        return min((at for at in (self._tracker.due_at, self._lamp_at) if at is not None), default=None)

    def bind(self, buttons: Mapping[str, Button], label: str, now: float) -> list[Event]:
        """Let controls stand for buttons from now on; return what that means for people."""
        events: list[Event] = []
        if self._label and self._label != label:
            # Not taught any more, or renumbered: nothing went away.
            events += [*self._release_all(now), DeviceRestored(self._label, now)]
        if label and self._label != label:
            log.info("%s: there", label)
            events.append(DeviceRestored(label, now))
        self._buttons, self._label = buttons, label
        return events

    def step(self, now: float, effects: Mapping[Button, LampEffect]) -> list[Event]:
        """Read the device and switch its lights; return its events.

        Raises:
            OSError: it was unplugged.
        """
        changes = [*self._tracker.handle(self.device.read()), *self._tracker.take_releases(now)]
        events = [event for change in changes for event in self._convert(change)]
        wants_grab = bool(self._buttons) and self.device.is_keyboard
        # Not while a key is down: the window would never see it released.
        if wants_grab != self._is_grabbed and not self._tracker.is_any_down:
            self._is_grabbed = wants_grab
            try:
                self.device.set_grabbed(wants_grab)
            except OSError as error:
                if error.errno != errno.EBUSY:
                    raise
        self._lamps.set_effects(self._buttons, effects)
        self._lamp_at = self._lamps.update(now)
        return events

    def close(self, now: float) -> list[Event]:
        """Close the device; return the releases of held buttons, and its loss if it was taught."""
        self._lamps.close()
        self.device.close()
        events = self._release_all(now)
        if self._label:
            events.append(DeviceLost(self._label, now))
        return events

    def _release_all(self, now: float) -> list[Event]:
        held, self._pressed = self._pressed, {}
        return [ButtonReleased(button, now, self._label) for button in held.values()]

    def _convert(self, change: ControlChange) -> list[Event]:
        control, at = change.control, change.at
        if not change.is_down:
            released = self._pressed.pop(control, None)
            return [] if released is None else [ButtonReleased(released, at, self._label)]
        button = self._buttons.get(control)
        if button is None and self.device.is_keyboard and control in TYPING_BUTTONS:
            # Not grabbed: the window has this press already.
            button = TYPING_BUTTONS[control] if self._is_grabbed else None
            if button is None:
                return []
        if button is None:
            return [ControlPressed(self.id, control, at, bool(self._buttons))]
        self._pressed[control] = button
        return [ButtonPressed(button, at, self._label or SOURCE_NAME, change.max_error_seconds)]


def _get_node_number(path: Path) -> int:
    digits = path.name.removeprefix("event")
    return int(digits) if digits.isdecimal() else 0


def list_controllers(folder: Path = INPUT_FOLDER) -> dict[ControllerId, bool]:
    """Return the devices that can be taught and may be read, and whether each is a joystick, gamepad or encoder.

    >>> list_controllers(Path("/no/such/folder"))
    {}

    The others are keyboards, presenters and what the kernel takes for a keyboard.

    Args:
        folder: where the nodes of input devices are.
    """
    found = {}
    for path in sorted(folder.glob("event*"), key=_get_node_number):
        with suppress(OSError):
            device = InputDevice(path)
            if device.is_joystick or device.is_keyboard:
                found[device.id] = device.is_joystick
            device.close()
    return found
