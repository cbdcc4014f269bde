"""The moves after the end of StarFall (F30, F37): each player's symbols are counted line by line, then confirmed.

A number key enters that many and goes on to the next line, so that a line is one press: 9 is PLUS (6 more) and 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from companion.api import (
    MIN_SHOWN_SECONDS,
    N_,
    ConsolePress,
    Key,
    Move,
    MoveKind,
    NumberPress,
    Offer,
    Reason,
    Seat,
    SeatPress,
    Translator,
    Unmet,
    Visibility,
    Who,
    format_number,
    replace_at,
)
from companion.games.starfall.count_lines import (
    COLOURS_LINE,
    COUNT_LINES,
    NEBULAE_LINE,
    get_line_count,
    set_line_count,
)
from companion.games.starfall.state import NUMBER_KEY_COUNT, Phase, StarFallState
from companion.games.starfall.tile_catalogue import MAX_SYMBOL_COUNT, NEBULA_COLOURS
from companion.games.starfall.tile_texts import format_line
from companion.i18n import join_label

_ = Translator("starfall")


_SCORE_PART_LABELS = (
    N_("planets {points}"),
    N_("moons {points}"),
    N_("holes {points}"),
    N_("comets {points}"),
    N_("nebulae {points}"),
    N_("dust {points}"),
)
"""F31 to F36: the parts of a score in the order of `PlayerScore.points`."""
_MAX_LISTED_PARTS = 3
"""Most parts of a score that are listed in a line about it: more are too long for the screen."""


class CountMove(MoveKind[StarFallState]):
    """A move after the end, until the scores are confirmed."""

    who = Who.ANYBODY
    otherwise = "F30", N_("the counting is elsewhere now")

    def needs(self, game: StarFallState, move: Move) -> Iterator[Reason]:
        if not game.end_reason:
            yield "F20", N_("tiles are counted when the game has ended")
        elif game.phase is Phase.OVER:
            yield "F37", N_("all are counted and the game is over")
        elif self.who is Who.TABLE:
            yield from self.needs_here(game)
        elif move.player not in game.seats_to_count:
            yield "F30", N_("{who} is away and has no tiles to count")
        elif game.counting_seat not in (None, move.seat):
            yield Unmet("F30", N_("{counting} is being counted, not {who}"), {"counting": game.counting_seat})
        else:
            yield from self.needs_here(game)

    def needs_here(self, game: StarFallState) -> Iterable[Reason]:
        """Yield each further condition that is not met; no other player's page is open."""
        return ()


class Count(CountMove):
    """F30: a player's tiles are counted."""

    kind, phases, log = "count", (Phase.CHOOSE, Phase.TABLE), N_("{who} counts")

    def needs_here(self, game: StarFallState) -> Iterator[Reason]:
        if game.counting_seat is not None:
            yield "F30", N_("{who} is being counted already")

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        return game.open_count_page(move.player)

    def make_offers(
        self, game: StarFallState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        for move in moves:
            is_counted = game.counted[move.player]
            label = _("Count again") if is_counted else _("My tiles")
            yield Offer(move, SeatPress(move.player), label, awaited=not is_counted)

    def get_bot_weight(self, game: StarFallState, offer: Offer) -> float:
        assert isinstance(offer.action, Move)
        return 0.03 if game.counted[offer.action.player] else 1.0


class PageMove(CountMove):
    """A move on the page of the player who is counted."""

    phases = (Phase.PAGE,)

    def needs_here(self, game: StarFallState) -> Iterator[Reason]:
        if game.counting_seat is None:
            yield "F30", N_("say first whose tiles are counted")
        else:
            seat = game.counting_seat
            yield from self.needs_line(game, seat, get_line_count(game.symbol_counts[seat], game.line_index))

    def needs_line(self, game: StarFallState, seat: Seat, held: int) -> Iterable[Reason]:
        """Yield why the move is not possible on the open line of `seat`, which has the number `held`."""
        return ()

    def change_line(self, game: StarFallState, seat: Seat, count: int) -> StarFallState:
        """Return the game with that number on the open line."""
        page = set_line_count(game.symbol_counts[seat], game.line_index, count)
        return replace(game, symbol_counts=replace_at(game.symbol_counts, seat, page))

    def describe(self, before: StarFallState, move: Move, after: StarFallState, names: Sequence[str]) -> str:
        return join_label(names[move.player], _format_line(before.line_index, after, move.player))


class NextLine(PageMove):
    """The number on the line stays, and the next line comes; after the last one the player is counted."""

    kind, bot_weight = "next line", 1.0

    def needs_line(self, game: StarFallState, seat: Seat, held: int) -> Iterable[Reason]:
        if game.line_index == COLOURS_LINE and not game.counted[seat]:
            yield "F35", N_("say how many different colours the nebulae have")

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        if not _is_last_line(game, move.player):
            return replace(game, line_index=game.line_index + 1)
        counted = replace_at(game.counted, move.player, True)
        return replace(game, counting_seat=None, line_index=0, counted=counted).open_last_count_page()

    def get_key(self, game: StarFallState) -> Key:
        assert game.counting_seat is not None
        label = N_("Finish") if _is_last_line(game, game.counting_seat) else N_("Next")
        if not get_line_count(game.symbol_counts[game.counting_seat], game.line_index):
            label = N_("None")
        return Key(ConsolePress.OK, label, awaited=True)

    def describe(self, before: StarFallState, move: Move, after: StarFallState, names: Sequence[str]) -> str:
        """Return what a line has, or the whole count but for the stars, which only compare: "Ada 34: planets 10"."""
        who, points = names[move.player], after.player_scores[move.player].points
        if after.counting_seat == move.seat:
            return _("{who} has {things}", who=who, things=_format_line(before.line_index, after, move.player))
        named = zip(_SCORE_PART_LABELS, points, strict=True)
        parts = [_(label, points=format_number(part)) for label, part in named if part]
        if len(parts) > _MAX_LISTED_PARTS:
            return _("{who} has {n} points", who=who, n=format_number(sum(points)))
        total, listed = format_number(sum(points)), ", ".join(parts) or _("nothing")
        return join_label(f"{who} {total}", listed)


class EnterCount(NextLine):
    """That many symbols more are on the line, or the nebulae have that many colours; the next line comes."""

    kind, bot_weight = "enter", 0.5

    def needs_line(self, game: StarFallState, seat: Seat, held: int) -> Iterable[Reason]:
        return ()

    def list_values(self, game: StarFallState) -> Iterable[int]:
        assert game.counting_seat is not None
        page = game.symbol_counts[game.counting_seat]
        if game.line_index == COLOURS_LINE:
            return range(1, min(len(NEBULA_COLOURS), get_line_count(page, NEBULAE_LINE)) + 1)
        room = MAX_SYMBOL_COUNT - get_line_count(page, game.line_index)
        return range(1, min(NUMBER_KEY_COUNT, room) + 1)

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        held = get_line_count(game.symbol_counts[move.player], game.line_index)
        count = move.value[0] if game.line_index == COLOURS_LINE else held + move.value[0]
        return super().apply(self.change_line(game, move.player, count), move)

    def make_offers(
        self, game: StarFallState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        held = get_line_count(game.symbol_counts[moves[0].player], game.line_index)
        is_sum = held and game.line_index != COLOURS_LINE
        for move, (n,) in ((move, move.value) for move in moves):
            yield Offer(move, NumberPress(n), _("+{n}", n=n) if is_sum else str(n), awaited=True)


class SixMore(PageMove):
    """Six more symbols are on the line, which stays open for the rest of a larger number."""

    kind, bot_weight = "six more", 0.1
    key = Key(ConsolePress.PLUS, N_("6 and more"), repeats=True)

    def needs_line(self, game: StarFallState, seat: Seat, held: int) -> Iterator[Reason]:
        if game.line_index == COLOURS_LINE or held + NUMBER_KEY_COUNT > MAX_SYMBOL_COUNT:
            yield self.otherwise

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        held = get_line_count(game.symbol_counts[move.player], game.line_index)
        return self.change_line(game, move.player, held + NUMBER_KEY_COUNT)


class Clear(PageMove):
    """The number on the line is 0 again."""

    kind, key, bot_weight = "clear", Key(ConsolePress.NO, N_("Back to 0")), 0.05

    def needs_line(self, game: StarFallState, seat: Seat, held: int) -> Iterator[Reason]:
        if not held or game.line_index == COLOURS_LINE:
            yield self.otherwise

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        return self.change_line(game, move.player, 0)


class BackLine(PageMove):
    """The symbol before."""

    kind, key, bot_weight = "back line", Key(ConsolePress.NO, N_("Back")), 0.1

    def needs_line(self, game: StarFallState, seat: Seat, held: int) -> Iterator[Reason]:
        if not game.line_index or (held and game.line_index != COLOURS_LINE):
            yield self.otherwise

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        return replace(game, line_index=game.line_index - 1)

    def describe(self, before: StarFallState, move: Move, after: StarFallState, names: Sequence[str]) -> str:
        return _("{who}: back to the {things}", who=names[move.player], things=_(COUNT_LINES[after.line_index]))


class Leave(PageMove):
    """The player is counted later."""

    kind, bot_weight = "leave", 0.02
    key, log = Key(ConsolePress.NO, N_("Others")), N_("{who} is counted later")

    def needs_line(self, game: StarFallState, seat: Seat, held: int) -> Iterator[Reason]:
        if held or game.line_index:
            yield self.otherwise

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        return replace(game, counting_seat=None, line_index=0)

    def describe(self, before: StarFallState, move: Move, after: StarFallState, names: Sequence[str]) -> str:
        return CountMove.describe(self, before, move, after, names)


class Accept(CountMove):
    """The counts are those of the catalogue."""

    kind, who, phases = "accept", Who.TABLE, (Phase.CHOOSE,)
    otherwise = "F30", N_("the catalogue knows of nobody who is still to be counted every tile")
    key = Key(ConsolePress.OK, N_("As listed"), awaited=True)

    def needs_here(self, game: StarFallState) -> Iterator[Reason]:
        if not game.seats_with_proposal:
            yield self.otherwise

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        seats = game.seats_with_proposal
        counts = tuple(game.sum_known_symbols(q) if q in seats else held for q, held in enumerate(game.symbol_counts))
        counted = tuple(is_counted or q in seats for q, is_counted in enumerate(game.counted))
        return replace(game, symbol_counts=counts, counted=counted).open_last_count_page()

    def describe(self, before: StarFallState, move: Move, after: StarFallState, names: Sequence[str]) -> str:
        scores = after.player_scores
        best_first = sorted(before.seats_with_proposal, key=lambda q: -scores[q].total)
        totals = ", ".join(f"{names[q]} {format_number(scores[q].total)}" for q in best_first)
        return _("As in the catalogue: {points}", points=totals)


class Finish(CountMove):
    """F37: the scores are confirmed."""

    kind, who, phases = "finish", Who.TABLE, (Phase.TABLE,)
    otherwise = "F37", N_("not everybody is counted yet")
    key = Key(ConsolePress.OK, N_("Correct"), awaited=True, shown_seconds=MIN_SHOWN_SECONDS)

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        return replace(game, scores_confirmed=True)

    def describe(self, before: StarFallState, move: Move, after: StarFallState, names: Sequence[str]) -> str:
        bonuses = [
            f"{names[score.seat]} {format_number(f'{score.majority_bonus:+d}')}"
            for score in after.player_scores
            if score.majority_bonus
        ]
        return _("The count is right; for stars: {points}", points=", ".join(bonuses) or _("nothing"))


def _is_last_line(game: StarFallState, seat: Seat) -> bool:
    """Return whether no line follows: the colours are asked only where there are two nebulae."""
    is_nebulae = game.line_index == NEBULAE_LINE
    return game.line_index == COLOURS_LINE or (
        is_nebulae and get_line_count(game.symbol_counts[seat], NEBULAE_LINE) < 2
    )


def _format_line(line: int, game: StarFallState, seat: Seat) -> str:
    return format_line(line, get_line_count(game.symbol_counts[seat], line))
