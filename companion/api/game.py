"""The base class of games: it lists, plays, refuses, offers and describes what a game declares."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from functools import cache
from operator import sub
from typing import Any, ClassVar, Self

from companion.api.correction_kind import CorrectionKind
from companion.api.game_state import GameState
from companion.api.move import BadCorrection, Correctable, Correction, IllegalMove, Move, Seat, Unmet
from companion.api.move_kind import MoveKind, Who
from companion.api.offers import Offer, Visibility
from companion.i18n import _


class Game(GameState):
    """Base class of games: a frozen value that declares its moves and corrections, each once.

    >>> from dataclasses import dataclass
    >>> from companion.api import Active, Away
    >>> class Take(MoveKind):
    ...     kind = "take"
    ...     def list_values(self, game):
    ...         return range(1, min(2, game.stones) + 1)
    ...     def explain_value(self, game, move):
    ...         yield "H3", "one or two stones are taken, as far as there are any"
    ...     def apply(self, game, move):
    ...         seat = game.find_next_seat(move.player)
    ...         return replace(game, stones=game.stones - move.value[0], active_seat=seat)
    ...
    >>> @dataclass(frozen=True, slots=True, kw_only=True)
    ... class Heap(Game):
    ...     stones: int
    ...     active_seat: Seat = Seat(0)
    ...     totals = (0, 0)
    ...     MOVES, MOVE_RULE, translate = (Take(),), "H2", _
    ...     CORRECTIONS = (Active("H2", "whose turn it is"), Away())
    ...     def get_active_seat(self):
    ...         return self.active_seat
    ...     def compute_outcome(self):
    ...         return None
    ...
    >>> game = Heap(settings=None, away=(False, False), stones=5)
    >>> [move.value for move in game.list_moves()]
    [(1,), (2,)]
    >>> game = game.play(Move("take", Seat(0), (2,)))
    >>> game.stones, game.active_seat
    (3, 1)
    >>> game.play(Move("take", Seat(1), (3,)))
    Traceback (most recent call last):
    ...
    companion.api.move.IllegalMove: H3: one or two stones are taken, as far as there are any

    The order of `MOVES` is that of the offers, the order of `CORRECTIONS` that of the menu. The screen draws the game,
    so it holds nothing that the whole table may not see. Why it is frozen: `docs/design/frozen-games.md`.
    """

    # Games are dataclasses with slots: without this line each would have a __dict__ too.
    __slots__ = ()

    MOVES: ClassVar[tuple[MoveKind[Any], ...]]
    CORRECTIONS: ClassVar[tuple[CorrectionKind[Any], ...]]

    @classmethod
    @cache
    def _map_moves(cls) -> Mapping[str, MoveKind[Any]]:
        return {str(kind.kind): kind for kind in cls.MOVES}

    @classmethod
    @cache
    def _map_corrections(cls) -> Mapping[str, CorrectionKind[Any]]:
        return {str(kind.kind): kind for kind in cls.CORRECTIONS}

    @classmethod
    @cache
    def _list_kinds_of(cls, phase: Enum | None) -> tuple[MoveKind[Any], ...]:
        return tuple(kind for kind in cls.MOVES if not kind.phases or phase in kind.phases)

    def _list_kinds(self) -> tuple[MoveKind[Any], ...]:
        """Return the kinds of moves that the present phase has, in the order of `MOVES`; empty: the game is over."""
        return () if self.explain_end() else self._list_kinds_of(getattr(self, "phase", None))

    def get_move_kind(self, kind: str) -> MoveKind[Any]:
        """Return the kind of move that is called so.

        Raises:
            KeyError: there is none.
        """
        return self._map_moves()[kind]

    def get_correction_kind(self, kind: str) -> CorrectionKind[Any]:
        """Return the kind of correction that is called so.

        Raises:
            KeyError: there is none.
        """
        return self._map_corrections()[kind]

    def _list_legal(self) -> Mapping[str, tuple[Move, ...]]:
        """Return the legal moves by kind, in the order of `MOVES`."""
        if self._legal_moves is None:
            legal = {str(kind.kind): tuple(kind.list_legal(self)) for kind in self._list_kinds()}
            # The game is frozen, so its moves never change: they are worked out once, and asked for many times.
            object.__setattr__(self, "_legal_moves", legal)
            return legal
        return self._legal_moves

    def list_seats(self, kind: str) -> tuple[Seat, ...]:
        """Return who may make a move of that kind now: screens and prompts ask it too."""
        return tuple(move.player for move in self._list_legal().get(kind, ()))

    def list_moves(self) -> Sequence[Move]:
        """Return all legal moves, and nothing else; empty: the game is over.

        A move whose value the table supplies is listed once, as an open move: without its value, with a `value_range`.
        """
        return tuple(move for moves in self._list_legal().values() for move in moves)

    def play(self, move: Move) -> Self:
        """Return the game after `move`, with `changes` set; the game itself stays as it is.

        Args:
            move: a complete move, legal or not: an open one (with a `value_range`) is refused, `Move.fill` completes
                it.

        Raises:
            IllegalMove: the rules forbid the move now; the error names the rule.
        """
        if refusal := self.find_refusal(move):
            raise refusal
        return self._with_changes(self._map_moves()[move.kind].apply(self, move))

    def find_refusal(self, move: Move) -> IllegalMove | None:
        """Return why `move` cannot be played now; None: it can be."""
        if any(legal.allows(move) for legal in self._list_legal().get(move.kind, ())):
            return None
        return self._explain_refusal(move)

    def _explain_refusal(self, move: Move) -> IllegalMove:
        """Return why `move`, which is not legal, is refused; malformed moves, which only programs make, in English."""
        kind = self._map_moves().get(move.kind)
        if kind is None:
            return IllegalMove(self.MOVE_RULE, f"'{move.kind}' is not a move of this game")
        is_player = move.seat in range(self.player_count)
        reason = self.explain_end()
        if reason is None and kind.who is Who.TABLE:
            if move.seat is not None or (move.value and kind.list_values(self) is None):
                return IllegalMove(self.MOVE_RULE, f"'{move.kind}' belongs to the whole table")
        elif reason is None:
            if not is_player:
                message = f"'{move.kind}' needs one of the {self.player_count} seats, not {move.seat}"
                return IllegalMove(self.MOVE_RULE, message)
            if kind.who is Who.ACTIVE and move.seat != self.get_active_seat():
                reason = self.explain_turn(kind.rule or self.MOVE_RULE)
        unmet = Unmet(*(reason or kind.find_reason(self, move)))
        mover = {"who": move.seat, "other": move.seat} if is_player and move.seat is not None else {}
        return IllegalMove(unmet.rule, self.translate(unmet.text), {**mover, **unmet.seats}, **unmet.values)

    def list_correctables(self) -> Sequence[Correctable]:
        """Return everything that may be corrected now, with present values, in the order of the menu."""
        due = (kind for kind in self.CORRECTIONS if kind.is_listed and kind.is_due(self))
        return tuple(entry for kind in due for entry in kind.list_entries(self))

    def find_correctable(self, correction: Correction) -> Correctable | None:
        """Return the entry with the kind, seat and index of `correction`, for any value of it; it may be unlisted.

        None: there is none, so that it cannot be corrected now.
        """
        kind = self._map_corrections().get(correction.kind)
        entries = kind.list_entries(self) if kind and kind.is_due(self) else ()
        return next((entry for entry in entries if entry.is_about(correction)), None)

    def correct(self, correction: Correction) -> Self:
        """Return the game with `correction` applied and `changes` set; the game itself stays as it is.

        Args:
            correction: for one of `list_correctables`, or of a kind that they leave out (`CorrectionKind.is_listed`).

        Raises:
            BadCorrection: this cannot be corrected now, the value is out of range, or no table could show that.
        """
        entry = self.find_correctable(correction)
        if entry is None:
            raise BadCorrection("", _("{what} cannot be corrected now", what=correction.stored_kind))
        entry.make_correction(*correction.value)
        return self._with_changes(self._apply_correction(correction))

    def _apply_correction(self, correction: Correction) -> Self:
        """Return the game as the table shows it, all but `changes`; kind, seat and value have been checked."""
        after: Self = self._map_corrections()[correction.kind].apply(self, correction)
        return after

    def _with_changes(self, after: Self) -> Self:
        """Return `after` with what it adds to the totals of this game."""
        return replace(after, changes=tuple(map(sub, after.totals, self.totals)))

    def list_offers(self, names: Sequence[str], visibility: Visibility) -> Iterator[Offer]:
        """Yield what can be pressed or done now: the offers of each legal move, in the order of `MOVES`."""
        for kind in self._list_kinds():
            if moves := self._list_legal()[str(kind.kind)]:
                yield from kind.make_offers(self, moves, names, visibility)

    def describe(self, what: Move | Correction, after: Self, names: Sequence[str]) -> str:
        """Return the translated line of the log on a move or correction that was legal in this game.

        Raises:
            KeyError: the game knows no such kind of move or correction.
        """
        if isinstance(what, Move):
            return self.get_move_kind(what.kind).describe(self, what, after, names)
        entry = self.find_correctable(what)
        assert entry is not None, "it has been made"
        return self.get_correction_kind(what.kind).describe(self, what, entry, names)
