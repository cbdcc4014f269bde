"""On each sample screen with a dialog, and at the end of a game, the right buttons do something and blink."""

import pytest

from tests.sample_keys import check_keys


@pytest.mark.parametrize("group", ["macroscope", "ended"])
def test_the_keys_of_dialogs_and_results(group: str) -> None:
    check_keys(group)
