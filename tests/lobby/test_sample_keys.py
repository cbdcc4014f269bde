"""On each sample screen of lobby and set-up the right buttons do something, and those blink that are waited for."""

import pytest

from tests.sample_keys import check_keys


@pytest.mark.parametrize("group", ["lobby", "setup"])
def test_the_keys_before_a_game(group: str) -> None:
    check_keys(group)
