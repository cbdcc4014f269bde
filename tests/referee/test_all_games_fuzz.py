"""Every game of ours passes what `companion.testing` asks of each game, with house rules at their extremes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest

from companion.api import registry
from companion.games.starfall import SkyTile
from companion.testing import GameSuite, RandomPlayers
from companion.testing.table import TableUnderTest

Tables = Callable[..., TableUnderTest]


def tokens(random: Random) -> dict[int, tuple[int, ...]]:
    return {players: tuple(random.randint(1, 9) for _ in range(players - 1)) for players in range(3, 7)}


def box(random: Random) -> tuple[dict[str, int], ...]:
    return tuple({name: random.choice((0, 0, 1, 2, 20)) for name in SkyTile.model_fields} for _ in range(27))


EXTREMES: Mapping[str, Callable[[Random], Mapping[str, tuple[Any, ...]]]] = {
    "counting_tray": lambda _: {},
    "macroscope": lambda _: {"rounds": (1, 3), "dice": ("on", "off"), "ask_seconds": (0, 5), "variant": ("easy",)},
    "memo_dice": lambda _: {
        "start_square": (0, 1),
        "target_square": (2, 20),
        "gold_value": (0, 10),
        "cups_per_colour": (1, 2, 3),
        "dice": (2, 3, 9),
        "memorise_seconds": (0.5, 120),
        "answer_seconds": (0.5, 600),
    },
    "pictomania": lambda random: {
        "variant": ("only_green", "one_card"),
        "rounds": (1, 2, 5),
        "bonus_tokens": (tokens(random),),
        "scoring_tokens": (tokens(random),),
        "reading_seconds": (1, 600),
        "drawing_seconds": (1, 1800),
    },
    "score_keeper": lambda _: {
        "turn_order": ("clockwise", "auction"),
        "target_points": (1, 50, 999_999),
        "by_rounds": (True,),
        "rounds": (1, 9),
        "lowest_wins": (True,),
        "teams": (True,),
        "clock": ("turn", "chess", "sand_glass"),
        "turn_seconds": (5, 3600),
        "bank_seconds": (30, 35999),
        "extra_seconds": (0, 300),
        "overtime_seconds": (0, 600),
        "time_up": ("next_player",),
    },
    "secret_number": lambda _: {
        "games": (1, 3),
        "round_seconds": (15, 900),
        "show_seconds": (0, 10),
        "fastest_bonus": (0, 9),
        "round_bonus": ((0, 0, 0), (9, 9, 9)),
        "card_points": ((-9, 9), (0, 0)),
        "choose_seconds": (1, 3600),
    },
    "starfall": lambda random: {
        "start_dust": (1, 7, 200),
        "tiles_removed": ({2: 25, 3: 25, 4: 25}, {2: 0, 3: 0, 4: 0}),
        "board_max_tiles": (2, 3),
        "top_space": (3, 11),
        "stars_tie": ("none",),
        "stars_all_equal": ("as_tied",),
        "tile_pays": ("space_number",),
        "token_change": (False,),
        "running_score": (True,),
        "turn_seconds": (1, 600),
        "catalogue": (box(random), box(random)[:7]),
    },
}
"""By game: house rules at their extremes. Each is used now and then."""
GAME_FILES = tuple(path.stem for path in sorted(registry.SHIPPED_GAME_FOLDER.glob("*.toml")))
"""Games that files describe; their checks in detail are in tests/games/game_file."""

FULL_FILES = frozenset(GAME_FILES) - {
    *("cribbage_board", "go", "hearts", "pig", "ten_thousand", "yacht"),
    *("catan", "phase_10", "spades", "yahtzee"),
}
"""Files whose games have nothing that those above do not have, or take thousands of presses: played in the full run."""

UNOFFERED_KINDS = {
    # Dice are marked one by one; only where the camera sees them somebody may claim a throw (G51).
    "farkle": {"keep", "claim", "early throw"},
    "pig": {"claim", "early throw"},
    "yacht": {"claim", "early throw"},
    "yahtzee": {"claim", "early throw"},
    "memo_dice": {"show", "show gold", "lift"},  # only the camera plays them
    "starfall": {"add", "discover", "move", "name", "with"},  # of the marked tile; the next tile and its stars
    "ten_thousand": {"keep", "claim", "early throw"},  # as in Farkle
}


def list_options(name: str) -> Mapping[str, tuple[Any, ...]]:
    """Return the values of a file's options, each at its extremes."""
    definition: Any = registry.find_game(name)
    options = {option.id: option.list_values() for option in definition.file.options}
    return options | ({"turn_seconds": (0, 30), "time_up": ("next_player",)} if definition.file.has_turns else {})


def make_suite(name: str) -> type[GameSuite]:
    """Return the class of the tests that each game passes; screens: tests/display, self-play: tests/app."""
    fields = {
        "definition": registry.find_game(name),
        "list_extremes": lambda self, random: EXTREMES[name](random) if name in EXTREMES else list_options(name),
        "self_play_counts": (),
        "seeds": range(1, 2) if name in GAME_FILES else range(1, 4),  # the proof plays 200 more
        "unoffered_kinds": {"time up", *UNOFFERED_KINDS.get(name, ())},  # a clock plays the first
        "locale_package": "companion",
    }
    suite = type(f"Test_{name}", (GameSuite,), fields)
    if name in FULL_FILES:
        return pytest.mark.full(pytest.mark.sampled(1, full=0)(suite))
    return pytest.mark.sampled(1, full=1)(suite)


globals().update({f"Test_{name}": make_suite(name) for name in (*EXTREMES, *GAME_FILES)})


@pytest.mark.proof
@pytest.mark.parametrize("name", sorted(EXTREMES))
def test_two_hundred_random_games_break_no_invariant(table: Tables, name: str) -> None:
    for seed in range(100, 300):
        random = Random(f"{name} {seed}")
        RandomPlayers(table, registry.find_game(name), seed, EXTREMES[name](random)).play()


def test_every_installed_game_is_covered() -> None:
    assert {*EXTREMES, *GAME_FILES} == set(registry.list_game_names())
