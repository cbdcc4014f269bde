"""The moves of Macroscope, but for those of `asking`. Rule numbers: `docs/rules/macroscope.md`.

The console: OK goes on, NO declines or asks, PLUS enters by hand. MINUS (the menu) and NO held (undo) are the
referee's and never used here. The referee expands two commands, ENTER_TOKEN and ENTER_SECOND_TOKEN: they stand for the
legal moves `RemoveToken`, each by its number key, because the number keys are the seats' buttons.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from companion.api import (
    LATE_PRESS_SECONDS,
    N_,
    NUMBER_ENTRY,
    THROW_DICE,
    Command,
    CommandName,
    ConsolePress,
    Key,
    Move,
    MoveKind,
    NumberPress,
    Offer,
    Reason,
    Seat,
    SeatPress,
    TableAction,
    Unmet,
    ValueRange,
    Visibility,
    Who,
    join_and,
    join_or,
)
from companion.games.macroscope.asking import (
    Close,
    GuessWhenCalled,
    Pick,
    Wish,
    Withdraw,
    call_only_wisher,
    end_asking,
)
from companion.games.macroscope.scoring import score_round
from companion.games.macroscope.settings import MAX_TOKEN_NUMBER
from companion.games.macroscope.state import (
    ASKING_PHASES,
    ActionKind,
    AskingReason,
    MacroscopeState,
    Phase,
    _,
    get_start_phase,
)
from companion.games.macroscope.turns import stop_turn, take_token


class Roll(MoveKind[MacroscopeState]):
    """M10: the active player rolls; the value is the two dice."""

    kind, rule, phases = "roll", "M10", (Phase.ROLL,)
    otherwise = "M10", "a roll is two dice, each 1 to 6"  # only a program enters others

    def needs(self, game: MacroscopeState, move: Move) -> Iterator[Reason]:
        if game.settings.dice == "off":
            yield "M12", N_("this game is played without dice")
        if game.phase not in self.phases:
            yield "M10", N_("the dice are rolled once, at the start of a turn")

    def list_values(self, game: MacroscopeState) -> ValueRange:
        return ValueRange(2, 1, 6)

    def apply(self, game: MacroscopeState, move: Move) -> MacroscopeState:
        return replace(game, phase=Phase.OPEN, dice=move.value)

    def make_offers(
        self, game: MacroscopeState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        (roll,) = moves
        if visibility.dice:
            yield Offer(roll, THROW_DICE, _("Roll the dice"), awaited=True)
            yield Offer(roll, ConsolePress.PLUS, _("Enter roll"))
        else:
            yield Offer(roll, NUMBER_ENTRY, _("Enter roll"), awaited=True)

    def describe(self, before: MacroscopeState, move: Move, after: MacroscopeState, names: Sequence[str]) -> str:
        return _("{who} rolls {dice}", who=names[move.player], dice=join_and([str(n) for n in move.value]))


class FreeMove(MoveKind[MacroscopeState]):
    """A guess or a stop: open as long as the active player has neither guessed nor declined for good (M14)."""

    phases = (Phase.OPEN, *ASKING_PHASES)
    too_early: Reason
    """Why it is refused while no window was opened in this turn."""

    def needs(self, game: MacroscopeState, move: Move) -> Iterator[Reason]:
        if game.active_seat in game.guessers:
            yield "A6", N_("{who} has guessed already")
        if game.guessers or (game.phase in ASKING_PHASES and not game.is_active_free):
            yield "M31", N_("{who} has declined, and that is final")
        if game.phase is Phase.COVER:
            yield "M40", N_("the windows are being covered")
        if not game.opened_windows:
            yield self.too_early


class Guess(FreeMove):
    """M15: the active player guesses."""

    kind, rule, log, bot_weight = "guess", "M15", N_("{who} guesses for {n}"), 0.25
    too_early = "M20", N_("open at least one window before you guess")

    def get_key(self, game: MacroscopeState) -> Key:
        return Key(SeatPress, N_("I guess"), awaited=game.phase is Phase.OPEN)  # else it waits for the others

    def apply(self, game: MacroscopeState, move: Move) -> MacroscopeState:
        # M21: V is frozen; M23: then the others are asked. Who already wished to guess (M30) now wishes to challenge.
        game = replace(game, guessers=(move.player,), frozen_value=game.covered_windows, called_seat=None)
        if game.settings.is_easy or not game.eligible_seats:  # V3: nobody may challenge
            return replace(game, phase=Phase.COVER, asking_reason=None, wishes=())
        return call_only_wisher(replace(game, phase=Phase.ASKING, asking_reason=AskingReason.CHALLENGE))


class Decline(FreeMove):
    """M16: the active player declines."""

    kind, rule, log = "stop", "M16", N_("{who} stops")
    too_early = "M13", N_("open at least one window before you stop")

    def is_implied(self, game: MacroscopeState, action: str) -> bool:
        # After two tokens (M13) a third one is the next player's, whom no throw announces.
        if game.settings.dice == "off":
            return action == ActionKind.TAKE and not game.may_open
        return action == THROW_DICE.kind

    def make_offers(
        self, game: MacroscopeState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        (stop,) = moves
        words = _("Stop: +{n}", n=game.stop_crystals)
        if game.phase is Phase.ASKING:
            # NO has just asked the others, and OK says that nobody guesses: no second press in haste ends the turn.
            yield Offer(stop, ConsolePress.NO, words, shown_seconds=LATE_PRESS_SECONDS)
        else:
            yield Offer(stop, ConsolePress.OK, words)

    def apply(self, game: MacroscopeState, move: Move) -> MacroscopeState:
        return call_only_wisher(stop_turn(game))


class StopForAll(MoveKind[MacroscopeState]):
    """M16: as `Decline`, and nobody wants to guess; without a camera, after the last token, one press says both."""

    kind, rule, phases = "stop for all", "M16", (Phase.OPEN,)
    log = N_("{who} stops, nobody wants to guess")

    def needs(self, game: MacroscopeState, move: Move) -> Iterator[Reason]:
        if not game.opened_windows or game.takeable_tokens:
            yield "M30", N_("all are asked at once after the last token")
        if not game.eligible_seats:
            yield Unmet("M30", N_("nobody has the {n} crystals that a guess costs"), values={"n": game.guess_cost})

    def make_offers(
        self, game: MacroscopeState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        if not visibility.tokens:
            yield Offer(moves[0], ConsolePress.NO, _("Stop, no guess"))

    def apply(self, game: MacroscopeState, move: Move) -> MacroscopeState:
        return end_asking(stop_turn(game))


class Ask(MoveKind[MacroscopeState]):
    """M30: between the first and the second token the active player asks the others whether they guess."""

    kind, rule, phases = "ask", "M30", (Phase.OPEN,)
    key, log, bot_weight = Key(ConsolePress.NO, N_("Ask others")), N_("{who} asks the others"), 0.4

    def needs(self, game: MacroscopeState, move: Move) -> Iterator[Reason]:
        if game.settings.is_easy:
            yield "V4", N_("the others are asked once, after the last token")
        if not game.settings.others_may_guess_after_first_token:
            yield "A4", N_("in this game the others are not asked after the first token")
        if game.others_asked:
            yield "M30", N_("the others have been asked since the first token")
        if game.phase not in self.phases or game.opened_windows != 1:
            yield "M30", N_("the others are asked between the first and the second token")
        if not game.eligible_seats:
            yield Unmet("M30", N_("nobody has the {n} crystals that a guess costs"), values={"n": game.guess_cost})

    def make_offers(
        self, game: MacroscopeState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        # After the last token all are asked anyway, and NO is `StopForAll`.
        if game.takeable_tokens:
            yield from super().make_offers(game, moves, names, visibility)

    def apply(self, game: MacroscopeState, move: Move) -> MacroscopeState:
        return replace(game, phase=Phase.ASKING, asking_reason=AskingReason.MEANWHILE, others_asked=True)


class RemoveToken(MoveKind[MacroscopeState]):
    """M10 to M13: the active player takes a token off; the value is its number."""

    kind, rule, phases = "remove", "M10", (Phase.OPEN, *ASKING_PHASES)
    otherwise = "M1", f"a token has a number from 1 to {MAX_TOKEN_NUMBER}"  # only a program enters others

    def needs(self, game: MacroscopeState, move: Move) -> Iterator[Reason]:
        if game.guessers:
            yield "M21", N_("a guess is said, no token is removed in this round any more")
        if game.phase is Phase.ROLL:
            yield "M10", N_("roll the dice first")
        if not game.is_active_free:
            yield "M30", N_("{who} has declined and opens no more windows")
        if not game.may_open:
            yield "M13", N_("at most two tokens in a turn")

    def list_values(self, game: MacroscopeState) -> Iterable[int]:
        return game.takeable_tokens

    def explain_value(self, game: MacroscopeState, move: Move) -> Iterator[Reason]:
        if move.value not in ValueRange(1, 1, MAX_TOKEN_NUMBER):
            return
        (n,) = move.value
        if not game.tokens[n - 1]:
            yield Unmet("M11", N_("there is no token {n} on the device"), values={"n": n})
        if not game.takeable_tokens:
            yield Unmet("M11", N_("the dice allow no second token, not a {n}"), values={"n": n})
        tokens = join_or([_("a {n}", n=allowed) for allowed in game.takeable_tokens])
        yield Unmet("M11", N_("the dice allow {tokens}, not a {n}"), values={"tokens": tokens, "n": n})

    def apply(self, game: MacroscopeState, move: Move) -> MacroscopeState:
        return take_token(game, move.value[0])

    def make_offers(
        self, game: MacroscopeState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        is_first, is_seen = not game.opened_windows, visibility.tokens
        if not is_first and not is_seen and len(moves) == 1:
            yield Offer(moves[0], ConsolePress.PLUS, _("Open a {n}", n=moves[0].value[0]))
        elif not is_first:
            label = _("Enter token") if is_seen else _("Second token")  # with a camera the token itself is the way
            yield Offer(Command(CommandName.ENTER_SECOND_TOKEN), ConsolePress.PLUS, label)
        for move in moves if is_first or is_seen else ():
            (n,) = move.value
            take = TableAction(ActionKind.TAKE, n) if is_seen else NumberPress(n)
            yield Offer(move, take, _("Open a {n}", n=n), awaited=is_first)
        if is_first and is_seen:
            yield Offer(Command(CommandName.ENTER_TOKEN), ConsolePress.PLUS, _("Enter token"))

    def describe(self, before: MacroscopeState, move: Move, after: MacroscopeState, names: Sequence[str]) -> str:
        last, other = N_("{who} opens the last one, a {n}"), N_("{who} opens a {n}")
        return _(other if after.covered_windows else last, who=names[move.player], n=move.value[0])


class CoverWindows(MoveKind[MacroscopeState]):
    """M40: the windows are covered."""

    kind, who, phases, log = "cover", Who.TABLE, (Phase.COVER,), N_("All windows are covered")
    otherwise = "M40", N_("the windows are covered when the guessing is over")

    def make_offers(
        self, game: MacroscopeState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        (cover,) = moves
        if visibility.tokens:
            yield Offer(cover, TableAction(ActionKind.COVER), _("Cover all windows"), awaited=True)
        # An impatient hand on OK has closed the asking: who may still challenge is not passed over.
        yield Offer(cover, ConsolePress.OK, _("Covered"), awaited=True, shown_seconds=LATE_PRESS_SECONDS)

    def apply(self, game: MacroscopeState, move: Move) -> MacroscopeState:
        # After a void round nothing is to be revealed (M50).
        phase = Phase.REVEAL if game.guessers else get_start_phase(game.settings)
        return replace(game, tokens=(game.settings.tokens_per_number,) * MAX_TOKEN_NUMBER, phase=phase)


class Right(MoveKind[MacroscopeState]):
    """M41: that player was right."""

    kind, who, phases, log = "right", Who.ANYBODY, (Phase.REVEAL,), N_("{who} was right")
    key = Key(SeatPress, N_("Was right"), awaited=True)

    def list_seats(self, game: MacroscopeState) -> Iterable[Seat]:
        return game.guessers

    def needs(self, game: MacroscopeState, move: Move) -> Iterator[Reason]:
        if game.phase not in self.phases:
            yield "M40", N_("nothing is to be revealed now")
        if move.seat not in game.guessers:
            yield "M41", N_("{who} has not guessed in this round")

    def apply(self, game: MacroscopeState, move: Move) -> MacroscopeState:
        return score_round(game, move.player)


class NobodyRight(MoveKind[MacroscopeState]):
    """M42: nobody was right."""

    kind, who, phases, log = "nobody", Who.TABLE, Right.phases, N_("Nobody was right")
    otherwise = "M40", N_("nothing is to be revealed now")

    def get_key(self, game: MacroscopeState) -> Key:
        return Key(ConsolePress.NO, N_("Nobody") if len(game.guessers) > 1 else N_("Was wrong"))

    def apply(self, game: MacroscopeState, move: Move) -> MacroscopeState:
        return score_round(game, None)


class Renew(MoveKind[MacroscopeState]):
    """D1: the deck was turned over. A button only when the device should be empty; else the menu lists it."""

    kind, who, log, bot_weight = "renew", Who.TABLE, N_("The deck is turned over"), 0.0

    def needs(self, game: MacroscopeState, move: Move) -> Iterator[Reason]:
        if game.cards_used == game.cards_at_renewal:
            yield "D1", N_("no card has been pulled since the deck was last renewed")
        if not game.is_between_rounds:
            yield "D1", N_("the deck is renewed between two rounds, with all windows covered")

    def get_key(self, game: MacroscopeState) -> Key:
        is_empty = game.is_deck_empty
        renew = ConsolePress.OK if is_empty else TableAction(ActionKind.RENEW, in_menu=True)
        return Key(renew, N_("Deck turned"), awaited=is_empty)

    def apply(self, game: MacroscopeState, move: Move) -> MacroscopeState:
        return replace(game, cards_at_renewal=game.cards_used)


MOVES: tuple[MoveKind[MacroscopeState], ...] = (
    *(Roll(), Guess(), Decline(), StopForAll(), Ask(), RemoveToken()),
    *(Wish(), Pick(), GuessWhenCalled(), Withdraw(), Close()),
    *(CoverWindows(), Right(), NobodyRight(), Renew()),
)
"""In the order in which they are offered."""
