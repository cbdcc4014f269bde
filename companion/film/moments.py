"""Choose the moments of a film: what people would tell of a game, within twenty seconds."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from companion.api import Seat

FILM_SECONDS = 20.0
"""Length of a film at most. More shows more moments of a long game."""
TITLE_SECONDS = 1.8
REVEAL_SECONDS = 2.4
"""Time of a reveal before the last: question and answer, a little faster than at the table."""
GAIN_SECONDS = 1.9
"""Time of a move that changed the scores much: the table before it for a moment, then what it brought."""
STANDINGS_SECONDS = 2.0
"""Time of the standings after the last change of the lead."""
LAST_MOVE_SECONDS = 1.6
"""Time of the move that ended the game, before the podium; a reveal takes `LAST_REVEAL_SECONDS`."""
LAST_REVEAL_SECONDS = 3.2
"""Time of the last reveal, as at the table."""
END_SECONDS = 2.4
"""Time of the last picture: the whole result."""


class MomentKind(StrEnum):
    """What a moment shows."""

    TITLE = "title"
    GAIN = "gain"  # a move that changed the scores much
    LEAD = "lead"  # another player leads alone
    LAST_LEAD = "last lead"  # the same, and the standings
    PODIUM = "podium"  # the last move, and who has won
    END = "end"  # how the game ended, or how it stands


@dataclass(frozen=True, slots=True)
class StepFacts:
    """What the choice of moments needs to know about a step of a game."""

    is_move: bool
    """False: a correction or a change of seats, which is no moment."""
    is_reveal: bool
    """It answered a question for which all had waited."""
    changes: tuple[int, ...]
    """Change of each score."""
    leaders: tuple[Seat, ...]
    """Seats of those who led after it; of a team one."""

    @property
    def change(self) -> int:
        """The largest change of a score, won or lost."""
        return max(map(abs, self.changes), default=0)


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a film.

    Attributes:
        kind: what it shows.
        seconds: how long.
        step: index of the step, from 0; -1 for the title.
    """

    kind: MomentKind
    seconds: float
    step: int = -1


def choose_moments(steps: Sequence[StepFacts], podium_seconds: float | None) -> tuple[Moment, ...]:
    """Choose the moments of a game that fit into `FILM_SECONDS`, in their order.

    Always there are the title and the end, and for a finished game the last move with the podium. The rest goes, in
    this order, to the last change of the lead, the largest change of a score, the other changes of the lead and the
    other changes of a score, each the largest first. In a game with reveals only these count.

    >>> facts = StepFacts(True, False, (3, 0), (Seat(0),))
    >>> [moment.kind.value for moment in choose_moments([facts, facts], podium_seconds=5.0)]
    ['title', 'gain', 'podium', 'end']

    Args:
        steps: the steps of the game that count, in order.
        podium_seconds: time that the podium needs; None: the game is not finished.
    """
    last = len(steps) - 1
    fixed = [Moment(MomentKind.TITLE, TITLE_SECONDS), Moment(MomentKind.END, END_SECONDS, last)]
    if podium_seconds is not None:
        own = LAST_REVEAL_SECONDS if steps[last].is_reveal else LAST_MOVE_SECONDS if steps[last].is_move else 0.0
        fixed.append(Moment(MomentKind.PODIUM, own + podium_seconds, last))
    has_reveals = any(step.is_reveal for step in steps)
    found = [
        i
        for i, step in enumerate(steps)
        if step.is_move and step.change and step.is_reveal >= has_reveals and (podium_seconds is None or i < last)
    ]
    left = FILM_SECONDS - sum(moment.seconds for moment in fixed)
    chosen: list[Moment] = []
    for i, kind in _rank_moments(steps, found):
        seconds = REVEAL_SECONDS if steps[i].is_reveal else GAIN_SECONDS
        seconds += STANDINGS_SECONDS if kind is MomentKind.LAST_LEAD else 0.0
        if seconds <= left:
            left -= seconds
            chosen.append(Moment(kind, seconds, i))
    order = list(MomentKind)
    return tuple(sorted([*fixed, *chosen], key=lambda moment: (moment.step, order.index(moment.kind))))


def _rank_moments(steps: Sequence[StepFacts], found: Sequence[int]) -> list[tuple[int, MomentKind]]:
    """Return the steps with what each is, the most important first."""
    leads = _find_lead_changes(steps, found)
    by_change = sorted((i for i in found if i not in leads[-1:]), key=lambda i: -steps[i].change)
    ranked = [(leads[-1], MomentKind.LAST_LEAD)] if leads else []
    ranked += [(i, MomentKind.LEAD if i in leads else MomentKind.GAIN) for i in by_change[:1]]
    ranked += [(i, MomentKind.LEAD) for i in by_change if i in leads]
    ranked += [(i, MomentKind.GAIN) for i in by_change if i not in leads]
    kinds: dict[int, MomentKind] = {}
    for i, kind in ranked:
        kinds.setdefault(i, kind)
    return list(kinds.items())


def _find_lead_changes(steps: Sequence[StepFacts], found: Sequence[int]) -> list[int]:
    """Return the steps after which a player leads alone, and before whom another one did."""
    changes, leader = [], None
    for i in found:
        if len(leaders := steps[i].leaders) == 1:
            if leader not in (None, leaders[0]):
                changes.append(i)
            leader = leaders[0]
    return changes
