"""Fixtures of the system tests."""

from tests.app.conftest import english_again, journal

__all__ = ["english_again", "journal"]
