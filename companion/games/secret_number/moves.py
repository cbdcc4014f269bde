"""The moves of Secret Number, in the order in which they are listed. Rule numbers: `docs/rules/secret_number.md`.

MINUS (pause, menu) and NO held (undo) are the referee's. Which keys there are follows from presses alone, as the
companion knows no card's value: no key can give one away. The bots' weights were chosen by hand so that a few cards are
laid in each round and the pile is seldom found wrong.
"""

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
    Reason,
    Seat,
    SeatPress,
    SimpleMove,
    Unmet,
    Who,
    replace_at,
)
from companion.games.secret_number.settings import DISPLAY_BONUSES, ROUNDS_PER_GAME
from companion.games.secret_number.state import Phase, SecretNumberState, _, advance_reveal, group_cards


class Lay(MoveKind[SecretNumberState]):
    """S21: a player lays a card; all do so at the same time."""

    kind, who = "lay", Who.ANYBODY
    phases = (Phase.ROUND,)
    key = Key(SeatPress, N_("Card laid"), repeats=True)
    bot_weight = 0.5

    def needs(self, game: SecretNumberState, move: Move) -> Iterator[Reason]:
        seat = move.player
        if game.away[seat]:
            yield "S20", N_("{who} is away")
        if seat not in game.participants:
            yield "S3", N_("{who} has no cards in this game and joins the next one")
        if game.phase is not Phase.ROUND:
            yield from self._need_round(game)
        yield from need_card(game, seat)
        if seat in game.current_pile[-1:]:
            yield "S21", N_("{who} laid the last card; another player must lay one first")

    def _need_round(self, game: SecretNumberState) -> Iterator[Reason]:
        match game.phase:
            case Phase.DEAL:
                yield "S4", N_("deal the cards first")
            case Phase.PREPARE:
                yield f"S1{game.round_number}", N_("choose what to show first; OK starts the round")
            case Phase.SHOW:
                yield f"S1{game.round_number}", N_("the round starts when all have shown")
            case Phase.BONUS if game.bonus_seat is not None:
                yield Unmet("S34", N_("{who} is asked for a bonus of 1, 2 or 3"), {"who": game.bonus_seat})
            case _:
                yield "S24", N_("the three rounds are over, no card is laid any more")

    def apply(self, game: SecretNumberState, move: Move) -> SecretNumberState:
        pile = (*game.current_pile, move.player)
        return replace(game, piles=replace_at(game.piles, game.round_number - 1, pile))

    def describe(self, before: SecretNumberState, move: Move, after: SecretNumberState, names: Sequence[str]) -> str:
        who, count = names[move.player], len(after.current_pile)
        return _.plural(
            "{who} lays a card, {n} card on the pile", "{who} lays a card, {n} cards on the pile", count, who=who
        )


class Insert(MoveKind[SecretNumberState]):
    """S25: a card was overlooked; a press of one's button puts one's card under the next one, in its round."""

    kind, who = "insert", Who.ANYBODY
    phases = (Phase.FIX,)
    key = Key(SeatPress, N_("My card"))
    log = N_("A card of {who} was overlooked: it is card {card}")
    bot_weight = 0.1

    def needs(self, game: SecretNumberState, move: Move) -> Iterator[Reason]:
        if game.phase is not Phase.FIX:
            yield "S25", N_("the pile is not being corrected")
        if move.player not in game.participants:
            yield "S3", N_("{who} has no cards in this game")
        yield from need_card(game, move.player)

    def apply(self, game: SecretNumberState, move: Move) -> SecretNumberState:
        cards, turned = game.cards_in_order, len(game.cards_right)
        # At the end of the last round if all are turned.
        r = game.next_card[0] if game.next_card else ROUNDS_PER_GAME
        return replace(game, piles=group_cards((*cards[:turned], (r, move.player), *cards[turned:])))


class Bonus(MoveKind[SecretNumberState]):
    """S34: a player who was right says the bonus on the own display card."""

    kind, who = "bonus", Who.ANYBODY
    phases = (Phase.BONUS,)
    otherwise = "S34", N_("a display card gives 1, 2 or 3")
    key = Key(NumberPress, awaited=True)
    log = N_("{who} has a bonus of {bonus}")

    def list_seats(self, game: SecretNumberState) -> Iterable[Seat]:
        return () if game.bonus_seat is None else (game.bonus_seat,)

    def list_values(self, game: SecretNumberState) -> Iterable[int]:
        return DISPLAY_BONUSES

    def needs(self, game: SecretNumberState, move: Move) -> Iterator[Reason]:
        if game.bonus_seat is None:
            yield "S34", N_("nobody is asked for a bonus")
        elif move.seat != game.bonus_seat:
            yield Unmet("S34", N_("{asked} is asked for the bonus, not {who}"), {"asked": game.bonus_seat})

    def apply(self, game: SecretNumberState, move: Move) -> SecretNumberState:
        bonuses = replace_at(game.display_bonuses, move.player, move.value[0])
        return advance_reveal(replace(game, display_bonuses=bonuses))


class PileMove(MoveKind[SecretNumberState]):
    """A move of the owner of the next card on the pile."""

    who = Who.ANYBODY

    def list_seats(self, game: SecretNumberState) -> Iterable[Seat]:
        card = game.next_card
        return () if card is None else card[1:]

    def needs(self, game: SecretNumberState, move: Move) -> Iterator[Reason]:
        card = game.next_card
        if card is not None and move.seat != card[1] and game.phase in (Phase.REVEAL, Phase.FIX):
            yield Unmet("S30", N_("the next card is {owner}'s, not {who}'s"), {"owner": card[1]})


class Right(PileMove):
    """S30: the next card is the secret number."""

    kind = "right"
    phases = (Phase.REVEAL,)
    otherwise = "S30", N_("no card is being turned")
    key = Key(ConsolePress.OK, N_("Correct"), awaited=True, shown_seconds=MIN_SHOWN_SECONDS)
    log = N_("Card {card}, {who}: right")
    bot_weight = 0.3
    is_right = True

    def needs(self, game: SecretNumberState, move: Move) -> Iterator[Reason]:
        yield from super().needs(game, move)
        if game.phase is Phase.FIX and game.next_card is not None:
            yield "S25", N_("the pile is being corrected; say first that it is right")

    def apply(self, game: SecretNumberState, move: Move) -> SecretNumberState:
        return advance_reveal(replace(game, cards_right=(*game.cards_right, self.is_right)))

    def describe(self, before: SecretNumberState, move: Move, after: SecretNumberState, names: Sequence[str]) -> str:
        line = super().describe(before, move, after, names)
        # S35: cards that need not be asked about any more.
        first, last = len(before.cards_right) + 2, len(after.cards_right)
        if first < last:
            return _("{line}, cards {first} to {last} are wrong", line=line, first=first, last=last)
        return _("{line}, card {last} is wrong", line=line, last=last) if first == last else line


class Wrong(Right):
    """S30: it is not."""

    kind = "wrong"
    key = Key(ConsolePress.NO, N_("Wrong"), awaited=True, shown_seconds=MIN_SHOWN_SECONDS)
    log = N_("Card {card}, {who}: wrong")
    bot_weight = 1.0
    is_right = False


class RemoveCard(PileMove):
    """S25: there is no such card on the pile."""

    kind = "remove"
    phases = (Phase.FIX,)
    otherwise = "S25", N_("there is no card to be taken out")
    key = Key(ConsolePress.NO, N_("No card"))
    log = N_("There is no card {card} of {who}")
    bot_weight = 0.1

    def apply(self, game: SecretNumberState, move: Move) -> SecretNumberState:
        cards, turned = game.cards_in_order, len(game.cards_right)
        return replace(game, piles=group_cards((*cards[:turned], *cards[turned + 1 :])))


class Earlier(MoveKind[SecretNumberState]):
    """S25: back to the card before."""

    kind, who = "earlier", Who.TABLE
    phases = (Phase.FIX,)
    otherwise = "S25", N_("there is no earlier card to go back to")
    key = Key(ConsolePress.PLUS, N_("Card back"))
    log = N_("Back to card {earlier}")
    bot_weight = 0.2

    def needs(self, game: SecretNumberState, move: Move) -> Iterator[Reason]:
        if not game.cards_right:
            yield self.otherwise

    def apply(self, game: SecretNumberState, move: Move) -> SecretNumberState:
        return replace(game, cards_right=game.cards_right[:-1])


class EndRound(MoveKind[SecretNumberState]):
    """S23: the round ends. Held, for seat buttons lay cards until then (S20), so nobody can agree with them."""

    kind, who = "end", Who.TABLE
    phases = (Phase.ROUND,)
    otherwise = "S23", N_("no round is being played")
    bot_weight = 0.4

    def get_key(self, game: SecretNumberState) -> Key:
        return Key(ConsolePress.HOLD_OK, N_("Hold: stop"), awaited=not game.seats_able_to_lay)

    def apply(self, game: SecretNumberState, move: Move) -> SecretNumberState:
        if game.round_number < ROUNDS_PER_GAME:
            return replace(game, phase=Phase.PREPARE, round_number=game.round_number + 1)
        return advance_reveal(replace(game, phase=Phase.REVEAL))  # S24

    def describe(self, before: SecretNumberState, move: Move, after: SecretNumberState, names: Sequence[str]) -> str:
        r, count = before.round_number, len(before.current_pile)
        if not count:
            return _("Round {round} is over, no cards on the pile", round=r)
        return _.plural(
            "Round {round} is over, {n} card on the pile",
            "Round {round} is over, {n} cards on the pile",
            count,
            round=r,
        )


class NextGame(MoveKind[SecretNumberState]):
    """S6, A9: the next game, or the end; the result of this one is kept."""

    kind, who = "next", Who.TABLE
    phases = (Phase.RESULT,)
    otherwise = "S6", N_("the next game starts when this one is scored")
    log = N_("Game {game}: {scores}")

    def get_key(self, game: SecretNumberState) -> Key:
        label = N_("Final result") if game.game_number == game.settings.games else N_("Next game")
        return Key(ConsolePress.OK, label, awaited=True, shown_seconds=MIN_SHOWN_SECONDS)

    def apply(self, game: SecretNumberState, move: Move) -> SecretNumberState:
        is_last = game.game_number == game.settings.games
        game = replace(
            game,
            phase=Phase.OVER if is_last else Phase.DEAL,
            earlier_scores=(*game.earlier_scores, tuple(tally.total for tally in game.tallies)),
            piles=((),) * ROUNDS_PER_GAME,
            cards_right=(),
            display_bonuses=(0,) * game.player_count,
        )
        if is_last:
            return game
        return replace(
            game,
            game_number=game.game_number + 1,
            round_number=1,
            deal_count=1,
            participants=game.present_seats,
        )


DEALT = SimpleMove[SecretNumberState](  # S4
    "dealt",
    lambda game: replace(game, phase=Phase.PREPARE),
    phases=(Phase.DEAL,),
    otherwise=("S4", N_("the cards are dealt at the start of a game")),
    key=Key(ConsolePress.OK, N_("Dealt"), awaited=True),
    log=N_("Game {game} begins"),
)
AGAIN = SimpleMove[SecretNumberState](  # S4: somebody holds two zeros
    "again",
    lambda game: replace(game, deal_count=game.deal_count + 1),
    phases=(Phase.DEAL,),
    otherwise=("S4", N_("the cards are dealt again only before a game begins")),
    key=Key(ConsolePress.NO, N_("Deal again")),
    log=N_("Somebody holds two zeros: dealt again"),
    bot_weight=0.05,
)
READY = SimpleMove[SecretNumberState](  # S11 to S13: all have chosen what to show
    "ready",
    lambda game: replace(game, phase=Phase.SHOW if game.settings.show_seconds else Phase.ROUND),
    phases=(Phase.PREPARE,),
    otherwise=("S11", N_("a round is prepared before it starts")),
    key=Key(ConsolePress.OK, N_("All ready"), awaited=True),
    log=N_("All have chosen what to show"),
)
GO = SimpleMove[SecretNumberState](  # S20: all show it, the round starts
    "go",
    lambda game: replace(game, phase=Phase.ROUND),
    phases=(Phase.SHOW,),
    otherwise=("S20", N_("a round starts when all show at the same time")),
    key=Key(ConsolePress.PLUS, N_("Start now")),  # not OK: who presses it a third time would cut the countdown short
    log=N_("All show it: round {round} begins"),
)
WAIT = SimpleMove[SecretNumberState](  # the countdown is cancelled
    "wait",
    lambda game: replace(game, phase=Phase.PREPARE),
    phases=(Phase.SHOW,),
    otherwise=("S20", N_("only what has not started yet can wait")),
    key=Key(ConsolePress.NO, N_("Wait")),
    log=N_("The countdown is cancelled"),
    bot_weight=0.05,
)
BACK = SimpleMove[SecretNumberState](  # S25: the pile is right now
    "back",
    lambda game: advance_reveal(replace(game, phase=Phase.REVEAL)),
    phases=(Phase.FIX,),
    otherwise=("S25", N_("the pile is not being corrected")),
    key=Key(ConsolePress.OK, N_("Pile right"), awaited=True),
    log=N_("The pile is right"),
)
FIX = SimpleMove[
    SecretNumberState
](  # S25: while cards are turned it may turn out that the pile differs from the presses
    "fix",
    lambda game: replace(game, phase=Phase.FIX),
    phases=(Phase.REVEAL, Phase.BONUS, Phase.RESULT),
    otherwise=("S25", N_("the pile is corrected when it is turned")),
    key=Key(ConsolePress.PLUS, N_("Fix pile")),
    log=N_("The pile is being corrected"),
    bot_weight=0.03,
)
MOVES: tuple[MoveKind[SecretNumberState], ...] = (
    *(Lay(), Insert(), Bonus(), Right(), Wrong(), RemoveCard(), Earlier()),
    *(DEALT, AGAIN, READY, GO, WAIT, EndRound(), BACK, NextGame(), FIX),
)


def need_card(game: SecretNumberState, seat: Seat) -> Iterator[Reason]:
    """Yield that `seat` has no card in hand (S22)."""
    if game.count_cards_laid(seat) >= game.hand_size:
        yield Unmet("S22", N_("{who} has laid all {n} cards of this game"), values={"n": game.hand_size})
