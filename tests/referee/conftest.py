from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.referee.harness import TableUnderTest


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Callable[..., TableUnderTest]]:
    """Return a factory of tables; closes their journals afterwards."""
    made: list[TableUnderTest] = []

    def make(*args: Any, **settings: Any) -> TableUnderTest:
        folder = tmp_path / str(len(made))
        made.append(TableUnderTest(folder, *args, **settings))
        return made[-1]

    yield make
    for each in made:
        each.journal.close()
