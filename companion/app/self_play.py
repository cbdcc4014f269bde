"""A game that plays itself without a screen: virtual players, a simulated table and its camera frames.

Time is simulated, so that a game runs as fast as the machine reads the frames.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.api import Offer, Seat
from companion.app.session import Session, SessionConfig
from companion.camera.reader import CameraReader, WatchedTable
from companion.display.screen import Screen, save_png
from companion.events import DieShown
from companion.games.game_file.points.simulator.player import PointsPlayers
from companion.games.macroscope.simulator.appearance import Appearance
from companion.games.macroscope.simulator.player import MacroscopePlayers
from companion.games.macroscope.simulator.table import MacroscopeTable
from companion.games.memo_dice.simulator.objects import MemoDiceAppearance
from companion.games.memo_dice.simulator.player import MemoDicePlayers
from companion.games.memo_dice.simulator.table import MemoDiceTable, create_memo_dice_table
from companion.games.score_keeper.simulator.player import ScoreKeeperPlayers
from companion.journal.database import Journal
from companion.lobby import HouseRules
from companion.screen_state import ScreenState
from companion.simulation.camera import SimulatedCamera, create_dice_tray, create_macroscope_table
from companion.simulation.dice_tray.table import DiceTrayTable
from companion.simulation.players.base import VirtualPlayers
from companion.simulation.players.dice_tray import DiceTrayPlayers
from companion.vision.base_watcher import TableWatcher
from companion.vision.memo_dice.watcher import CupRowWatcher
from companion.vision.tray.watcher import DiceTrayWatcher
from hardware.cameras.sources import Camera

FRAME_SECONDS = 1 / 15
"""Simulated seconds between two camera frames (15 frames per second)."""
STEP_SECONDS = 0.2
"""Simulated seconds per step in games without a camera."""
MAX_GAME_SECONDS = 4 * 3600.0
"""Simulated seconds after which a game counts as stuck."""
PLAYERS_BY_SCENE: Mapping[str, type[VirtualPlayers[Any]]] = {
    "companion.games.game_file.display.points:PointsScene": PointsPlayers,
    "companion.games.score_keeper.display.scene:ScoreKeeperScene": ScoreKeeperPlayers,
}
"""Virtual players of games without a table of their own, by the scene; `MacroscopePlayers` play others."""
PICTURE_SIZE_PX = (1280, 720)
"""Width and height of the saved pictures, in pixels."""


class StuckGame(RuntimeError):
    """The virtual players did not reach the end of the game in MAX_GAME_SECONDS of simulated time."""


@dataclass
class SimulatedClock:
    """Monotonic clock that advances only when `now` is set; a call returns `now`, in seconds."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class ScreenshotRecorder:
    """Save a picture of the screen whenever it shows a new kind of state.

    A kind is the screen, the game's phase, the question that its view asks and the open dialog; in the phase "reveal"
    each round counts as new.
    """

    folder: Path
    """Folder of the pictures, which must exist."""
    screen: Screen = field(default_factory=lambda: Screen(PICTURE_SIZE_PX))
    """Draws the pictures, in its size."""
    saved: list[Path] = field(default_factory=list)
    """Pictures saved so far, in order."""
    _seen: set[tuple[object, ...]] = field(default_factory=set)

    def record(self, state: ScreenState) -> None:
        """Save a picture of the state as PNG if its kind is new, named after its number, game, screen and phase.

        Raises:
            OSError: the file cannot be written.
            Exception: an error of the game's scene is passed on.
        """
        view = state.view
        phase = getattr(view, "phase", "")
        dialog = "question" if state.question else "menu" if state.menu else ""
        kind = (
            state.kind,
            phase,
            getattr(view, "asking_reason", None),
            dialog,
            getattr(view, "round_number", None) if phase == "reveal" else None,
        )
        if kind in self._seen:
            return
        self._seen.add(kind)
        words = "-".join(str(word) for word in (state.game_name, state.kind, phase, dialog) if word)
        path = self.folder / f"{len(self.saved) + 1:03}-{words}.png"
        save_png(self.screen.render(state), path)
        self.saved.append(path)


@dataclass
class SelfPlay:
    """Play one game from the lobby to its result, with virtual players and a simulated clock, table and camera.

    Args:
        config: the game, players and house rules; its seed makes the whole run repeatable.
        journal: receives the moves.
        watcher: reads the frames. One for another kind of table than the game's sees nothing; then the game is played
            by buttons alone.
        report: receives one line of text per move.
        screenshots: saves pictures; None: no pictures.
        default_player_count: number of players if `config` names none.
        wrap_camera: wraps the simulated camera, for tests that break it.
        house_rules: of all games; None: those of `config`.

    Attributes:
        clock: the simulated monotonic clock, from 0 s.
        table: the simulated table.
        players: the virtual players.
        camera_reader: reads the simulated camera.
        session: the session in which they play.

    Raises:
        JournalUnwritable: the journal cannot be read.
    """

    config: SessionConfig
    journal: Journal
    watcher: TableWatcher[Any]
    report: Callable[[str], None]
    screenshots: ScreenshotRecorder | None = None
    default_player_count: int = 3
    wrap_camera: Callable[[Camera], Camera] = lambda camera: camera
    house_rules: HouseRules | None = None

    def __post_init__(self) -> None:
        rng = random.Random(self.config.seed)
        self.clock = SimulatedClock()
        tables = random.Random(rng.random())
        counts = self.config.definition.player_counts
        count = len(self.config.player_names) or min(max(self.default_player_count, counts[0]), counts[-1])
        self.players: VirtualPlayers[Any]
        # The watcher of another game sees nothing here: then the game is played by buttons alone.
        use = self.config.definition.camera
        self._uses_camera = use is not None and isinstance(self.watcher, CupRowWatcher) == (DieShown in use.events)
        if isinstance(self.watcher, CupRowWatcher):
            row, drawn = create_memo_dice_table(MemoDiceAppearance(), tables)
            self.table: MacroscopeTable | MemoDiceTable | DiceTrayTable = row
            camera = SimulatedCamera(row, drawn, self.clock)
            self.players = MemoDicePlayers(row, random.Random(rng.random()), count)
        elif isinstance(self.watcher, DiceTrayWatcher):
            tray, tray_drawn = create_dice_tray(Appearance(die_size_mm=16.0), tables)
            self.table = tray
            camera = SimulatedCamera(tray, tray_drawn, self.clock)
            self.players = DiceTrayPlayers(tray, random.Random(rng.random()), count)
        else:
            table, renderer = create_macroscope_table(Appearance(), tables)
            self.table = table
            camera = SimulatedCamera(table, renderer, self.clock)
            definition = self.config.definition
            players = PLAYERS_BY_SCENE.get(definition.scene, MacroscopePlayers)
            self.players = players(table, random.Random(rng.random()), count)
        self.camera_reader = CameraReader(
            lambda _use: WatchedTable(lambda: self.wrap_camera(camera), self.watcher), self.clock
        )
        self.session = Session(self.config, self.journal, random.Random(rng.random()), self.clock, self.house_rules)
        self._reported_lines = self._reported_seq = 0

    def step(self) -> ScreenState:
        """Advance by one frame (or STEP_SECONDS without a camera): players act, the camera reads, the referee decides.

        After the game's result further calls change nothing.

        Returns:
            The state of the screen.

        Raises:
            OSError: a picture of the screen cannot be written, or (`JournalUnwritable`) the journal cannot be read.
            Exception: anything that a stage, a scene, the table's watcher or the wrapped camera raises is passed on.
        """
        self.clock.now += FRAME_SECONDS if self._uses_camera else STEP_SECONDS
        previous_state = self.session.build_screen_state(self.camera_reader.camera_view)
        pressed = self.players.act(previous_state, self.session.stage.list_offers(), self.clock.now, self._weigh_offer)
        self.session.step([*pressed, *(self.camera_reader.poll() if self._uses_camera else ())])
        state = self.session.build_screen_state(self.camera_reader.camera_view)
        if self.screenshots:
            self.screenshots.record(state)
        self._report_moves()
        return state

    def play(self) -> tuple[int, ...]:
        """Play to the end, report each move, the winners and the scores, and return the final points by seat.

        Raises:
            StuckGame: the game did not end within `MAX_GAME_SECONDS` of simulated time.
            OSError: a picture of the screen cannot be written, or (`JournalUnwritable`) the journal cannot be read.
            Exception: anything else that `step` raises.
        """
        while self.clock.now < MAX_GAME_SECONDS:
            state = self.step()
            saved_game = self.session.saved_game
            outcome = saved_game.game.compute_outcome() if saved_game else None
            if saved_game and outcome:
                winners = " and ".join(saved_game.setup.players[seat] for seat in outcome.winners)
                self.report(f"{outcome.reason} {winners} wins." if len(outcome.winners) == 1 else outcome.reason)
                self.report("Final scores: " + format_standing(saved_game.setup.players, state.scores))
                return state.scores
        raise StuckGame(f"no end after {MAX_GAME_SECONDS / 3600:.0f} simulated hours; the screen says: {state.prompt}")

    def _weigh_offer(self, offer: Offer) -> float:
        saved_game = self.session.saved_game
        return saved_game.definition.get_bot_weight(saved_game.game, offer) if saved_game else 1.0

    def _report_moves(self) -> None:
        saved_game = self.session.saved_game
        if saved_game is None or saved_game.last_seq == self._reported_seq:
            return  # formatting all moves takes longer with each: only after a new one
        self._reported_seq = saved_game.last_seq
        lines = saved_game.describe_steps()
        for line in lines[self._reported_lines :]:
            self.report(line)
        self._reported_lines = len(lines)


def format_standing(names: tuple[str, ...], scores: tuple[int, ...]) -> str:
    """Format the scores, highest first, equal ones by seat: "Ada 12, Bob 7".

    Args:
        names: the players by seat.
        scores: their points by seat.

    Raises:
        IndexError: there are fewer scores than names.
    """
    seats = sorted(range(len(names)), key=lambda seat: -scores[seat])
    return ", ".join(f"{names[Seat(seat)]} {scores[seat]}" for seat in seats)
