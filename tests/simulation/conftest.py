"""Fixtures of the simulator's tests."""

from tests.hardware.conftest import clock, renderer

__all__ = ["clock", "renderer"]
