"""The examples in the docstrings run."""

import doctest

import pytest

from companion.api import move
from companion.games.macroscope import rules


@pytest.mark.parametrize("module", [move, rules])
def test_examples(module):
    result = doctest.testmod(module)
    assert result.attempted
    assert not result.failed
