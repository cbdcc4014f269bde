"""A game that plays itself, without a screen: virtual players at the virtual table, the camera's frames between them
and the game, and the display drawn into pictures.

Time is simulated, so that an evening passes as fast as the machine can look.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.app.session import Session, SessionConfig
from companion.camera.reader import CameraReader, TableWatcher, WatchedTable
from companion.display.screen import Screen, save_png
from companion.events import DieShown
from companion.games.api.game import Seat
from companion.games.api.offers import Offer
from companion.journal.database import Journal
from companion.lobby import HouseRules
from companion.screen_state import ScreenState
from companion.simulation.camera import VirtualCamera, virtual_table
from companion.simulation.macroscope.appearance import Look
from companion.simulation.macroscope.table import VirtualTable
from companion.simulation.memo_dice.objects import MemoLook
from companion.simulation.memo_dice.table import MemoTable, memo_table
from companion.simulation.players.base import Group
from companion.simulation.players.macroscope import People
from companion.simulation.players.memo_dice import RowPeople
from companion.vision.memo_dice.watcher import CupRowWatcher
from hardware.cameras.sources import Camera

FRAME_SECONDS = 1 / 15
"""Seconds between two frames of the simulated camera."""
STEP_SECONDS = 0.2
"""Seconds between two looks at the screen where no camera looks."""
MAX_GAME_SECONDS = 4 * 3600.0
"""Simulated seconds after which a game that does not end is given up."""
PICTURE_SIZE_PX = (1280, 720)
"""Of the pictures, in pixels."""


class StuckGame(RuntimeError):
    """The players could not bring the game to its end."""


class SimulatedClock:
    """Monotonic time, in seconds, that passes when it is told to."""

    def __init__(self, start: float = 0.0) -> None:
        self.now = start

    def __call__(self) -> float:
        return self.now


@dataclass
class ScreenshotRecorder:
    """Saves a picture of the display whenever it shows something of a kind that has not been seen before.

    A kind is the place, the game's phase, and what stands before it; a scored round makes everything new.
    """

    folder: Path
    screen: Screen = field(default_factory=lambda: Screen(PICTURE_SIZE_PX))
    saved: list[Path] = field(default_factory=list)
    _seen: set[tuple[object, ...]] = field(default_factory=set)

    def record(self, shown: ScreenState) -> None:
        """Save what is shown, if it is new."""
        view = shown.view
        phase = getattr(view, "phase", "")
        dialog = "question" if shown.question else "menu" if shown.menu else ""
        kind = (
            shown.kind,
            phase,
            getattr(view, "asking_reason", None),
            dialog,
            getattr(view, "round_number", 0) * (phase == "reveal"),
        )
        if kind in self._seen:
            return
        self._seen.add(kind)
        words = "-".join(str(word) for word in (shown.game_name, shown.kind, phase, dialog) if word)
        path = self.folder / f"{len(self.saved) + 1:03}-{words}.png"
        save_png(self.screen.render(shown), path)
        self.saved.append(path)


@dataclass
class SelfPlay:
    """One game from the lobby to its result.

    Args:
        plan: what is to be played; its seed makes the whole run repeatable.
        journal: where the moves go.
        watcher: the eyes' vision.
        tell: gets each line of what happens.
        shots: saves pictures; None: none.
        count: number of players where the plan names none.
        camera: wraps the virtual camera, for tests that break it.
        house: house rules of all games; None: the plan's.
    """

    config: SessionConfig
    journal: Journal
    watcher: TableWatcher
    report: Callable[[str], None]
    screenshots: ScreenshotRecorder | None = None
    default_player_count: int = 3
    wrap_camera: Callable[[Camera], Camera] = lambda camera: camera
    house_rules: HouseRules | None = None

    def __post_init__(self) -> None:
        rng = random.Random(self.config.seed)
        self.clock = SimulatedClock()
        tables = random.Random(rng.random())
        count = len(self.config.player_names) or self.default_player_count
        self.players: Group[Any]
        sees_rows = isinstance(self.watcher, CupRowWatcher)
        # Eyes for another game see nothing here: then it is played by buttons alone.
        use = self.config.definition.camera
        self._uses_camera = use is not None and sees_rows == (DieShown in use.events)
        if isinstance(self.watcher, CupRowWatcher):
            row, drawn = memo_table(MemoLook(), tables)
            self.table: VirtualTable | MemoTable = row
            camera = VirtualCamera(row, drawn, self.clock)
            self.players = RowPeople(row, random.Random(rng.random()), count)
        else:
            table, renderer = virtual_table(Look(), tables)
            self.table = table
            camera = VirtualCamera(table, renderer, self.clock)
            self.players = People(table, random.Random(rng.random()), count)
        self.camera_reader = CameraReader(
            lambda _use: WatchedTable(lambda: self.wrap_camera(camera), self.watcher), self.clock
        )
        self.session = Session(self.config, self.journal, random.Random(rng.random()), self.clock, self.house_rules)
        self._reported_lines = self._reported_seq = 0

    def step(self) -> ScreenState:
        """One frame: people act, the camera looks, the referee decides, the display is drawn."""
        looks = self._uses_camera
        self.clock.now += FRAME_SECONDS if looks else STEP_SECONDS
        before = self.session.build_screen_state(self.camera_reader.camera_view)
        pressed = self.players.act(before, self.session.stage.list_offers(), self.clock.now, self._weigh_offer)
        self.session.step([*pressed, *(self.camera_reader.poll() if looks else ())])
        shown = self.session.build_screen_state(self.camera_reader.camera_view)
        if self.screenshots:
            self.screenshots.record(shown)
        self._report_moves()
        return shown

    def play(self) -> tuple[int, ...]:
        """Play to the end; the final scores by seat.

        Raises:
            StuckGame: it did not end.
        """
        while self.clock.now < MAX_GAME_SECONDS:
            shown = self.step()
            sitting = self.session.saved_game
            outcome = sitting.game.compute_outcome() if sitting else None
            if sitting and outcome:
                winners = " and ".join(sitting.setup.players[seat] for seat in outcome.winners)
                self.report(f"{outcome.reason} {winners} wins." if len(outcome.winners) == 1 else outcome.reason)
                self.report("Final scores: " + format_standing(sitting.setup.players, shown.scores))
                return shown.scores
        raise StuckGame(f"no end after {MAX_GAME_SECONDS / 3600:.0f} simulated hours; the screen says: {shown.prompt}")

    def _weigh_offer(self, offer: Offer) -> float:
        sitting = self.session.saved_game
        return sitting.definition.bot_weight(sitting.game, offer) if sitting else 1.0

    def _report_moves(self) -> None:
        sitting = self.session.saved_game
        if sitting is None or sitting.last_seq == self._reported_seq:
            return  # putting every move into words anew takes longer with each of them: only when there is one more
        self._reported_seq = sitting.last_seq
        lines = sitting.lines()
        for line in lines[self._reported_lines :]:
            self.report(line)
        self._reported_lines = len(lines)


def format_standing(names: tuple[str, ...], scores: tuple[int, ...]) -> str:
    """Scores in words, most first."""
    seats = sorted(range(len(names)), key=lambda seat: -scores[seat])
    return ", ".join(f"{names[Seat(seat)]} {scores[seat]}" for seat in seats)
