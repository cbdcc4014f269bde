"""When the game is over: how the scores came about, round by round for all, line by line for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.games.api.game import Seat
from companion.games.api.offers import Command, Console, Offer, SeatPress
from companion.i18n import Words
from companion.journal.replay import Replay
from companion.journal.statistics import score_lines
from companion.referee.dialogs.base import CLOSE, Quiet, Step
from companion.screen_state import ScoreSheet

_ = Words("companion")

SHEET = "score sheet"
"""Command that opens it: of all, or (its value) of one seat."""


@dataclass(frozen=True, slots=True)
class Account(Quiet):
    """A page of the score sheet is open. Each seat's button leads to its own."""

    replay: Replay
    sheet: ScoreSheet

    def offers(self) -> Sequence[Offer]:
        offers = [offer for offer in opening(self.replay) if offer.does != _opens(self.sheet.seat)]
        if len(self.sheet.lines) > 1:
            offers = [offer for offer in offers if offer.means is not Console.PLUS]
            offers.append(Offer(Command("line", (-1,)), Console.PLUS, _("Up")))
            offers.append(Offer(Command("line", (1,)), Console.MINUS, _("Down")))
        return [
            *offers,
            Offer(CLOSE, Console.OK, _("All right"), awaited=True),
            Offer(CLOSE, Console.NO, _("Back")),
        ]

    def after(self, command: Command) -> Step:
        match command:
            case Command(name="line", value=(by,)):
                last = len(self.sheet.lines) - 1
                line = min(last, max(0, self.sheet.selected + by))
                return replace(self, sheet=replace(self.sheet, selected=line))
            case Command(name=name) if name == SHEET:
                return account(self.replay, command)
            case _:
                return CLOSE


def account(replay: Replay, command: Command) -> Account:
    """The page that `command`, one of those of `opening`, opens."""
    if not command.value:
        return Account(replay, ScoreSheet())
    seat = Seat(command.value[0])
    return Account(replay, ScoreSheet(seat, score_lines(replay, seat)))


def opening(replay: Replay) -> Sequence[Offer]:
    """What opens the pages, once the game is over."""
    seats = range(len(replay.setup.players))
    offers = [Offer(_opens(Seat(seat)), SeatPress(Seat(seat)), _("My score")) for seat in seats]
    if replay.kit.round_of(replay.game) > 1:
        offers.append(Offer(_opens(None), Console.PLUS, _("Score table")))
    return offers


def _opens(seat: Seat | None) -> Command:
    return Command(SHEET, () if seat is None else (seat,))
