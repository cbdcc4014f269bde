"""Odd files of entered points, played at random: corrections anywhere, undo and redo, players who come and go."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.api import BadCorrection, ConsolePress, Move, Seat, Visibility
from companion.api.places import compute_places
from companion.events import SEAT_BUTTONS
from companion.games.game_file.definition import make_definition
from companion.games.game_file.file_part import MAX_NUMBER
from companion.journal.entry import SeatChange
from companion.journal.saved_game import SavedGame
from companion.testing.checks import check_addressed_seat, correct_at_random, is_legal, label_all
from companion.testing.table import NAMES, TableUnderTest, open_tables
from tests.games.game_file.points.odd_files import ODD_FILES

STEPS = 60
"""What is done before the game is played to its end."""
MAX_MOVES = 1_500
"""Moves within which it ends."""
SMALL = 12
"""Corrections go up to this much above the lowest number, so that games stay in their usual range."""


class OddTable:
    """One game at a real journal, and random steps in it."""

    def __init__(self, table: TableUnderTest, random: Random) -> None:
        self.definition: Any = table.definition
        self.table, self.saved, self.random = table, table.saved_game, random

    @property
    def game(self) -> Any:
        return self.saved.game

    def do_anything(self) -> None:
        chance = self.random.random()
        if chance < 0.08 and self.saved.can_undo:
            self.saved.undo()
        elif chance < 0.12 and self.saved.can_redo:
            self.saved.redo()
        elif chance < 0.32:
            self.correct(only="away" if chance < 0.18 else "round" if chance < 0.25 else "")
        elif chance < 0.35 and self.definition.can_join(self.game):
            seat = self.game.player_count
            self.saved.change_seat(SeatChange(seat=seat, name=NAMES[seat], button=SEAT_BUTTONS[seat]))
        else:
            self.play()

    def correct(self, only: str) -> None:
        listed = [c for c in self.game.list_correctables() if not only or c.kind == only]
        if not listed:
            return
        what = self.random.choice(listed)
        top = what.value_range.high if self.random.random() < 0.2 else what.value_range.low + SMALL
        top = min(top, what.value_range.high)
        value = self.random.randrange(what.value_range.low, top + 1, what.value_range.step)
        if what.kind in ("total", "kept") and self.random.random() < 0.9:
            value = self.random.randint(-2, SMALL)
        try:
            self.saved.correct(what.make_correction(value))
        except BadCorrection:
            return

    def play(self) -> None:
        """Play a move other than the end of the game, if there is one."""
        moves = [move for move in self.game.list_moves() if move.kind != "end"]
        if not moves:
            return
        entries = [move for move in moves if move.kind == "enter"]
        move = self.random.choice(entries if entries and self.random.random() < 0.9 else moves)
        if move.value_range is not None:
            move = move.fill(self.random.choice(move.value_range.numbers))
        self.saved.play_move(move)

    def check(self) -> None:
        game, definition = self.game, self.definition
        names = self.saved.players
        hash(game)
        moves = game.list_moves()
        outcome = game.compute_outcome()
        assert bool(moves) == (not game.is_over) == (outcome is None)
        if outcome is not None:
            assert game.places == compute_places(outcome, game.totals), "standings have the same order"
        assert all(abs(total) <= MAX_NUMBER for total in game.totals)
        prompt = definition.format_prompt(game, names)
        assert prompt
        assert "None" not in prompt
        check_addressed_seat(definition, game, names)
        offers = definition.list_offers(game, names, Visibility())
        inputs = [offer.input for offer in offers]
        assert len(set(inputs)) == len(inputs)
        assert not {ConsolePress.OK, ConsolePress.HOLD_OK} <= set(inputs)
        assert {offer.action for offer in offers if isinstance(offer.action, Move)} == set(moves)
        assert len(set(label_all(definition, game, names).values())) == len(game.list_correctables())
        assert game.list_round_points() is not None
        for seat in range(game.player_count):
            entry = game.find_next_entry(Seat(seat))
            assert entry is None or (not game.away[seat] and not game.is_out(Seat(seat)))
            assert entry is None or is_legal(
                game, Move("enter", Seat(seat), (game.get_allowed(Seat(seat)).numbers[0],))
            )
        assert all(sum(own[i] for own in game.memory) <= (2 if game.has_teams else 1) for i in self.flags)

    def check_same_values(self) -> None:
        """Check that what is corrected to what it is leaves all scores as they are."""
        before = list_numbers(self.game)
        for entry in self.game.list_correctables():
            if entry.kind != "entry":  # what depends on it is entered again
                assert list_numbers(self.game.correct(entry.make_correction(*entry.current_value))) == before, entry

    @property
    def flags(self) -> range:
        model = self.game.rules.model
        return range(len(model.kept), len(model.kept) + len(model.flags))


def list_numbers(game: Any) -> Any:
    rounds = [(played.numbers, played.points, played.memory) for played in (*game.finished, game.current)]
    return game.totals, game.memory, game.entered, game.active_seat, game.round_number, rounds


def play(name: str, seed: int, folder: Path) -> None:
    random = Random(f"{name} {seed}")
    definition: Any = make_definition(ODD_FILES[name], f"{name}.toml")
    with open_tables(folder) as make_table:
        count = random.choice(definition.player_counts)
        table = OddTable(make_table(count, definition=definition, camera=False), random)
        for step in range(STEPS):
            table.do_anything()
            table.check()
            if step % 6 == 0:
                table.check_same_values()
                correct_at_random(definition, table.saved.players, table.game, random, SMALL)
        for entry in [c for c in table.game.list_correctables() if c.kind == "away" and c.current_value == (1,)]:
            table.saved.correct(entry.make_correction(0))
        for _ in range(MAX_MOVES):
            if table.game.is_over:
                break
            table.play()
            table.check()
        assert table.game.is_over, definition.format_prompt(table.game, table.saved.players)
        saved = table.saved
        assert SavedGame(saved.journal, saved.id, definition).game == saved.game, "the journal differs"
        assert all(saved.describe_steps())


@pytest.mark.parametrize("name", ODD_FILES)
def test_an_odd_file_is_played_at_random(name: str, tmp_path: Path) -> None:
    for seed in range(2):
        play(name, seed, tmp_path / str(seed))


@pytest.mark.proof
@pytest.mark.parametrize("name", ODD_FILES)
def test_an_odd_file_is_played_at_random_often(name: str, tmp_path: Path) -> None:
    for seed in range(2, 60):
        play(name, seed, tmp_path / str(seed))
