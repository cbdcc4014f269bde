"""Corrections of the score keeper, in the order of the menu: totals, earlier rounds, then what is rare."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from companion.api import (
    N_,
    Active,
    Away,
    Correctable,
    Correction,
    CorrectionKind,
)
from companion.api.correction_kind import list_score_corrections
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


CORRECTIONS: tuple[CorrectionKind[Any], ...] = (
    *list_score_corrections(
        N_("{who}'s points"),
        N_("{who} in round {n}"),
        MAX_TOTAL,
        WhoseTurn("K17", N_("whose turn it is")),
        lambda game: game.own_totals,  # without the points of partners
        lambda game: game.finished_rounds if game.settings.has_rounds else (),
    ),
    CurrentRound(),
    Away[ScoreKeeperState](),
)
