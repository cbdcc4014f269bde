"""The moves of the score keeper, in the order in which they are listed. Rule numbers: `docs/rules/score_keeper.md`.

The bots' weights were chosen by hand so that an open game has a few dozen entries.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.api import (
    MIN_SHOWN_SECONDS,
    N_,
    ConsolePress,
    HoldSeatPress,
    Key,
    Move,
    MoveKind,
    Offer,
    Reason,
    SeatPress,
    Unmet,
    ValueRange,
    Visibility,
    Who,
    replace_at,
)
from companion.games.score_keeper.clock import count_time, get_turn_limit
from companion.games.score_keeper.state import (
    MAX_TOTAL,
    MAX_TURN_TENTHS,
    TENTHS,
    Phase,
    ScoreKeeperState,
    _,
    format_time,
)
from companion.games.score_keeper.turns import begin_turn, finish_round, pass_turn

TURN_RANGE = ValueRange(1, 0, MAX_TURN_TENTHS)
"""K16: time of a turn, in tenths of a second."""
SCORE_LIMIT = Unmet("K3", N_("a score stays between -{n} and {n}"), values={"n": MAX_TOTAL})


class PlayerMove(MoveKind[ScoreKeeperState]):
    """A move of any player at the table."""

    who = Who.ANYBODY

    def needs(self, game: ScoreKeeperState, move: Move) -> Iterator[Reason]:
        if game.away[move.player]:
            yield "K17", N_("{who} is away")


class Point(PlayerMove):
    """K2: one point."""

    kind, bot_weight = "point", 0.5
    phases, otherwise = (Phase.PLAY,), ("K5", N_("first somebody takes the turn"))
    key = Key(SeatPress, "+1", repeats=True)

    def needs(self, game: ScoreKeeperState, move: Move) -> Iterator[Reason]:
        yield from super().needs(game, move)
        if game.settings.has_chess_clock:
            yield "K14", N_("the own button ends the turn; hold it for points")
        if game.phase is Phase.PLAY and game.get_amount_range(move.player).high <= 0:
            yield SCORE_LIMIT

    def apply(self, game: ScoreKeeperState, move: Move) -> ScoreKeeperState:
        points = game.current_points[move.player] + get_points(move)
        game = replace(game, current_points=replace_at(game.current_points, move.player, points))
        # K8: without rounds at once.
        is_over = not game.settings.has_rounds and game.has_reached_target
        return replace(game, phase=Phase.OVER) if is_over else game

    def describe(self, before: ScoreKeeperState, move: Move, after: ScoreKeeperState, names: Sequence[str]) -> str:
        points = f"{get_points(move):+d}".replace("-", "−")
        return _("{who}: {points}", who=names[move.player], points=points)


class AddPoints(Point):
    """K3: the value is a number of points."""

    kind, bot_weight = "add", 0.3

    def needs(self, game: ScoreKeeperState, move: Move) -> Iterator[Reason]:
        return PlayerMove.needs(self, game, move)

    def list_legal(self, game: ScoreKeeperState) -> Iterator[Move]:
        # How many points may be entered depends on the player.
        for seat in game.present_seats:
            yield Move(self.kind, seat, value_range=game.get_amount_range(seat))

    def explain_value(self, game: ScoreKeeperState, move: Move) -> Iterator[Reason]:
        if game.phase is not Phase.PLAY:
            return
        if len(move.value) == 1 and abs(move.value[0]) > game.max_amount:
            values = {"n": game.max_amount}
            yield Unmet("K3", N_("at most {n} points at once; a higher target allows more"), values=values)
        yield SCORE_LIMIT

    def make_offers(
        self, game: ScoreKeeperState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        for move in moves:
            yield Offer(move, HoldSeatPress(move.player), _("Hold: more"))


class TakeTurn(PlayerMove):
    """K5, K6: the player has the turn now."""

    kind = "take"
    phases, otherwise = (Phase.WAIT,), ("K5", N_("the turn is taken"))
    key, log = Key(SeatPress, N_("My turn"), awaited=True), N_("{who} has the turn")

    def needs(self, game: ScoreKeeperState, move: Move) -> Iterator[Reason]:
        yield from super().needs(game, move)
        if game.phase is Phase.WAIT and game.has_acted[move.player]:
            yield "K6", N_("{who} has had a turn in this round")

    def apply(self, game: ScoreKeeperState, move: Move) -> ScoreKeeperState:
        return begin_turn(game, move.player)


class Pass(PlayerMove):
    """K5, K6: the turn ends; the value is its time in tenths of a second."""

    kind = "pass"
    phases, otherwise = (Phase.PLAY,), ("K5", N_("{who} does not have the turn"))

    def make_offers(
        self, game: ScoreKeeperState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        (move,) = moves
        # OK pressed once too often must not skip the next player's turn.
        shown = 0.0 if game.settings.has_chess_clock or game.current_points[move.player] else MIN_SHOWN_SECONDS
        yield Offer(move, ConsolePress.OK, _("Next turn"), awaited=True, shown_seconds=shown)
        if game.settings.has_chess_clock:  # as on a chess clock, everybody presses the own side
            yield Offer(move, SeatPress(move.player), _("Next turn"), awaited=True)

    def needs(self, game: ScoreKeeperState, move: Move) -> Iterator[Reason]:
        yield from super().needs(game, move)
        if move.seat != game.active_seat:
            yield "K5", N_("{who} does not have the turn")

    def list_values(self, game: ScoreKeeperState) -> ValueRange:
        return TURN_RANGE

    def apply(self, game: ScoreKeeperState, move: Move) -> ScoreKeeperState:
        limit, (tenths,) = get_turn_limit(game), move.value
        is_lost = game.settings.time_up == "lose" and limit is not None and tenths >= round(limit * TENTHS)
        game = count_time(game, move.player, tenths)
        if is_lost:
            return replace(game, phase=Phase.OVER, active_seat=None, lost_on_time=move.player)
        return pass_turn(game, move.player)

    def describe(self, before: ScoreKeeperState, move: Move, after: ScoreKeeperState, names: Sequence[str]) -> str:
        limit, (tenths,) = get_turn_limit(before), move.value
        if before.settings.time_up != "remind" and limit is not None and tenths >= round(limit * TENTHS):
            return _("{who}: time is up after {time}", who=names[move.player], time=format_time(tenths))
        return _("{who}'s turn took {time}", who=names[move.player], time=format_time(tenths))


class EndRound(MoveKind[ScoreKeeperState]):
    """K7: the round ends, in a game without turns."""

    kind, who, bot_weight = "round", Who.TABLE, 0.4
    phases, otherwise = (Phase.PLAY,), ("K7", N_("no round can be ended now"))

    def get_key(self, game: ScoreKeeperState) -> Key:
        # A round without points is rare: a press too many does not end it.
        shown = 0.0 if any(game.current_points) else MIN_SHOWN_SECONDS
        return Key(ConsolePress.OK, N_("End round"), shown_seconds=shown)

    def needs(self, game: ScoreKeeperState, move: Move) -> Iterator[Reason]:
        if game.active_seat is not None or not game.settings.has_rounds:
            yield "K7", N_("no round can be ended now")

    def apply(self, game: ScoreKeeperState, move: Move) -> ScoreKeeperState:
        return finish_round(game)

    def describe(self, before: ScoreKeeperState, move: Move, after: ScoreKeeperState, names: Sequence[str]) -> str:
        return _("Round {n} is over", n=before.round_number)


class End(MoveKind[ScoreKeeperState]):
    """K10: the game ends; in a turn the value is its time in tenths of a second."""

    kind, who, bot_weight = "end", Who.TABLE, 0.05
    otherwise = "K10", "'end' needs the time of a turn in play, and nothing else"
    log = N_("The game is ended")

    def list_values(self, game: ScoreKeeperState) -> ValueRange | None:
        return None if game.active_seat is None else TURN_RANGE

    def get_key(self, game: ScoreKeeperState) -> Key:
        if game.settings.has_rounds:
            # OK has another use, so that it cannot be held: the companion asks.
            return Key(ConsolePress.PLUS, N_("End game"), confirm_question=N_("Does the game end here?"))
        return Key(ConsolePress.HOLD_OK, N_("Hold: end"))

    def apply(self, game: ScoreKeeperState, move: Move) -> ScoreKeeperState:
        if game.active_seat is not None:
            game = count_time(game, game.active_seat, move.value[0])
        return replace(game, phase=Phase.OVER, active_seat=None)


MOVES = (Point(), AddPoints(), TakeTurn(), Pass(), EndRound(), End())


def get_points(move: Move) -> int:
    """Return the points that a move gives: those entered, or one."""
    return move.value[0] if move.value else 1
