"""Which buttons do something on each sample screen, and which of them blink: recorded in sample_keys.txt.

A line is a sample's name and its buttons: `!` means that the table waits for it (its lamp blinks), `_` that it is held.
After a deliberate change: `python -m tests.sample_keys` writes the file again; look at its difference.
"""

from collections.abc import Iterator
from pathlib import Path

from companion.gallery import load_sample_builders

EXPECTED = Path(__file__).with_suffix(".txt")


def describe_keys(group: str) -> Iterator[str]:
    """Yield a line for each sample of a group of the gallery."""
    for name, state in load_sample_builders()[group]().items():
        keys = (key.button.value + "!" * key.awaited + "_" * key.is_hold for key in state.soft_keys if key.label)
        yield f"{group}/{name}: {' '.join(keys)}"


def check_keys(group: str) -> None:
    """Check the keys of all samples of a group against the recorded ones."""
    expected = [line for line in EXPECTED.read_text(encoding="utf-8").splitlines() if line.startswith(f"{group}/")]
    assert list(describe_keys(group)) == expected


if __name__ == "__main__":
    lines = [line for group in load_sample_builders() for line in describe_keys(group)]
    EXPECTED.write_text("\n".join(lines) + "\n", encoding="utf-8")
