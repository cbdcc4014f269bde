"""The games' texts in every language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from companion.api import IllegalMove, Move, Seat, Visibility
from companion.games.macroscope import GAME, Macroscope, Settings
from companion.i18n import LANGUAGES, set_language
from companion.journal.entry import describe_for_screen
from companion.po_file import ADDRESS

LOCALE = Path(__file__).parents[2] / "companion" / "locale"
RULE = re.compile(r"^[A-Z]\d+: ")
NAMES = ("Ada", "Bob", "Cleo")
GAMES = ("macroscope", "memo_dice", "pictomania", "score_keeper", "secret_number", "starfall")


@pytest.fixture(autouse=True)
def _reset_language() -> Iterator[None]:
    yield
    set_language("en")


def translations(code: str, domain: str) -> list[tuple[str, str]]:
    """Return pairs of message and translation, both forms of a plural."""
    with (LOCALE / code / "LC_MESSAGES" / f"{domain}.po").open("rb") as file:
        found = read_po(file)
    pairs = []
    for message in found:
        if message.id:
            ids = message.id if isinstance(message.id, tuple) else (message.id,)
            texts = message.string if isinstance(message.string, tuple) else (message.string,)
            pairs += [(ids[min(i, len(ids) - 1)], text) for i, text in enumerate(texts)]
    return pairs


@pytest.mark.parametrize("domain", GAMES)
@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "en"])
def test_all_is_translated_and_keeps_whom_it_addresses(code: str, domain: str) -> None:
    pairs = translations(code, domain)
    assert len(pairs) > 60
    for message, text in pairs:
        assert text, message
        assert not RULE.match(message), "a refusal's rule is data"
        assert bool(ADDRESS.match(message)) == bool(ADDRESS.match(text)), (message, text)
        is_abbreviation = " " not in text
        assert not text.endswith(".") or message.endswith(".") or is_abbreviation, (message, text)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", "It is Ada's turn, not Bob's"),
        ("it", "Tocca a Ada, non a Bob"),
        ("de", "Ada ist dran, nicht Bob"),
    ],
)
def test_a_refusal_names_the_players_in_every_language(code: str, said: str) -> None:
    set_language(code)
    game = Macroscope.create(3, Seat(0), Settings())
    with pytest.raises(IllegalMove) as why:
        game.play(Move("roll", Seat(1), (1, 2)))
    assert describe_for_screen(why.value, NAMES) == said


def test_labels_and_prompts_differ_between_the_languages() -> None:
    game = Macroscope.create(3, Seat(0), Settings()).play(Move("roll", Seat(0), (2, 5)))
    game = game.play(Move("remove", Seat(0), (2,)))
    said = {}
    for code in LANGUAGES:
        set_language(code)
        offers = GAME.list_offers(game, NAMES, Visibility())
        said[code] = GAME.format_prompt(game, NAMES), *(offer.label for offer in offers)
    assert all(not set(words) & set(said["en"]) for code, words in said.items() if code != "en"), said
    assert [said[code][0] for code in ("en", "it", "de")] == [
        "Ada: guess, stop, or open a 5",
        "Ada: tenta, passa o apri un 5",
        "Ada: raten, passen oder eine 5 öffnen",
    ]


SLIPS = {
    "de": (
        "Nachspiel",
        "Jedes Spiel",
        "sind die meisten",
        "das meiste",
        "Gescheiterte",
        "lehren",
        "Knöpfe lernen",
        "Berichtigt:",
    ),
    "it": ("ritirat", "ritira ", " è via", "ound è contat", "artita è contat", "giace", "Ogni gioco", "hai perso"),
}
"""Words that say something else than is meant: an aftermath, every game, withdrawn, gone off."""


@pytest.mark.parametrize("code", SLIPS)
def test_no_known_slip_has_come_back(code: str) -> None:
    for catalogue in sorted((LOCALE / code / "LC_MESSAGES").glob("*.po")):
        for message, text in translations(code, catalogue.stem):
            slips = [slip for slip in SLIPS[code] if re.search(rf"{slip}(?!zeit)", text)]
            assert not slips, (catalogue.stem, message, text)
