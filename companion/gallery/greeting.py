"""The greeting at a virtual table."""

from companion.api import registry
from companion.gallery.fixtures import ButtonPresser
from companion.lobby import Greeting
from companion.screen_state import ScreenState


def build_samples() -> dict[str, ScreenState]:
    """Return the sample screens of this module by name of the state, with texts in the current language."""
    presser = ButtonPresser()
    first = registry.find_first_game()
    return {
        "choices": presser.show(Greeting(first, presser.get_time)),
        "choices_played": presser.show(Greeting(first, presser.get_time, has_played=True)),
    }
