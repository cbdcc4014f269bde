"""Cheap guard of `test_rig.py`, which only a rig runs whole: it chooses tests by name."""

from tests.hardware.buttons.gpio import test_driver
from tests.hardware.buttons.gpio.test_rig import TESTS_ON_PI_5


def test_driver_tests_that_are_chosen_by_name_exist() -> None:
    assert all(callable(getattr(test_driver, name)) for name in TESTS_ON_PI_5)
