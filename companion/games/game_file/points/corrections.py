"""The corrections of a game of entered points: numbers of this round first, rare things last."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from companion.api import (
    N_,
    Away,
    BadCorrection,
    Correctable,
    Correction,
    CorrectionKind,
    replace_at,
)
from companion.api.correction_kind import list_score_corrections
from companion.games.game_file.file_game import WhoseTurn
from companion.games.game_file.points.formulas import MAX_SCORE
from companion.games.game_file.points.rounds import settle
from companion.games.game_file.points.state import PointsGameState, _


class EnteredNumber(CorrectionKind[PointsGameState]):
    """A number of a player in the round or turn in play; the index is that of the entry, from 1."""

    kind, label = "entry", N_("{who}: {name}")

    def list_entries(self, game: PointsGameState) -> Iterator[Correctable]:
        for seat in game.present_seats:
            for i, number in enumerate(game.entered[seat]):
                yield Correctable(self.kind, seat, (number,), game.get_range(i), (i + 1,))

    def apply(self, game: PointsGameState, correction: Correction) -> PointsGameState:
        """What was entered after the number may no longer be asked for, so it is entered again."""
        seat, index, (number,) = correction.player, correction.index[0] - 1, correction.value
        entries = game.rules.model.entries
        if number in entries[index].impossible:
            name = game.rules.label_entry(index)
            raise BadCorrection("G61", _("{name}: {n} cannot be"), name=name, n=number)
        old = game.entered[seat]
        kept = () if any(entry.when for entry in entries[index + 1 :]) else old[index + 1 :]
        entered = (*old[:index], number, *kept)
        return settle(replace(game, entered=replace_at(game.entered, seat, entered)))

    def format_label(self, game: PointsGameState, what: Correctable | Correction, names: Sequence[str]) -> str:
        return _(self.label, who=names[what.seat or 0], name=game.rules.label_entry(what.index[0] - 1))


CORRECTIONS: tuple[CorrectionKind[Any], ...] = (
    EnteredNumber(),
    *list_score_corrections(
        N_("{who}'s points"),
        N_("{who} in round {n}"),
        MAX_SCORE,
        WhoseTurn("G60", N_("whose turn it is")),
        lambda game: game.totals,
        lambda game: game.finished_rounds,
    ),
    Away[PointsGameState](),
)
