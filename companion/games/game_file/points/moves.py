"""The moves of a game of entered points. Rule numbers: `docs/rules/game_files.md`."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.api import (
    MIN_SHOWN_SECONDS,
    N_,
    ConsolePress,
    Key,
    Move,
    MoveKind,
    Offer,
    Reason,
    SeatPress,
    Unmet,
    Visibility,
    Who,
    replace_at,
)
from companion.games.game_file.file_game import TimeUp
from companion.games.game_file.points.formulas import Entered
from companion.games.game_file.points.rounds import end_round
from companion.games.game_file.points.state import PointsGameState, _


class EnterNumber(MoveKind[PointsGameState]):
    """G61: a player enters the next number of the round or turn."""

    kind, who = "enter", Who.ANYBODY
    otherwise = "G61", "one number is entered"  # only a program enters others

    def needs(self, game: PointsGameState, move: Move) -> Iterator[Reason]:
        if game.find_next_entry(move.player) is not None:
            return
        if game.away[move.player]:
            yield "G60", N_("{who} is away")
        if game.is_out(move.player):
            yield "G77", N_("{who} is out of the game")
        if game.has_turns and move.player != game.active_seat:
            yield "G60", N_("it is not {who}'s turn")
        if not game.seats_to_enter and (mistake := game.find_mistake()):
            yield make_mistake(mistake)
        yield "G61", N_("{who} has entered everything")

    def list_legal(self, game: PointsGameState) -> Iterator[Move]:
        for move in super().list_legal(game):
            limits = game.get_allowed(move.player)
            assert limits is not None, "the player has something to enter"
            if limits.low == limits.high or game.asks_question:
                yield from (replace(move, value=(n,)) for n in range(limits.high, limits.low - 1, -limits.step))
            else:
                yield replace(move, value_range=limits)

    def explain_value(self, game: PointsGameState, move: Move) -> Iterator[Reason]:
        entry = game.find_next_entry(move.player)
        if entry is None or len(move.value) != 1:
            return
        (number,), limits, name = move.value, game.get_range(entry, move.player), game.rules.label_entry(entry)
        if not limits.low <= number <= limits.high:
            values = {"name": name, "low": limits.low, "high": limits.high}
            yield Unmet("G61", N_("{name}: from {low} to {high}"), values=values)
        if move.value not in limits:
            yield Unmet("G61", N_("{name}: {n} cannot be"), values={"name": name, "n": number})
        own = (*game.rules.pad(game.entered[move.player], entry), number)
        yield make_mistake(game.find_mistake({move.player: own}))

    def apply(self, game: PointsGameState, move: Move) -> PointsGameState:
        """What was not asked for before the number is 0."""
        index = game.find_next_entry(move.player)
        own = (*game.rules.pad(game.entered[move.player], index), *move.value)
        return replace(game, entered=replace_at(game.entered, move.player, own), is_bust=False)

    def make_offers(
        self, game: PointsGameState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        for move in moves:
            if game.asks_question:
                key, label = (ConsolePress.OK, _("Yes")) if move.value[0] else (ConsolePress.NO, _("No"))
                yield Offer(move, key, label, awaited=True, shown_seconds=MIN_SHOWN_SECONDS)
            else:
                label = _("Enter {n}", n=move.value[0]) if move.value else _("Enter")
                if move.value and game.is_question(game.find_next_entry(move.player) or 0):
                    label = _("Yes") if move.value[0] else _("No")
                yield Offer(move, SeatPress(move.player), label, awaited=True)

    def describe(self, before: PointsGameState, move: Move, after: PointsGameState, names: Sequence[str]) -> str:
        entry = before.find_next_entry(move.player)
        assert entry is not None, "it has been entered"
        number = before.format_entered(entry, move.value[0])
        line = _("{who}: {name} {n}", who=names[move.player], name=before.rules.label_entry(entry), n=number)
        return _("{line}, the turn is lost", line=line) if after.is_bust else line


class EnterAgain(MoveKind[PointsGameState]):
    """G61: a player who has entered everything enters the numbers of this round again."""

    kind, who, bot_weight = "again", Who.ANYBODY, 0.05
    log = N_("{who} enters again")

    def needs(self, game: PointsGameState, move: Move) -> Iterator[Reason]:
        forgets = len(game.entered[move.player]) > len(self._list_kept(game, move))
        is_done = forgets and game.find_next_entry(move.player) is None
        if not is_done or game.has_turns or game.away[move.player]:
            yield "G61", f"seat {move.seat} has nothing to enter again"  # pressed too late

    def apply(self, game: PointsGameState, move: Move) -> PointsGameState:
        return replace(game, entered=replace_at(game.entered, move.player, self._list_kept(game, move)))

    @staticmethod
    def _list_kept(game: PointsGameState, move: Move) -> Entered:
        """Return what stays: bids while the round is played (G70), unless nothing else can be put right any more."""
        own, count = game.entered[move.player], game.rules.before_play_count
        is_stuck = not game.seats_to_enter and len(own) <= count
        return () if game.is_before_play or is_stuck else own[:count]

    def get_key(self, game: PointsGameState) -> Key:
        return Key(SeatPress, N_("Again"), awaited=not game.seats_to_enter)


class End(MoveKind[PointsGameState]):
    """G68: people end the game."""

    kind, who, bot_weight = "end", Who.TABLE, 0.002
    log = N_("The game is ended")

    def apply(self, game: PointsGameState, move: Move) -> PointsGameState:
        return replace(game, is_over=True)

    def get_key(self, game: PointsGameState) -> Key:
        if game.asks_question or game.can_be_confirmed:
            # OK has another use, so that it cannot be held: the companion asks.
            return Key(ConsolePress.PLUS, N_("End game"), confirm_question=N_("Does the game end here?"))
        return Key(ConsolePress.HOLD_OK, N_("Hold: end"))


class Confirm(MoveKind[PointsGameState]):
    """G64: people say that the round was as it is entered, although it seldom is."""

    kind, who, bot_weight = "confirm", Who.TABLE, 0.5
    key = Key(ConsolePress.OK, N_("It was so"), awaited=True, shown_seconds=MIN_SHOWN_SECONDS)
    log = N_("It was so")

    def needs(self, game: PointsGameState, move: Move) -> Iterator[Reason]:
        if not game.can_be_confirmed:
            yield "G64", "there is nothing to confirm"  # pressed too late

    def apply(self, game: PointsGameState, move: Move) -> PointsGameState:
        return end_round(game)


MOVES = (EnterNumber(), EnterAgain(), Confirm(), End(), TimeUp())


def make_mistake(mistake: str) -> Reason:
    """Return a sentence of the file as a reason (G64); it may have braces, which are not filled in."""
    return Unmet("G64", "{mistake}", values={"mistake": mistake})
