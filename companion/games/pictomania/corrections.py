"""Corrections of a Pictomania game: what people may correct, since the table is right, and what follows."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.api import (
    N_,
    Active,
    BadCorrection,
    Correctable,
    Correction,
    CorrectionKind,
    EarlierRound,
    Score,
    Seat,
    adjust,
    replace_at,
    replace_in_round,
)
from companion.games.pictomania.state import PHASES_AFTER_START, Phase, PictomaniaState, _

MAX_POINTS = 999
"""Highest points of a round or total that may be entered, and with a minus sign the lowest; no game gives as many.
Corrected rounds may add up to more."""


class OpenPile(Active[PictomaniaState]):
    """P30: whose pile is open: back (or on) to it, and its cards are corrected in the way they were entered."""

    phases = (Phase.SCORING, Phase.ROUND)

    def apply(self, game: PictomaniaState, correction: Correction) -> PictomaniaState:
        owner = Seat(correction.value[0])
        if owner not in game.participants:
            raise BadCorrection(self.rule, _("{who} takes part from the next round on"), {"who": owner})
        return game.open_pile(game.participants.index(owner))

    def describe(self, before: PictomaniaState, what: Correction, old: Correctable, names: Sequence[str]) -> str:
        return _("Back to {who}'s pile", who=names[what.value[0]])


class BonusToken(CorrectionKind[PictomaniaState]):
    """P24, P37: stars of the bonus token that a player holds; 0: none."""

    kind, label = "bonus", N_("{who}'s bonus token")

    phases = PHASES_AFTER_START

    def list_entries(self, game: PictomaniaState) -> Iterator[Correctable]:
        for q in sorted(game.participants):
            yield self.make_entry(game.bonus_stars[q], 0, game.bonus_tokens[0], seat=q)

    def apply(self, game: PictomaniaState, correction: Correction) -> PictomaniaState:
        (stars,) = correction.value
        bonus_stars = replace_at(game.bonus_stars, correction.player, stars)
        if Counter(s for s in bonus_stars if s) - Counter(game.bonus_tokens):
            raise BadCorrection("P2", _("no bonus token with {n} stars is left in the middle"), n=stars)
        return replace(game, bonus_stars=bonus_stars).end_drawing_if_done().rescore_round()

    def label_values(
        self, game: PictomaniaState, what: Correctable | Correction, names: Sequence[str]
    ) -> Sequence[str]:
        stars = (_.plural("{n} star", "{n} stars", count) for count in range(1, game.bonus_tokens[0] + 1))
        return (_("none"), *stars)


class Difficulty(CorrectionKind[PictomaniaState]):
    """P10: the colour's number, from 1."""

    kind, label = "difficulty", N_("the difficulty")

    def is_due(self, game: PictomaniaState) -> bool:
        return game.phase is not Phase.OVER and len(game.available_colours) > 1

    def list_entries(self, game: PictomaniaState) -> Iterator[Correctable]:
        yield self.make_entry(game.difficulty_index + 1, 1, len(game.available_colours))

    def apply(self, game: PictomaniaState, correction: Correction) -> PictomaniaState:
        return replace(game, difficulty_index=correction.value[0] - 1)

    def label_values(
        self, game: PictomaniaState, what: Correctable | Correction, names: Sequence[str]
    ) -> Sequence[str]:
        return tuple(_(colour) for colour in game.available_colours)


class Marker(CorrectionKind[PictomaniaState]):
    """P40: the round, where rounds were played without the companion: their scores can be corrected one by one."""

    kind, label = "marker", N_("the round")

    def is_due(self, game: PictomaniaState) -> bool:
        return game.phase is Phase.DIFFICULTY and game.round_number < game.settings.rounds

    def list_entries(self, game: PictomaniaState) -> Iterator[Correctable]:
        yield self.make_entry(game.round_number, game.round_number, game.settings.rounds)

    def apply(self, game: PictomaniaState, correction: Correction) -> PictomaniaState:
        missing = [(0,) * game.player_count] * (correction.value[0] - game.round_number)
        return replace(game, round_scores=(*game.round_scores, *missing))


TOTAL = Score[PictomaniaState](
    "total",
    N_("{who}'s total"),
    -MAX_POINTS,
    MAX_POINTS,
    lambda game: game.totals,
    lambda game, totals: replace(game, total_adjustments=adjust(game.total_adjustments, game.totals, totals)),
)


def _put_round(game: PictomaniaState, seat: Seat, i: int, points: int) -> PictomaniaState:
    """A round (index `i`) brought something else; for the round on the page, that outlasts corrections of its cards."""
    if game.phase is Phase.ROUND and i == len(game.round_scores) - 1:
        adjustment = game.round_adjustments[seat] + points - game.round_scores[i][seat]
        game = replace(game, round_adjustments=replace_at(game.round_adjustments, seat, adjustment))
    return replace(game, round_scores=replace_in_round(game.round_scores, i, seat, points))


ROUND = EarlierRound[PictomaniaState](
    N_("{who}'s round {n}"), -MAX_POINTS, MAX_POINTS, lambda game: game.round_scores, _put_round
)
