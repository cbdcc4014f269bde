"""Pictomania as a frozen value: what the rules allow, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.games.api.game import Correctable, Correction, GameClock, IllegalMove, Move, Outcome, Seat
from companion.games.pictomania import corrections, transitions
from companion.games.pictomania.illegal_moves import explain_refusal
from companion.games.pictomania.settings import CLUE_COUNT, COUNTDOWN_SECONDS, MAX_PLAYERS, MIN_PLAYERS, Settings
from companion.games.pictomania.state import Position
from companion.games.pictomania.view import Phase, PictomaniaView, PileCard
from companion.i18n import Translator

_ = Translator("pictomania")


@dataclass(frozen=True, slots=True)
class Pictomania(Position):
    """A game of Pictomania (`companion.games.api.game.Game`).

    >>> game = Pictomania.create(3, Seat(0), Settings())
    >>> for kind in ("deal", "start", "go"):
    ...     game = game.play(Move(kind))
    >>> game = game.play(Move("take", Seat(1)))
    >>> game.bonus_stars, game.tokens_left
    ((0, 2, 0), (1,))
    >>> game.play(Move("take", Seat(1)))
    Traceback (most recent call last):
    ...
    companion.games.api.game.IllegalMove: P24: seat 1 has taken a bonus token and is finished
    """

    @classmethod
    def create(cls, player_count: int, first_seat: Seat, settings: Settings) -> Pictomania:
        """P1, P2: the game at its start.

        Raises:
            ValueError: too few or too many players, or no such seat.
        """
        if not MIN_PLAYERS <= player_count <= MAX_PLAYERS:
            raise ValueError(f"Pictomania is for {MIN_PLAYERS} to {MAX_PLAYERS} players, not {player_count}")
        if not 0 <= first_seat < player_count:
            raise ValueError(f"seat {first_seat} cannot begin among {player_count} players")
        nothing = (0,) * player_count
        return cls(
            settings,
            first_seat,
            Phase.DIFFICULTY,
            away=(False,) * player_count,
            total_adjustments=nothing,
            changes=nothing,
        )

    def list_moves(self) -> Sequence[Move]:
        return tuple(self._moves())

    def play(self, move: Move) -> Pictomania:
        if move not in self._moves():
            raise IllegalMove(explain_refusal(self, move))
        return self._changed_to(transitions.apply_move(self, move))

    def list_correctables(self) -> Sequence[Correctable]:
        return corrections.list_correctables(self)

    def correct(self, correction: Correction) -> Pictomania:
        return self._changed_to(corrections.apply_correction(self, correction))

    def list_clocks(self) -> Sequence[GameClock]:
        """P14's 3, 2, 1, and the house timers."""
        match self.phase:
            case Phase.READING if self.settings.reading_seconds:
                return (GameClock(f"reading, round {self.round_number}", self.settings.reading_seconds, Move("start")),)
            case Phase.START:
                return (GameClock(f"start, round {self.round_number}", COUNTDOWN_SECONDS, Move("go")),)
            case Phase.DRAWING if self.settings.drawing_seconds:
                return (GameClock(f"drawing, round {self.round_number}", self.settings.drawing_seconds, Move("stop")),)
            case _:
                return ()

    def compute_scores(self) -> Mapping[Seat, int]:
        return {Seat(q): total for q, total in enumerate(self.totals)}

    def compute_outcome(self) -> Outcome | None:
        """P41: most points; ties share the victory."""
        if self.phase is not Phase.OVER:
            return None
        most = max(self.totals)
        winners = tuple(Seat(q) for q, total in enumerate(self.totals) if total == most)
        scored = _.plural("The round is scored", "All rounds are scored", len(self.round_scores))
        points = _.plural("{n} point is the most", "{n} points are the most", most)
        if len(winners) > 1:
            return Outcome(winners, _("{scored}; {points}, the victory is shared.", scored=scored, points=points))
        return Outcome(winners, _("{scored}; {points}.", scored=scored, points=points))

    def build_view(self) -> PictomaniaView:
        owner = self.pile_owner
        page = self.phase is Phase.ROUND
        stopped = self.phase is Phase.STOP and not self.tokens_left
        return PictomaniaView(
            phase=self.phase,
            variant=self.settings.variant,
            round_number=self.round_number,
            round_count=self.settings.rounds,
            colour=self.colour,
            colours=self.available_colours,
            word_card_count=self.settings.word_cards_per_round,
            round_seats=self.round_seats,
            away=tuple(Seat(q) for q, gone in enumerate(self.away) if gone),
            bonus_tokens=self.bonus_tokens,
            tokens_left=self.tokens_left,
            bonus_stars=self.bonus_stars or (0,) * self.player_count,
            seats_drawing=self.seats_drawing,
            last_without_token=self.seats_without_token[0] if stopped else None,
            pile_owner=owner,
            pile=() if owner is None else self._pile(owner),
            owner_tokens_left=() if owner is None else self.scoring_tokens[sum(c.right for c in self.piles[owner]) :],
            drew_wrong_clue=tuple(Seat(q) for q, wrong in enumerate(self.drew_wrong_clue) if wrong),
            wrong_card_counts=self.wrong_card_counts,
            black_sheep=self.black_sheep if page else None,
            score_lines=self.score_lines if page else (),
            totals=self.totals,
            changes=self.changes,
            outcome=self.compute_outcome(),
        )

    def _pile(self, owner: Seat) -> tuple[PileCard, ...]:
        cards = zip(self.piles[owner], self.list_stars_earned(owner), strict=True)
        return tuple(PileCard(card.guesser, card.right, stars) for card, stars in cards)

    def _changed_to(self, after: Pictomania) -> Pictomania:
        changes = tuple(now - then for now, then in zip(after.totals, self.totals, strict=True))
        return replace(after, changes=changes)

    def _moves(self) -> Iterator[Move]:
        match self.phase:
            case Phase.DIFFICULTY:
                yield Move("deal")
                if len(self.available_colours) > 1:
                    yield Move("colour")
            case Phase.READING:
                yield Move("start")
            case Phase.START:
                yield Move("go")
            case Phase.DRAWING:
                yield from (Move("take", q) for q in self.seats_drawing)
                yield Move("stop")
            case Phase.STOP:
                yield Move("score")
            case Phase.SCORING:
                yield from self._scoring_moves(self.participants[self.pile_index])
            case Phase.ROUND:
                yield Move("next_round")
                yield Move("back")
            case Phase.OVER:
                pass

    def _scoring_moves(self, owner: Seat) -> Iterator[Move]:
        yield Move("next")
        if self.pile_index:
            yield Move("back")
        if self.drew_wrong_clue[owner]:
            yield Move("drawn", owner)
            return
        yield Move("misdrawn", owner)
        yield from (Move("number", owner, (n,)) for n in range(1, CLUE_COUNT + 1) if self.can_hold(n))
        for q in self.participants:
            if q != owner:
                yield from self._card_moves(q, bool(self.owner_numbers[owner]))

    def _card_moves(self, guesser: Seat, judged: bool) -> Iterator[Move]:
        """P21, P32. A press: right; once more: wrong; once more: taken off. Numbers only where they can be judged."""
        card = self.find_card(guesser)
        if card is not None:
            yield Move("wrong" if card.right else "off", guesser)
            return
        yield Move("right" if self.can_be_right(guesser) else "wrong", guesser)
        if judged:
            numbers = (n for n in range(1, CLUE_COUNT + 1) if self.find_pile_with(guesser, n) is None)
            yield from (Move("card", guesser, (n,)) for n in numbers)
