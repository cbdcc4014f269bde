"""House rules: defaults of section 3, their bounds, and the way through the settings file."""

import pytest
from pydantic import ValidationError

from companion.games.pictomania import GAME, Settings

USUAL = {3: (2, 1), 4: (2, 1, 1), 5: (3, 2, 1, 1), 6: (3, 2, 1, 1, 1)}


@pytest.mark.parametrize(
    "fields",
    [
        {"bonus_tokens": {3: (2, 1)}},
        {"bonus_tokens": USUAL | {3: (2, 1, 1)}},
        {"scoring_tokens": USUAL | {4: (2, 1, 0)}},
        {"scoring_tokens": USUAL | {7: (3, 2, 1, 1, 1, 1)}},
        {"difficulty_colours": ()},
        {"difficulty_colours": ("green", "green")},
        {"difficulty_colours": ("pink",)},
    ],
)
def test_impossible_settings_are_refused(fields):
    with pytest.raises(ValidationError):
        Settings(**fields)


def test_tokens_have_1_to_9_stars():
    assert Settings(bonus_tokens=USUAL | {3: (9, 1)}).bonus_tokens[3] == (9, 1)
    for stars in (0, 10):
        with pytest.raises(ValidationError, match="a token has 1 to 9 stars"):
            Settings(bonus_tokens=USUAL | {3: (stars, 1)})


def test_tokens_are_sorted_highest_first():
    assert Settings(bonus_tokens=USUAL | {3: (1, 2)}).bonus_tokens[3] == (2, 1)


def test_the_bonus_tokens_are_asked_once_and_have_a_title():
    assert GAME.confirm_on_first_use == ("bonus_tokens",)
    titles = {name: field.title for name, field in Settings.model_fields.items() if field.title}
    assert titles == {
        "variant": "Variant",
        "rounds": "Rounds",
        "bonus_tokens": "Bonus tokens",
        "scoring_tokens": "Scoring tokens",
        "reading_seconds": "Reading time",
        "drawing_seconds": "Drawing time",
        "word_cards": "Word cards a round",
    }


def test_preparations():
    assert GAME.list_setup_steps(Settings(), 4) == (
        "Each: board, marker, eraser, guess cards 1 to 7",
        "Each: own scoring tokens, stars 2, 1, 1",
        "Middle: black bonus tokens, stars 2, 1, 1",
        "Word cards: green, orange, blue and purple; 6 a round",
        "To be dealt: number cards and symbol cards",
    )
    assert GAME.list_setup_steps(Settings(variant="only_green"), 3)[3] == "Word cards: only green; 6 a round"
    assert GAME.list_setup_steps(Settings(variant="one_card"), 3)[3:] == (
        "Word cards: green, orange, blue and purple; 1 a round",
        "To be dealt: number cards only",
    )


def test_the_kit():
    assert (GAME.name, GAME.player_counts, GAME.uses_camera) == ("pictomania", range(3, 7), False)
    assert GAME.piece_colours == ("blue", "orange", "green", "yellow", "purple", "red")
