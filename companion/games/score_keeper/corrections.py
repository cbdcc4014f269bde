"""Corrections of the score keeper, in the order of the menu: totals, earlier rounds, then what is rare."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.api import (
    N_,
    Active,
    Away,
    Correctable,
    Correction,
    CorrectionKind,
    EarlierRound,
    Score,
    adjust,
    replace_in_round,
)
from companion.games.score_keeper.state import MAX_TOTAL, Phase, ScoreKeeperState, _

MAX_ROUND = 99
"""Highest number of a round that may be entered."""


class WhoseTurn(Active[ScoreKeeperState]):
    """Whose turn it is, while somebody has one."""

    def is_due(self, game: ScoreKeeperState) -> bool:
        return game.active_seat is not None

    def describe(self, before: ScoreKeeperState, what: Correction, old: Correctable, names: Sequence[str]) -> str:
        return _("Corrected: it is {who}'s turn", who=names[what.value[0]])


class CurrentRound(CorrectionKind[ScoreKeeperState]):
    """Number of the round being played."""

    kind, label = "current round", N_("the round")

    def is_due(self, game: ScoreKeeperState) -> bool:
        return game.phase is not Phase.OVER and game.settings.has_rounds

    def list_entries(self, game: ScoreKeeperState) -> Iterator[Correctable]:
        last = max(game.settings.rounds or MAX_ROUND, game.round_number)
        yield self.make_entry(game.round_number, 1, last)

    def apply(self, game: ScoreKeeperState, correction: Correction) -> ScoreKeeperState:
        return replace(game, round_number=correction.value[0])


CORRECTIONS: tuple[CorrectionKind[ScoreKeeperState], ...] = (
    Score(
        "total",
        N_("{who}'s points"),
        -MAX_TOTAL,
        MAX_TOTAL,
        lambda game: game.own_totals,
        # Without the points of partners; the difference is kept beside the rounds.
        lambda game, totals: replace(game, adjustments=adjust(game.adjustments, game.own_totals, totals)),
    ),
    WhoseTurn("K17", N_("whose turn it is")),
    EarlierRound(
        N_("{who} in round {n}"),
        -MAX_TOTAL,
        MAX_TOTAL,
        lambda game: game.finished_rounds if game.settings.has_rounds else (),
        lambda game, seat, place, points: replace(
            game, finished_rounds=replace_in_round(game.finished_rounds, place, seat, points)
        ),
    ),
    CurrentRound(),
    Away[ScoreKeeperState](),
)
