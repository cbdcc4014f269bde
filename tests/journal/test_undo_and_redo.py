"""State machine: a list of games as the model of moves, undo, redo, corrections and restarts in any order.

NO held for a second undoes: tests/referee/test_held_buttons.py.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.api import Correction, Game, GameDefinition, IllegalMove, Move, Seat
from companion.events import SEAT_BUTTONS
from companion.games.macroscope import GAME as MACROSCOPE
from companion.journal.database import Journal
from companion.journal.entry import GameSetup, NothingToUndo
from companion.journal.saved_game import SavedGame
from tests.journal.play import FAST, act, digest, random_move
from tests.journal.toy import GAME as TOY


def setup_of(definition: GameDefinition, players: int) -> GameSetup:
    names = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Fay")
    return GameSetup(game=definition.name, players=names[:players], buttons=SEAT_BUTTONS[:players])


class SavedGameMachine(RuleBasedStateMachine):
    """The model: the games so far, and how many of them count."""

    @initialize(definition=st.sampled_from([TOY, MACROSCOPE]), players=st.integers(2, 6))
    def begin(self, definition: GameDefinition, players: int) -> None:
        self.folder = tempfile.TemporaryDirectory(dir=FAST)
        self.journal = Journal(Path(self.folder.name) / "j")
        self.definition = definition
        self.saved_game = SavedGame.begin(self.journal, setup_of(definition, players), definition)
        self.games: list[Game] = [self.saved_game.game]
        self.at = 0
        self.entries = 0

    def played(self) -> None:
        self.games[self.at + 1 :] = [self.saved_game.game]
        self.at += 1
        self.entries += 1

    @precondition(lambda self: self.saved_game.game.list_moves())
    @rule(random=st.randoms(use_true_random=False))
    def move(self, random: Random) -> None:
        move = random_move(random, self.saved_game.game)
        expected = self.saved_game.game.play(move)
        self.saved_game.play_move(move)
        assert self.saved_game.game == expected
        self.played()

    @rule()
    def forbidden_move(self) -> None:
        with pytest.raises(IllegalMove):
            self.saved_game.play_move(Move("fly", Seat(0)))

    @rule(random=st.randoms(use_true_random=False))
    def correction(self, random: Random) -> None:
        wrong = random.choice([c for c in self.saved_game.game.list_correctables() if c.kind in ("total", "crystals")])
        correction = Correction(
            wrong.kind, wrong.seat, (random.randint(wrong.value_range.low, wrong.value_range.high),)
        )
        self.saved_game.correct(correction)
        self.played()

    @rule(depth=st.integers(1, 6))
    def undo(self, depth: int) -> None:
        for _ in range(depth):
            if self.at == 0:
                with pytest.raises(NothingToUndo):
                    self.saved_game.undo()
                return
            words = self.saved_game.last_move_text
            assert self.saved_game.undo() == words
            self.at -= 1
            self.entries += 1

    @rule(depth=st.integers(1, 6))
    def redo(self, depth: int) -> None:
        for _ in range(depth):
            if self.at == len(self.games) - 1:
                with pytest.raises(NothingToUndo):
                    self.saved_game.redo()
                return
            undone = self.saved_game.replay.undone_steps[-1]
            text = self.saved_game.replay.describe(undone)
            assert self.saved_game.redo() == text == self.saved_game.last_move_text
            self.at += 1
            self.entries += 1

    @rule()
    def restart(self) -> None:
        number = self.saved_game.id
        self.journal.close()
        self.journal = Journal(self.journal.path)
        assert self.journal.damage is None
        assert self.journal.find_resumable_game() == number
        self.saved_game = SavedGame(self.journal, number, self.definition)
        assert self.saved_game.problem is None
        self.saved_game.note_resumed()
        self.entries += 1

    @invariant()
    def as_the_model_says(self) -> None:
        assert self.saved_game.game == self.games[self.at]
        assert self.saved_game.can_undo == (self.at > 0)
        assert self.saved_game.can_redo == (self.at < len(self.games) - 1)
        assert len(self.saved_game.describe_steps()) == self.at
        assert self.saved_game.last_seq == self.entries

    def teardown(self) -> None:
        if hasattr(self, "journal"):
            self.journal.close()
            self.folder.cleanup()


TestSavedGameMachine = SavedGameMachine.TestCase
TestSavedGameMachine.settings = settings(max_examples=settings().max_examples // 4, stateful_step_count=40)


def test_replay_of_a_long_random_game_is_the_same(tmp_path: Path) -> None:
    random = Random(11)
    with Journal(tmp_path / "j") as journal:
        saved_game = SavedGame.begin(journal, setup_of(MACROSCOPE, 4), MACROSCOPE)
        for _ in range(300):
            act(random, saved_game)
        assert digest(SavedGame(journal, saved_game.id, MACROSCOPE).game) == digest(saved_game.game)
