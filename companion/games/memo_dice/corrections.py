"""Corrections of a Memo Dice game (D40): what people may correct, since the table is right, and what follows."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.api import (
    N_,
    Active,
    Away,
    BadCorrection,
    CommonCorrection,
    Correctable,
    Correction,
    CorrectionKind,
    Score,
    Seat,
    adjust,
    join_and,
    list_by_seat,
    replace_at,
    replace_in_round,
)
from companion.events import MemoColour
from companion.games.memo_dice import colour_texts
from companion.games.memo_dice.state import SYMBOL_COLOURS, MemoDiceState, Phase, _

MAX_SQUARE = 199
"""Highest square that may be entered; squares beyond the target are counted on the screen."""


class ColourCorrection(CorrectionKind[MemoDiceState]):
    """A colour is another one; where the golden cup stands or is due it may be that of a symbol."""

    def label_values(self, game: MemoDiceState, what: Correctable | Correction, names: Sequence[str]) -> Sequence[str]:
        may_be_golden = isinstance(what, Correctable) and (MemoColour.GOLD,) in what.value_range
        colours = (MemoColour.GOLD, *SYMBOL_COLOURS) if may_be_golden else SYMBOL_COLOURS
        return tuple(_(colour_texts.NAMES[colour]) for colour in colours)

    def make_golden_entry(self) -> Correctable:
        """Return an entry for what is golden and may be of any colour."""
        return self.make_entry(MemoColour.GOLD, MemoColour.GOLD, max(SYMBOL_COLOURS))


class OpenColour(ColourCorrection):
    """Colour of the die that lies open."""

    kind, label = "open", N_("the open die's colour")

    def list_entries(self, game: MemoDiceState) -> Iterator[Correctable]:
        if game.open_colour is MemoColour.GOLD and game.coverable_colours:
            yield self.make_golden_entry()
        elif game.open_colour is not None and game.open_colour is not MemoColour.GOLD:
            may_be_golden = len(game.coverable_colours) < len(SYMBOL_COLOURS)
            lowest = MemoColour.GOLD if may_be_golden else MemoColour.RED
            yield self.make_entry(game.open_colour, lowest, len(SYMBOL_COLOURS))

    def apply(self, game: MemoDiceState, correction: Correction) -> MemoDiceState:
        colour = MemoColour(correction.value[0])
        if colour is MemoColour.GOLD:
            return replace(game, open_colour=colour)
        if game.open_colour is MemoColour.GOLD:
            _check_cup(game, colour)
        if not game.free_cups[colour]:
            raise BadCorrection("D14", _(colour_texts.TAKE_ROLL_BACK[colour]))
        return replace(game, open_colour=colour)


class CupColour(ColourCorrection):
    """A cup of another colour was used."""

    kind, label = "cup", N_("colour of cup {n}")

    def list_entries(self, game: MemoDiceState) -> Iterator[Correctable]:
        for n in reversed(game.coloured_cups):
            yield self.make_entry(game.cup_row[n - 1].colour, 1, len(SYMBOL_COLOURS), index=(n,))

    def apply(self, game: MemoDiceState, correction: Correction) -> MemoDiceState:
        i, colour = correction.index[0] - 1, MemoColour(correction.value[0])
        game = game.replace_cup(i, replace(game.cup_row[i], colour=colour))
        cups = game.settings.cups_per_colour
        if [*(cup.colour for cup in game.cup_row), game.open_colour].count(colour) > cups:
            raise BadCorrection("D1", _(colour_texts.TOO_MANY_CUPS[colour], n=cups))
        return game


class GoldenCup(ColourCorrection):
    """The golden cup came too early: the die under it got a cup of its colour, and more dice are covered."""

    kind, label = "gold cup", N_("colour of the golden cup")

    def list_entries(self, game: MemoDiceState) -> Iterator[Correctable]:
        if game.next_cup_index == 0 and len(game.cup_row) < game.settings.dice:
            yield self.make_golden_entry()

    def apply(self, game: MemoDiceState, correction: Correction) -> MemoDiceState:
        colour = MemoColour(correction.value[0])
        if colour is MemoColour.GOLD:
            return game
        _check_cup(game, colour)
        last = len(game.cup_row) - 1
        game = game.replace_cup(last, replace(game.cup_row[last], colour=colour))
        following = game.find_next_seat(game.active_seat)
        return replace(game, stage=Phase.COVER, active_seat=following, cup_lifted=False, symbol_named=False)


def _check_cup(game: MemoDiceState, colour: MemoColour) -> None:
    if not game.free_cups[colour]:
        raise BadCorrection("D14", _(colour_texts.GOLD_INSTEAD[colour]))


class Swap(CorrectionKind[MemoDiceState]):
    """Two neighbours stand the other way round, each over its own die; the value is the number of the first."""

    kind, label = "swap", N_("neighbours that change places")

    def list_entries(self, game: MemoDiceState) -> Iterator[Correctable]:
        if len(cups := game.coloured_cups) > 1:
            no_pair = cups[0] - 1  # a value entered unchanged changes nothing, so it must not be the first pair
            yield self.make_entry(no_pair, no_pair, cups[-2])

    def apply(self, game: MemoDiceState, correction: Correction) -> MemoDiceState:
        (n,) = correction.value
        if n < game.coloured_cups[0]:
            return game
        # If two cups are lifted out of their order, the camera has seen neither.
        row = game.cup_row
        return replace(game, cup_row=(*row[: n - 1], row[n], row[n - 1], *row[n + 1 :]), cup_lifted=False)

    def label_values(self, game: MemoDiceState, what: Correctable | Correction, names: Sequence[str]) -> Sequence[str]:
        return (_("none"), *(join_and([str(n), str(n + 1)]) for n in game.coloured_cups[:-1]))

    def describe(self, before: MemoDiceState, what: Correction, old: Correctable, names: Sequence[str]) -> str:
        return _("Corrected: cups {n} and {m} change places", n=what.value[0], m=what.value[0] + 1)


class Owner(CorrectionKind[MemoDiceState]):
    """A cup is handed over. After the scoring its points go with it, and the golden cup's holder starts (D33)."""

    kind, label = "taker", N_("who has cup {n}")

    def list_entries(self, game: MemoDiceState) -> Iterator[Correctable]:
        for n, cup in reversed([*enumerate(game.cup_row, start=1)]):
            if cup.owner is not None:
                yield self.make_entry(cup.owner, 0, game.player_count - 1, index=(n,))

    def apply(self, game: MemoDiceState, correction: Correction) -> MemoDiceState:
        i, seat = correction.index[0] - 1, Seat(correction.value[0])
        cup = game.cup_row[i]
        assert cup.owner is not None, "a cup that was won"
        game = game.replace_cup(i, replace(cup, owner=seat))
        if game.stage is not Phase.SCORED:
            return game
        points = game.get_cup_points(cup.colour)
        *earlier, scores = game.round_scores
        scores = replace_at(scores, cup.owner, scores[cup.owner] - points)
        scores = replace_at(scores, seat, scores[seat] + points)
        if min(scores) < 0:
            message = _("{who} has no {n} points in this round to hand over")
            raise BadCorrection("D30", message, {"who": cup.owner}, n=points)
        game = _check_squares(replace(game, round_scores=(*earlier, scores)))
        return game.set_round_starter() if cup.colour is MemoColour.GOLD else game

    def label_values(self, game: MemoDiceState, what: Correctable | Correction, names: Sequence[str]) -> Sequence[str]:
        return tuple(names[: game.player_count])


SQUARE = Score[MemoDiceState](
    "square",
    N_("{who}'s square"),
    0,
    MAX_SQUARE,
    lambda game: game.totals,
    lambda game, squares: replace(game, square_adjustments=adjust(game.square_adjustments, game.totals, squares)),
)


class UnknownDie(CorrectionKind[MemoDiceState]):
    """D40: whether the die under a cup was knocked over: 0 or 1."""

    kind, label = "unknown", N_("die {n} was knocked over")

    def list_entries(self, game: MemoDiceState) -> Iterator[Correctable]:
        for n, cup in reversed([*enumerate(game.cup_row, start=1)]):
            if cup.owner is None:
                yield self.make_entry(cup.is_die_unknown, 0, 1, index=(n,))

    def apply(self, game: MemoDiceState, correction: Correction) -> MemoDiceState:
        i = correction.index[0] - 1
        return game.replace_cup(i, replace(game.cup_row[i], is_die_unknown=bool(correction.value[0])))

    def label_values(self, game: MemoDiceState, what: Correctable | Correction, names: Sequence[str]) -> Sequence[str]:
        return (_("no"), _("yes"))

    def describe(self, before: MemoDiceState, what: Correction, old: Correctable, names: Sequence[str]) -> str:
        unknown, known = N_("Corrected: die {n} was knocked over"), N_("Corrected: die {n} is as it was rolled")
        return _(unknown if what.value[0] else known, n=what.index[0])


class RoundPoints(CorrectionKind[MemoDiceState]):
    """What an earlier round brought a player; the latest round comes first."""

    kind, label = CommonCorrection.ROUND, N_("{who}'s points in round {n}")

    def list_entries(self, game: MemoDiceState) -> Iterator[Correctable]:
        all_cups = game.settings.dice * game.settings.cup_value + game.settings.gold_value  # D30: more than possible
        for number, scores in reversed([*enumerate(game.round_scores, start=1)]):
            yield from list_by_seat(self.kind, scores, 0, all_cups, (number,))

    def apply(self, game: MemoDiceState, correction: Correction) -> MemoDiceState:
        i = correction.index[0] - 1
        scores = replace_in_round(game.round_scores, i, correction.player, correction.value[0])
        return _check_squares(replace(game, round_scores=scores))


class Presence(Away[MemoDiceState]):
    """Whether a player has left the table, also after the end."""

    def is_due(self, game: MemoDiceState) -> bool:
        return True


def _check_squares(game: MemoDiceState) -> MemoDiceState:
    if min(game.totals) < 0:
        raise BadCorrection("D31", _("a piece would stand before the board"))
    return game


CORRECTIONS: tuple[CorrectionKind[MemoDiceState], ...] = (
    *(OpenColour(), Active[MemoDiceState]("D2", N_("whose turn")), GoldenCup(), CupColour(), Swap(), Owner()),
    *(SQUARE, UnknownDie(), RoundPoints(), Presence()),
)
