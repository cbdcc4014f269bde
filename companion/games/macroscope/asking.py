"""The others are asked whether they guess (M23, M24, M30, M33): their moves, and what follows by itself."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from companion.api import (
    N_,
    THROW_DICE,
    ConsolePress,
    Key,
    Move,
    MoveKind,
    Offer,
    Reason,
    Seat,
    SeatPress,
    Unmet,
    Visibility,
    Who,
)
from companion.games.macroscope.state import ASKING_PHASES, ActionKind, AskingReason, MacroscopeState, Phase, StateT, _
from companion.games.macroscope.turns import pay, start_next_turn


class OthersMove(MoveKind[MacroscopeState]):
    """A move of others than the active player, while they are asked (M23, M30)."""

    who, phases = Who.ANYBODY, ASKING_PHASES

    def needs(self, game: MacroscopeState, move: Move) -> Iterator[Reason]:
        if game.phase not in self.phases:
            if game.settings.is_easy and game.guessers:
                yield "V3", N_("nobody may challenge a guess in the easier variant")
            if game.phase in (Phase.COVER, Phase.REVEAL):
                yield "M40", N_("the guessing of this round is over")
            yield "M15", N_("the others guess only after the active player has guessed or declined")
        yield from game.explain_ineligibility(move.player)


class Wish(OthersMove):
    """M23, M30: another player wants to guess."""

    kind, log, bot_weight = "wish", N_("{who} wants to guess"), 0.3

    def list_seats(self, game: MacroscopeState) -> Iterable[Seat]:
        return game.list_others(game.active_seat)

    def needs(self, game: MacroscopeState, move: Move) -> Iterator[Reason]:
        yield from super().needs(game, move)
        if move.seat in game.wishes or game.away[move.player]:
            yield "M33", N_("{who} has already said so")

    def get_key(self, game: MacroscopeState) -> Key:
        asks_all = game.phase is Phase.ASKING and game.asking_reason is not AskingReason.MEANWHILE
        return Key(SeatPress, N_("I guess"), awaited=asks_all)

    def apply(self, game: MacroscopeState, move: Move) -> MacroscopeState:
        return call_only_wisher(update_queue(replace(game, wishes=(*game.wishes, move.player))))


class Pick(MoveKind[MacroscopeState]):
    """M24, V6: the active player says who of several goes first; the value is the seat."""

    kind, rule, phases = "pick", "M24", (Phase.PICK,)

    def needs(self, game: MacroscopeState, move: Move) -> Iterator[Reason]:
        if game.phase not in self.phases:
            yield "M24", N_("there is nobody to pick from now")

    def list_values(self, game: MacroscopeState) -> Iterable[int]:
        return game.first_in_queue

    def explain_value(self, game: MacroscopeState, move: Move) -> Iterator[Reason]:
        yield Unmet("M24", N_("only {players} can go first"), {"players": game.first_in_queue})

    def make_offers(
        self, game: MacroscopeState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        for move in moves:
            yield Offer(move, SeatPress(Seat(move.value[0])), _("Goes first"), awaited=True)

    def apply(self, game: MacroscopeState, move: Move) -> MacroscopeState:
        return replace(game, phase=Phase.CALLED, called_seat=Seat(move.value[0]))

    def describe(self, before: MacroscopeState, move: Move, after: MacroscopeState, names: Sequence[str]) -> str:
        return _("{who} lets {other} go first", who=names[move.player], other=names[move.value[0]])


class WisherMove(OthersMove):
    """A move of a player who wishes to guess (M33)."""

    def list_seats(self, game: MacroscopeState) -> Iterable[Seat]:
        return sorted(game.wish_queue, key=lambda q: q != game.called_seat)

    def needs(self, game: MacroscopeState, move: Move) -> Iterator[Reason]:
        yield from super().needs(game, move)
        if move.seat not in game.wishes:
            yield "M33", N_("{who} has not asked to guess")


class GuessWhenCalled(WisherMove):
    """M33: the called player guesses."""

    kind, key, log = "name", Key(SeatPress, N_("Said it"), awaited=True), N_("{who} guesses for {n}")

    def needs(self, game: MacroscopeState, move: Move) -> Iterator[Reason]:
        yield from super().needs(game, move)
        if game.called_seat is None:
            yield "M24", N_("nobody is called yet")
        elif move.seat != game.called_seat:
            yield Unmet("M24", N_("it is {who}'s turn to say a guess, not {other}'s"), {"who": game.called_seat})

    def apply(self, game: MacroscopeState, move: Move) -> MacroscopeState:
        # M23, M30, V5: a guess is paid for; M31: the first guess freezes V.
        seat, value = move.player, game.guess_value
        game = pay(pay(game, game.payee, game.guess_cost), seat, -game.guess_cost)
        if game.asking_reason is AskingReason.MEANWHILE:
            # M30: the active player declined for the moment, and now that is final.
            game = replace(pay(game, game.active_seat, game.opened_windows), asking_reason=AskingReason.DECLINED)
        return call_next(replace(remove_wish(game, seat), guessers=(*game.guessers, seat), frozen_value=value))

    def describe(self, before: MacroscopeState, move: Move, after: MacroscopeState, names: Sequence[str]) -> str:
        if before.asking_reason is AskingReason.CHALLENGE:
            return _("{who} challenges for {n}", who=names[move.player], n=before.guess_value)
        return super().describe(before, move, after, names)


class Withdraw(WisherMove):
    """M33: a player does not guess after all. Those among whom is picked may do so only when they are called."""

    kind, log, bot_weight = "withdraw", N_("{who} does not guess after all"), 0.1

    def needs(self, game: MacroscopeState, move: Move) -> Iterator[Reason]:
        yield from super().needs(game, move)
        if move.seat in game.pick_candidates:
            yield "M24", N_("say first who begins; {who} may withdraw when called")

    def make_offers(
        self, game: MacroscopeState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        for move in moves:
            if move.seat == game.called_seat:
                yield Offer(move, ConsolePress.NO, _("Says nothing"))
            else:
                yield Offer(move, SeatPress(move.player), _("I pass"))

    def apply(self, game: MacroscopeState, move: Move) -> MacroscopeState:
        return update_queue(remove_wish(game, move.player))


class Close(MoveKind[MacroscopeState]):
    """M33: the asking is over."""

    kind, rule, phases = "close", "M33", (Phase.ASKING,)
    otherwise = "M33", N_("there is no asking to close now")

    def is_implied(self, game: MacroscopeState, action: str) -> bool:
        # Who wishes to guess has a say before the dice go on; a token is taken only by the next player.
        if game.guessers:
            return action == ActionKind.COVER
        return not game.wishes and action == (THROW_DICE.kind if game.settings.dice == "on" else ActionKind.TAKE)

    def get_key(self, game: MacroscopeState) -> Key:
        nobody = N_("Nobody else") if game.guessers else N_("Nobody")
        return Key(ConsolePress.OK, N_("Continue") if game.wishes else nobody, awaited=True)

    def apply(self, game: MacroscopeState, move: Move) -> MacroscopeState:
        return call_next(game) if game.wishes else end_asking(game)

    def describe(self, before: MacroscopeState, move: Move, after: MacroscopeState, names: Sequence[str]) -> str:
        if before.wishes:
            return _("The others guess now")
        return _("Nobody else wants to guess") if before.guessers else _("Nobody wants to guess")


def update_queue(state: StateT) -> StateT:
    """Return the state with the queue of guessers worked out again after a wish or crystals changed (M24, M33).

    Wishes of players who are away, have guessed or can no longer pay are dropped. A player already called stays called
    while the wish stands; else the next one is called.
    """
    state = replace(state, wishes=tuple(q for q in state.wishes if q in state.eligible_seats))
    call_has_lapsed = state.phase is Phase.CALLED and state.called_seat not in state.wishes
    return call_next(state) if state.phase is Phase.PICK or call_has_lapsed else state


def call_next(state: StateT) -> StateT:
    """M24: call the next of those who wish; with none left the asking goes on, if anybody could still guess."""
    first = state.first_in_queue
    if not first:
        state = replace(state, phase=Phase.ASKING, called_seat=None)
        return state if state.eligible_seats else end_asking(state)
    if len(first) > 1:
        return replace(state, phase=Phase.PICK, called_seat=None)
    return replace(state, phase=Phase.CALLED, called_seat=first[0])


def call_only_wisher(state: StateT) -> StateT:
    """M33: call who wishes, if nobody else could: there is no order to wait for. Else change nothing."""
    is_only_one = state.phase is Phase.ASKING and len(state.eligible_seats) == 1 and bool(state.wishes)
    return call_next(state) if is_only_one else state


def end_asking(state: StateT) -> StateT:
    """Return the state after the asking, with nobody left who wishes to guess."""
    meanwhile = state.asking_reason is AskingReason.MEANWHILE
    state = replace(state, asking_reason=None, called_seat=None, wishes=())
    if state.guessers:
        return replace(state, phase=Phase.COVER)
    return replace(state, phase=Phase.OPEN) if meanwhile else start_next_turn(state)


def remove_wish(state: StateT, seat: Seat) -> StateT:
    """Return the state in which that player does not wish to guess."""
    return replace(state, wishes=tuple(q for q in state.wishes if q != seat))
