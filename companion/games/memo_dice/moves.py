"""The moves of Memo Dice. Rule numbers: `docs/rules/memo_dice.md`.

Covering: the number keys 6, 1 and 3 are red, blue and black (`COLOUR_NUMBERS`). Uncovering: OK is right, NO is not.
MINUS (the menu) and NO held (undo) are the referee's and never used here. The camera's table actions are offered
before them: a die shown, a cup put over it, a cup lifted.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum

from companion.api import (
    MIN_SHOWN_SECONDS,
    N_,
    ConsolePress,
    Correction,
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
    Visibility,
    Who,
)
from companion.events import MemoColour
from companion.games.memo_dice import colour_texts
from companion.games.memo_dice.corrections import OpenColour
from companion.games.memo_dice.state import (
    COLOUR_NUMBERS,
    SYMBOL_COLOURS,
    Cup,
    MemoDiceState,
    Phase,
    _,
)

OTHERS_ROLL = N_("it is {who}'s turn to roll, not {other}'s")


class ActionKind(StrEnum):
    """Kinds of `TableAction` that the camera sees."""

    SHOW = "show"  # a die of a colour lies at the end of the row
    CUP = "cup"  # a cup is put over it
    LIFT = "lift"  # the next cup is lifted


class TurnMove(MoveKind[MemoDiceState]):
    """A move of the player on turn; others who try it are first told what is wrong for all."""

    who = Who.ANYBODY

    def list_seats(self, game: MemoDiceState) -> Iterable[Seat]:
        return (game.active_seat,)

    def needs(self, game: MemoDiceState, move: Move) -> Iterator[Reason]:
        if game.phase is Phase.SCORED:
            yield "D33", N_("this round is over; OK begins the next one")
        if game.away[move.player]:
            yield "D2", N_("{who} is not at the table")


# Covering (D10 to D14) ---------------------------------------------------------------------------------------------


class CoveringMove(TurnMove):
    """A die is rolled or covered."""

    def needs(self, game: MemoDiceState, move: Move) -> Iterator[Reason]:
        yield from super().needs(game, move)
        if game.phase is Phase.UNCOVER:
            yield "D14", N_("the golden cup is placed, no more dice are covered in this round")
        if move.seat != game.active_seat:
            yield Unmet("D10", OTHERS_ROLL, {"who": game.active_seat})

    def describe(self, before: MemoDiceState, move: Move, after: MemoDiceState, names: Sequence[str]) -> str:
        who, n = names[move.player], len(after.cup_row)
        if after.open_colour is MemoColour.GOLD:
            return _("{who} rolls die {n}: it gets the golden cup", who=who, n=n + 1)
        if after.open_colour is not None:
            return _("{who} rolls die {n}: {cup}", who=who, n=n + 1, cup=_(colour_texts.CUP_NAMES[after.open_colour]))
        return _(colour_texts.COVERED_LINES[after.cup_row[-1].colour], who=who, n=n)


class DieMove(CoveringMove):
    """D10: a die is rolled."""

    phases = (Phase.COVER,)
    by_camera = False
    """Whether the camera has read it: then it lies open until its cup is seen, or pressed."""

    def needs(self, game: MemoDiceState, move: Move) -> Iterator[Reason]:
        yield from super().needs(game, move)
        if game.phase is Phase.LOOK:
            yield "D10", N_("a die lies open; cover it first")

    def apply(self, game: MemoDiceState, move: Move) -> MemoDiceState:
        colour = MemoColour(move.value[0]) if move.value else MemoColour.GOLD
        # With the house timer the die lies open for a while; else all have looked when its colour is pressed.
        if self.by_camera or game.settings.memorise_seconds:
            return replace(game, stage=Phase.LOOK, open_colour=colour, read_by_camera=self.by_camera)
        return cover_die(game, colour)


class Gold(DieMove):
    """D12, D14: a die that gets the golden cup, so that its colour stays secret."""

    kind = "gold"
    otherwise = "D14", "the colour under the golden cup stays secret"  # only a program enters one

    def needs(self, game: MemoDiceState, move: Move) -> Iterator[Reason]:
        yield from super().needs(game, move)
        if len(game.coverable_colours) == len(SYMBOL_COLOURS):
            yield "D13", N_("cups of every colour are left, so the golden cup has to wait")

    def make_offers(
        self, game: MemoDiceState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        if not game.coverable_colours:  # else it stands on the keys of the colours that have no cup left
            yield Offer(moves[0], ConsolePress.OK, _("Golden cup"), awaited=True)


class ShowGold(Gold):
    """As `Gold`, read by the camera."""

    kind, by_camera = "show gold", True

    def make_offers(
        self, game: MemoDiceState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        if visibility.dice and not game.coverable_colours:
            yield from (offer_shown_die(moves[0], colour) for colour in SYMBOL_COLOURS)


class EnterDie(DieMove):
    """D10: a die that gets a cup of its colour; the value is the colour."""

    kind = "die"
    gold: type[Gold] = Gold
    """The move in place of it for a colour that has no cup left: which of two colours it was is not kept (D14)."""

    def list_values(self, game: MemoDiceState) -> Iterable[int]:
        return map(int, game.coverable_colours)

    def explain_value(self, game: MemoDiceState, move: Move) -> Iterator[Reason]:
        if move.value not in [(colour,) for colour in SYMBOL_COLOURS]:
            yield "D11", N_("a symbol is red, blue or black")
        elif game.is_last_die:
            yield "D12", N_("the last die always gets the golden cup")
        else:
            yield "D14", colour_texts.GOLD_INSTEAD[MemoColour(move.value[0])]

    def list_by_colour(self, game: MemoDiceState) -> Iterator[tuple[MemoColour, Move]]:
        """Yield the move for each colour of a symbol."""
        for colour in SYMBOL_COLOURS:
            has_cup = colour in game.coverable_colours
            seat = game.active_seat
            yield colour, Move(self.kind, seat, (int(colour),)) if has_cup else Move(self.gold.kind, seat)

    def make_offers(
        self, game: MemoDiceState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        for colour, move in self.list_by_colour(game):
            label = _(colour_texts.LABELS[colour]) if move.value else _("Golden cup")
            press, swatch = NumberPress(COLOUR_NUMBERS[colour]), colour.name.lower()
            yield Offer(move, press, label, awaited=True, swatch_colour=swatch)


class Show(EnterDie):
    """As `EnterDie`, read by the camera."""

    kind, by_camera, gold = "show", True, ShowGold

    def make_offers(
        self, game: MemoDiceState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        if visibility.dice:
            yield from (offer_shown_die(move, colour) for colour, move in self.list_by_colour(game))


class CoverDie(CoveringMove):
    """D10: the die that lies open is covered."""

    kind, phases = "cover", (Phase.LOOK,)

    def needs(self, game: MemoDiceState, move: Move) -> Iterator[Reason]:
        yield from super().needs(game, move)
        if game.phase is Phase.COVER:
            yield "D10", N_("roll a die first")

    def apply(self, game: MemoDiceState, move: Move) -> MemoDiceState:
        assert game.open_colour is not None, "a die lies open"
        return cover_die(game, game.open_colour)

    def make_offers(
        self, game: MemoDiceState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        if visibility.dice:
            yield Offer(moves[0], TableAction(ActionKind.CUP), _("Cover it"), awaited=True)
        yield Offer(moves[0], ConsolePress.OK, _("Cover it"), awaited=True)
        if not game.read_by_camera:
            return
        for colour in game.coverable_colours:  # the camera may have misread it: one press corrects it
            if colour is not game.open_colour:
                correction = Correction(OpenColour.kind, None, (int(colour),))
                label, swatch = _(colour_texts.IT_IS_LABELS[colour]), colour.name.lower()
                yield Offer(correction, NumberPress(COLOUR_NUMBERS[colour]), label, swatch_colour=swatch)


def offer_shown_die(move: Move, colour: MemoColour) -> Offer:
    """Return the offer that the camera takes up when it sees a die of that colour."""
    return Offer(move, TableAction(ActionKind.SHOW, int(colour)), _("Roll a die"), awaited=True)


def cover_die(game: MemoDiceState, colour: MemoColour) -> MemoDiceState:
    """D12 to D14; D20: who places the golden cup begins to guess."""
    cup = Cup(colour, picture_number=len(game.cup_row) + 1 if game.read_by_camera else 0)
    game = replace(game, stage=Phase.COVER, open_colour=None, read_by_camera=False, cup_row=(*game.cup_row, cup))
    if colour is MemoColour.GOLD:
        return replace(game, stage=Phase.UNCOVER)
    return replace(game, active_seat=game.find_next_seat(game.active_seat))


# Uncovering (D20 to D25) -------------------------------------------------------------------------------------------


class UncoveringMove(TurnMove):
    """Something happens to the next cup."""

    phases = (Phase.UNCOVER,)
    gold_log: str
    """As `log`, of the golden cup; {other} is the next player."""

    def needs(self, game: MemoDiceState, move: Move) -> Iterator[Reason]:
        yield from super().needs(game, move)
        is_covering, is_other = game.phase not in self.phases, move.seat != game.active_seat
        if is_covering and is_other:
            yield Unmet("D10", OTHERS_ROLL, {"who": game.active_seat})
        if is_covering:
            yield "D20", N_("cups are lifted once the golden cup is placed; cover your die first")
        if is_other:
            text = N_("it is {who}'s turn to name the symbol, not {other}'s")
            yield Unmet("D20", text, {"who": game.active_seat})

    def describe(self, before: MemoDiceState, move: Move, after: MemoDiceState, names: Sequence[str]) -> str:
        n, is_gold = before.find_next_cup()
        other = names[before.find_next_seat(before.active_seat)]
        return _(self.gold_log if is_gold else self.log, who=names[move.player], n=n, other=other)


class MoveBeforeLift(UncoveringMove):
    """The next cup is still down."""

    def needs(self, game: MemoDiceState, move: Move) -> Iterator[Reason]:
        yield from super().needs(game, move)
        if game.cup_lifted:
            yield "D21", N_("the cup is lifted; OK if the symbol was named rightly, NO if not")


class Lift(MoveBeforeLift):
    """D21: the camera has seen the cup lifted."""

    kind, log, gold_log = "lift", N_("Cup {n} is lifted"), N_("The golden cup is lifted")

    def make_offers(
        self, game: MemoDiceState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        if visibility.dice:
            yield Offer(moves[0], TableAction(ActionKind.LIFT), _("Lift the cup"), awaited=True)

    def apply(self, game: MemoDiceState, move: Move) -> MemoDiceState:
        return replace(game, cup_lifted=True)


class Call(MoveBeforeLift):
    """D21: the symbol is named aloud; in games with a timer for the answer."""

    kind, key = "call", Key(SeatPress, N_("I know"), awaited=True)
    log, gold_log = N_("{who} has named a symbol for cup {n}"), N_("{who} has named a symbol for the golden cup")

    def needs(self, game: MemoDiceState, move: Move) -> Iterator[Reason]:
        yield from super().needs(game, move)
        if game.symbol_named:
            yield "D21", N_("a symbol is named once, no change afterwards; lift the cup")
        if not game.settings.answer_seconds:
            yield "D21", N_("name the symbol, then lift the cup; OK if it is right, NO if not")

    def apply(self, game: MemoDiceState, move: Move) -> MemoDiceState:
        return replace(game, symbol_named=True)


class Right(UncoveringMove):
    """D22: the player names the symbol, gets the cup and goes on."""

    kind, bot_weight = "right", 0.6
    key = Key(ConsolePress.OK, N_("Correct"), awaited=True, shown_seconds=MIN_SHOWN_SECONDS)
    log, gold_log = N_("{who} is right about cup {n}"), N_("{who} is right about the golden cup")

    def apply(self, game: MemoDiceState, move: Move) -> MemoDiceState:
        return give_cup(game, move.player)


class Miss(UncoveringMove):
    """D23: the player does not name the symbol; the next one gets the cup and goes on."""

    kind, bot_weight = "miss", 0.4
    key = Key(ConsolePress.NO, N_("Wrong"), awaited=True, shown_seconds=MIN_SHOWN_SECONDS)
    log, gold_log = N_("{who} loses cup {n} to {other}"), N_("{who} loses the golden cup to {other}")

    def apply(self, game: MemoDiceState, move: Move) -> MemoDiceState:
        return give_cup(game, game.find_next_seat(move.player))


def give_cup(game: MemoDiceState, seat: Seat) -> MemoDiceState:
    """D22, D23: `seat` gets the next cup and goes on; after the last cup the round is scored (D31)."""
    i = game.next_cup_index
    assert i is not None, "a cup is down"
    game = game.replace_cup(i, replace(game.cup_row[i], owner=seat))
    game = replace(game, active_seat=seat, symbol_named=False, cup_lifted=False)
    if i < len(game.cup_row) - 1:
        return game
    scores = (*game.round_scores, game.round_points)
    return replace(game, stage=Phase.SCORED, round_scores=scores).set_round_starter()


class NextRound(MoveKind[MemoDiceState]):
    """D33: the next round begins."""

    kind, who, phases = "next", Who.TABLE, (Phase.SCORED,)
    key = Key(ConsolePress.OK, N_("Next round"), awaited=True, shown_seconds=MIN_SHOWN_SECONDS)
    implied_by = (ActionKind.SHOW,)
    otherwise = "D33", N_("this round is not over yet")

    def apply(self, game: MemoDiceState, move: Move) -> MemoDiceState:
        return replace(game, stage=Phase.COVER, cup_row=())

    def describe(self, before: MemoDiceState, move: Move, after: MemoDiceState, names: Sequence[str]) -> str:
        return _("Round {n} begins: {who} starts", n=after.round_number, who=names[after.active_seat])


MOVES: tuple[MoveKind[MemoDiceState], ...] = (
    *(Show(), ShowGold(), EnterDie(), Gold(), CoverDie()),
    *(Lift(), Call(), Right(), Miss(), NextRound()),
)
"""In the order in which they are offered."""
