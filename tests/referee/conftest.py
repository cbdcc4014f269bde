from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.testing.table import TableUnderTest, open_tables


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Callable[..., TableUnderTest]]:
    """Return a factory of tables; closes their journals afterwards."""
    with open_tables(tmp_path) as make:
        yield make
