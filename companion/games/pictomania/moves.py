"""The moves of Pictomania: who may make them and why not, what they do, their keys, their lines in the log.

The console: OK continues, NO goes back, PLUS changes something. MINUS (the menu) and NO held (undo) are the referee's.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
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
    Seat,
    SeatPress,
    SimpleMove,
    Unmet,
    Visibility,
    Who,
    format_number,
    replace_at,
)
from companion.games.pictomania.scoring import GuessCard
from companion.games.pictomania.state import NO_PILE, Phase, PictomaniaState, _

TAKE_WHILE_DRAWING = "P24", N_("bonus tokens are taken while everybody draws")

# Before the drawing ------------------------------------------------------------------------------------------------


class NextColour(MoveKind[PictomaniaState]):
    """P10: the next difficulty is chosen."""

    kind, who, phases, bot_weight = "colour", Who.TABLE, (Phase.DIFFICULTY,), 0.4
    otherwise = "P10", N_("the difficulty is chosen before the cards are dealt")

    def needs(self, game: PictomaniaState, move: Move) -> Iterator[Reason]:
        if game.phase is Phase.DIFFICULTY and len(game.available_colours) == 1:
            yield Unmet("V1", N_("this game is played with {colour} cards only"), values={"colour": _(game.colour)})

    def apply(self, game: PictomaniaState, move: Move) -> PictomaniaState:
        return replace(game, difficulty_index=(game.difficulty_index + 1) % len(game.available_colours))

    def make_offers(
        self, game: PictomaniaState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        (move,) = moves
        colour = self.apply(game, move).colour
        label = _("Next: {colour}", colour=_(colour))
        yield Offer(move, ConsolePress.PLUS, label, awaited=True, repeats=True, swatch_colour=colour)

    def describe(self, before: PictomaniaState, move: Move, after: PictomaniaState, names: Sequence[str]) -> str:
        return _("Difficulty: {colour}", colour=_(after.colour))


class Deal(MoveKind[PictomaniaState]):
    """P12: the cards are dealt."""

    kind, who, phases = "deal", Who.TABLE, (Phase.DIFFICULTY,)
    otherwise = "P12", N_("the cards are dealt already")

    def apply(self, game: PictomaniaState, move: Move) -> PictomaniaState:
        return replace(game, phase=Phase.READING)

    def make_offers(
        self, game: PictomaniaState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        label = _("Deal {colour}", colour=_(game.colour))
        yield Offer(moves[0], ConsolePress.OK, label, awaited=True, swatch_colour=game.colour)

    def describe(self, before: PictomaniaState, move: Move, after: PictomaniaState, names: Sequence[str]) -> str:
        return _("Round {round}: {colour} cards are dealt", round=after.round_number, colour=_(after.colour))


START = SimpleMove[PictomaniaState](  # P14
    "start",
    lambda game: replace(game, phase=Phase.START),
    phases=(Phase.READING,),
    otherwise=("P14", N_("the start signal follows when all have read the clues")),
    key=Key(ConsolePress.OK, N_("Start"), awaited=True),
    log=N_("The start signal is given"),
)


class Go(MoveKind[PictomaniaState]):
    """P14: the drawing begins."""

    kind, who, phases, bot_weight = "go", Who.TABLE, (Phase.START,), 0.2
    otherwise = "P14", N_("the drawing begins with the start signal")
    key, log = Key(ConsolePress.PLUS, N_("Start now")), N_("Drawing and guessing begins")

    def apply(self, game: PictomaniaState, move: Move) -> PictomaniaState:
        count = game.player_count
        return replace(
            game,
            phase=Phase.DRAWING,
            participants=game.round_seats,
            bonus_stars=(0,) * count,
            piles=((),) * count,
            drew_wrong_clue=(False,) * count,
            pile_index=0,
        )


# Drawing -----------------------------------------------------------------------------------------------------------


class TakeBonus(MoveKind[PictomaniaState]):
    """P24: who is finished takes the best bonus token that is left."""

    kind, who, phases = "take", Who.ANYBODY, (Phase.DRAWING,)
    otherwise = "P24", "the best token that is left is taken, and no value is named"  # only a program names one
    key = Key(SeatPress, N_("Done"), awaited=True)

    def list_seats(self, game: PictomaniaState) -> Iterable[Seat]:
        return game.round_seats

    def needs(self, game: PictomaniaState, move: Move) -> Iterator[Reason]:
        if game.phase is Phase.STOP and not game.tokens_left:
            yield "P25", N_("the last bonus token is taken, the drawing is over")
        elif game.phase is not Phase.DRAWING:
            yield TAKE_WHILE_DRAWING
        elif move.player not in game.round_seats:
            yield "P24", N_("{who} takes part from the next round on")
        elif game.bonus_stars[move.player]:
            yield "P24", N_("{who} has taken a bonus token and is finished")
        elif game.away[move.player]:
            yield "P24", N_("{who} is away")

    def apply(self, game: PictomaniaState, move: Move) -> PictomaniaState:
        bonus_stars = replace_at(game.bonus_stars, move.player, game.tokens_left[0])
        return replace(game, bonus_stars=bonus_stars).end_drawing_if_done()

    def describe(self, before: PictomaniaState, move: Move, after: PictomaniaState, names: Sequence[str]) -> str:
        who, stars = names[move.player], after.bonus_stars[move.player]
        if after.phase is Phase.STOP:
            return _.plural(
                "{who} takes the bonus token with {n} star: stop!",
                "{who} takes the bonus token with {n} stars: stop!",
                stars,
                who=who,
            )
        return _.plural(
            "{who} takes the bonus token with {n} star", "{who} takes the bonus token with {n} stars", stars, who=who
        )


class EndDrawing(MoveKind[PictomaniaState]):
    """P26: all agree to end the drawing. OK held: seat buttons take tokens until then."""

    kind, who, phases, bot_weight = "stop", Who.TABLE, (Phase.DRAWING,), 0.1
    otherwise = "P26", N_("nobody is drawing now")
    key = Key(ConsolePress.HOLD_OK, N_("Hold: stop"))

    def apply(self, game: PictomaniaState, move: Move) -> PictomaniaState:
        return replace(game, phase=Phase.STOP)

    def describe(self, before: PictomaniaState, move: Move, after: PictomaniaState, names: Sequence[str]) -> str:
        count = len(before.tokens_left)
        return _.plural("Stop: {n} token stays in the middle", "Stop: {n} tokens stay in the middle", count)


# Scoring -----------------------------------------------------------------------------------------------------------

SCORE = SimpleMove[PictomaniaState](  # P30
    "score",
    lambda game: replace(game, phase=Phase.SCORING),
    phases=(Phase.STOP,),
    otherwise=("P30", N_("the piles are turned over when the drawing is over")),
    key=Key(ConsolePress.OK, N_("Turn piles"), awaited=True),
    log=N_("The piles are turned over"),
)


class NextPile(MoveKind[PictomaniaState]):
    """P30: one pile after the other, then the round's page."""

    kind, who, phases, otherwise = "next", Who.TABLE, (Phase.SCORING,), NO_PILE

    def apply(self, game: PictomaniaState, move: Move) -> PictomaniaState:
        return game.score_round() if self._is_last(game) else game.open_pile(game.pile_index + 1)

    def get_key(self, game: PictomaniaState) -> Key:
        owner = game.get_active_seat()
        if not game.piles[owner] and not game.drew_wrong_clue[owner]:
            return Key(ConsolePress.HOLD_OK, N_("Hold: empty"), awaited=True)  # rare: not passed by a press too many
        label = N_("Add up") if self._is_last(game) else N_("Next pile")
        return Key(ConsolePress.OK, label, awaited=True, shown_seconds=MIN_SHOWN_SECONDS)

    def describe(self, before: PictomaniaState, move: Move, after: PictomaniaState, names: Sequence[str]) -> str:
        if after.phase is not Phase.ROUND:
            return _("{who}'s pile is scored", who=names[before.get_active_seat()])
        best_first = sorted(after.score_lines, key=lambda line: (-line.total, line.seat))
        scores = ", ".join(f"{names[line.seat]} {format_number(line.total)}" for line in best_first)
        return _("Round {round} is scored: {scores}", round=after.round_number, scores=scores)

    def get_bot_weight(self, game: PictomaniaState, offer: Offer) -> float:
        return 0.2 + len(game.piles[game.get_active_seat()]) / 2

    @staticmethod
    def _is_last(game: PictomaniaState) -> bool:
        return game.pile_index + 1 == len(game.participants)


class Back(MoveKind[PictomaniaState]):
    """P30: the pile before, or from the round's page the last one."""

    kind, who, phases, bot_weight = "back", Who.TABLE, (Phase.SCORING, Phase.ROUND), 0.03
    otherwise = "P30", N_("there is no pile before this one")
    key = Key(ConsolePress.NO, N_("Back"))

    def needs(self, game: PictomaniaState, move: Move) -> Iterator[Reason]:
        if not game.pile_index:
            yield self.otherwise

    def apply(self, game: PictomaniaState, move: Move) -> PictomaniaState:
        return game.open_pile(game.pile_index - (game.phase is Phase.SCORING))

    def describe(self, before: PictomaniaState, move: Move, after: PictomaniaState, names: Sequence[str]) -> str:
        return _("Back to {who}'s pile", who=names[after.get_active_seat()])


class NextRound(MoveKind[PictomaniaState]):
    """P40: all tokens and cards go back."""

    kind, who, phases = "next_round", Who.TABLE, (Phase.ROUND,)
    otherwise = "P40", N_("the next round begins when all piles of this one are scored")

    def apply(self, game: PictomaniaState, move: Move) -> PictomaniaState:
        return replace(
            game,
            phase=Phase.OVER if self._is_last(game) else Phase.DIFFICULTY,
            round_adjustments=(0,) * game.player_count,
            participants=(),
            bonus_stars=(),
            piles=(),
            drew_wrong_clue=(),
            pile_index=0,
        )

    def get_key(self, game: PictomaniaState) -> Key:
        label = N_("Final result") if self._is_last(game) else N_("Next round")
        return Key(ConsolePress.OK, label, awaited=True, shown_seconds=MIN_SHOWN_SECONDS)

    def describe(self, before: PictomaniaState, move: Move, after: PictomaniaState, names: Sequence[str]) -> str:
        is_over = after.phase is Phase.OVER
        message = N_("After round {round} the game is over") if is_over else N_("Round {round} begins")
        return _(message, round=after.round_number)

    @staticmethod
    def _is_last(game: PictomaniaState) -> bool:
        return len(game.round_scores) >= game.settings.rounds


class Misdrawn(MoveKind[PictomaniaState]):
    """P31, A7: the owner drew another clue. A question, not a long press: NO held is undo and nothing else."""

    kind, phases, bot_weight = "misdrawn", (Phase.SCORING,), 0.04
    log = N_("{who} drew another clue: all cards go back")

    def needs(self, game: PictomaniaState, move: Move) -> Iterator[Reason]:
        if (owner := game.pile_owner) is None:
            yield NO_PILE
        elif game.drew_wrong_clue[owner]:
            yield Unmet("P31", N_("all cards have gone back from {owner}'s pile"), {"owner": owner})

    def apply(self, game: PictomaniaState, move: Move) -> PictomaniaState:
        drew_wrong_clue = replace_at(game.drew_wrong_clue, move.player, True)
        return replace(game.replace_pile(move.player, ()), drew_wrong_clue=drew_wrong_clue)

    def make_offers(
        self, game: PictomaniaState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        (move,) = moves
        question = _("Did {who} obviously draw another clue? Then all cards go back.", who=names[move.player])
        yield Offer(move, ConsolePress.PLUS, _("Wrong clue"), confirm_question=question)


class Drawn(MoveKind[PictomaniaState]):
    """P31: the right clue after all."""

    kind, phases, bot_weight = "drawn", (Phase.SCORING,), 0.2
    key, log = Key(ConsolePress.PLUS, N_("Right clue")), N_("{who} drew the right clue after all")

    def needs(self, game: PictomaniaState, move: Move) -> Iterator[Reason]:
        if (owner := game.pile_owner) is None:
            yield NO_PILE
        elif not game.drew_wrong_clue[owner]:
            yield Unmet("P31", N_("nobody has said that {owner} drew another clue"), {"owner": owner})

    def apply(self, game: PictomaniaState, move: Move) -> PictomaniaState:
        return replace(game, drew_wrong_clue=replace_at(game.drew_wrong_clue, move.player, False))


class GuessMove(MoveKind[PictomaniaState]):
    """P21, P32: the guessers press (or are pressed) in the order of their cards; each press changes the card.

    A key's label says what pressing it says, never what is already known.
    """

    who, phases = Who.ANYBODY, (Phase.SCORING,)

    def list_seats(self, game: PictomaniaState) -> Iterable[Seat]:
        return game.participants

    def needs(self, game: PictomaniaState, move: Move) -> Iterator[Reason]:
        if (owner := game.pile_owner) is None:
            yield NO_PILE
        elif move.player == owner:
            yield "P21", N_("{who} cannot guess at an own drawing")
        elif move.player not in game.participants:
            yield "P21", N_("{who} takes part from the next round on")
        elif game.drew_wrong_clue[owner]:
            yield Unmet("P31", N_("all cards have gone back from {owner}'s pile"), {"owner": owner})
        else:
            yield from self.needs_card(game.find_card(move.player))

    @abstractmethod
    def needs_card(self, card: GuessCard | None) -> Iterator[Reason]:
        """Yield why the move is not possible with that card, or none, on the pile."""

    def describe(self, before: PictomaniaState, move: Move, after: PictomaniaState, names: Sequence[str]) -> str:
        owner, card = after.get_active_seat(), after.find_card(move.player)
        texts = {"owner": names[owner], "who": names[move.player]}
        if card is None:
            return _("{owner}'s pile: no card of {who}", **texts)
        if not card.is_right:
            return _("{owner}'s pile: {who} is wrong, card to the middle", **texts)
        stars = after.list_stars_earned(owner)[after.piles[owner].index(card)]
        return _.plural(
            "{owner}'s pile: {who} is right, {n} star", "{owner}'s pile: {who} is right, {n} stars", stars, **texts
        )


class Right(GuessMove):
    """The next card is right."""

    kind, key = "right", Key(SeatPress, N_("Was right"), awaited=True)

    def needs_card(self, card: GuessCard | None) -> Iterator[Reason]:
        if card:
            yield "P21", N_("{who} has a card on this pile already")

    def apply(self, game: PictomaniaState, move: Move) -> PictomaniaState:
        owner = game.get_active_seat()
        return game.replace_pile(owner, (*game.piles[owner], GuessCard(move.player, is_right=True)))


class Wrong(GuessMove):
    """The card is wrong; it keeps its place."""

    kind, key, bot_weight = "wrong", Key(SeatPress, N_("Was wrong")), 0.5

    def needs_card(self, card: GuessCard | None) -> Iterator[Reason]:
        if not card:
            yield "P32", N_("{who} has no card on this pile")
        elif not card.is_right:
            yield "P32", N_("{who}'s card is wrong already")

    def apply(self, game: PictomaniaState, move: Move) -> PictomaniaState:
        owner, wrong = game.get_active_seat(), GuessCard(move.player, is_right=False)
        return game.replace_pile(owner, tuple(wrong if c.guesser == move.seat else c for c in game.piles[owner]))


class Off(GuessMove):
    """A wrong card is taken off again."""

    kind, key, bot_weight = "off", Key(SeatPress, N_("Remove card")), 0.1

    def needs_card(self, card: GuessCard | None) -> Iterator[Reason]:
        if not card:
            yield "P21", N_("{who} has no card on this pile")
        elif card.is_right:
            yield "P21", N_("{who}'s card was right; say first that it was wrong")

    def apply(self, game: PictomaniaState, move: Move) -> PictomaniaState:
        owner = game.get_active_seat()
        return game.replace_pile(owner, tuple(card for card in game.piles[owner] if card.guesser != move.seat))
