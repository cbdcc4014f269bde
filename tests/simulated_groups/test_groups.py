"""A table that does not know the companion: every score is that of the rulebook, and few buttons are pressed.

A game of each kind of people sends readings; in `make full` one plays some turns before a camera whose frames are
drawn. `pytest -m proof tests/simulated_groups` plays 200 games of each kind of people, with readings and with frames.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import pytest
from results import record

from companion.api.registry import find_game
from companion.testing.table import NAMES, TableUnderTest
from tests.games.differential.comparisons import seat_macroscope, seat_memo_dice
from tests.games.game_file.dice.plain_games import PlainPig, PlainYacht
from tests.simulated_groups.dice import DiceGroup, DiceHands, FilmedDiceHands, PigGroup, YachtGroup
from tests.simulated_groups.group import Group
from tests.simulated_groups.macroscope import FilmedMacroscopeHands, MacroscopeGroup, MacroscopeHands
from tests.simulated_groups.memo_dice import FilmedMemoDiceHands, MemoDiceGroup, MemoDiceHands
from tests.simulated_groups.rendered_table import RenderedTable

GAMES = 200
"""Games of each kind of people in `make proof`."""
KINDS: dict[str, tuple[Any, Any, Any, Callable[[TableUnderTest], Any]]] = {
    "macroscope": (
        MacroscopeHands,
        FilmedMacroscopeHands,
        MacroscopeGroup,
        lambda table: seat_macroscope(table.game.player_count, 0, table.game.settings),
    ),
    "memo_dice": (
        MemoDiceHands,
        FilmedMemoDiceHands,
        MemoDiceGroup,
        lambda table: seat_memo_dice(table.game.player_count, 0, table.game.settings),
    ),
    "pig": (DiceHands, FilmedDiceHands, PigGroup, lambda table: PlainPig(table.game.player_count, 0)),
    "yacht": (DiceHands, FilmedDiceHands, YachtGroup, lambda table: PlainYacht(table.game.player_count, 0)),
}
PRESSES = {
    "pass": 0,
    "guess": 2,
    "one challenge": 4,
    "stop": 1,
    "lost": 0,
    "three throws": 1,
    "die": 0,
    "cup": 1,
    "round": 1,
}
"""Presses of a turn of each kind in the middle of a game."""
VALUES = re.compile(rf"\d(?:(?:, | and | )\d|\d)*|\b(?:red|blue|black|golden|{'|'.join(NAMES)})\b")
"""What differs between questions of one kind: values of dice, colours and names."""
ASKING_GAMES = ("pig", "yacht")
"""Games in which people are asked whose throw it was."""
FILMED_SEATS, FILMED_RULES = 4, {"macroscope": {"rounds": 4}, "memo_dice": {"target_square": 8}}
"""Players and house rules before a camera: short games, since each frame is drawn."""
FILMED_TURNS = {"macroscope": 8, "memo_dice": 20, "pig": 8, "yacht": 3}
"""Turns that are played before a camera in `make full`; 10 to 70 s of CPU each."""


def seat_group(folder: Path, name: str, seed: int, *, is_impatient: bool, is_filmed: bool) -> Group:
    """Return a group at the start of a game."""
    random = Random(f"{name} {seed}")
    definition = find_game(name)
    read_hands, filmed_hands, group, make_scorer = KINDS[name]
    seats = random.choice([n for n in definition.player_counts if 2 <= n <= 6])
    if is_filmed:
        rules = FILMED_RULES.get(name, {})
        table: TableUnderTest = RenderedTable(folder, FILMED_SEATS, random, definition=definition, **rules)
        hands = filmed_hands(table, random)
    else:
        table = TableUnderTest(folder, seats, definition=definition)
        hands = read_hands(table, random)
    made: Group = group(hands, make_scorer(table), random, is_impatient=is_impatient)
    return made


SEED_BLOCKS = [range(first, first + 20) for first in range(0, GAMES, 20)]
"""A case of `make proof` plays these games: pytest would take seconds to collect each of them as one."""
SLOW_BEFORE_A_CAMERA = ("macroscope", "memo_dice")
"""Left to `make proof` before a camera."""


def format_seeds(seeds: range) -> str:
    return f"{seeds[0]}-{seeds[-1]}"


def check_presses(group: Group) -> None:
    """Check that patient people press only what nobody can see; before a camera a few turns may need more."""
    for kind, wanted in PRESSES.items():
        if counts := group.presses[kind]:
            found = {median(counts)} if group.hands.are_filmed else {*counts}
            assert found == {wanted}, f"{counts} presses for '{kind}'"


@pytest.mark.sampled("^0-")
@pytest.mark.parametrize("is_impatient", [False, True], ids=["patient", "impatient"])
@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("seed", range(2))
def test_every_score_is_that_of_the_rules(tmp_path: Path, name: str, seed: int, is_impatient: bool) -> None:
    check_score(tmp_path, name, seed, is_impatient=is_impatient)


@pytest.mark.proof
@pytest.mark.parametrize("is_impatient", [False, True], ids=["patient", "impatient"])
@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("seeds", SEED_BLOCKS, ids=format_seeds)
def test_every_score_of_many_games(tmp_path: Path, name: str, seeds: range, is_impatient: bool) -> None:
    for seed in seeds:
        check_score(tmp_path / str(seed), name, seed, is_impatient=is_impatient)


def check_score(folder: Path, name: str, seed: int, *, is_impatient: bool) -> None:
    """Play a game, and check its presses; the group checks each score."""
    group = seat_group(folder, name, seed, is_impatient=is_impatient, is_filmed=False)
    group.play()
    if isinstance(group, DiceGroup):
        assert group.claims, "nobody threw before the turn before was ended"
    if not is_impatient:
        check_presses(group)
        assert name in ASKING_GAMES or not group.questions


@pytest.mark.full
@pytest.mark.parametrize("is_impatient", [False, True], ids=["patient", "impatient"])
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.proof) if name in SLOW_BEFORE_A_CAMERA else name for name in KINDS]
)
def test_some_turns_before_a_camera(tmp_path: Path, name: str, is_impatient: bool) -> None:
    group = seat_group(tmp_path, name, 0, is_impatient=is_impatient, is_filmed=True)
    group.play(FILMED_TURNS[name])
    if not is_impatient:
        check_presses(group)


def describe_games(games: int, questions: Counter[str], undone: int) -> str:
    """Return how often people were asked in games, by kind of question, and how many moves they took back.

    >>> describe_games(2, Counter({"Is it 4?": 1, "Is it 2, 3 and 5?": 2}), 1)
    "2 games, 1.5 questions a game (3 'Is it …?'), 1 move taken back"
    """
    kinds: Counter[str] = Counter()
    for title, count in questions.items():
        kinds[VALUES.sub("…", title)] += count
    listed = ", ".join(f"{count} '{kind}'" for kind, count in kinds.most_common())
    taken_back = f"{undone} move{'s' * (undone != 1)} taken back"
    return f"{games} games, {questions.total() / games:.1f} questions a game ({listed or 'none'}), {taken_back}"


@pytest.mark.proof
@pytest.mark.timeout(12 * 3600)
@pytest.mark.parametrize("is_impatient", [False, True], ids=["patient", "impatient"])
@pytest.mark.parametrize("name", KINDS)
def test_games_before_a_camera(tmp_path: Path, name: str, is_impatient: bool) -> None:
    questions: Counter[str] = Counter()
    undone = 0
    for seed in range(GAMES):
        group = seat_group(tmp_path / str(seed), name, seed, is_impatient=is_impatient, is_filmed=True)
        group.play()
        if not is_impatient:
            check_presses(group)
        questions.update(group.questions)
        undone += group.undone
    figure = f"group_{name}_{'impatient' if is_impatient else 'patient'}"
    record({figure: describe_games(GAMES, questions, undone)}, "pytest -m proof -k before_a_camera")


def test_a_throw_is_read_although_the_hand_left_in_the_same_frame(tmp_path: Path) -> None:
    """Nothing moved after that frame, and the die lay far from all before: what a hand covers was never looked at."""
    seat_group(tmp_path, "pig", 1, is_impatient=False, is_filmed=True).play(1)


def test_a_token_taken_off_a_card_that_has_the_tokens_colour_in_part_is_not_asked_about(tmp_path: Path) -> None:
    """The rim of that hole looks like a token's in part: the game asked which token was taken."""
    group = seat_group(tmp_path, "macroscope", 9, is_impatient=False, is_filmed=True)
    group.play(1)
    assert not group.questions
