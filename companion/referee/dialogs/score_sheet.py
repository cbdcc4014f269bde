"""Dialog of a finished game's score sheet: how each score came about, the table of rounds, the dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.api import Command, CommandName, ConsolePress, Offer, Seat, SeatPress
from companion.i18n import _
from companion.journal.dice_luck import has_rolls, summarise_dice
from companion.journal.replay import Replay
from companion.journal.statistics import compute_rounds, list_score_changes
from companion.referee.dialogs.base import Answer, Dialog, back_answer, up_down_answers
from companion.screen_state import ScoreSheet


@dataclass(frozen=True, slots=True)
class ScoreSheetDialog(Dialog):
    """A page of the score sheet is open. Each seat's button opens its own.

    Args:
        replay: the replayed game, which is over.
        sheet: the open page.
        round_count: number of rounds that the table of rounds has.
    """

    replay: Replay
    sheet: ScoreSheet
    round_count: int

    @property
    def prompt(self) -> str:
        """Empty: who has won stays in the header."""
        return ""

    def list_answers(self) -> Sequence[Answer]:
        """List the other pages, PLUS and MINUS to move through several lines or rounds, and OK and NO to close.

        OK leads from a seat's page to the table of all players, if the game had several rounds, then to the dice, if
        there are any.
        """
        pages = [
            Answer(offer.input, offer.label, offer.action)
            for offer in list_sheet_offers(self.replay)
            if offer.action != _sheet_command(self.sheet.seat)
        ]
        if len(self.sheet.lines) > 1:
            pages += up_down_answers(self._move(-1), self._move(1))
        elif self.sheet.seat is None and self.sheet.dice is None and self.round_count > 1:
            pages += [
                Answer(ConsolePress.PLUS, _("Earlier"), self._move(-1), repeats=True),
                Answer(ConsolePress.MINUS, _("Later"), self._move(1), repeats=True),
            ]
        following = self._find_next_page()
        label = _("All right")
        if following is not None:
            label = _("The dice") if following.name is CommandName.DICE_LUCK else _("Score table")
        pages.append(Answer(ConsolePress.OK, label, following, awaited=True))
        return [*pages, back_answer()]

    def _find_next_page(self) -> Command | None:
        """Return the command of the page of all players that follows; None: this is the last one."""
        if self.sheet.seat is not None and self.round_count > 1:
            return _sheet_command(None)
        return Command(CommandName.DICE_LUCK) if self.sheet.dice is None and has_rolls(self.replay) else None

    def _move(self, by: int) -> ScoreSheetDialog:
        count = len(self.sheet.lines) or self.round_count
        line = min(count - 1, max(0, self.sheet.selected + by))
        return replace(self, sheet=replace(self.sheet, selected=line))


def open_score_sheet(replay: Replay, command: Command) -> ScoreSheetDialog:
    """Open a page of the score sheet.

    Args:
        replay: the replayed game, which is over.
        command: the command of one of `list_sheet_offers` or `ScoreSheetDialog.list_answers`; its value is the seat,
            empty for a page of all players.

    Raises:
        IndexError: the game has no such seat.
        Exception: a game of another package may raise any error.
    """
    count = len(compute_rounds(replay))
    if command.name is CommandName.DICE_LUCK:
        sheet = ScoreSheet(dice=summarise_dice(replay))
    elif not command.value:
        sheet = ScoreSheet(selected=max(0, count - 1))
    else:
        seat = Seat(command.value[0])
        sheet = ScoreSheet(seat, list_score_changes(replay, seat))
    return ScoreSheetDialog(replay, sheet, count)


def list_sheet_offers(replay: Replay) -> Sequence[Offer]:
    """List the offers of a finished game's score sheet: a page per seat, on its button.

    Args:
        replay: the replayed game.
    """
    return [
        Offer(_sheet_command(seat), SeatPress(seat), _("My score")) for seat in map(Seat, range(len(replay.players)))
    ]


def _sheet_command(seat: Seat | None) -> Command:
    return Command(CommandName.SCORE_SHEET, () if seat is None else (seat,))
