"""The games of docs/game-files.md and examples/games are right, and the scores that stand there are so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from pydantic import BaseModel

from companion.api import Correction, Move, Seat
from companion.api.registry import SHIPPED_GAME_FOLDER
from companion.games.game_file.definition import make_definition
from companion.games.game_file.dice_model import CategoryModel
from companion.games.game_file.file_part import FilePart, KeptModel, OptionModel
from companion.games.game_file.points_model import EntryModel, FlagModel, PointsModel
from companion.games.game_file.reader import GameFileError, parse_game_file
from companion.games.score_keeper.clock import list_time_parts
from companion.games.score_keeper.settings import Settings as ScoreKeeperSettings
from companion.lobby.house_rules_menu import format_value
from companion.testing.screens import use_language
from tests.conftest import REPOSITORY
from tests.games.game_file.own_file import STARS
from tests.games.game_file.points.entering import enter_for, new_game

PAGE = (REPOSITORY / "docs" / "game-files.md").read_text(encoding="utf-8")
EXAMPLES = {path.stem: path.read_text(encoding="utf-8") for path in (REPOSITORY / "examples/games").glob("*.toml")}
(GOLF,) = (block for block in re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL) if 'name = "golf"' in block)
FILES = {"golf": GOLF, **EXAMPLES}
ROUNDS = {name: text.partition("\n# Rounds")[2] for name, text in EXAMPLES.items() if "\n# Rounds" in text}


def play_round(game: Any, entered: list[list[int]]) -> Any:
    """Enter the numbers of a round; those before play first."""
    before = game.rules.before_play_count
    if not before:
        seats = [*range(game.active_seat, len(entered)), *range(game.active_seat)]
        for seat in seats:
            game = enter_for(game, seat, *entered[seat])
        return game
    bids, tricks = entered[: game.player_count // 2], entered[game.player_count // 2 :]
    for team, numbers in enumerate(bids):
        for partner, number in enumerate(numbers):
            game = enter_for(game, team + partner * len(bids), number)
    for team, numbers in enumerate(tricks):
        game = enter_for(game, team, *numbers)
    return game


@pytest.mark.parametrize("name", FILES)
def test_a_game_of_the_page_is_played(name: str) -> None:
    definition, random = make_definition(FILES[name], f"{name}.toml"), Random(name)
    game = new_game(definition, definition.player_counts[-1])
    for _ in range(100):
        moves = [move for move in game.list_moves() if move.kind != "end"]
        assert bool(moves) == (game.compute_outcome() is None)
        if not moves:
            return
        move = random.choice(moves)
        if limits := move.value_range:
            move = move.fill(*(random.choice(limits.numbers) for _ in range(limits.count)))
        game = game.play(move)


def test_every_keyword_stands_in_a_game_that_is_played() -> None:
    texts = [*FILES.values(), *(path.read_text(encoding="utf-8") for path in SHIPPED_GAME_FOLDER.glob("*.toml"))]
    used = {key for text in texts for key in list_keys(parse_game_file(text))}
    known = {(part, key) for part in list_parts(FilePart) for key in part.model_fields}
    known |= {(ScoreKeeperSettings, key) for key in ScoreKeeperSettings.model_fields}
    unused = {(part.__name__, key) for part, key in known - used}
    assert unused == {("Settings", "players_min"), ("Settings", "players_max")}, "those stand at the top of the file"


def list_keys(part: BaseModel) -> Iterator[tuple[type[BaseModel], str]]:
    """Yield the keys that a file has, with the part in which they stand."""
    for key in part.model_fields_set:
        yield type(part), key
        value = getattr(part, key)
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, FilePart | ScoreKeeperSettings):
                yield from list_keys(each)


def list_parts(base: type[FilePart]) -> Iterator[type[FilePart]]:
    """Yield the parts of a file that are no base of others."""
    for part in base.__subclasses__():
        yield from list_parts(part) if part.__subclasses__() else (part,)


def test_the_examples_of_the_page_are_the_files() -> None:
    rows = re.findall(r"^\| `.*\| ([^|`]+) \|$", PAGE.partition("## The keywords")[2], re.MULTILINE)
    named = {name for row in rows for name in row.split(", ")} - {"all"}
    assert named | set(re.findall(r"`(small_sheet|unlucky|table_clock)`", PAGE)) == {"golf", *EXAMPLES}


@pytest.mark.parametrize("name", ROUNDS)
def test_scores_of_the_example(name: str) -> None:
    first, *lines = ROUNDS[name].replace("\n# ", "\n").strip().split("\n")
    options = {key: int(value) for key, value in re.findall(r"(\w+)=(\d+)", first)}
    players = len(lines[0].partition("->")[2].split())
    game = new_game(make_definition(FILES[name], f"{name}.toml"), players, **options)
    for line in lines:
        if line.startswith("winner"):
            assert [str(seat) for seat in game.compute_outcome().winners] == line.split()[1:]
            continue
        before, _arrow, after = line.partition("->")
        game = play_round(game, [[int(n) for n in numbers.split()] for numbers in before.split("|")])
        assert [*map(str, game.totals)] == after.split(), line


def test_pages_are_numbered_if_all_of_them_are_asked_for() -> None:
    move, names = Move("enter", Seat(0), (0,)), ("Ada", "Bob")
    for text, number in ((FILES["empire"], " (1/8)"), (FILES["empire"] + 'when = "stone > 0"\n', "")):
        definition = make_definition(text, "empire.toml")
        title = definition.format_input_title(new_game(definition, 2), move, names)
        assert title == f"Ada: military{number}"


@pytest.mark.parametrize("model", [PointsModel, EntryModel, FlagModel, KeptModel, OptionModel, CategoryModel])
def test_every_keyword_stands_on_the_page(model: type[BaseModel]) -> None:
    code = " ".join(re.findall(r"```toml\n.*?```|`[^`\n]+`", PAGE, re.DOTALL))
    assert [key for key in model.model_fields if not re.search(rf"\b{key}\b", code)] == []


def test_the_points_of_a_round_are_what_it_scored_not_what_was_entered() -> None:
    game = new_game(make_definition(FILES["golf"], "golf.toml"), 2)
    for entered in ([[10, 1], [5, 0]], [[3, 0], [8, 1]]):
        game = play_round(game, entered)
    assert game.list_round_points() == [(20, 5), (3, 16)]
    corrected = game.correct(Correction("round", Seat(0), (4,), (1, 1)))
    assert corrected.list_round_points() == [(4, 5), (3, 16)]


@pytest.mark.parametrize("word", ["all_stars", "others_stars", "all_star", "others_star"])
def test_numbers_of_several_players_are_there_where_the_page_says_so(word: str) -> None:
    source = STARS.replace("RANK", "stars").replace("rounds = 1", 'end = "score >= 99"')
    rows = [
        each.split(" | ") for each in PAGE.partition("| in | names |\n|---|---|\n")[2].partition("\n\n")[0].split("\n")
    ]
    allowed = {
        place for places, names in rows if "others_ID" in names or "of `score`" in names for place in places.split("`")
    }
    for key in ("score", "end", "restart", "next"):
        assert key in allowed
        changed = re.sub(rf"^{key} = .*\n", "", source, flags=re.MULTILINE)
        place = "[[points.kept]]\n" if key == "next" else "[points]\n"
        assert parse_game_file(changed.replace(place, f'{place}{key} = "max({word})"\n'))
    for key in ("rank", "total", "out", "when", "most"):
        assert key not in allowed
        changed = re.sub(rf"^{key} = .*\n", "", source, flags=re.MULTILINE)
        place = "[[points.entries]]\n" if key in ("when", "most") else "[points]\n"
        with pytest.raises(GameFileError, match="there is no"):
            parse_game_file(changed.replace(place, f'{place}{key} = "max({word})"\n', 1))


def test_the_final_counting_of_the_page() -> None:
    text = PAGE[PAGE.index("A final counting is a round of its own") :].partition("\n\n")[0]
    following, shown, early, late, score, end = re.findall(r'`(\w+ = "[^"`]*")`', text)
    kept = f'[[points.kept]]\nid = "last"\nname = "Last"\n{following}\n{shown}\n'
    entries = "".join(
        f'[[points.entries]]\nid = "{each}"\nname = "{each}"\n{when}\n'
        for each, when in (("placed", early), ("rows", early), ("columns", late))
    )
    head = STARS.partition("[points]")[0]
    definition = make_definition(f"{head}[points]\n{score}\n{end}\n{kept}{entries}", "game.toml")
    game = play_round(new_game(definition, 2), [[3, 0], [4, 0]])
    assert game.totals == (3, 4)
    game = play_round(game, [[1, 1], [1, 0]])
    assert (game.totals, game.is_over) == ((4, 5), False)
    game = play_round(game, [[0], [2]])
    assert (game.totals, game.is_over) == ((4, 19), True)


def test_kept_numbers_are_those_before_the_round_in_score_and_those_after_it_in_rank_and_end() -> None:
    assert "`score` sees kept numbers before their `next`, with turns" in " ".join(PAGE.split())
    for order in ("together", "turns"):
        text = STARS.replace('rank = "RANK"', f'order = "{order}"\nrank = "stars"').replace(
            "rounds = 1", 'end = "stars"'
        )
        text = text.replace('score = "points"', 'score = "points + 100 * stars"')
        game = play_round(new_game(make_definition(text, "stars.toml"), 2), [[7, 0, 0], [5, 1, 0]])
        assert (game.totals, game.is_over, game.places) == ((7, 5), True, (2, 1)), order


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        ({"kind": "off"}, []),
        ({"kind": "turn", "turn": 45, "grace": 10}, [("TURN", 45), ("GRACE", 10)]),
        ({"kind": "turn", "turn": 45, "grace": 10, "up": "remind"}, [("TURN", 45)]),
        ({"kind": "sand_glass", "bank": 300}, [("BANK", 300)]),
        ({"extra": 5}, [("DELAY", 5), ("BANK", 600), ("OVERTIME", 90)]),
        ({"extra": 5, "extra_kind": "fischer"}, [("BANK", 605), ("OVERTIME", 90)]),
        ({"extra": 5, "extra_kind": "bronstein"}, [("BANK", 600), ("OVERTIME", 90)]),
    ],
)
def test_each_clock_is_an_option_of_the_example(options: dict[str, Any], parts: list[tuple[str, int]]) -> None:
    definition = make_definition(FILES["table_clock"], "table_clock.toml")
    game: Any = definition.create_game(2, Seat(0), definition.settings_model(**options))
    game = game.play(Move("take", Seat(1)))
    assert [(each.part.name, each.seconds) for each in list_time_parts(game)] == parts
    with use_language("de"):
        assert format_value("kind", "sand_glass", 2, definition.translate) == "Sanduhr"


def test_half_a_point_of_the_page_decides_ties() -> None:
    (rank,) = re.findall(r'`(rank = "2 \* score[^"`]*")`', PAGE)
    flag = '[[points.flags]]\nid = "began"\nname = "began"\nstart = "first"\ntakes = "0"\n'
    text = STARS.replace('rank = "RANK"', f'{rank}\norder = "turns"') + flag
    definition = make_definition(text, "stars.toml")
    for points, said in ((7, "Bob wins with 7"), (8, "Ada wins with 8")):
        game = play_round(new_game(definition, 2), [[points, 0, 0], [7, 0, 0]])
        assert definition.format_prompt(game, ("Ada", "Bob")) == said, "not that Ada's flag has won it for Bob"
