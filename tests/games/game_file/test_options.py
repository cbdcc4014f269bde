"""House rules of a game in a file (G8): in the lobby, in expressions and numbers, and in games that are stored."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pydantic import ValidationError

from companion.api import Correction, IllegalMove, Move, Seat
from companion.api.registry import SHIPPED_GAME_FOLDER, find_game
from companion.events import SEAT_BUTTONS
from companion.games.game_file.definition import make_definition
from companion.games.game_file.reader import GameFileError, parse_game_file
from companion.i18n import LANGUAGES
from companion.journal.database import Journal
from companion.journal.entry import GameSetup
from companion.journal.saved_game import SavedGame
from companion.lobby.house_rules_menu import format_setting, list_lobby_settings
from companion.referee.help_overlay import make_help_pages
from companion.testing.screens import use_language
from tests.games.game_file.options import draw_options
from tests.games.game_file.points.entering import enter_in_turn, new_game
from tests.games.game_file.test_page import FILES

RACE = """
name = "race"
title = "Race"
players_min = 2
players_max = 4

[[options]]
id = "goal"
name = "Points to win"
default = 20
choices = [10, 20, 30]

[[options]]
id = "double"
name = "Sixes count twice"
default = false

[[options]]
id = "length"
name = "Rounds"
default = 9
low = 1
high = 20

[points]
order = "turns"
rounds = "length"
lowest_wins = "double"
score = "if(steps == 6 and double, 12, steps)"
end = "score >= goal"

[[points.entries]]
id = "steps"
name = "steps"
high = 12

[translations.de]
"Points to win" = "Punkte zum Sieg"
"""


def play(definition: Any, *numbers: int, **options: int | str) -> Any:
    return enter_in_turn(new_game(definition, 2, **options), *numbers)


def test_the_lobby_offers_them() -> None:
    race = make_definition(RACE, "race.toml")
    settings = race.settings_model()
    names = list_lobby_settings(race.settings_model)

    def list_lines() -> list[str]:
        return [format_setting(race, settings, name, 2) for name in names]

    clock = ["Seconds for a turn: off", "When time is up: remind"]
    assert list_lines() == ["Points to win: 20", "Sixes count twice: no", "Rounds: 9", *clock]
    with use_language("de"):
        clock = ["Sekunden für einen Zug: aus", "Wenn die Zeit um ist: erinnern"]
        assert list_lines() == ["Punkte zum Sieg: 20", "Sixes count twice: nein", "Rounds: 9", *clock]
    for wrong in ({"goal": 15}, {"length": 21}, {"double": "maybe"}, {"gaol": 10}):
        with pytest.raises(ValidationError):
            race.settings_model.model_validate(wrong)


def test_they_count_in_expressions_and_numbers() -> None:
    race = make_definition(RACE, "race.toml")
    assert play(race, 6, 12).totals == (6, 12)
    assert play(race, 6, 12, double=True).totals == (12, 12)
    assert not play(race, 12, 3).is_over
    assert play(race, 12, 3, goal=10).is_over
    assert play(race, 1, 2, length=1).compute_outcome().winners == (1,)
    assert play(race, 1, 2, length=1, double=True).compute_outcome().winners == (0,)


WORD = """
[[options]]
id = "equal"
name = "Equal scores"
default = "shared"
choices = ["shared", "play_on"]

[points]
ties = "equal"
"""


def test_one_may_choose_a_word() -> None:
    text = RACE.replace("[points]\n", WORD)
    race = make_definition(text + '"play on" = "Weiterspielen"\n', "race.toml")
    assert not play(race, 5, 5, equal="play_on", length=1).is_over
    assert play(race, 5, 5, length=1).compute_outcome().winners == (0, 1)
    settings = race.settings_model(equal="play_on")
    assert format_setting(race, settings, "equal", 2) == "Equal scores: play on"
    with use_language("de"):
        assert format_setting(race, settings, "equal", 2) == "Equal scores: Weiterspielen"
    with pytest.raises(ValidationError):
        race.settings_model.model_validate({"equal": "both"})


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"shared", "play_on"]', '"shared", "lost"]', 'points.ties must be "shared" or "play_on", not "lost"'),
        ('choices = ["shared", "play_on"]', 'choices = ["shared", 1]', "choices: all are numbers, or all are words"),
        (
            'default = "shared"\nchoices = ["shared"',
            "default = 2\nchoices = [2",
            "choices: all are numbers, or all are words",
        ),
        ('"shared", "play_on"]', '"shared", "play on"]', "options.3.choices.1: a value is a whole number, true, false"),
        (
            'default = "shared"',
            'default = "Shared"',
            "options.3.default: a value is a whole number, true, false, or a word",
        ),
        ('ties = "equal"', 'ties = "equall"', 'did you mean the option "equal"?'),
        ('choices = ["shared", "play_on"]\n', "", "choices: at least two different values, the default among them"),
        ('order = "turns"', 'order = "equal"', 'points.order must be "together" or "turns", not "equal"'),
        ("12, steps)", "equal, steps)", "there is no 'equal' here"),
    ],
)
def test_mistakes_of_words(old: str, new: str, said: str) -> None:
    text = RACE.replace("[points]\n", WORD).replace(old, new)
    with pytest.raises(GameFileError) as caught:
        parse_game_file(text, "race.toml")
    assert said in str(caught.value)


def test_chess_has_each_kind_of_increment() -> None:
    chess = find_game("chess")
    for kind in ("fischer", "bronstein", "delay"):
        game: Any = chess.create_game(2, Seat(0), chess.settings_model(kind=kind))
        assert game.settings.extra_time == kind
    with use_language("de"):
        assert format_setting(chess, chess.settings_model(kind="delay"), "kind", 2) == "Art dieser Sekunden: Aufschub"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("default = 20", "default = 25", "choices: at least two different values, the default among them"),
        ("default = 9", "default = 0", "default: 0 is not from low 1 to high 20"),
        ('rounds = "length"', 'rounds = "lenght"', 'points.rounds must be a whole number, not "lenght"'),
        ('goal"\nname', 'file"\nname', "'file' cannot be an id"),
        ('goal"\nname', 'steps"\nname', "options: two have the same id, 'steps'"),
        ("low = 1\n", "low = 0\n", ""),
        ("high = 20\n", "high = 200\n", "points.rounds must be 99 or less, not 200"),
    ],
)
def test_mistakes(old: str, new: str, said: str) -> None:
    assert RACE.count(old) == 1
    if not said:
        parse_game_file(RACE.replace(old, new))
        return
    with pytest.raises(GameFileError) as caught:
        parse_game_file(RACE.replace(old, new), "race.toml")
    assert said in str(caught.value)


def test_a_game_scores_as_it_was_begun_after_the_file_was_changed(
    tmp_path: Path,
) -> None:
    race = make_definition(RACE, "race.toml")
    settings = race.settings_model.model_validate({"goal": 30, "double": True})
    with Journal(tmp_path / "games.db") as journal:
        setup = GameSetup(
            game="race", players=("Ada", "Bob"), buttons=SEAT_BUTTONS[:2], first=0, settings=settings.model_dump()
        )
        game = SavedGame.begin(journal, setup, race)
        for seat, number in ((0, 6), (1, 12)):
            game.play_move(Move("enter", Seat(seat), (number,)))
        changed = RACE.replace("12, steps", "100, steps").replace('id = "goal"', 'id = "target"')
        changed = changed.replace("score >= goal", "score >= target").replace("players_max = 4", "players_max = 2")
        changed = changed.replace("high = 12", "high = 3").replace('"steps"\nhigh', '"moves"\nhigh')
        new = make_definition(changed, "race.toml")
        again = SavedGame(journal, game.id, new)
        assert again.problem is None
        assert again.game.totals == (12, 12)
        assert again.definition.format_prompt(again.game, ("Ada", "Bob")) == "Ada: steps"
        again.play_move(Move("enter", Seat(0), (6,)))
        assert again.game.totals == (24, 12)
        assert play(new, 3, 3).totals == (3, 3)


OTHER_FILES = {
    "points": RACE.partition("[translations")[0],
    "dice": FILES["unlucky"],
    "score_keeper": RACE.partition("[[options]]")[0] + "[score_keeper]\nlowest_wins = true\n",
}
"""By kind: what a file is changed into."""


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", [path.stem for path in sorted(SHIPPED_GAME_FOLDER.glob("*.toml"))])
def test_every_game_opens_and_goes_on_after_its_file_became_another_game(name: str, tmp_path: Path) -> None:
    definition, random = find_game(name), Random(name)
    options = draw_options(name, random)
    count = definition.player_counts[-1]
    with Journal(tmp_path / "games.db") as journal:
        settings = definition.settings_model.model_validate(options)
        names, buttons = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Finn")[:count], SEAT_BUTTONS[:count]
        setup = GameSetup(game=name, players=names, buttons=buttons, first=0, settings=settings.model_dump())
        game = SavedGame.begin(journal, setup, definition)
        play_at_random(game, random)
        text = re.sub("(?m)^(name|title) = .*", f'\\1 = "{name}"', OTHER_FILES[definition.file.kind], count=2)
        again = SavedGame(journal, game.id, make_definition(text, f"{name}.toml"))
        assert again.problem is None
        assert again.game.totals == game.game.totals
        assert again.game.list_moves() == game.game.list_moves()
        assert [*again.describe_steps()] == [*game.describe_steps()]
        play_at_random(again, Random(1))
        assert SavedGame(journal, game.id, definition).game.totals == again.game.totals
    make_definition((SHIPPED_GAME_FOLDER / f"{name}.toml").read_text(encoding="utf-8"), name)  # its texts are back


def play_at_random(game: SavedGame, random: Random) -> None:
    """Play thirty moves that do not end the game."""
    for _ in range(30):
        moves = [move for move in game.game.list_moves() if move.kind != "end"]
        if not moves:
            return
        move = random.choice(moves)
        if limits := move.value_range:
            move = move.fill(*(random.choice(limits.numbers) for _ in range(limits.count)))
        with suppress(IllegalMove):  # a throw with dice of which some are set aside
            game.play_move(move)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_of_every_game_are_two_screens_at_most(language: str) -> None:
    with use_language(language):
        for path in SHIPPED_GAME_FOLDER.glob("*.toml"):
            game = find_game(path.stem)
            pages = make_help_pages(game, game.settings_model())
            assert len([page for page in pages if page.rules]) in (1, 2), path.stem


def test_301_with_a_double_to_begin() -> None:
    darts = find_game("darts_501")
    game = play(darts, goal=301, double_in=True)
    assert [move.value for move in game.list_moves() if move.kind == "enter"] == [(1,), (0,)], "Ada's double?"
    for numbers in ((0,), (1, 40), (1, 100), (60,)):
        for number in numbers:
            game = game.play(Move("enter", game.active_seat, (number,)))
    assert game.totals == (201, 201)
    assert play(darts, 180, 0, 121, goal=301, double_out=False).compute_outcome().winners == (0,)


def test_three_farkles_in_a_row_cost_1000() -> None:
    farkle = find_game("farkle")
    for penalty, total in ((0, 0), (1000, -1000)):
        game = farkle.create_game(
            1, Seat(0), farkle.settings_model.model_validate({"penalty": penalty, "players_min": 1})
        )
        for _ in range(3):
            game = game.play(Move("throw", Seat(0), (2, 3, 4, 6, 2, 3)))
        assert (game.totals, game.memory) == ((total,), ((0,),))


def test_sentences_of_the_rules_name_their_values() -> None:
    darts = find_game("darts_501")
    assert darts.list_rules(darts.settings_model(goal=301))[0].sentence == "Everybody begins with 301."
    assert darts.list_rules(darts.settings_model())[0].sentence == "Everybody begins with 501."


def test_a_sentence_of_the_rules_begins_with_any_western_capital() -> None:
    text = RACE.replace(
        "players_max = 4\n", 'players_max = 4\nrules = ["Tira. ¿Un seis? Él gana, p. ej. con 20. Fin."]\n'
    )
    race = make_definition(text, "race.toml")
    assert [rule.sentence for rule in race.list_rules(race.settings_model())] == [
        "Tira.",
        "¿Un seis?",
        "Él gana, p. ej. con 20.",
    ]


@pytest.mark.parametrize("name", ["pig", "catan"])
def test_a_clock_of_the_turn_reminds_in_every_game_with_turns(name: str) -> None:
    definition = find_game(name)
    game: Any = definition.create_game(3, Seat(0), definition.settings_model.model_validate({"turn_seconds": 90}))
    (clock,) = game.list_clocks()
    assert (clock.seconds, clock.on_expiry) == (90, None)
    later = game.correct(Correction("active", None, (1,)))
    assert later.list_clocks()[0].name != clock.name  # it begins again with the turn of the next player


def test_games_without_turns_have_no_clock() -> None:
    assert "turn_seconds" not in find_game("hearts").settings_model.model_fields
