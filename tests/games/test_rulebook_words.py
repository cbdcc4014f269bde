"""What the screens of the games say as their rulebooks do, where an earlier version left it out."""

from __future__ import annotations

import pytest

from companion.display import Screen
from companion.gallery import load_sample_builders


@pytest.mark.parametrize(
    ("sample", "words"),
    [
        ("pictomania/reading", "Word cards: side by chance. "),
        ("pictomania/reading_one_card", "Word card: side by chance. "),
        ("secret_number/prepare_1", "the result must be on a display card "),
        ("starfall/start_four", "2 each, colours 2: 4, 3: 9 4: 16, 5: 25 "),
    ],
)
@pytest.mark.parametrize("size", [(800, 480), (1920, 1080)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_screen_says_what_the_rulebook_says(sample: str, words: str, size: tuple[int, int]) -> None:
    group, name = sample.split("/")
    screen = Screen(size)
    screen.render(load_sample_builders()[group]()[name])
    assert words in " ".join(text.text for text in screen.drawn_texts()) + " "
