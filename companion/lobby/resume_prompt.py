"""The question whether an interrupted game goes on, and whether what came after a lost part counts.

When it is asked, and what its answer does: `companion.app.resume`.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from companion.api import AnyGameDefinition, Command, CommandName, ConsolePress, Offer
from companion.i18n import _
from companion.journal.replay import Gap
from companion.lobby.pre_game_stage import PreGameStage
from companion.screen_state import CameraView, Player, ScreenKind, ScreenState


class ResumePrompt(PreGameStage):
    """The question whether an interrupted game goes on, or is set aside: `exit` is RESUME or SET_INTERRUPTED_ASIDE.

    If the disk has lost a part of the game, it also asks whether what came after counts: then `exit` is RESUME, or else
    CONTINUE.

    Args:
        definition: the interrupted game's definition.
        title: its name for the screen.
        players: its players, by seat.
        scores: their points, by seat.
        last_move: the last move, or that there was none, in the current language.
        gap: the part of the game that is lost; None: nothing is.
        monotonic: the host's monotonic clock, in seconds.
    """

    def __init__(
        self,
        definition: AnyGameDefinition,
        title: str,
        players: Sequence[Player],
        scores: Sequence[int],
        last_move: str,
        gap: Gap | None,
        monotonic: Callable[[], float],
    ) -> None:
        super().__init__(definition, monotonic)
        self.gap = gap
        self.title, self.players, self.scores, self.last_move = title, tuple(players), tuple(scores), last_move

    def list_offers(self) -> Sequence[Offer]:
        """List the offers: OK continues the game, NO sets it aside, and MINUS leaves out what came after a gap."""
        label = _("Continue") if self.gap is None else _("Play them again")
        without = Offer(Command(CommandName.CONTINUE), ConsolePress.MINUS, _("Leave them out"), awaited=True)
        return [
            Offer(Command(CommandName.RESUME), ConsolePress.OK, label, awaited=True),
            *([without] if self.gap is not None else []),
            Offer(Command(CommandName.SET_INTERRUPTED_ASIDE), ConsolePress.NO, _("Set aside"), awaited=True),
        ]

    def build_screen_state(self, camera_view: CameraView) -> ScreenState:
        """Build the screen of the question, with how the game stands (before a gap); changes nothing."""
        prompt = _("A game was interrupted: continue it?")
        if self.gap is not None:
            lost = _.plural("The disk has lost a step here.", "The disk has lost {n} steps here.", self.gap.lost_count)
            later = _.plural("Then came one more", "Then came {n} more", self.gap.later_count)
            prompt = f"{lost} {later}"
        return replace(
            self._build_base_state(ScreenKind.RESUME, prompt, camera_view),
            title=self.title,
            players=self.players,
            scores=self.scores,
            details=(self.last_move,),
        )
