"""The end of the demo, before the lobby comes back: what was seen, in a sentence, and what to do now.

How it is drawn: `companion.display.scenes.demo_title`.
"""

from companion.api import AnyGameDefinition
from companion.i18n import _
from companion.screen_state import ScreenKind, ScreenState


def build_demo_title(definition: AnyGameDefinition) -> ScreenState:
    """Build the screen at the end of a demo of a game, whose picture it shows."""
    return ScreenState(
        ScreenKind.TITLE,
        definition.name,
        _("The companion"),
        uses_camera=False,
        prompt=_("It reads your dice, keeps the score and the time, and knows the rules."),
        details=(_("Press any button to play"),),
        is_demo=True,
    )
