"""The corrections of a game of entered points: numbers of this round first, rare things last."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from companion.api import (
    N_,
    Away,
    BadCorrection,
    CommonCorrection,
    Correctable,
    Correction,
    CorrectionKind,
    Score,
    Seat,
    adjust,
    replace_at,
)
from companion.games.game_file.file_game import WhoseTurn
from companion.games.game_file.points.formulas import MAX_SCORE, Entered
from companion.games.game_file.points.rounds import correct_numbers, settle
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
        _check_possible(game, index, number)
        old = game.entered[seat]
        kept = () if any(entry.when for entry in entries[index + 1 :]) else old[index + 1 :]
        entered = (*old[:index], number, *kept)
        return settle(replace(game, entered=replace_at(game.entered, seat, entered)))

    def format_label(self, game: PointsGameState, what: Correctable | Correction, names: Sequence[str]) -> str:
        return _(self.label, who=names[what.seat or 0], name=game.rules.label_entry(what.index[0] - 1))


class EarlierNumber(CorrectionKind[PointsGameState]):
    """G71: a number of a player in an earlier round, or turn; the index is the round and the entry, from 1."""

    kind, label = CommonCorrection.ROUND, N_("{who} in round {n}")

    def list_entries(self, game: PointsGameState) -> Iterator[Correctable]:
        rounds = (*game.finished_numbers, game.turn_numbers)
        for place in reversed(range(len(rounds))):
            for seat, own in enumerate(rounds[place]):
                for entry in _list_asked(game, place, Seat(seat), own):
                    limits, number = game.get_range(entry), own[entry]
                    yield Correctable(self.kind, Seat(seat), (number,), limits, (place + 1, entry + 1))

    def apply(self, game: PointsGameState, correction: Correction) -> PointsGameState:
        seat, place, entry = correction.player, correction.index[0] - 1, correction.index[1] - 1
        _check_possible(game, entry, correction.value[0])
        numbers = (*game.finished_numbers, game.turn_numbers)[place]
        own = replace_at(numbers[seat], entry, correction.value[0])
        asked = _list_asked(game, place, seat, own)
        own = tuple(number if i in asked else 0 for i, number in enumerate(own))
        return correct_numbers(game, place, replace_at(numbers, seat, own))

    def format_label(self, game: PointsGameState, what: Correctable | Correction, names: Sequence[str]) -> str:
        label = super().format_label(game, what, names)
        has_one = len(game.rules.model.entries) == 1
        return label if has_one else f"{label}: {game.rules.label_entry(what.index[1] - 1)}"


def _check_possible(game: PointsGameState, entry: int, number: int) -> None:
    if number in game.rules.model.entries[entry].impossible:
        raise BadCorrection("G61", _("{name}: {n} cannot be"), name=game.rules.label_entry(entry), n=number)


def _list_asked(game: PointsGameState, place: int, seat: Seat, own: Entered) -> list[int]:
    """List the entries of a player that were asked for in an earlier round (G62), by their index."""
    numbers = (*game.finished_numbers, game.turn_numbers)[place]
    players = len(game.present_seats) if game.has_turns else sum(map(bool, numbers))
    score = game.list_totals(game.finished_rounds[:place])[seat]
    find = game.rules.find_next_entry
    return [i for i in range(len(own)) if find(own[:i], score, place + 1, players) == i]


CORRECTIONS: tuple[CorrectionKind[Any], ...] = (
    EnteredNumber(),
    Score(
        "total",
        N_("{who}'s points"),
        -MAX_SCORE,
        MAX_SCORE,
        lambda game: game.totals,
        # The difference is kept beside the rounds.
        lambda game, totals: replace(game, adjustments=adjust(game.adjustments, game.totals, totals)),
    ),
    WhoseTurn("G60", N_("whose turn it is")),
    EarlierNumber(),
    Away[PointsGameState](),
)
