"""The corrections of a game of entered points: numbers of this round first, rare things last."""

from collections.abc import Iterator, Mapping, Sequence
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
    ValueRange,
    replace_at,
)
from companion.games.game_file.file_game import KeptNumber, WhoseTurn
from companion.games.game_file.file_part import MAX_NUMBER
from companion.games.game_file.points.formulas import Entered, RoundInfo, Side
from companion.games.game_file.points.rounds import BeforeTurn, correct_numbers, list_before_turns
from companion.games.game_file.points.state import PointsGameState, _
from companion.i18n import join_label


class EnteredNumber(CorrectionKind[PointsGameState]):
    """A number of a player in the round or turn in play; the index is that of the entry, from 1."""

    kind, label = "entry", N_("{who}: {name}")

    def list_entries(self, game: PointsGameState) -> Iterator[Correctable]:
        for seat in game.present_seats:
            for i, number in enumerate(game.entered[seat]):
                yield Correctable(self.kind, seat, (number,), _get_limits(game, i), (i + 1,))

    def apply(self, game: PointsGameState, correction: Correction) -> PointsGameState:
        """What was entered after the number may no longer be asked for, so it is entered again."""
        seat, index, (number,) = correction.player, correction.index[0] - 1, correction.value
        entries = game.rules.model.entries
        _check_possible(game, index, number)
        old = game.entered[seat]
        kept = () if any(entry.when or entry.most for entry in entries[index + 1 :]) else old[index + 1 :]
        entered = (*old[:index], number, *kept)
        return replace(game, entered=replace_at(game.entered, seat, entered))

    def format_label(self, game: PointsGameState, what: Correctable | Correction, names: Sequence[str]) -> str:
        return _(self.label, who=names[what.seat or 0], name=game.rules.label_entry(what.index[0] - 1))


class EarlierNumber(CorrectionKind[PointsGameState]):
    """G71: a number of a player in an earlier round, or turn; the index is the round and the entry, from 1."""

    kind, label = CommonCorrection.ROUND, N_("{who} in round {n}")

    def list_entries(self, game: PointsGameState) -> Iterator[Correctable]:
        rounds = (*game.finished, game.current)
        for place in reversed(range(len(rounds))):
            before = _list_before(game, place)
            for seat, own in enumerate(rounds[place].numbers):
                asked = _list_asked(game, place, Seat(seat), own, before)
                for entry, number in enumerate(own):
                    if number or entry in asked:  # also one that another correction has made needless: it counts
                        limits = _get_limits(game, entry)
                        yield Correctable(self.kind, Seat(seat), (number,), limits, (place + 1, entry + 1))

    def apply(self, game: PointsGameState, correction: Correction) -> PointsGameState:
        seat, place, entry = correction.player, correction.index[0] - 1, correction.index[1] - 1
        _check_possible(game, entry, correction.value[0])
        numbers = (*game.finished, game.current)[place].numbers
        before, old = _list_before(game, place), numbers[seat]
        own = replace_at(old, entry, correction.value[0])
        were_asked, asked = (_list_asked(game, place, seat, each, before) for each in (old, own))
        # One that is asked for only now was 0 until now, which may not be one of its numbers. One that other
        # corrections have made needless stays as it was entered.
        own = tuple(_fit(game, i, n) if i in asked else 0 if i in were_asked else n for i, n in enumerate(own))
        return correct_numbers(game, place, replace_at(numbers, seat, own))

    def format_label(self, game: PointsGameState, what: Correctable | Correction, names: Sequence[str]) -> str:
        label = super().format_label(game, what, names)
        has_one = len(game.rules.model.entries) == 1
        return label if has_one else join_label(label, game.rules.label_entry(what.index[1] - 1))


class FlagOwner(CorrectionKind[PointsGameState]):
    """G73: who has a flag: the number of the seat from 1, 0: nobody; the index is that of the flag, from 1."""

    kind = "flag"

    def list_entries(self, game: PointsGameState) -> Iterator[Correctable]:
        for i in range(len(game.rules.model.flags)):
            yield self.make_entry(_find_owner(game, i), 0, game.player_count, None, (i + 1,))

    def apply(self, game: PointsGameState, correction: Correction) -> PointsGameState:
        owner = Seat(max(0, correction.value[0] - 1))
        index = len(game.rules.model.kept) + correction.index[0] - 1
        return game.change_memory(owner, index, int(correction.value[0] > 0))

    def format_label(self, game: PointsGameState, what: Correctable | Correction, names: Sequence[str]) -> str:
        return game.rules.translate(game.rules.model.flags[what.index[0] - 1].name)

    def label_values(
        self, game: PointsGameState, what: Correctable | Correction, names: Sequence[str]
    ) -> Sequence[str]:
        return (_("nobody"), *names)


def _find_owner(game: PointsGameState, flag: int) -> int:
    index = len(game.rules.model.kept) + flag
    return next((q + 1 for q, own in enumerate(game.memory) if own[index]), 0)


def _get_limits(game: PointsGameState, entry: int) -> ValueRange:
    """Return the limits of a correction: numbers between them that cannot be are refused."""
    limits = game.get_range(entry)
    return ValueRange(1, limits.low, limits.high, (), limits.step)


def _fit(game: PointsGameState, entry: int, number: int) -> int:
    """Return the number, or if it cannot be the allowed one that is nearest to 0."""
    limits = game.get_range(entry)
    if (number,) in limits:
        return number
    return min(limits.numbers, key=abs, default=limits.low)


def _check_possible(game: PointsGameState, entry: int, number: int) -> None:
    if (number,) not in game.get_range(entry):
        raise BadCorrection("G61", _("{name}: {n} cannot be"), name=game.rules.label_entry(entry), n=number)


def _list_before(game: PointsGameState, place: int) -> Mapping[Seat, BeforeTurn]:
    """Return what was there before the numbers of an earlier round; only conditions on entries need it."""
    return list_before_turns(game, place) if any(entry.when for entry in game.rules.model.entries) else {}


def _list_asked(
    game: PointsGameState, place: int, seat: Seat, own: Entered, before: Mapping[Seat, BeforeTurn]
) -> list[int]:
    """List the entries of a player that were asked for in an earlier round (G62), by their index.

    Args:
        before: what was there before the numbers of each player; empty: no entry depends on it.
    """
    played = (*game.finished, game.current)[place]
    players = len(game.present_seats) if game.has_turns else sum(map(bool, played.numbers))
    memory, totals = before.get(seat, (played.memory, (0,) * game.player_count))
    side, info = Side((), memory[seat], totals[seat]), RoundInfo(place + 1, players)
    is_first = next((q for q in game.list_team(seat) if played.numbers[q]), seat) == seat
    find = game.rules.find_next_entry
    return [i for i in range(len(own)) if find(own[:i], side, info, is_first=is_first) == i]


def find_earlier_mistake(game: PointsGameState) -> tuple[int, str] | None:
    """Return number and mistake of the last finished round that is wrong since it was corrected (G71)."""
    if game.has_turns or not game.rules.model.checks:
        return None
    for place in reversed(range(len(game.finished))):
        played, before = game.finished[place], _list_before(game, place)
        numbers = {Seat(q): own for q, own in enumerate(played.numbers) if own}
        if not any(_list_asked(game, place, q, own, before) for q, own in numbers.items()):
            continue  # nobody has entered anything that could be wrong (G62)
        sides = game.make_sides(numbers, played.memory, game.totals)
        check = game.rules.find_broken_check(sides, RoundInfo(place + 1, len(numbers)))
        if check is not None and not check.ask:
            return place + 1, game.rules.translate(check.text)
    return None


CORRECTIONS: tuple[CorrectionKind[Any], ...] = (
    EnteredNumber(),
    Score(
        "total",
        N_("{who}'s points"),
        -MAX_NUMBER,
        MAX_NUMBER,
        lambda game: game.totals,
        lambda game, totals: game.change_scores(totals),
    ),
    KeptNumber(),
    FlagOwner(),
    WhoseTurn("G60", N_("whose turn it is")),
    EarlierNumber(),
    Away[PointsGameState](),
)
