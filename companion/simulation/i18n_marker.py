"""Marks words of the virtual tables that the screen says in the language of the evening; here they stay English."""

from __future__ import annotations


def N_(message: str) -> str:  # noqa: N802 - gettext's own name for it
    """Marks a message for the catalogues (tools/translations.py)."""
    return message
