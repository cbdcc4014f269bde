"""Hostile files give a message that people can use, at once; a file that is accepted can be played."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from companion.api import AnyGameDefinition, IllegalMove, Seat
from companion.cli import main
from companion.games.game_file.definition import make_definition
from companion.games.game_file.reader import GameFileError, decode_game_file
from tests.games.game_file.hostile_files import KINDS, make_hostile_file

MAX_MESSAGE_LETTERS = 400
MOVES = 25


def load(data: bytes) -> AnyGameDefinition | GameFileError:
    """Read a file as the registry does."""
    try:
        return make_definition(decode_game_file(data, "hostile.toml"), "hostile.toml")
    except GameFileError as error:
        return error


def read(data: bytes) -> str:
    """Read a file and play it a little; return the message, or nothing if it is accepted."""
    definition = load(data)
    if isinstance(definition, GameFileError):
        message = str(definition)
        assert 0 <= definition.line <= data.count(b"\n") + 1, message
        assert definition.reason
        assert message.startswith("hostile.toml")
        assert len(message) <= MAX_MESSAGE_LETTERS, message
        assert message.isprintable(), ascii(message)
        return message
    random = Random(len(data))
    names = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Finn")
    game = definition.create_game(definition.player_counts[-1], Seat(0), definition.settings_model.model_validate({}))
    for _ in range(MOVES):
        moves = game.list_moves()
        assert any(move.kind != "end" for move in moves) == (game.compute_outcome() is None)
        assert definition.format_prompt(game, names)
        if not moves:
            break
        move = random.choice(moves)
        if limits := move.value_range:
            values = (limits.low, limits.high, random.randrange(limits.low, limits.high + 1, limits.step))
            possible = [number for number in values if number not in limits.excluded]
            move = move.fill(*(random.choice(possible) for _ in range(limits.count)))
        with suppress(IllegalMove):  # a number between those that can be
            game = game.play(move)
    return ""


@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_a_hostile_file_is_told_what_is_wrong(kind: int) -> None:
    for seed in range(kind, 50 * len(KINDS), len(KINDS)):
        read(make_hostile_file(seed))


@pytest.mark.parametrize("seed", range(len(KINDS)))
def test_the_command_reports_it_without_a_traceback(
    seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hostile.toml"
    path.write_bytes(data := make_hostile_file(seed + 800))
    status = main(["rules", "--check", str(path)])
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    assert (status, bool(said.err)) == ((2, True) if read(data) else (0, False))


@pytest.mark.proof
def test_ten_thousand_hostile_files() -> None:
    seconds, cpu_seconds, accepted = [], [], 0
    messages: Counter[str] = Counter()
    for seed in range(10_000):
        data = make_hostile_file(seed)
        start, cpu_start = time.perf_counter(), time.process_time()
        message = read(data)
        seconds.append(time.perf_counter() - start)
        cpu_seconds.append(time.process_time() - cpu_start)
        accepted += not message
        messages[message.partition(": ")[2][:30]] += 1
    print(f"10000 files: {accepted} accepted, {len(messages)} kinds of messages")
    worst = max(cpu_seconds)
    print(f"slowest: {max(seconds):.3f} s, {worst:.3f} s of CPU time (seed {cpu_seconds.index(worst)})")
