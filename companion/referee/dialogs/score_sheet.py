"""When the game is over: how the scores came about, round by round for all, line by line for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.games.api.game import Seat
from companion.games.api.offers import Command, ConsolePress, Offer, SeatPress
from companion.i18n import Translator
from companion.journal.replay import Replay
from companion.journal.statistics import list_score_changes
from companion.referee.dialogs.base import CLOSE, DialogDefaults, Step
from companion.screen_state import ScoreSheet

_ = Translator("companion")

SCORE_SHEET = "score sheet"
"""Command that opens it: of all, or (its value) of one seat."""


@dataclass(frozen=True, slots=True)
class ScoreSheetDialog(DialogDefaults):
    """A page of the score sheet is open. Each seat's button leads to its own."""

    replay: Replay
    sheet: ScoreSheet

    def list_offers(self) -> Sequence[Offer]:
        offers = [offer for offer in list_sheet_offers(self.replay) if offer.action != _sheet_command(self.sheet.seat)]
        if len(self.sheet.lines) > 1:
            offers = [offer for offer in offers if offer.input is not ConsolePress.PLUS]
            offers.append(Offer(Command("line", (-1,)), ConsolePress.PLUS, _("Up")))
            offers.append(Offer(Command("line", (1,)), ConsolePress.MINUS, _("Down")))
        return [
            *offers,
            Offer(CLOSE, ConsolePress.OK, _("All right"), awaited=True),
            Offer(CLOSE, ConsolePress.NO, _("Back")),
        ]

    def handle(self, command: Command) -> Step:
        match command:
            case Command(name="line", value=(by,)):
                last = len(self.sheet.lines) - 1
                line = min(last, max(0, self.sheet.selected + by))
                return replace(self, sheet=replace(self.sheet, selected=line))
            case Command(name=name) if name == SCORE_SHEET:
                return open_score_sheet(self.replay, command)
            case _:
                return CLOSE


def open_score_sheet(replay: Replay, command: Command) -> ScoreSheetDialog:
    """The page that `command`, one of those of `opening`, opens."""
    if not command.value:
        return ScoreSheetDialog(replay, ScoreSheet())
    seat = Seat(command.value[0])
    return ScoreSheetDialog(replay, ScoreSheet(seat, list_score_changes(replay, seat)))


def list_sheet_offers(replay: Replay) -> Sequence[Offer]:
    """What opens the pages, once the game is over."""
    seats = range(len(replay.setup.players))
    offers = [Offer(_sheet_command(Seat(seat)), SeatPress(Seat(seat)), _("My score")) for seat in seats]
    if replay.definition.round_number(replay.game) > 1:
        offers.append(Offer(_sheet_command(None), ConsolePress.PLUS, _("Score table")))
    return offers


def _sheet_command(seat: Seat | None) -> Command:
    return Command(SCORE_SHEET, () if seat is None else (seat,))
