"""One state of a Pictomania game: what is stored, and what follows from it by itself."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Self

from companion.api import (
    N_,
    BadCorrection,
    Game,
    Offer,
    Reason,
    Seat,
    SeatPress,
    Translator,
    Unmet,
    Visibility,
    replace_at,
)
from companion.games.pictomania.scoring import (
    GuessCard,
    PictomaniaScoreLine,
    find_black_sheep,
    list_stars_earned,
    score_player,
)
from companion.games.pictomania.settings import MIN_PLAYERS, Settings

_ = Translator("pictomania")

NO_PILE = "P30", N_("no pile is being scored now")


class Phase(StrEnum):
    """Phases of a round; the values are the names of samples and clocks."""

    DIFFICULTY = "difficulty"  # P10
    READING = "reading"  # P13
    START = "start"  # P14: 3, 2, 1
    DRAWING = "drawing"  # P20 to P27
    STOP = "stop"  # P25: pens down
    SCORING = "scoring"  # P30 to P32, one pile after the other
    ROUND = "round"  # P33 to P36: the round's page
    OVER = "over"  # P41


PHASES_AFTER_START = (Phase.DRAWING, Phase.STOP, Phase.SCORING, Phase.ROUND)
"""The phases in which it is settled who takes part in the round."""


@dataclass(frozen=True, slots=True)
class PictomaniaState(Game):
    """Stored state of a game of Pictomania; tuples are by seat.

    In a round all players draw a clue and lay guess cards on the others' piles; who is done takes a bonus token. Then
    pile after pile is scored: right cards earn scoring tokens of the pile's owner. Rule numbers (P1) are those of
    `docs/rules/pictomania.md`.
    """

    settings: Settings = field(hash=False)
    first_seat: Seat
    """Whose pile is scored first."""
    phase: Phase
    total_adjustments: tuple[int, ...]
    """What corrections of totals add to the sums of the rounds."""
    round_adjustments: tuple[int, ...]
    """What corrections by hand add to the round on the page, also when its cards or tokens are corrected afterwards."""
    round_scores: tuple[tuple[int, ...], ...] = ()
    """Points of the rounds scored so far, by round and seat."""
    difficulty_index: int = 0
    """Index in `available_colours`; it stays from round to round until another is chosen."""
    participants: tuple[Seat, ...] = ()
    """Seats that take part in this round, set by the start signal; a latecomer takes part from the next round on."""
    bonus_stars: tuple[int, ...] = ()
    """Stars of the bonus token taken; 0: none."""
    piles: tuple[tuple[GuessCard, ...], ...] = ()
    """By owner: the cards in the order in which they were laid."""
    drew_wrong_clue: tuple[bool, ...] = ()
    """P31: whether the player drew another clue than the one dealt."""
    pile_index: int = 0
    """Index in `participants` of the pile that is being scored."""

    MOVE_RULE = "P20"
    translate = _

    @property
    def round_number(self) -> int:
        """Number of the round in play, or of the round just scored, from 1."""
        return len(self.round_scores) + (self.phase not in (Phase.ROUND, Phase.OVER))

    @property
    def round_seats(self) -> tuple[Seat, ...]:
        """Seats that take part in this round, clockwise from the first seat."""
        if self.phase in PHASES_AFTER_START:
            return self.participants
        return tuple(q for q in (self.first_seat, *self.list_others(self.first_seat)) if not self.away[q])

    @property
    def available_colours(self) -> tuple[str, ...]:
        """Colours of the difficulties that may be chosen (P10), easy to hard; in the variant V1 only the easiest."""
        colours = self.settings.difficulty_colours
        return colours[:1] if self.settings.variant == "only_green" else colours

    @property
    def colour(self) -> str:
        """Colour of the difficulty chosen (P10), an entry of `available_colours`."""
        return self.available_colours[self.difficulty_index]

    @property
    def bonus_tokens(self) -> tuple[int, ...]:
        """Stars of this round's bonus tokens (P2), highest first: one token fewer than players.

        Raises:
            KeyError: fewer than three players take part.
        """
        return self.settings.bonus_tokens[len(self.round_seats)]

    @property
    def tokens_left(self) -> tuple[int, ...]:
        """Stars of the bonus tokens still in the middle, highest first."""
        return tuple((Counter(self.bonus_tokens) - Counter(self.bonus_stars)).elements())

    @property
    def seats_without_token(self) -> tuple[Seat, ...]:
        """Seats that take part in this round and hold no bonus token, present or away."""
        return tuple(q for q in self.round_seats if not (self.bonus_stars and self.bonus_stars[q]))

    @property
    def seats_drawing(self) -> tuple[Seat, ...]:
        """Present seats that may still take a bonus token (P24, A12); empty in all phases but DRAWING."""
        return self.list_seats("take")

    @property
    def pile_owner(self) -> Seat | None:
        """Seat whose pile is being scored; None in all phases but SCORING."""
        return self.participants[self.pile_index] if self.phase is Phase.SCORING else None

    @property
    def scoring_tokens(self) -> tuple[int, ...]:
        """Stars of the scoring tokens that each player has (P1), highest first: one token fewer than players.

        Raises:
            KeyError: fewer than three players take part.
        """
        return self.settings.scoring_tokens[len(self.round_seats)]

    @property
    def totals(self) -> tuple[int, ...]:
        """Points by seat: the sum of the rounds scored so far, and corrections (P41)."""
        return tuple(
            adjustment + sum(scores[q] for scores in self.round_scores)
            for q, adjustment in enumerate(self.total_adjustments)
        )

    @property
    def wrong_card_counts(self) -> tuple[int, ...]:
        """By seat: number of the player's wrong guess cards so far in this round (P34), on all piles."""
        wrong = [card.guesser for pile in self.piles for card in pile if not card.is_right]
        return tuple(wrong.count(Seat(q)) for q in range(self.player_count))

    @property
    def black_sheep(self) -> Seat | None:
        """Seat that alone has most wrong cards, at least one (P34, A3); None: nobody, or a tie."""
        return find_black_sheep(self.wrong_card_counts)

    @property
    def score_lines(self) -> tuple[PictomaniaScoreLine, ...]:
        """Points of this round by player who takes part, ordered by seat (P33 to P36).

        Empty before the drawing starts.

        Raises:
            StopIteration: a pile has more right cards than a player has scoring tokens.
        """
        if not self.piles:
            return ()
        piles = {owner: self.piles[owner] for owner in self.round_seats}
        sheep, tokens = self.black_sheep, self.scoring_tokens
        return tuple(
            score_player(q, piles, tokens, self.bonus_stars[q], self.round_adjustments[q], is_black_sheep=q == sheep)
            for q in sorted(piles)
        )

    def list_stars_earned(self, owner: Seat) -> tuple[int, ...]:
        """Return the stars that each card on the pile of `owner` earned, in the order of the pile (P32).

        Each right card gets the token with most stars that is left; a wrong card gets 0.

        Raises:
            IndexError: the drawing has not started, so that there are no piles, or there is no such seat.
            StopIteration: the pile has more right cards than a player has scoring tokens.
        """
        return list_stars_earned(self.piles[owner], self.scoring_tokens)

    def list_tokens_kept(self, owner: Seat) -> tuple[int, ...]:
        """Return the stars of the scoring tokens that `owner` has not given to guessers, highest first (P32).

        Raises:
            IndexError: the drawing has not started, so that there are no piles, or there is no such seat.
        """
        return self.scoring_tokens[sum(card.is_right for card in self.piles[owner]) :]

    def find_card(self, guesser: Seat) -> GuessCard | None:
        """Return the guesser's card on the pile that is being scored.

        None: there is no card, or no pile is being scored.
        """
        pile = () if self.pile_owner is None else self.piles[self.pile_owner]
        return next((card for card in pile if card.guesser == guesser), None)

    def explain_end(self) -> Reason | None:
        """Return that all rounds are played (P40)."""
        if self.phase is not Phase.OVER:
            return None
        rounds = self.settings.rounds
        return "P40", _.plural("the game is over after {n} round", "the game is over after {n} rounds", rounds)

    def get_active_seat(self) -> Seat:
        """Return the owner of the pile that is scored, or was scored last."""
        return self.participants[self.pile_index] if self.participants else self.first_seat

    def explain_turn(self, rule: str) -> Reason:
        """Return that another player's pile is scored (P30)."""
        if self.pile_owner is None:
            return NO_PILE
        return Unmet("P30", N_("it is {owner}'s pile that is being scored, not {who}'s"), {"owner": self.pile_owner})

    def list_offers(self, names: Sequence[str], visibility: Visibility) -> Iterator[Offer]:
        """Yield what can be pressed now; the guessers' keys in the order of the seats, not of their labels."""

        def find_place(offer: Offer) -> int:
            return self.participants.index(offer.input.seat) if isinstance(offer.input, SeatPress) else -1

        offers = Game.list_offers(self, names, visibility)
        yield from sorted(offers, key=find_place) if self.phase is Phase.SCORING else offers

    def change_away(self, seat: Seat, is_away: bool) -> Self:
        """Return the game after a player left or came back.

        Who leaves is not asked any more; cards that lie on the table count. Who comes back draws in the next round.
        """
        game = self.set_away(seat, is_away)
        if len(game.present_seats) < MIN_PLAYERS:
            raise BadCorrection("P1", _("{n} players are needed: set the game aside instead"), n=MIN_PLAYERS)
        return game.end_drawing_if_done()

    def end_drawing_if_done(self) -> Self:
        """Return the game in the phase STOP if the drawing is over (P25), else the game itself.

        It is over with the last bonus token, or when nobody is left who could take one.
        """
        is_done = self.phase is Phase.DRAWING and not (self.tokens_left and self.seats_drawing)
        return replace(self, phase=Phase.STOP) if is_done else self

    def open_pile(self, pile_index: int) -> Self:
        """Return the game with one pile open for scoring; from the phase ROUND, the scores of the round are removed.

        Args:
            pile_index: index of the pile's owner in `participants`.
        """
        round_scores = self.round_scores[:-1] if self.phase is Phase.ROUND else self.round_scores
        return replace(self, phase=Phase.SCORING, pile_index=pile_index, round_scores=round_scores)

    def replace_pile(self, owner: Seat, pile: tuple[GuessCard, ...]) -> Self:
        """Return the game with other cards on the pile of `owner`."""
        return replace(self, piles=replace_at(self.piles, owner, pile))

    def score_round(self) -> Self:
        """Return the game with the round's page (P36). Who did not take part has nothing to write down."""
        totals = {line.seat: line.total for line in self.score_lines}
        scores = tuple(totals.get(Seat(q), self.round_adjustments[q]) for q in range(self.player_count))
        return replace(self, phase=Phase.ROUND, round_scores=(*self.round_scores, scores))

    def rescore_round(self) -> Self:
        """Return the game with the scores of the round computed again; outside the phase ROUND, the game itself."""
        return self.open_pile(self.pile_index).score_round() if self.phase is Phase.ROUND else self
