"""Whole games played by ear, from the lobby to the result: what is spoken is enough, and names no key that is dark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from companion.api import registry
from companion.i18n import LANGUAGES, Translator, current_language, set_language
from tests.hearing.ears import HearingTable
from tests.hearing.hearing_bot import HearingBot, Vocabulary

DOMAINS = {
    "macroscope": "macroscope",
    "memo_dice": "memo_dice",
    "pictomania": "pictomania",
    "secret_number": "secret_number",
    "starfall": "starfall",
    "yacht": "game_file",
    "score_keeper": "score_keeper",
}
"""Catalogues of the games, by name."""
QUICKEST = "memo_dice"
GAMES_EACH = 20


class HeardGame(NamedTuple):
    """What happened in a game that was played by ear."""

    moves: int
    presses: int
    sentences: int
    helps: int


@pytest.fixture(autouse=True)
def language() -> Iterator[None]:
    before = current_language()
    yield
    set_language(before)


def play_by_ear(folder: Path, name: str, language: str, seed: int) -> HeardGame:
    """Play a game and check that it ends, that no dark button was pressed, and that no move was refused."""
    set_language(language)
    definition, rng = registry.find_game(name), Random(f"{name} {language} {seed}")
    table = HearingTable(folder, definition, seed)
    bot = HearingBot(table, definition.translated_title, DOMAINS[name], rng.choice(definition.player_counts), rng)
    try:
        ended = bot.play()
        where = f"{name}, {language}, seed {seed}:\n" + "\n".join(bot.log[-40:])
        assert (ended, table.is_over, table.played_game) == (True, True, name), where
        assert (table.dark_presses, table.refusals) == (0, []), where
        return HeardGame(table.moves, table.presses, table.ears.lines, bot.asked)
    finally:
        table.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_bot_knows_which_keys_are_held(language: str) -> None:
    set_language(language)
    words = Vocabulary("companion")
    for domain, text in (("pictomania", "Hold: empty"), ("secret_number", "Hold: stop"), ("score_keeper", "Hold: end")):
        assert words.is_held(Translator(domain)(text))
    assert not words.is_held(Translator("macroscope")("Stop: {points}"))


@pytest.mark.full
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_quickest_game_is_played_by_ear(tmp_path: Path, language: str) -> None:
    heard = play_by_ear(tmp_path, QUICKEST, language, 1)
    assert heard.sentences > heard.moves > 20


@pytest.mark.proof
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", DOMAINS)
def test_each_game_is_played_by_ear(tmp_path: Path, name: str, language: str) -> None:
    games = []
    for seed in range(GAMES_EACH):
        folder = tmp_path / str(seed)
        folder.mkdir()
        games.append(play_by_ear(folder, name, language, seed))
    sums = HeardGame(*map(sum, zip(*games, strict=True)))
    print(f"| {name} | {language} | {len(games)} | " + " | ".join(map(str, sums)) + " |")
