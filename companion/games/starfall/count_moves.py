"""The moves after the end of StarFall (F30, F37): each player's symbols are counted line by line, then confirmed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from companion.api import (
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
    Unmet,
    Visibility,
    Who,
    format_number,
    replace_at,
)
from companion.games.starfall.settings import MAX_SYMBOL_COUNT, SYMBOLS
from companion.games.starfall.state import NUMBER_KEY_COUNT, Phase, StarFallState, _
from companion.games.starfall.tile_identification import format_count

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
            yield from self.needs_line(game, seat, game.symbol_counts[seat][game.line_index])

    def needs_line(self, game: StarFallState, seat: Seat, held: int) -> Iterable[Reason]:
        """Yield why the move is not possible on the open line of `seat`, who has `held` of its symbol."""
        return ()


class LineCount(PageMove):
    """The number on the line changes."""

    def change_count(self, game: StarFallState, seat: Seat, change: int) -> StarFallState:
        """Return the game with that many more on the open line."""
        counts, line = game.symbol_counts, game.line_index
        page = replace_at(counts[seat], line, counts[seat][line] + change)
        return replace(game, symbol_counts=replace_at(counts, seat, page))

    def describe(self, before: StarFallState, move: Move, after: StarFallState, names: Sequence[str]) -> str:
        return f"{names[move.player]}: {_format_line(before.line_index, after, move.player)}"


class More(LineCount):
    """The value is how many more of the symbol."""

    kind, bot_weight = "more", 0.12

    def list_values(self, game: StarFallState) -> Iterable[int]:
        assert game.counting_seat is not None
        held = game.symbol_counts[game.counting_seat][game.line_index]
        return range(1, min(NUMBER_KEY_COUNT, MAX_SYMBOL_COUNT - held) + 1)

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        return self.change_count(game, move.player, move.value[0])

    def make_offers(
        self, game: StarFallState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        for move in moves:
            yield Offer(move, NumberPress(move.value[0]), _("+{n}", n=move.value[0]), repeats=True)
        if not game.counted[moves[0].player]:  # else PLUS is `Done`
            yield Offer(moves[0], ConsolePress.PLUS, _("+{n}", n=1), repeats=True)


class Less(LineCount):
    """One less."""

    kind, key, bot_weight = "less", Key(ConsolePress.NO, N_("1 less"), repeats=True), 0.1

    def needs_line(self, game: StarFallState, seat: Seat, held: int) -> Iterator[Reason]:
        if not held:
            yield self.otherwise

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        return self.change_count(game, move.player, -1)


class BackLine(PageMove):
    """The symbol before."""

    kind, key, bot_weight = "back line", Key(ConsolePress.NO, N_("Back")), 0.1

    def needs_line(self, game: StarFallState, seat: Seat, held: int) -> Iterator[Reason]:
        if held or not game.line_index:
            yield self.otherwise

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        return replace(game, line_index=game.line_index - 1)

    def describe(self, before: StarFallState, move: Move, after: StarFallState, names: Sequence[str]) -> str:
        return _("{who}: back to the {things}", who=names[move.player], things=_(SYMBOLS[after.line_index]))


class Leave(PageMove):
    """The player is counted later."""

    kind, bot_weight = "leave", 0.02
    key, log = Key(ConsolePress.NO, N_("Others")), N_("{who} is counted later")

    def needs_line(self, game: StarFallState, seat: Seat, held: int) -> Iterator[Reason]:
        if held or game.line_index:
            yield self.otherwise

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        return replace(game, counting_seat=None, line_index=0)


class Done(PageMove):
    """A corrected page is closed."""

    kind, key, bot_weight = "done", Key(ConsolePress.PLUS, N_("Done")), 2.0

    def needs_line(self, game: StarFallState, seat: Seat, held: int) -> Iterable[Reason]:
        if not game.counted[seat]:
            yield self.otherwise

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        counted = replace_at(game.counted, move.player, True)
        return replace(game, counting_seat=None, line_index=0, counted=counted).open_last_count_page()

    def describe(self, before: StarFallState, move: Move, after: StarFallState, names: Sequence[str]) -> str:
        """Return the whole count but for the stars, which only compare: "Ada 34: planets 10, comets 24"."""
        who, points = names[move.player], after.player_scores[move.player].points
        named = zip(_SCORE_PART_LABELS, points, strict=True)
        parts = [_(label, points=format_number(part)) for label, part in named if part]
        if len(parts) > _MAX_LISTED_PARTS:
            return _("{who} has {n} points", who=who, n=format_number(sum(points)))
        total, listed = format_number(sum(points)), ", ".join(parts) or _("nothing")
        return f"{who} {total}: {listed}"


class NextLine(Done):
    """The next symbol; after the last one the player is counted."""

    kind, bot_weight = "next line", 1.0

    def needs_line(self, game: StarFallState, seat: Seat, held: int) -> Iterable[Reason]:
        return ()

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        is_last = game.line_index == len(SYMBOLS) - 1
        return super().apply(game, move) if is_last else replace(game, line_index=game.line_index + 1)

    def get_key(self, game: StarFallState) -> Key:
        is_last = game.line_index == len(SYMBOLS) - 1
        return Key(ConsolePress.OK, N_("Finish") if is_last else N_("Next"), awaited=True)

    def describe(self, before: StarFallState, move: Move, after: StarFallState, names: Sequence[str]) -> str:
        if after.counting_seat != move.seat:
            return super().describe(before, move, after, names)
        held = _format_line(before.line_index, after, move.player)
        return _("{who} has {things}", who=names[move.player], things=held)


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
    key = Key(ConsolePress.OK, N_("Correct"), awaited=True)

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        return replace(game, scores_confirmed=True)

    def describe(self, before: StarFallState, move: Move, after: StarFallState, names: Sequence[str]) -> str:
        bonuses = [
            f"{names[score.seat]} {format_number(f'{score.majority_bonus:+d}')}"
            for score in after.player_scores
            if score.majority_bonus
        ]
        return _("The count is right; for stars: {points}", points=", ".join(bonuses) or _("nothing"))


def _format_line(line: int, game: StarFallState, seat: Seat) -> str:
    return format_count(line, game.symbol_counts[seat][line])
