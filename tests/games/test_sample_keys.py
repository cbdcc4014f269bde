"""On each sample screen of a game the right buttons do something, and those blink that the table waits for."""

import pytest

from tests.sample_keys import check_keys


@pytest.mark.parametrize(
    "game",
    [
        *("dice", "macroscope", "memo_dice", "pictomania", "points", "score_keeper"),
        *("secret_number", "starfall"),
    ],
)
def test_the_keys_of_a_game(game: str) -> None:
    check_keys(game)
