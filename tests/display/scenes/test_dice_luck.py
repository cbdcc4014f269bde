"""The page of a result about its dice."""

from __future__ import annotations

import pytest

from companion.gallery.finished_games import build_samples
from companion.screen_state import ScreenState
from companion.testing.screens import build_states, draw_texts


def see(shown: ScreenState, size: tuple[int, int] = (800, 480)) -> list[str]:
    return [text.text for text in draw_texts(shown, size)]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("size", [(800, 480), (1920, 1080), (480, 800)])
@pytest.mark.parametrize("name", ["macroscope_dice_2", "macroscope_dice_6", "memo_dice_dice_2", "memo_dice_dice_4"])
def test_each_player_has_a_row_of_numbers(name: str, size: tuple[int, int]) -> None:
    shown = build_states(build_samples)[name]
    luck = shown.score_sheet.dice
    texts = see(shown, size)
    for dice in luck.players:
        n = sum(dice.counts)
        if luck.worth:
            mean = sum(face * count for face, count in enumerate(dice.counts, 1)) / n
            assert {str(n), f"{mean:.1f}"} <= set(texts)
        else:
            assert set(map(str, dice.counts)) <= set(texts)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("dice_low", ["low dice", "usual", "high dice"]),
        ("dice_unlucky", ["bad luck", "usual", "good luck"]),
        ("memo_dice_dice_2", ["even", "usual", "uneven"]),
        ("macroscope_dice_6", []),
    ],
    ids=["height", "luck", "no face is better", "too few dice to compare"],
)
def test_luck_is_compared_in_words_not_in_shares(name: str, words: list[str]) -> None:
    texts = see(build_states(build_samples)[name])
    assert [
        text for text in texts if text in {"low dice", "bad luck", "even", "usual", "high dice", "good luck", "uneven"}
    ] == words
    assert not any("100" in text or "(" in text for text in texts)


def test_who_rolled_nothing_has_no_row() -> None:
    texts = see(build_states(build_samples)["counting_tray_dice_6"])
    assert [name for name in ("Wilhelmina", "Bo", "Ada") if name in texts] == ["Bo"]
