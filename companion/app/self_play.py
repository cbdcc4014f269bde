"""A game that plays itself without a screen: virtual players, a simulated table and its camera frames.

Time is simulated, so that a game runs as fast as the machine reads the frames.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.api import CameraUse, Offer, Outcome
from companion.api.places import compute_places
from companion.app.session import Session, SessionConfig
from companion.app.table_services import TableServices
from companion.camera.camera_reader import CameraReader, WatchedTable
from companion.display.screen import Screen, save_png
from companion.journal.database import Journal
from companion.lobby import HouseRules
from companion.screen_state import ScreenState
from companion.simulation.camera import SimulatedCamera, TableRenderer
from companion.simulation.kit import NO_TABLE, TableKit, find_players_kit, find_table_kit
from companion.simulation.players.base import VirtualPlayers
from companion.vision.base_watcher import TableWatcher
from hardware.cameras.live_camera import Camera

FRAME_SECONDS = 1 / 15
"""Simulated seconds between two camera frames (15 frames per second)."""
STEP_SECONDS = 0.2
"""Simulated seconds per step in games without a camera."""
MAX_GAME_SECONDS = 4 * 3600.0
"""Simulated seconds after which a game counts as stuck."""
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
        watcher: reads the frames of the game's table; None: the game is played by buttons alone.
        report: receives one line of text per move.
        screenshots: saves pictures; None: no pictures.
        default_player_count: number of players if `config` names none.
        wrap_camera: wraps the simulated camera, for tests that break it.
        house_rules: of all games; None: those of `config`.
        weigh: returns the relative weight of an offer in a game; None: as the game's bots have it.
        watch: called with each state of the screen and the simulated time in seconds; None: nobody watches.

    Attributes:
        clock: the simulated monotonic clock, from 0 s.
        table: the simulated table; `NO_TABLE` if the game is played by buttons alone.
        kit: made the table; None: there is none.
        renderer: draws the frames of the table; None: there is none.
        players: the virtual players.
        camera_reader: reads the simulated camera; never polled if there is none.
        session: the session in which they play.

    A game of the journal that was interrupted is set aside.

    Raises:
        JournalUnwritable: the journal cannot be read, or an interrupted game not be set aside.
    """

    config: SessionConfig
    journal: Journal
    watcher: TableWatcher[Any] | None
    report: Callable[[str], None]
    screenshots: ScreenshotRecorder | None = None
    default_player_count: int = 3
    wrap_camera: Callable[[Camera], Camera] = lambda camera: camera
    house_rules: HouseRules | None = None
    weigh: Callable[[Any, Offer], float] | None = None
    watch: Callable[[ScreenState, float], None] | None = None

    def __post_init__(self) -> None:
        rng = random.Random(self.config.seed)
        self.clock = SimulatedClock()
        tables = random.Random(rng.random())
        counts = self.config.definition.player_counts
        count = len(self.config.player_names) or min(max(self.default_player_count, counts[0]), counts[-1])
        self.players: VirtualPlayers[Any]
        self.table: Any = NO_TABLE
        self.kit: TableKit[Any] | None = None
        self.renderer: TableRenderer | None = None
        self._uses_camera = self.watcher is not None and self.config.definition.uses_camera
        self.camera_reader = CameraReader(self._open_table, self.clock)
        if self._uses_camera:
            self.kit = find_table_kit(self.config.definition)
            self.table, self.renderer = self.kit.create_table(tables)
            self._camera = SimulatedCamera(self.table, self.renderer, self.clock)
            self.players = self.kit.create_players(self.table, random.Random(rng.random()), count)
        else:
            players = find_players_kit(self.config.definition)
            self.players = players.create_players(NO_TABLE, random.Random(rng.random()), count)
        services = TableServices(self.clock, random.Random(rng.random()), house_rules=self.house_rules)
        self.session = Session(self.config, self.journal, services)
        if (interrupted := self.session.interrupted_game) is not None:
            # It may be people's own, and the new table knows nothing of its pieces: people can go on with it.
            interrupted.set_aside()
            self.report(f"Game {interrupted.id} is not finished, and was set aside.")
            self.session = Session(self.config, self.journal, services)
        self._reported_lines = self._reported_seq = 0

    def _open_table(self, _use: CameraUse) -> WatchedTable:
        assert self.watcher is not None, "nobody polls"
        return WatchedTable(lambda: self.wrap_camera(self._camera), self.watcher)

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
        if self.watch:
            self.watch(state, self.clock.now)
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
                self.report(f"{outcome.reason} {state.prompt}.")
                self.report("Final scores: " + format_standing(saved_game.players, state.scores, outcome))
                return state.scores
        raise StuckGame(f"no end after {MAX_GAME_SECONDS / 3600:.0f} simulated hours; the screen says: {state.prompt}")

    def _weigh_offer(self, offer: Offer) -> float:
        saved_game = self.session.saved_game
        if saved_game is None:
            return 1.0
        return (self.weigh or saved_game.definition.get_bot_weight)(saved_game.game, offer)

    def _report_moves(self) -> None:
        saved_game = self.session.saved_game
        if saved_game is None or saved_game.last_seq == self._reported_seq:
            return  # formatting all moves takes longer with each: only after a new one
        self._reported_seq = saved_game.last_seq
        lines = saved_game.describe_steps()
        for line in lines[self._reported_lines :]:
            self.report(line)
        self._reported_lines = len(lines)


def format_standing(names: tuple[str, ...], scores: tuple[int, ...], outcome: Outcome) -> str:
    """Format the scores in the order of the places, equal ones by seat: "Ada 12, Bob 7".

    Args:
        names: the players by seat.
        scores: their points by seat.
        outcome: how the game ended.

    Raises:
        IndexError: there are fewer scores than names.
    """
    seats = sorted(range(len(names)), key=compute_places(outcome, scores).__getitem__)
    return ", ".join(f"{names[seat]} {scores[seat]}" for seat in seats)
