"""Dialog of a finished game's QR codes: a phone takes the result home without a network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo

from companion.api import Command, CommandName, ConsolePress, Offer
from companion.api.places import compute_places, list_teams, rank_teams
from companion.config.settings import ResultCodeKind
from companion.i18n import _, format_day, format_number, join_and, join_label
from companion.journal.bg_stats import build_play, format_link, get_outcome
from companion.journal.database import GameRecord
from companion.journal.play_time import find_begin
from companion.journal.replay import Replay
from companion.journal.timestamps import TimestampClock
from companion.referee.dialogs.base import Answer, Dialog, back_answer
from companion.screen_state import ResultCode

MAX_LINK_BYTES = 1250
"""Length of a link at most, in bytes: its code then has 117 modules a side, 3 pixels each on a screen of 800x480."""
MAX_TEXT_BYTES = 220
"""Length of the text of one code at most, in bytes: a phone reads it easily; longer texts have several codes."""


@dataclass(frozen=True, slots=True)
class ResultCodesDialog(Dialog):
    """The result is shown as QR codes, page by page.

    Args:
        kind: which form of the result is shown.
        codes: its pages, at least one.
        page: index of the page that is shown, from 0.
        open_other: opens the other form; None: there is none.
        offers_film: a film of the game can be made.
    """

    kind: ResultCodeKind
    codes: tuple[ResultCode, ...]
    page: int = 0
    open_other: Callable[[], ResultCodesDialog] | None = None
    offers_film: bool = False

    @property
    def code(self) -> ResultCode:
        """The page that is shown."""
        return self.codes[self.page]

    def list_answers(self) -> Sequence[Answer]:
        """List OK and NO to close, OK for the next page while there is one, and the other form on PLUS.

        MINUS turns back a page, and on the first one it writes the film onto a USB stick.
        """
        answers = [back_answer()]
        if self.page + 1 < len(self.codes):
            answers.append(Answer(ConsolePress.OK, _("Next code"), replace(self, page=self.page + 1), awaited=True))
        else:
            answers.append(Answer(ConsolePress.OK, _("All right"), awaited=True))
        if self.page:
            answers.append(Answer(ConsolePress.MINUS, _("Back one"), replace(self, page=self.page - 1)))
        elif self.offers_film:
            answers.append(Answer(ConsolePress.MINUS, _("Save film"), Command(CommandName.FILM)))
        if self.open_other is not None:
            label = _("As text") if self.kind == "bg_stats" else _("BG Stats")
            answers.append(Answer(ConsolePress.PLUS, label, self.open_other))
        return answers


def list_code_offers() -> Sequence[Offer]:
    """List the offer of the codes of a finished game: PLUS."""
    return [Offer(Command(CommandName.RESULT_CODE), ConsolePress.PLUS, _("Take home"))]


def open_result_codes(
    record: GameRecord,
    replay: Replay,
    clock: TimestampClock,
    kind: ResultCodeKind,
    zone: tzinfo | None = None,
    *,
    offers_film: bool = False,
) -> ResultCodesDialog:
    """Open the codes of a finished game's result.

    Args:
        record: the game in the journal.
        replay: the replayed game, which is over.
        clock: the journal's.
        kind: which form is shown first; a result too long for a link (many long names) is shown as text.
        zone: time zone of the day in the text; None: local time.
        offers_film: a film of the game can be made.
    """
    link = format_link(build_play(record, replay, clock))
    has_link = len(link.encode()) <= MAX_LINK_BYTES

    def open_form(kind: ResultCodeKind) -> ResultCodesDialog:
        if kind == "bg_stats":
            codes: tuple[ResultCode, ...] = (ResultCode(link, _("Opens the app BG Stats")),)
        else:
            heading = replay.definition.format_title(replay.setup.settings)
            if begun := find_begin(record, clock, zone):
                heading += f", {format_day(begun)}"
            texts = split_text(heading, format_result_lines(replay))
            label = _("The result as text") if has_link else _("As text: these names are too long for BG Stats' code")
            codes = tuple(ResultCode(text, label, i, len(texts)) for i, text in enumerate(texts))
        other: ResultCodeKind = "text" if kind == "bg_stats" else "bg_stats"
        open_other = (lambda: open_form(other)) if has_link else None
        return ResultCodesDialog(kind, codes, open_other=open_other, offers_film=offers_film)

    return open_form(kind if has_link else "text")


def format_result_lines(replay: Replay) -> list[str]:
    """Return the ranking of a finished game, best first, one line for each player or team: "1. Ada: 42".

    Args:
        replay: the replayed game, which is over.
    """
    totals = replay.game.totals
    ranked = rank_teams(list_teams(replay.game), totals, compute_places(get_outcome(replay), totals))
    return [
        join_label(f"{rank}. {join_and([replay.players[seat] for seat in team])}", format_number(score))
        for rank, team, score in ranked
    ]


def split_text(heading: str, lines: Sequence[str], max_bytes: int = MAX_TEXT_BYTES) -> list[str]:
    """Split a text between its lines into parts, each with the heading, and with its number if there are several.

    Args:
        heading: first line of each part.
        lines: the other lines; one is never split, so a part with one line may be longer than `max_bytes`.
        max_bytes: length of a part in UTF-8, in bytes.

    >>> split_text("Go", ["1. Ada: 5", "2. Bob: 4"], max_bytes=15)
    ['Go (1/2)\\n1. Ada: 5', 'Go (2/2)\\n2. Bob: 4']
    """
    parts: list[list[str]] = [[]]
    for line in lines:
        if parts[-1] and len("\n".join([heading, *parts[-1], line]).encode()) > max_bytes:
            parts.append([])
        parts[-1].append(line)
    count = len(parts)
    return ["\n".join([f"{heading} ({i}/{count})" if count > 1 else heading, *part]) for i, part in enumerate(parts, 1)]
