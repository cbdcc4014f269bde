"""The base class of games: it lists, plays, refuses, offers and describes what a game declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Any, ClassVar, Self

from companion.api.base_game import BaseGame
from companion.api.correction_kind import CorrectionKind
from companion.api.game import Correctable, Correction, IllegalMove, Move, Seat, Unmet
from companion.api.move_kind import MoveKind, Who
from companion.api.offers import Offer, Visibility


class DeclaredGame(BaseGame):
    """A game that declares its moves and corrections, each once.

    The order of `MOVES` is that of the offers, the order of `CORRECTIONS` that of the menu.
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

    def list_seats(self, kind: str) -> tuple[Seat, ...]:
        """Return who may make a move of that kind now: screens and prompts ask it too."""
        return tuple(move.player for each in self._list_kinds() if each.kind == kind for move in each.list_legal(self))

    def _list_moves(self) -> Iterator[Move]:
        for kind in self._list_kinds():
            yield from kind.list_legal(self)

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
        return self._with_changes(self._apply_move(move))

    def find_refusal(self, move: Move) -> IllegalMove | None:
        """Return why `move` cannot be played now; None: it can be."""
        kind = self._map_moves().get(move.kind)
        if kind in self._list_kinds() and any(legal.allows(move) for legal in kind.list_legal(self)):
            return None
        return self._explain_refusal(move)

    def _apply_move(self, move: Move) -> Self:
        after: Self = self._map_moves()[move.kind].apply(self, move)
        return after

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

    def _list_correctables(self) -> Iterator[Correctable]:
        for kind in self.CORRECTIONS:
            if kind.is_listed and kind.is_due(self):
                yield from kind.list_entries(self)

    def find_correctable(self, correction: Correction) -> Correctable | None:
        """Return the entry with the kind, seat and index of `correction`, for any value of it; it may be unlisted.

        None: there is none, so that it cannot be corrected now.
        """
        kind = self._map_corrections().get(correction.kind)
        entries = kind.list_entries(self) if kind and kind.is_due(self) else ()
        return next((entry for entry in entries if entry.is_about(correction)), None)

    def _apply_correction(self, correction: Correction) -> Self:
        after: Self = self._map_corrections()[correction.kind].apply(self, correction)
        return after

    def list_offers(self, names: Sequence[str], visibility: Visibility) -> Iterator[Offer]:
        """Yield what can be pressed or done now: the offers of each legal move, in the order of `MOVES`.

        Args:
            names: players' names by seat.
            visibility: what the camera sees; anything else is offered on buttons.
        """
        for kind in self._list_kinds():
            if moves := tuple(kind.list_legal(self)):
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
