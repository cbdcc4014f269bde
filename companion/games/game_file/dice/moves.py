"""The moves of a game with dice. Rule numbers: `docs/rules/game_files.md`.

OK goes on: it ends a turn or throws all dice again. PLUS opens the score sheet, sets the best dice aside or enters a
throw that the camera does not read. The number keys enter a throw, mark dice to set aside, or choose one of the three
best boxes. The referee opens two commands (`companion.games.game_file.dice.dialogs`): MARK_DIE, and BOXES for the
others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.api import (
    N_,
    NUMBER_ENTRY,
    THROW_DICE,
    Command,
    CommandName,
    ConsolePress,
    HoldSeatPress,
    Input,
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
    format_number,
    replace_at,
)
from companion.games.game_file.dice.scoring import Dice, remove_dice
from companion.games.game_file.dice.state import PROPOSALS, DiceGameState, Phase, TurnEnd, _, format_dice
from companion.games.game_file.dice.turns import bank, end_turn, find_claimant, find_next_thrower, throw
from companion.games.game_file.file_game import TimeUp
from companion.i18n import join_label

NUMBER_KEYS = 6
"""Highest number that a key enters."""
ALL_THROWN: Reason = ("G31", N_("all throws are made"))


class Throw(MoveKind[DiceGameState]):
    """G31: dice are thrown; the value are those of the dice, which a key or the camera enters."""

    kind = "throw"

    def needs(self, game: DiceGameState, move: Move) -> Iterator[Reason]:
        if not game.has_throws_left:
            yield ALL_THROWN
        if game.must_set_aside:
            yield "G38", N_("first set dice aside that score")
        if not game.dice_to_throw:
            yield "G37", N_("no dice are left to throw")

    def list_values(self, game: DiceGameState) -> ValueRange:
        return ValueRange(game.dice_to_throw, 1, game.rules.model.sides)

    def explain_value(self, game: DiceGameState, move: Move) -> Iterator[Reason]:
        yield "G31", _.plural("{n} die is thrown", "{n} dice are thrown", game.dice_to_throw)

    def apply(self, game: DiceGameState, move: Move) -> DiceGameState:
        return throw(game, move.value)

    def make_offers(
        self, game: DiceGameState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        (throw,) = moves
        if visibility.dice:
            yield Offer(throw, THROW_DICE, _("Throw"), awaited=True)
        by_key: Input = NUMBER_ENTRY
        label = _("Enter dice")
        if game.phase is Phase.DECIDE and game.sets_dice_aside:
            # The number keys mark dice.
            by_key, label = ConsolePress.OK, label if visibility.dice else _("Throw all")
        elif visibility.dice or game.rules.model.sides > NUMBER_KEYS:
            # OK ends the turn, PLUS opens the score sheet: the other one of the two is free.
            by_key = ConsolePress.OK if game.has_sheet else ConsolePress.PLUS
        yield Offer(throw, by_key, label, awaited=not visibility.dice)

    def describe(self, before: DiceGameState, move: Move, after: DiceGameState, names: Sequence[str]) -> str:
        thrown = _("{who} throws {dice}", who=names[move.player], dice=format_dice(move.value))
        ended = after.ended_turn
        return thrown if ended is None or ended is before.ended_turn else join_label(thrown, ended.format())


class LaterMove(MoveKind[DiceGameState]):
    """A move after the first throw of the turn."""

    def needs(self, game: DiceGameState, move: Move) -> Iterator[Reason]:
        if not game.throw_count:
            yield "G31", N_("{who} has not thrown yet")


class Keep(LaterMove):
    """G33, G38: dice are set aside; the value are those of the dice, descending."""

    kind = "keep"
    otherwise = "G33", "the dice are listed from the highest down"  # only a program lists them otherwise

    def needs(self, game: DiceGameState, move: Move) -> Iterator[Reason]:
        yield from super().needs(game, move)
        if not game.sets_dice_aside:
            yield "G33", N_("no dice are set aside in this game")
        if game.rules.model.keep == "any" and not game.has_throws_left:
            yield ALL_THROWN

    def list_legal(self, game: DiceGameState) -> Iterator[Move]:
        for keep in super().list_legal(game):
            yield from (replace(keep, value=dice) for dice in game.legal_keeps)

    def explain_value(self, game: DiceGameState, move: Move) -> Iterator[Reason]:
        dice = " ".join(map(str, move.value))
        if not move.value:
            yield "G33", N_("choose at least one die")
        if remove_dice(game.table, move.value) is None:
            yield Unmet("G33", N_("{dice} do not lie on the table"), values={"dice": dice})
        if game.rules.model.keep == "scoring":
            yield Unmet("G38", N_("{dice}: not every die scores"), values={"dice": dice})
        if len(move.value) == len(game.table):
            yield "G33", N_("one die at least is thrown again")

    def apply(self, game: DiceGameState, move: Move) -> DiceGameState:
        rest = remove_dice(game.table, move.value)
        assert rest is not None, "the move is legal"
        return replace(game, table=rest, aside=(*game.aside, *move.value), has_kept=True, before_throw=None)

    def make_offers(
        self, game: DiceGameState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        if visibility.dice:
            for keep in moves:
                number = int("".join(map(str, keep.value)))
                yield Offer(keep, TableAction(self.kind, number), _("Set aside"))
        enters_throw = not visibility.dice and game.phase is Phase.AGAIN and game.dice_to_throw > 0
        if not enters_throw:
            for key, value in enumerate(game.table, 1):
                mark = Command(CommandName.MARK_DIE, (key,))
                yield Offer(mark, NumberPress(key), _("Keep the {n}", n=value), awaited=not visibility.dice)
        if game.rules.model.keep == "scoring" and game.phase is Phase.DECIDE:
            best = game.best_keep
            points = game.compute_aside_points(best) or 0
            yield Offer(replace(moves[0], value=best), ConsolePress.PLUS, _("Best: {n}", n=points))

    def describe(self, before: DiceGameState, move: Move, after: DiceGameState, names: Sequence[str]) -> str:
        return _("{who} sets {dice} aside", who=names[move.player], dice=format_dice(move.value))


class Return(LaterMove):
    """G33: all dice set aside come back."""

    kind, log, bot_weight = "return", N_("{who} puts all dice back"), 0.0

    def needs(self, game: DiceGameState, move: Move) -> Iterator[Reason]:
        yield from super().needs(game, move)
        if game.rules.model.keep != "any":
            yield "G33", N_("dice set aside stay there")
        if not game.has_throws_left:
            yield ALL_THROWN
        if not game.aside:
            yield "G33", N_("no dice are set aside")

    def apply(self, game: DiceGameState, move: Move) -> DiceGameState:
        return replace(game, table=(*game.table, *game.aside), aside=(), has_kept=False, before_throw=None)

    def make_offers(
        self, game: DiceGameState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        (move,) = moves
        yield Offer(move, ConsolePress.NO, _("Put back"))
        if visibility.dice:
            yield Offer(move, TableAction(self.kind), _("Put back"))


class Bank(LaterMove):
    """G36: the turn ends, and its points count."""

    kind, bot_weight = "bank", 2.0

    def needs(self, game: DiceGameState, move: Move) -> Iterator[Reason]:
        yield from super().needs(game, move)
        if game.has_sheet:
            yield "G42", N_("choose a box")
        if not game.dice_to_throw and not game.legal_keeps:
            return  # nothing else is left
        if not game.rules.model.bank:
            yield "G36", N_("the turn goes on")
        if game.bank_dice is None:
            yield "G37", N_("all dice score: throw them again")
        if game.bank_points < game.least_bank:
            points = {"n": game.least_bank, "has": game.bank_points}
            yield Unmet("G36", N_("{n} points are needed, there are {has}"), values=points)

    def apply(self, game: DiceGameState, move: Move) -> DiceGameState:
        return _keep_claim(game, bank(game))

    def make_offers(
        self, game: DiceGameState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        (move,) = moves
        is_free = game.rules.model.keep != "any" or game.phase is not Phase.DECIDE
        press = ConsolePress.OK if is_free else ConsolePress.PLUS
        yield Offer(move, press, _("Score {n}", n=game.bank_points), awaited=True)
        yield from _offer_next_throw(game, visibility, move)

    def describe(self, before: DiceGameState, move: Move, after: DiceGameState, names: Sequence[str]) -> str:
        assert after.ended_turn is not None
        return join_label(names[move.player], after.ended_turn.format())


class Choose(LaterMove):
    """G42: the dice are scored in a box; the value is its number, from 1."""

    kind = "choose"
    otherwise = "G42", N_("this box is filled already")

    def needs(self, game: DiceGameState, move: Move) -> Iterator[Reason]:
        yield from super().needs(game, move)
        if not game.has_sheet:
            yield "G42", "this game has no score sheet"

    def list_values(self, game: DiceGameState) -> Sequence[int]:
        return [index + 1 for index in game.open_boxes]

    def explain_value(self, game: DiceGameState, move: Move) -> Iterator[Reason]:
        if len(move.value) == 1 and move.value[0] - 1 in game.list_open_boxes(move.player):
            yield "G53", N_("this throw belongs into another box")
        yield self.otherwise

    def apply(self, game: DiceGameState, move: Move) -> DiceGameState:
        index, seat = move.value[0] - 1, game.active_seat
        points = game.get_box_points(index)
        boxes = replace_at(game.boxes, seat, replace_at(game.boxes[seat], index, points))
        return _keep_claim(game, end_turn(replace(game, boxes=boxes), TurnEnd.SCORED, points, index))

    def make_offers(
        self, game: DiceGameState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        if game.phase is not Phase.CHOOSE:
            open_boxes = Command(CommandName.BOXES, (0,))
            yield Offer(open_boxes, ConsolePress.PLUS, _("Score it"))
            yield from _offer_next_throw(game, visibility, open_boxes)
            return
        for key, index in enumerate(game.ranked_boxes[:PROPOSALS], 1):
            move = replace(moves[0], value=(index + 1,))
            yield Offer(move, NumberPress(key), game.rules.label_category_key(index), awaited=True)
        if len(moves) > PROPOSALS:
            yield Offer(Command(CommandName.BOXES, (1,)), ConsolePress.PLUS, _("More boxes"))

    def describe(self, before: DiceGameState, move: Move, after: DiceGameState, names: Sequence[str]) -> str:
        assert after.ended_turn is not None
        box = before.rules.label_category(move.value[0] - 1)
        return join_label(names[move.player], f"{box}, {format_number(after.ended_turn.points)}")


class Claim(MoveKind[DiceGameState]):
    """G51: the last throw was the next player's; the turn before it ended as it stood then."""

    kind, who, bot_weight, goes_back = "claim", Who.ANYBODY, 0.0, True
    otherwise = "G51", N_("the last throw was not {who}'s")

    def list_seats(self, game: DiceGameState) -> Sequence[Seat]:
        claimant = find_claimant(game)
        return () if claimant is None else (claimant,)

    def needs(self, game: DiceGameState, move: Move) -> Iterator[Reason]:
        if move.seat not in self.list_seats(game):
            yield self.otherwise

    def apply(self, game: DiceGameState, move: Move) -> DiceGameState:
        assert game.before_throw is not None, "it can be claimed"
        return _end_before_throw(game.before_throw, game.last_throw)

    def make_offers(
        self, game: DiceGameState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        if _can_take_over(visibility):
            (move,) = moves
            claim = Command(CommandName.CLAIM)
            yield _make_own_offer(game, move.player, claim, _("I threw that"), _("Hold: I threw that"))

    def describe(self, before: DiceGameState, move: Move, after: DiceGameState, names: Sequence[str]) -> str:
        assert before.before_throw is not None, "it could be claimed"
        return _describe_next_throw(before.before_throw, move.player, before.last_throw, names)


class EarlyThrow(MoveKind[DiceGameState]):
    """G51: the next player has thrown all dice although the turn before has not been ended."""

    kind, who, bot_weight = "early throw", Who.ANYBODY, 0.0
    otherwise = "G51", N_("first {other}'s turn ends")

    def list_seats(self, game: DiceGameState) -> Sequence[Seat]:
        seat = find_next_thrower(game)
        return () if seat is None or game.dice_to_throw == game.rules.model.count else (seat,)

    def needs(self, game: DiceGameState, move: Move) -> Iterator[Reason]:
        if move.seat not in self.list_seats(game):
            yield Unmet("G51", N_("first {other}'s turn ends"), {"other": game.active_seat})

    def list_values(self, game: DiceGameState) -> ValueRange:
        return ValueRange(game.rules.model.count, 1, game.rules.model.sides)

    def apply(self, game: DiceGameState, move: Move) -> DiceGameState:
        return _end_before_throw(replace(game, before_throw=None), move.value)

    def make_offers(
        self, game: DiceGameState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        if visibility.dice:
            yield Offer(moves[0], TableAction(self.kind), _("Throw"))

    def describe(self, before: DiceGameState, move: Move, after: DiceGameState, names: Sequence[str]) -> str:
        return _describe_next_throw(before, move.player, move.value, names)


MOVES = (Throw(), Keep(), Return(), Bank(), Choose(), Claim(), EarlyThrow(), TimeUp())


def _keep_claim(before: DiceGameState, after: DiceGameState) -> DiceGameState:
    """Return the state after a turn whose last throw may still be claimed: it was made before the press (G51)."""
    return after if after.is_over or before.next_throw else replace(after, before_throw=before.before_throw)


def _end_before_throw(state: DiceGameState, dice: Dice) -> DiceGameState:
    """Return the state after the turn has ended and the next player has thrown; a box is to be chosen before."""
    return replace(state, next_throw=dice) if state.has_sheet else throw(bank(state), dice)


def _describe_next_throw(before: DiceGameState, seat: Seat, dice: Dice, names: Sequence[str]) -> str:
    """Return the line on the end of the turn in `before`, and on what the next player has thrown."""
    thrown = _("{who} has thrown: {dice}", who=names[seat], dice=format_dice(dice))
    if before.has_sheet:
        return thrown
    ended = bank(before).ended_turn
    assert ended is not None
    return join_label(names[before.active_seat], f"{ended.format()} · {thrown}")


def _offer_next_throw(game: DiceGameState, visibility: Visibility, action: Move | Command) -> Iterator[Offer]:
    """Yield the own button of the next player, which ends the turn by `action`, unless a throw may be claimed."""
    seat = find_next_thrower(game)
    if _can_take_over(visibility) and seat is not None and find_claimant(game) is None:
        yield _make_own_offer(game, seat, action, _("My turn"), _("Hold: my turn"))


def _can_take_over(visibility: Visibility) -> bool:
    """Return whether others may take up the dice before anybody has pressed a button.

    At a simulated table they cannot: the screen names whose throw it is, in the same window.
    """
    return visibility.dice and not visibility.is_table_virtual


def _make_own_offer(game: DiceGameState, seat: Seat, action: Move | Command, label: str, held_label: str) -> Offer:
    """Offer the next player's own button, held in games whose number keys mark dice or choose boxes.

    It is held after the turn, too: the key of a box may be pressed twice.
    """
    has_number_keys = game.has_sheet or game.sets_dice_aside
    return Offer(action, HoldSeatPress(seat), held_label) if has_number_keys else Offer(action, SeatPress(seat), label)
