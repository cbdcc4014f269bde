"""Play random games through the real rules and compare them, move by move, with a scorer that knows only the rulebook.

Every move and correction takes the road of a journal: stored, read back, played. Undo and redo go through the same
replay; the scorer starts again from the beginning after them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from companion.api import BadCorrection, Correctable, Correction, Move, Seat, ValueRange, registry
from companion.events import SEAT_BUTTONS
from companion.journal.entry import EntryContent, EntryKind, GameSetup, JournalEntry, StoredMove, Timestamp
from companion.journal.replay import Replay

Happening = tuple[Any, ...]
"""One thing that happened at the table, in the terms of a scorer: its kind and what belongs to it."""
MAX_STEPS = 4000
"""Moves after which a random game counts as endless."""
CORRECTION_SHARE, UNDO_SHARE = 0.04, 0.03
"""Probability of a correction, and of some undos and redos, before a move."""


class Scorer(Protocol):
    """What the five scorers have in common."""

    over: bool

    def happen(self, kind: str, *what: Any) -> None:
        """Let one thing happen."""


@dataclass(frozen=True)
class Differential:
    """What the comparison of one game needs."""

    name: str
    draw_settings: Callable[[Random], dict[str, Any]]
    """House rules at random."""
    seat: Callable[[int, int, Any], Any]
    """(number of players, first seat, house rules) -> a scorer at the start."""
    translate: Callable[[Any, Move, Any], Sequence[Happening]]
    """(game before, move, scorer) -> what happened."""
    corrections: Mapping[str, Callable[[Correction], Happening]]
    """By kind, the corrections that are made, and what happens by them."""
    compare: Callable[[Any, Any], None]
    """(game, scorer): check that they say the same."""
    weights: Mapping[str, float]
    """By kind, how often a move is chosen; 1 where it is not listed."""
    may_correct: Callable[[Any, Correctable], bool] = lambda _game, _entry: True
    """(game, entry) -> whether the scorer can follow a correction of it."""


def score_moves(differential: Differential, seats: int, first: int, settings: Any, moves: Iterable[Move]) -> Any:
    """Return the scorer after these moves of a game from its start."""
    game: Any = registry.find_game(differential.name).create_game(seats, Seat(first), settings)
    scorer = differential.seat(seats, first, settings)
    for move in moves:
        for happening in differential.translate(game, move, scorer):
            scorer.happen(*happening)
        game = game.play(move)
    return scorer


class DifferentialGame:
    """One random game beside its scorer."""

    def __init__(self, game: Differential, seed: int) -> None:
        self.random = Random(f"{game.name} {seed}")
        self.differential = game
        definition = registry.find_game(game.name)
        settings = definition.settings_model.model_validate(game.draw_settings(self.random))
        seats = self.random.choice(definition.player_counts)
        setup = GameSetup(
            game=game.name,
            players=tuple(f"P{n}" for n in range(seats)),
            buttons=SEAT_BUTTONS[:seats],
            first=self.random.randrange(seats),
            settings=settings.model_dump(mode="json"),
        )
        self.setup = GameSetup.from_json(setup.model_dump_json())
        self.replay = Replay.from_entries(definition, self.setup, ())
        self.happenings: list[Sequence[Happening]] = []
        self.undone: list[Sequence[Happening]] = []
        self.scorer = self.start_scorer()
        self.count: Counter[str] = Counter()

    def start_scorer(self) -> Any:
        """Return a scorer of this game to which all that counts has happened."""
        start: Any = self.replay.start
        scorer = self.differential.seat(len(self.setup.players), self.setup.first, start.settings)
        for step in self.happenings:
            for happening in step:
                scorer.happen(*happening)
        return scorer

    def play(self) -> Counter[str]:
        """Play the game to its end; return the figures."""
        while not self.scorer.over:
            assert self.count["moves"] < MAX_STEPS, "no end"
            self.step()
        for _ in range(3):  # a game that is over can be undone, too
            self.go_back()
        while self.replay.undone_steps:
            self.enter(EntryContent(kind=EntryKind.REDO))
            self.happenings.append(self.undone.pop())
        self.check(self.start_scorer())
        assert self.replay.game.compute_outcome() is not None
        entries = [entry for entry, _ in self.replay.history]
        again = Replay.from_entries(self.replay.definition, self.setup, entries)
        assert (again.problem, again.game) == (None, self.replay.game), "the journal replays to another game"
        self.count["games"] += 1
        return self.count

    def step(self) -> None:
        """Correct something, undo something, or make a move, and compare."""
        drawn = self.random.random()
        if drawn < CORRECTION_SHARE:
            self.correct()
        elif drawn < CORRECTION_SHARE + UNDO_SHARE:
            self.go_back()
        else:
            self.move()
        self.check(self.scorer)

    def check(self, scorer: Any) -> None:
        """Compare the game with the scorer."""
        self.count["positions"] += 1
        self.differential.compare(self.replay.game, scorer)

    def enter(self, content: EntryContent) -> None:
        """Write one entry as a journal stores it, and play it."""
        stored = EntryContent.from_json(content.model_dump_json())
        stamp = Timestamp(wall=0.0, monotonic=0.0, boot="")
        self.replay.accept(
            JournalEntry(seq=self.replay.last_seq + 1, what=stored, stamp=stamp), self.replay.preview(stored)
        )

    def move(self) -> None:
        """Play a legal move, drawn by its kind."""
        game = self.replay.game
        moves = game.list_moves()
        kinds = list(dict.fromkeys(str(move.kind) for move in moves))
        weights = [self.differential.weights.get(kind, 1.0) for kind in kinds]
        assert any(weights), f"nothing can be played: {kinds}"
        (kind,) = self.random.choices(kinds, weights)
        move = self.random.choice([move for move in moves if move.kind == kind])
        if move.value_range is not None:
            move = move.fill(*draw_value(self.random, move.value_range))
        self.follow(self.differential.translate(game, move, self.scorer))
        self.enter(EntryContent(kind=EntryKind.MOVE, played=StoredMove.from_played(move)))
        self.count["moves"] += 1

    def follow(self, step: Sequence[Happening]) -> None:
        """Let it happen in the scorer."""
        self.happenings.append(step)
        self.undone.clear()
        for happening in step:
            self.scorer.happen(*happening)

    def correct(self) -> None:
        """Correct something that the scorer can follow, if the rules allow the value."""
        game = self.replay.game
        kinds, may = self.differential.corrections, self.differential.may_correct
        listed = [entry for entry in game.list_correctables() if entry.kind in kinds and may(game, entry)]
        if not listed:
            return
        kind = self.random.choice(sorted({entry.kind for entry in listed}))
        entry = self.random.choice([entry for entry in listed if entry.kind == kind])
        correction = entry.make_correction(*draw_value(self.random, entry.value_range, entry.current_value[0]))
        if entry.kind == "away" and correction.value == entry.current_value:
            return
        try:
            self.enter(EntryContent(kind=EntryKind.CORRECTION, played=StoredMove.from_played(correction)))
        except BadCorrection:
            return
        self.follow([kinds[entry.kind](correction)])
        self.count["corrections"] += 1

    def go_back(self) -> None:
        """Undo up to four steps and redo some of them; each undo leads exactly to the game before."""
        seen = []
        for _ in range(min(self.random.randint(1, 4), len(self.replay.steps))):
            before = self.replay.steps[-1].before
            seen.append(self.replay.game)
            self.enter(EntryContent(kind=EntryKind.UNDO))
            self.undone.append(self.happenings.pop())
            assert self.replay.game == before, "undo is not exact"
            self.count["undone"] += 1
        for _ in range(self.random.randint(0, len(seen))):
            self.enter(EntryContent(kind=EntryKind.REDO))
            self.happenings.append(self.undone.pop())
            assert self.replay.game == seen.pop(), "redo is not exact"
        self.scorer = self.start_scorer()


def draw_value(random: Random, values: ValueRange, near: int | None = None) -> tuple[int, ...]:
    """Return a value at random; `near` a present value if there is one, so that games stay alike."""
    low, high = values.low, values.high
    if near is not None:
        low, high = max(low, near - 6), min(high, near + 6)
    return tuple(random.randint(low, high) for _ in range(values.count))


def presence(correction: Correction) -> Happening:
    """Return that a player left or came back."""
    return ("away" if correction.value[0] else "back", correction.seat)


def check_end(game: Any, winners: set[int], *, over: bool) -> None:
    """Check that the game is over when it should be, and who has won."""
    outcome = game.compute_outcome()
    assert (outcome is not None) == over, "end"
    assert outcome is None or set(outcome.winners) == winners, "winners"
