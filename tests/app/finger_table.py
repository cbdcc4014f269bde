"""Games at the virtual table that are played by nothing but a finger on the window."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, cast

import pygame

from companion.api import AnyGameDefinition, Offer
from companion.app.session import Session, SessionConfig
from companion.app.table_panel.panel import SimulatorPanel
from companion.app.table_services import TableServices
from companion.app.window import Window
from companion.camera.camera_reader import CameraReader, WatchedTable, make_watcher
from companion.display.toolkit.preferences import DisplayPreferences
from companion.events import SEAT_BUTTONS, Button, ButtonPressed, Event
from companion.games.macroscope.simulator.lid import LID_HEIGHT_MM
from companion.journal.database import Journal
from companion.screen_state import ScreenKind, ScreenState
from companion.simulation.kit import NO_TABLE, find_players_kit, find_table_kit
from companion.testing.table import ManualClock

MAX_SECONDS = 3 * 3600.0
"""Time of a game on its own clock after which it counts as stuck."""
STEP_SECONDS = 0.35
"""Between two frames of the simulated camera and two pictures of the window; the more, the less computing time."""


class FingerSession:
    """A window with a session in it, which only touches reach, on a clock of its own.

    Args:
        definition: the game.
        folder: for the journal.
        seed: makes the game repeatable.
        size: of the window, in pixels.
        with_mouse_events: SDL also reports the finger as a mouse, as it does on most desktops.
    """

    def __init__(
        self,
        definition: AnyGameDefinition,
        folder: Path,
        seed: int,
        settings: Any,
        size: tuple[int, int] = (800, 600),
        *,
        with_mouse_events: bool = True,
    ) -> None:
        self.clock, self.rng, self.definition = ManualClock(10.0), random.Random(seed), definition
        self.surface = pygame.display.set_mode(size)
        self._with_mouse_events = with_mouse_events
        kit = find_table_kit(definition) if definition.uses_camera else None
        self.panel = SimulatorPanel(kit, self.clock, self.rng) if kit else None
        self.window = Window(
            self.surface, self.clock, self.panel, preferences=lambda: DisplayPreferences(animations=False)
        )
        self.journal = Journal(folder / "journal.sqlite3")
        services = TableServices(self.clock, self.rng, has_camera=self.panel is not None)
        self.session = Session(SessionConfig(definition, (), settings, seed), self.journal, services)
        self._reader = CameraReader(self._open_table, self.clock)
        if definition.camera is not None:  # else the default one runs, as in the program
            self._reader.camera_use = definition.camera
        self._heard: list[Event] = []
        self._fingers = 0
        self.state = self.session.build_screen_state(self._reader.camera_view)
        self.window.show(self.state)
        pygame.event.clear()

    def _open_table(self, use: Any) -> WatchedTable:
        assert self.panel is not None
        return WatchedTable(lambda: cast("SimulatorPanel", self.panel).relay, make_watcher(use))

    @property
    def is_over(self) -> bool:
        """Whether the result is on the screen."""
        return self.state.kind is ScreenKind.RESULT

    def step(self) -> ScreenState:
        """Let a moment pass: what was touched is handled, the camera reads, the window is drawn."""
        self.clock.now += STEP_SECONDS
        self._heard += self.window.poll_events(soon=True)
        heard, self._heard = self._heard, []
        self.session.step([*heard, *(self._reader.poll() if self.panel else ())])
        self.state = self.session.build_screen_state(self._reader.camera_view)
        if self.panel:  # the display is drawn when it is to be touched
            self.panel.follow(self.state)
            self.panel.draw(self.window._rotated.surface)
        return self.state

    def touch(self, at: tuple[int, int], seconds: float = 0.1) -> None:
        """Touch a pixel of the window for a time, as SDL reports it."""
        width, height = self.surface.get_size()
        self._fingers += 1
        place = {"x": (at[0] + 0.5) / width, "y": (at[1] + 0.5) / height}
        for kind, mouse in (
            (pygame.FINGERDOWN, pygame.MOUSEBUTTONDOWN),
            (pygame.FINGERUP, pygame.MOUSEBUTTONUP),
        ):
            pygame.event.post(pygame.event.Event(kind, touch_id=1, finger_id=self._fingers, dx=0.0, dy=0.0, **place))
            if self._with_mouse_events:
                pygame.event.post(pygame.event.Event(mouse, button=1, pos=at, touch=True))
            self._heard += self.window.poll_events(soon=True)
            self.clock.now += seconds if kind == pygame.FINGERDOWN else 0.0

    def touch_button(self, button: Button, seconds: float = 0.1) -> None:
        """Touch a key on the display.

        Raises:
            AssertionError: the display has no such key, so no finger could press it.
        """
        self.window.show(self.state)
        areas = [a for region in self.window._screen.canvas.regions.values() for a in region.touch_areas]
        rect = next((rect for rect, found in areas if found is button), None)
        assert rect is not None, (button, self.state.prompt)
        self.touch(rect.center, seconds)

    def touch_table(self, point: tuple[float, float], height_mm: float = 0.0) -> None:
        """Touch a point of the simulated table, in mm."""
        assert self.panel is not None
        x, y = self.panel._hand._optics.project([(*point, height_mm)])[0]
        self.touch(self.panel.find_pixel((float(x), float(y))))

    def touch_place(self, name: str) -> None:
        """Touch a place that the panel names as touchable now."""
        assert self.panel is not None
        places = [rect for found, rect in self.panel.list_touchable_places() if found == name]
        assert places, (name, self.panel.list_touchable_places(), self.state.prompt)
        self.touch(places[0].center)

    def touch_control(self, name: str) -> None:
        """Touch a control beside the table's picture."""
        assert self.panel is not None
        controls = {control.name: rect for control, rect in self.panel._bar.list_controls()}
        self.touch(controls[name].center)

    def play(self, player_count: int) -> ScreenState:
        """Play a whole game, from the lobby to the result, with virtual players whose hands are one finger."""
        table = self.panel.table if self.panel else NO_TABLE
        hands = FINGERS[type(table).__name__](self, table) if self.panel else table
        make = find_table_kit(self.definition) if self.panel else find_players_kit(self.definition)
        people = make.create_players(hands, random.Random(self.rng.random()), player_count)
        end = self.clock.now + MAX_SECONDS
        while self.clock.now < end:
            state = self.step()
            if self.is_over:
                return state
            offers = self.session.stage.list_offers()
            if press := people.act(state, offers, self.clock.now, self._weigh):
                pressed, released = press
                assert isinstance(pressed, ButtonPressed)
                self.touch_button(pressed.button, released.at - pressed.at + 0.1)
        raise AssertionError(f"no end: {self.state.prompt} {self.state.question}")

    def play_at_random(self, player_count: int, max_touches: int) -> int:
        """Touch whatever can be touched, at random, from the first throw on; return after how many touches it ended.

        Left out is only what leads out of the game: the pause menu.
        """
        assert self.panel is not None
        while self.state.kind is not ScreenKind.PLAY:
            self._sit_down(player_count)
        for count in range(max_touches):
            for _ in range(20):
                self.step()
                if self.is_over:
                    return count
                if not self.panel.is_moving:
                    break
            self._touch_anything()
        raise AssertionError(f"no end: {self.state.prompt} {self.state.question}")

    def _sit_down(self, player_count: int) -> None:
        seat = SEAT_BUTTONS[len(self.state.players)] if len(self.state.players) < player_count else Button.OK
        self.touch_button(seat if self.state.kind is ScreenKind.LOBBY else Button.OK)
        for _ in range(3):
            self.step()

    def _touch_anything(self) -> None:
        assert self.panel is not None
        rng, area = self.rng, self.panel._area
        keys = [key.button for key in self.state.soft_keys if not key.is_hold]
        if self.state.question is None and self.state.menu is None:
            keys = [key for key in keys if key is not Button.MINUS]
        places = [rect.center for _name, rect in self.panel.list_touchable_places()]
        what = rng.choices(("place", "key", "table", "control"), (5 if places else 0, 5 if keys else 0, 1, 0.5))[0]
        controls = [rect.center for _control, rect in self.panel._bar.list_controls()]
        if what == "place":
            self.touch(rng.choice(places))
        elif what == "key":
            self.touch_button(rng.choice(keys))
        elif what == "control" and controls:
            self.touch(rng.choice(controls))
        else:
            self.touch((rng.randrange(area.left, area.right), rng.randrange(area.top, area.bottom)))

    def _weigh(self, offer: Offer) -> float:
        saved_game = self.session.saved_game
        return saved_game.definition.get_bot_weight(saved_game.game, offer) if saved_game else 1.0

    def close(self) -> None:
        self.journal.close()


class FingerHands:
    """A simulated table for virtual players: what they do on it they do by touching its picture."""

    def __init__(self, session: FingerSession, table: Any) -> None:
        self._session, self._table = session, table

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)


class MacroscopeFingers(FingerHands):
    def throw_dice(self, *_args: object) -> None:
        self._session.touch_place("tray")

    def take_token(self, window: int, _now: float) -> None:
        self._session.touch_table(self._table.lid.to_table(self._table.shape.windows[window]), LID_HEIGHT_MM)

    def turn_lid(self, _degrees: float, _now: float) -> None:
        self._session.touch_control("turn")

    def cover_all(self, *_args: object) -> None:
        self._session.touch_place("lid")

    def pull_card(self, _now: float) -> None:
        """Nobody sees which card lies below."""


class MemoDiceFingers(FingerHands):
    def roll(self, *_args: object) -> None:
        self._session.touch_place("dice")

    def cover(self, *_args: object) -> None:
        self._session.touch_place("die")

    def lift(self, _index: int, _now: float) -> None:
        self._session.touch_place("cup")

    def clear(self, _now: float) -> None:
        self._session.touch_place("row")


class TrayFingers(FingerHands):
    aside = property(lambda self: self._table.aside, lambda _self, _values: None)

    def throw_dice(
        self, _count: int, _rng: random.Random, _now: float, *, leave: Collection[Any] = ()
    ) -> tuple[int, ...]:
        before = self._table.planned_dice
        if leave:
            # The others are taken out, and thrown beside those that stay.
            self._touch_dice([die for die in before if die not in leave])
            self._session.touch_control("throw aside")
        else:
            corner = [middle + half - 4.0 for middle, half in zip(*self._tray, strict=True)]
            self._session.touch_table((corner[0], corner[1]))
        return tuple(die.value for die in self._table.planned_dice if die not in leave)

    @property
    def _tray(self) -> tuple[tuple[float, float], tuple[float, float]]:
        return self._table.tray.center, self._table.tray.half_size

    def _touch_dice(self, dice: Sequence[Any]) -> None:
        for die in dice:
            self._session.touch_table(die.footprint.center, self._table.die_size)
            self._session.step()  # the controls follow

    def take(self, dice: Sequence[Any], _now: float) -> None:
        self._touch_dice(dice)

    set_aside = take

    def put_back(self, *_args: object) -> None:
        (x, y), *_others = self._table.locate_aside(len(self._table.aside))
        self._session.touch_table((x, y), self._table.die_size)


FINGERS = {"MacroscopeTable": MacroscopeFingers, "MemoDiceTable": MemoDiceFingers, "DiceTrayTable": TrayFingers}
"""The hands for each kind of table."""
