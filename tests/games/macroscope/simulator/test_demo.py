"""The demo of Macroscope: it is played well, and each reading gets its caption."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.api import Move, NumberPress, Offer, Seat
from companion.games.macroscope import GAME
from companion.games.macroscope.game import Macroscope
from companion.games.macroscope.simulator.demo import DEMO, MAX_COVERED_TO_GUESS
from companion.games.macroscope.state import Phase
from companion.vision.reading import Die, Lid, LidWindow, Reading

NAMES = ("Ada", "Ben", "Cleo")
CORNERS = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
START = GAME.create_game(3, Seat(0), GAME.settings_model.model_validate(DEMO.settings))


def read(*opened: int, dice: tuple[Die, ...] = ()) -> Reading:
    windows = tuple(LidWindow((10.0 * i, 5.0), 4.0, i not in opened, None, 0.99) for i in range(12))
    return Reading(dice, Lid(CORNERS, None, windows))


def weigh(game: Macroscope, kind: str) -> float:
    return DEMO.weigh(game, Offer(Move(kind, game.active_seat), NumberPress(1), "x"))


def test_windows_are_opened_before_anybody_guesses() -> None:
    rolled = replace(START, phase=Phase.OPEN, dice=(2, 4))
    opened = replace(rolled, tokens=(2, 1, 2, 2, 2, 2), taken_tokens=(2,))
    done = replace(rolled, tokens=(2, 1, 2, 1, 2, 2), taken_tokens=(2, 4))
    late = replace(done, tokens=(2, 1, 1, 1, 1, 2))
    assert late.covered_windows == MAX_COVERED_TO_GUESS
    weights = [(weigh(game, "remove"), weigh(game, "guess"), weigh(game, "stop")) for game in (opened, done, late)]
    assert weights == [(1.0, 0.0, 0.0), (1.0, 0.0, 1.0), (1.0, 1.0, 0.0)]
    assert weigh(late, "nobody") == weigh(late, "withdraw") == 0.0


def test_the_dice_that_were_read_are_circled() -> None:
    dice = (Die(2, (100.0, 80.0, 140.0, 120.0), 0.97), Die(4, (200.0, 80.0, 240.0, 120.0), 0.97))
    caption = DEMO.find_caption(START, replace(START, phase=Phase.OPEN, dice=(2, 4)), read(), read(dice=dice), NAMES)
    assert caption is not None
    assert caption.text == "The camera reads 2 and 4"
    assert [(circle.x, circle.y) for circle in caption.circles] == [(120.0, 100.0), (220.0, 100.0)]


def test_the_window_whose_token_is_gone_is_circled() -> None:
    before = replace(START, phase=Phase.OPEN, dice=(2, 4))
    after = replace(before, taken_tokens=(4,))
    caption = DEMO.find_caption(before, after, read(3), read(3, 7), NAMES)
    assert caption is not None
    assert caption.text == "The camera sees it: the 4 is gone"
    assert [circle.x for circle in caption.circles] == [70.0]
    unseen = DEMO.find_caption(before, after, None, None, NAMES)
    assert unseen is not None
    assert unseen.circles == ()


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        ({}, {"guessers": (Seat(1),), "frozen_value": 8}, "Ben names the picture: 8 crystals at stake"),
        ({"phase": Phase.COVER}, {"phase": Phase.REVEAL}, "The camera sees: all is covered. Who was right?"),
        ({}, {"round_scores": ((8, 0, -4),), "changes": (8, 0, -4)}, "The companion keeps the score: Ada +8, Cleo −4"),
        ({}, {"phase": Phase.ASKING}, None),
    ],
)
def test_other_changes_are_put_into_words(
    before: dict[str, object], after: dict[str, object], text: str | None
) -> None:
    caption = DEMO.find_caption(replace(START, **before), replace(START, **after), None, None, NAMES)
    assert (caption.text if caption else None) == text
