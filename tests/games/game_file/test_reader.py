"""Mistakes in games' files: the line, the reason, the nearest valid word."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.api import Move, Seat
from companion.api.registry import SHIPPED_GAME_FOLDER
from companion.games.game_file.definition import make_definition
from companion.games.game_file.reader import GameFileError, list_key_lines, parse_game_file
from companion.i18n import set_language
from tests.games.game_file.own_file import MINE

RACE = """\
name = "race"
title = "Race"
players_min = 2
players_max = 4
rules = [
  "The first rule.",
  "The second [rule] # is longer.",
]

[points]
order = "turns"
end = "score >= 20"

[[points.entries]]
id = "steps"
name = "steps"
high = 12

[[points.entries]]
id = "gifts"
name = "gifts"
when = "steps > 3"

[translations.de]
"steps" = "Schritte"
"""


def test_the_file_is_right() -> None:
    file = parse_game_file(RACE, "race.toml")
    assert file.kind == "points"
    assert file.translations["de"]["steps"] == "Schritte"


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ('title = "Race"', "titel = 'Race'", 2, "titel: there is no such key; did you mean title?"),
        ('title = "Race"', "", 0, "title is missing"),
        ('title = "Race"', "title = 3", 2, 'title must be text in quotes, "like this", not 3'),
        ('name = "race"', 'name = "The Race"', 1, "name must be"),
        ("players_min = 2", "players_min = 5", 3, "players_min 5 is above players_max 4"),
        ("players_max = 4", "players_max = 9", 4, "players_max must be 6 or less, not 9"),
        ("players_max = 4", 'players_max = "four"', 4, 'players_max must be a whole number, not "four"'),
        ('"turns"', '"turn"', 11, 'points.order must be "together" or "turns", not "turn"'),
        ('end = "score >= 20"', 'ende = "score >= 20"', 12, "points.ende: there is no such key; did you mean end?"),
        ('"score >= 20"', '"scor >= 20"', 12, "points.end: column 1: there is no 'scor' here (did you mean 'score'?)"),
        ('"score >= 20"', '"score => 20"', 12, "'=>' is not allowed (did you mean '>='?)"),
        ('"score >= 20"', '"round(score)"', 12, "'round' is no function"),
        ("high = 12", "higt = 12", 17, "points.entries.0.higt: there is no such key; did you mean high?"),
        ('"steps > 3"', '"stpes > 3"', 22, "there is no 'stpes' here (did you mean 'steps'?)"),
        ('id = "gifts"', 'id = "steps"', 20, "entries, kept and flags: two have the same id, 'steps'"),
        ('id = "gifts"', 'id = "Gifts"', 20, "points.entries.1.id must be lower case letters, digits and underscores"),
        ('end = "score >= 20"', 'end = "score >= 20', 12, "the quote at the end of a text is missing"),
        ('end = "score >= 20"', "end = score", 12, "a text stands in quotes"),
        ("[points]", "[point]", 10, "point: there is no such key; did you mean points?"),
        ('"steps" = ', '"stesp" = ', 25, "no text of this file is 'stesp'; did you mean 'steps'? A trans"),
        ('id = "gifts"', 'id = "round"', 20, "'round' cannot be an id: expressions use this name already"),
        ('id = "gifts"', 'id = "all_of"', 20, "'all_of' cannot be an id: names of several numbers begin so"),
        ('"turns"', "\"'steps' cannot be an id\"", 11, "points.order must be"),
        ("high = 12", "high 12", 17, "not TOML: between a key and its value stands ="),
        ("high = 12", "high = 1,2", 17, "not TOML: nothing follows a value on its line; a number has digits alone"),
        ("high = 12", 'high = "9 - score"', 17, '"most" is a limit that depends on other numbers'),
        ("high = 12", "high = 9 + 3", 17, "an expression stands in quotes"),
        ("high = 12", "low = 13\nhigh = 12", 17, "low 13 is above high 12"),
        ('[[points.entries]]\nid = "gifts"', '[points.entries]\nid = "gifts"', 19, "two brackets, as [[points"),
        (
            '[[points.entries]]\nid = "steps"\nname = "steps"\nhigh = 12\n\n[[points.entries]]',
            "[[entries]]",
            14,
            "entries is in the wrong section: points.entries is meant",
        ),
        (
            '[[points.entries]]\nid = "steps"\nname = "steps"\nhigh = 12\n\n[[points.entries]]',
            "[points.entries]",
            14,
            "points.entries must be a list of sections: each begins with [[points.entries]]",
        ),
        ("[translations.de]", "[translations.de", 24, "not TOML"),
        ('  "The first rule.",', '  "The first rule,', 6, "not TOML"),
        ("high = 12", f"high = {'9' * 200}", 17, "a key or number of more than 100 characters"),
        ("high = 12", f"high{'.a' * 30} = 1", 17, "too many dots"),
        ("high = 12", f"high = {'[' * 30}{']' * 30}", 17, "too many brackets"),
        ("high = 12", "high = 12\nhigh = 13", 18, "this key, or section, is there twice"),
    ],
)
def test_mistake(old: str, new: str, line: int, said: str) -> None:
    assert RACE.count(old) == 1, "the mistake is at one place"
    with pytest.raises(GameFileError) as caught:
        parse_game_file(RACE.replace(old, new), "race.toml")
    assert said in caught.value.reason
    assert caught.value.line == line, caught.value
    assert str(caught.value).startswith(f"race.toml, line {line}: " if line else "race.toml: ")


KEPT = '[[points.kept]]\nid = "{}"\nname = "Kept"\nnext = "1"\n'


@pytest.mark.parametrize(
    ("part", "line", "said"),
    [
        ('[[points.checks]]\nwhen = "1"\ntext = "It is right"\n', 24, 'checks: they are for order = "together"'),
        (KEPT.format("a") + KEPT.format("b") + "lasting = true\n", 29, "kept: lasting = true needs restart"),
        ('[[points.entries]]\nid = "a"\nname = "a"\nbefore_play = true\n', 25, "those before play come first"),
        ('[[points.entries]]\nid = "a"\nname = "a"\nteam = true\n', 25, "team = true needs teams = true"),
    ],
)
def test_a_section_that_does_not_fit_is_named_by_its_own_line(part: str, line: int, said: str) -> None:
    with pytest.raises(GameFileError, match=f"line {line}: .*{said}"):
        parse_game_file(RACE.replace("[translations.de]", f"{part}\n[translations.de]"), "race.toml")


def test_a_long_score_is_measured_and_may_be_shared_with_a_kept_number() -> None:
    text = RACE.replace("[points]", f'[points]\nscore = "{" + ".join(["steps"] * 100)}"')
    with pytest.raises(GameFileError, match=r'at most 500 characters long, not 797; a kept number may .* "total" adds'):
        parse_game_file(text, "race.toml")


def test_the_game_in_the_documents() -> None:
    text = (Path(__file__).parents[3] / "docs" / "game-files.md").read_text()
    (golf,) = [block for block in re.findall(r"```toml\n(.*?)```", text, re.DOTALL) if 'name = "golf"' in block]
    definition = make_definition(golf, "golf.toml")
    game = definition.create_game(2, Seat(0), definition.settings_model.model_validate({}))
    for seat, number in ((0, 7), (0, 1), (1, 5)):
        game = game.play(Move("enter", Seat(seat), (number,)))
    (last,) = [move for move in game.list_moves() if move.kind == "enter"]
    assert last == Move("enter", Seat(1), (0,)), "one player ended the round"
    assert game.play(last).totals == (14, 5)


def test_unknown_keys_are_named_before_the_key_that_is_missing() -> None:
    wrong = RACE.replace("[[points.entries]]", "[[points.entry]]").replace("end =", "ends =")
    reason = (
        "points.ends: there is no such key; did you mean end?; and points.entry: there is no such key; did you mean"
    )
    with pytest.raises(GameFileError, match=rf"line 12: {re.escape(reason)} entries\?$"):
        parse_game_file(wrong, "race.toml")


def test_the_beginning_of_a_key_is_enough() -> None:
    wrong = RACE.partition("[points]")[0] + "[score_keeper]\nskunk = true\n"
    with pytest.raises(GameFileError, match=r"there is no such key; did you mean skunk_points\?$"):
        parse_game_file(wrong, "race.toml")


def test_an_option_that_may_be_meant_in_place_of_a_number() -> None:
    option = '[[options]]\nid = "deals"\nname = "Deals"\ndefault = 4\nlow = 1\nhigh = 9\n\n[points]\nrounds = "deal"'
    reason = 'line 18: points.rounds must be a whole number, not "deal"; did you mean the option "deals"?'
    with pytest.raises(GameFileError, match=re.escape(reason)):
        parse_game_file(RACE.replace("[points]", option), "race.toml")


def test_a_file_that_is_not_text() -> None:
    with pytest.raises(GameFileError, match="line 2: it is not UTF-8 text"):
        parse_game_file(b"name = 'a'\n\xff", "race.toml")
    assert parse_game_file(b"\xef\xbb\xbf" + RACE.replace("\n", "\r\n").encode(), "race.toml").title == "Race"


def test_lines_of_keys() -> None:
    lines = dict(list_key_lines(RACE))
    text = RACE.split("\n")
    for path, line in lines.items():
        word = next(part for part in reversed(path) if not part.isdigit())
        assert word in text[line - 1], (path, line)
    assert lines["points", "entries", "1", "when"] == 22


@pytest.mark.parametrize("path", sorted(SHIPPED_GAME_FOLDER.glob("*.toml")), ids=lambda path: path.stem)
def test_a_shipped_game_is_translated_whole(path: Path) -> None:
    file = parse_game_file(path.read_bytes(), path.name)
    assert file.name == path.stem
    assert file.rules
    assert file.setup
    assert set(file.translations) >= {"de", "it"}
    for language, texts in file.translations.items():
        # Titles may be the same in all languages.
        missing = file.list_texts() - {file.title} - set(texts)
        assert not missing, (language, missing)
        for line in file.rules:
            assert list_placeholders(texts[line]) == list_placeholders(line)
    limits = {option.id for option in file.options} & {"goal", "entry"}
    assert limits <= set(list_placeholders(" ".join(file.rules)))


def list_placeholders(text: str) -> list[str]:
    """The ids of house rules whose values stand in a sentence, ascending."""
    return sorted(re.findall(r"\{(\w+)\}", text))


def test_names_in_a_file_have_a_normal_form() -> None:
    text = MINE.replace('"Mine"', '" Zoe\u0308\u202e"').replace('"Points"', '"Points\u200b"')
    file = parse_game_file(f'{text}\n[translations.de]\n" Zoe\u0308\u202e" = "Dein"\n"Points" = "Punkte"\n')
    assert file.points is not None
    assert (file.title, file.points.entries[0].name) == ("Zo\u00eb", "Points")
    assert file.translations["de"] == {"Zo\u00eb": "Dein", "Points": "Punkte"}
    with pytest.raises(GameFileError, match="title must be at least 1 characters long"):
        parse_game_file(MINE.replace('"Mine"', '"\u200b"'))


def test_translations_stand_on_the_screen() -> None:
    definition = make_definition(RACE, "race.toml")
    game = definition.create_game(2, Seat(0), definition.settings_model.model_validate({}))
    assert "steps" in definition.format_prompt(game, ("Ada", "Bob"))
    set_language("de")
    try:
        assert "Schritte" in definition.format_prompt(game, ("Ada", "Bob"))
    finally:
        set_language("en")


def test_messages_of_all_games_in_files_are_translated_with_their_values_too() -> None:
    translate = make_definition(RACE, "race.toml").translate
    set_language("de")
    try:
        assert translate("steps") == "Schritte"
        assert translate("Seconds for a turn") == "Sekunden für einen Zug"
        assert translate("{who}: {what}", who="Ada", what=3) == "Ada: 3"
        assert translate("{reason}. Enter again", reason="Falsch") == "Falsch. Gebt es neu ein"
    finally:
        set_language("en")
