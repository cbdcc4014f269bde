"""Fixtures of the lobby's tests: a journal of their own, and English again afterwards."""

from tests.app.conftest import english_again, journal

__all__ = ["english_again", "journal"]
