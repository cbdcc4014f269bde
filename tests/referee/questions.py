"""What a table asks, and the menu that it shows."""

from __future__ import annotations

from companion.testing.table import TableUnderTest


def read_title(table: TableUnderTest) -> str | None:
    """Return the title of the question that is asked."""
    return table.state.question and table.state.question.title


def read_question(table: TableUnderTest) -> tuple[str, str] | None:
    """Return title and detail of the question that is asked."""
    question = table.state.question
    return (question.title, question.detail) if question else None


def read_lines(table: TableUnderTest) -> tuple[str, ...]:
    """Return the lines of the menu that is open; none where no menu is."""
    return table.state.menu.items if table.state.menu else ()
