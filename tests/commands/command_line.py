"""Command lines that run within the process of the tests."""

from companion.cli import main


def run_main(*words: str) -> int:
    """Return the exit status of `companion WORDS`."""
    try:
        return main(words)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
