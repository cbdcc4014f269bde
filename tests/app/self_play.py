"""Self-play that records the actions on the simulated table beside the journal."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from companion.api import Move
from companion.app.self_play import ScreenshotRecorder, SelfPlay
from companion.app.session import SessionConfig
from companion.events import CameraState, CameraStateChanged, DiceRead, LidCovered, TokenPlaced, TokenTaken, VisionEvent
from companion.games.macroscope import GAME
from companion.games.macroscope.settings import Settings
from companion.games.macroscope.simulator.table import MacroscopeTable
from companion.journal.database import Journal
from companion.journal.entry import EntryKind, GameSetup
from companion.vision.reading import Image, Lid, Reading
from hardware.cameras.live_camera import Frame
from tests.games.differential.comparisons import MACROSCOPE
from tests.games.differential.driver import score_moves

BLANK: Image = np.zeros((32, 32, 3), np.uint8)


class TableReadingWatcher:
    """A watcher that reads the state of the table instead of frames, so that many games can be played.

    Args:
        wrong: Share of the readings that are wrong or uncertain, 0 to 1.
    """

    def __init__(self, rng: Random, wrong: float = 0.0) -> None:
        self.table: MacroscopeTable | None = None
        self.state = CameraState.SEARCHING
        self.reading: Reading | None = None
        self._rng, self._wrong = rng, wrong
        self._dice: tuple[Any, ...] = ()
        self._tokens: tuple[int | None, ...] | None = None

    def process_frame(self, image: Image, at: float) -> list[VisionEvent]:
        table = self.table
        assert table is not None
        if table.is_busy(at) or table.is_moving:
            return []
        events: list[VisionEvent] = []
        if self.state is not CameraState.STEADY:
            self.state, self.reading = CameraState.STEADY, Reading(lid=Lid(((0, 0),) * 4, None, ()))
            events.append(CameraStateChanged(self.state, at, lid_known=True))
        dice = tuple(tuple(np.round(die.center, 3)) for die in table.list_dice())
        if dice != self._dice:
            self._dice = dice
            events.append(self._rolled(tuple(sorted(table.values)), at))
        before, self._tokens = self._tokens, table.board.numbers
        if before is not None and before != self._tokens:
            for window, (was, now) in enumerate(zip(before, self._tokens, strict=True)):
                if was and not now:
                    events.append(self._taken(window, was, at))
                elif now and not was:
                    events.append(TokenPlaced(window, now, 0.99, at))
            if all(self._tokens) and not all(before):
                events.append(LidCovered(at))
        return events

    def _rolled(self, values: tuple[int, ...], at: float) -> VisionEvent:
        """Return a reading, some of them uncertain or with a missing die."""
        if self._rng.random() < self._wrong:
            other = tuple(sorted((values[0], self._rng.randint(1, 6))))
            return self._rng.choice(
                [
                    DiceRead(values, 0.5, at, (other,)),
                    DiceRead(other, 0.5, at, (values,)),
                    DiceRead(other, 0.4, at, ()),
                    DiceRead(values[:1], 0.99, at, ()),
                ]
            )
        return DiceRead(values, 0.99, at, ())

    def _taken(self, window: int, number: int, at: float) -> VisionEvent:
        if self._rng.random() < self._wrong:
            return TokenTaken(window, self._rng.choice([None, number]), 0.3, at)
        return TokenTaken(window, number, 0.99, at)


class NoPicture:
    """A camera that advances the table and delivers blank frames."""

    name = "no picture"

    def __init__(self, game: SelfPlay) -> None:
        self._game = game

    def read(self) -> Frame | None:
        now = self._game.clock.now
        self._game.table.step(now)
        return Frame(BLANK, now, 0)

    def close(self) -> None:
        pass


class Observed:
    """A self-played game that records the throws and the tokens taken."""

    def __init__(
        self,
        folder: Path,
        watcher: Any,
        seed: int,
        players: int,
        *,
        shots: ScreenshotRecorder | None = None,
        **settings: Any,
    ) -> None:
        self.journal = Journal(folder / "journal.sqlite3", wall=lambda: 0.0, monotonic=lambda: 0.0)
        self.reported: list[str] = []
        plan = SessionConfig(GAME, (), Settings(**settings), seed)
        self.game = SelfPlay(plan, self.journal, watcher, self.reported.append, shots, players)
        table = self.game.table
        assert isinstance(table, MacroscopeTable)
        if isinstance(watcher, TableReadingWatcher):
            watcher.table = table
            self.game.wrap_camera = lambda _camera: NoPicture(self.game)
        self.thrown: list[tuple[int, ...]] = []
        self.taken: list[int] = []
        self._observe(table)

    def _observe(self, table: MacroscopeTable) -> None:
        throw, take = table.throw_dice, table.take_token

        def seen_throw(*arguments: Any) -> tuple[int, ...]:
            self.thrown.append(throw(*arguments))
            return self.thrown[-1]

        def seen_take(window: int, now: float) -> None:
            number = table.board.numbers[window]
            assert number is not None
            take(window, now)
            self.taken.append(number)

        vars(table).update(throw_dice=seen_throw, take_token=seen_take)

    def play(self) -> tuple[int, ...]:
        try:
            return self.game.play()
        finally:
            self.game.camera_reader.close()

    def moves(self) -> list[Move]:
        """Return the moves of the journal."""
        entries = [e.what for e in self.journal.read_entries(1)]
        assert {what.kind for what in entries} <= {EntryKind.MOVE, EntryKind.CORRECTION}
        return [what.played.to_move() for what in entries if what.played]

    def check(self, scores: tuple[int, ...]) -> None:
        """Check that the journal matches the recorded actions and the scores the reference scoring."""
        moves = self.moves()
        rolls = [tuple(sorted(m.value)) for m in moves if m.kind == "roll"]
        thrown = iter(tuple(sorted(values)) for values in self.thrown)
        assert all(roll in thrown for roll in rolls), "a roll was journalled that nobody threw"
        assert [m.value[0] for m in moves if m.kind == "remove"] == self.taken
        setup = GameSetup.from_json(self.journal.get_game(1).setup_json)
        settings = Settings.model_validate(setup.settings)
        plain = score_moves(MACROSCOPE, len(setup.players), setup.first, settings, moves)
        assert tuple(plain.crystals) == scores
