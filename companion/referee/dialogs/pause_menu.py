"""The pause menu, and the questions of leaving a game and of restarting the device."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.api import Command, CommandName, ConsolePress, NumberPress
from companion.i18n import _
from companion.referee.dialogs.base import Answer, Dialog, QuestionDialog, ask_question
from companion.screen_state import Question, ResultCode


@dataclass(frozen=True, slots=True)
class PageCodeDialog(Dialog):
    """The address of the spectators' page as a QR code; OK goes back to the pause menu.

    Args:
        code: the address.
        pause: the pause menu.
    """

    code: ResultCode
    pause: QuestionDialog

    def list_answers(self) -> Sequence[Answer]:
        """List OK to go back."""
        return [Answer(ConsolePress.OK, _("All right"), self.pause, awaited=True)]


@dataclass(frozen=True, slots=True)
class StillPlayingDialog(Dialog):
    """The question of café mode whether a game is still played; OK goes back to what was open beneath it.

    Args:
        minutes: time for an answer, after which the game is put away.
        beneath: the dialog that was open, with all that was entered; None: there was none.
    """

    minutes: int
    beneath: Dialog | None

    @property
    def question(self) -> Question:
        """The question that is shown."""
        detail = _("Otherwise it is put away in {n} minutes, and can be continued later", n=self.minutes)
        return Question(_("Are you still playing?"), detail)

    def list_answers(self) -> Sequence[Answer]:
        """List OK to go on."""
        return [Answer(ConsolePress.OK, _("Yes"), self.beneath, awaited=True)]


def open_pause(detail: str = "", page_address: str = "", installed_version: str = "") -> QuestionDialog:
    """Open the pause menu: OK continues, MINUS opens the menu of corrections, PLUS leaves the game once confirmed.

    Key 1 shows the address of the spectators' page, if there is one. Key 2 restarts the device, once confirmed, if an
    upgrade waits for it. Key 3 opens the menu of the players: somebody joins, or a name or places change. Key 4 opens
    the help.

    The clocks themselves are not changed.

    Args:
        detail: second line in the current language, such as that the clocks are stopped; empty: none.
        page_address: of the spectators' page; empty: there is none.
        installed_version: an upgrade of the device that starts with its next restart; empty: there is none.
    """
    pause = QuestionDialog(
        Question(_("Paused"), detail),
        (
            Answer(ConsolePress.OK, _("Continue"), Command(CommandName.CONTINUE), awaited=True),
            Answer(ConsolePress.PLUS, _("Leave game"), open_leave_question()),
            Answer(ConsolePress.MINUS, _("Fix error"), Command(CommandName.CORRECT)),
            Answer(NumberPress(3), _("Players"), Command(CommandName.PLAYERS)),
            Answer(NumberPress(4), _("Help"), Command(CommandName.HELP)),
        ),
    )
    if installed_version:
        restart = Answer(NumberPress(2), _("Restart"), open_restart_question(installed_version))
        pause = replace(pause, answers=(*pause.answers, restart))
    if page_address:
        code = PageCodeDialog(ResultCode(page_address, _("Opens the page for spectators")), pause)
        pause = replace(pause, answers=(*pause.answers, Answer(NumberPress(1), _("Watch along"), code)))
    return pause


def open_restart_question(version: str) -> QuestionDialog:
    """Open the question whether the device restarts into an upgrade: OK restarts, NO leaves it for later.

    Args:
        version: the upgrade's version.
    """
    question = Question(
        _("Restart with version {version}?", version=version), _("Takes about a minute; an open game continues")
    )
    return ask_question(
        question,
        (ConsolePress.OK, _("Restart"), Command(CommandName.RESTART)),
        (ConsolePress.NO, _("Later"), None),
    )


def open_leave_question() -> QuestionDialog:
    """Open the question whether the game in play is set aside: OK leaves it, NO goes back to it."""
    return ask_question(
        Question(_("Leave this game?"), _("It can be continued later: see Settings")),
        (ConsolePress.OK, _("Leave game"), Command(CommandName.SET_ASIDE)),
        (ConsolePress.NO, _("Back"), None),
    )
