"""Corrections of a Macroscope game: what people may correct, since the table is right, and what follows."""

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
    Seat,
    ValueRange,
    list_by_seat,
    replace_at,
    replace_in_round,
)
from companion.games.macroscope.asking import update_queue
from companion.games.macroscope.settings import MAX_TOKEN_NUMBER
from companion.games.macroscope.state import ASKING_PHASES, MacroscopeState, Phase, _
from companion.games.macroscope.turns import take_token

MAX_CRYSTALS = 999
"""Most crystals that may be entered for a player or a round; A13: more than the supply of 154 are possible."""


class Dice(CorrectionKind[MacroscopeState]):
    """The roll."""

    kind, label = "dice", N_("the dice")

    def is_due(self, game: MacroscopeState) -> bool:
        return bool(game.dice) and game.may_open

    def list_entries(self, game: MacroscopeState) -> Iterator[Correctable]:
        yield Correctable(self.kind, None, game.dice, ValueRange(2, 1, 6))

    def apply(self, game: MacroscopeState, correction: Correction) -> MacroscopeState:
        return replace(game, dice=correction.value)


class TokenCorrection(CorrectionKind[MacroscopeState]):
    """Tokens matter until a guess freezes V."""

    def is_due(self, game: MacroscopeState) -> bool:
        return game.frozen_value is None and game.phase in (Phase.ROLL, Phase.OPEN, *ASKING_PHASES)


class LastToken(TokenCorrection):
    """The token taken last bore another number."""

    kind, label = "token", N_("the token just taken")

    def list_entries(self, game: MacroscopeState) -> Iterator[Correctable]:
        if game.taken_tokens:
            yield self.make_entry(game.taken_tokens[-1], 1, MAX_TOKEN_NUMBER)

    def apply(self, game: MacroscopeState, correction: Correction) -> MacroscopeState:
        (number,) = correction.value
        *earlier, last = game.taken_tokens
        tokens = replace_at(game.tokens, last - 1, game.tokens[last - 1] + 1)
        tokens = replace_at(tokens, number - 1, tokens[number - 1] - 1)
        if min(tokens) < 0:
            raise BadCorrection("M1", _("no token {n} was left to be taken"), n=number)
        if max(tokens) > game.settings.tokens_per_number:
            raise BadCorrection("M1", _("all tokens {n} are on the device already"), n=last)
        return replace(game, tokens=tokens, taken_tokens=(*earlier, number))


class Tokens(TokenCorrection):
    """How many tokens of the numbers 1 to 6 are on the device."""

    kind, label = "tokens", N_("tokens of 1 to 6 left")

    def list_entries(self, game: MacroscopeState) -> Iterator[Correctable]:
        limits = ValueRange(MAX_TOKEN_NUMBER, 0, game.settings.tokens_per_number)
        yield Correctable(self.kind, None, game.tokens, limits)

    def apply(self, game: MacroscopeState, correction: Correction) -> MacroscopeState:
        tokens = correction.value
        if not any(tokens):
            raise BadCorrection("M50", _("with no token left the round is void; take the last one as a move"))
        if sum(tokens) > game.settings.windows - game.opened_windows:
            message = _("{n} windows were opened in this turn, so at least as many are open")
            raise BadCorrection("M17", message, n=game.opened_windows)
        return replace(game, tokens=tokens)


class LetStand(CorrectionKind[MacroscopeState]):
    """M11 was broken at the table and all agree to leave it so. The token counts as opened, like any other."""

    kind, is_listed = "let_stand", False

    def list_entries(self, game: MacroscopeState) -> Iterator[Correctable]:
        yield self.make_entry(0, 1, MAX_TOKEN_NUMBER)

    def apply(self, game: MacroscopeState, correction: Correction) -> MacroscopeState:
        if not game.is_active_free:
            raise BadCorrection("M10", _("no token can be let stand now"))
        if not game.may_open:
            raise BadCorrection("M13", _("a third token in one turn cannot stand; put it back"))
        (number,) = correction.value
        if not game.tokens[number - 1]:
            raise BadCorrection("M1", _("there is no token {n} on the device"), n=number)
        if number in game.takeable_tokens:
            raise BadCorrection("M11", _("the dice allow a {n}; that is a move, not a correction"), n=number)
        return take_token(game, number)

    def describe(self, before: MacroscopeState, what: Correction, old: Correctable, names: Sequence[str]) -> str:
        return _("{who} opens a {n}, let stand", who=names[before.active_seat], n=what.value[0])


class Value(CorrectionKind[MacroscopeState]):
    """What a guess is worth."""

    kind, label = "value", N_("value of a guess")

    def list_entries(self, game: MacroscopeState) -> Iterator[Correctable]:
        if game.frozen_value is not None and game.phase is not Phase.OVER:
            yield self.make_entry(game.frozen_value, 1, game.settings.windows)

    def apply(self, game: MacroscopeState, correction: Correction) -> MacroscopeState:
        return replace(game, frozen_value=correction.value[0])


class Crystals(CorrectionKind[MacroscopeState]):
    """Crystals of a player. The change counts to the round in play or, after the end, to the last round."""

    kind, label = "crystals", N_("{who}'s crystals")

    def list_entries(self, game: MacroscopeState) -> Iterator[Correctable]:
        return list_by_seat(self.kind, game.crystals, 0, MAX_CRYSTALS)

    def apply(self, game: MacroscopeState, correction: Correction) -> MacroscopeState:
        seat, (held,) = correction.player, correction.value
        if game.phase is Phase.OVER:
            points = game.round_scores[-1][seat] + held - game.crystals[seat]
            return _set_round_score(game, seat, len(game.round_scores) - 1, points)
        return update_queue(replace(game, crystals=replace_at(game.crystals, seat, held)))


class RoundNumber(CorrectionKind[MacroscopeState]):
    """The round in play. Rounds before it that were not recorded brought nothing that is known.

    Recorded rounds from the new number on become part of the round in play, so that the rounds add up to the crystals.
    """

    kind, label = "marker", N_("the round")

    def is_due(self, game: MacroscopeState) -> bool:
        return game.phase is not Phase.OVER

    def list_entries(self, game: MacroscopeState) -> Iterator[Correctable]:
        yield self.make_entry(game.round_number, 1, game.settings.rounds)

    def apply(self, game: MacroscopeState, correction: Correction) -> MacroscopeState:
        (number,) = correction.value
        earlier, since = game.round_scores[: number - 1], game.round_scores[number - 1 :]
        missing = ((0,) * game.player_count,) * (number - 1 - len(earlier))
        starts = enumerate(game.crystals_at_round_start)
        at_start = tuple(held - sum(scores[q] for scores in since) for q, held in starts)
        return replace(game, round_number=number, round_scores=(*earlier, *missing), crystals_at_round_start=at_start)


class WhoseTurn(Active[MacroscopeState]):
    """Whose turn it is, until a window is open."""

    def is_due(self, game: MacroscopeState) -> bool:
        return game.phase in (Phase.ROLL, Phase.OPEN) and not game.opened_windows


class RoundPoints(CorrectionKind[MacroscopeState]):
    """What an earlier round brought a player; the first round comes first."""

    kind, label = CommonCorrection.ROUND, N_("round {n}, {who}")

    def list_entries(self, game: MacroscopeState) -> Iterator[Correctable]:
        for number, scores in enumerate(game.round_scores, start=1):
            yield from list_by_seat(self.kind, scores, -MAX_CRYSTALS, MAX_CRYSTALS, (number,))

    def apply(self, game: MacroscopeState, correction: Correction) -> MacroscopeState:
        return _set_round_score(game, correction.player, correction.index[0] - 1, correction.value[0])


class Presence(Away[MacroscopeState]):
    """Whether a player has left the table."""

    def format_label(self, game: MacroscopeState, what: Correctable | Correction, names: Sequence[str]) -> str:
        return _("{who}, here or away", who=names[what.seat or 0])


def _set_round_score(game: MacroscopeState, seat: Seat, number: int, points: int) -> MacroscopeState:
    """An earlier round (`number` from 0) brought something else; later rounds stay, and the total follows.

    Nobody can have paid with crystals that were not there, so the total may not fall below nothing (M44).
    """
    change = points - game.round_scores[number][seat]
    held = game.crystals[seat] + change
    if held < 0:
        raise BadCorrection("M44", _("{who} would have {n} crystals"), {"who": seat}, n=held)
    at_start = game.crystals_at_round_start
    return update_queue(
        replace(
            game,
            crystals=replace_at(game.crystals, seat, held),
            crystals_at_round_start=replace_at(at_start, seat, at_start[seat] + change),
            round_scores=replace_in_round(game.round_scores, number, seat, points),
        )
    )


CORRECTIONS: tuple[CorrectionKind[MacroscopeState], ...] = (
    *(Dice(), LastToken(), Value(), Crystals(), Tokens(), RoundNumber(), WhoseTurn("M46", N_("whose turn"))),
    *(RoundPoints(), Presence(), LetStand()),
)
