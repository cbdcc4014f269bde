"""A kind of move, declared once: who may make it, what it needs and does, its key, its line in the log, its weight."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from companion.api.game_state import GameState
from companion.api.move import Move, Reason, Seat, ValueRange
from companion.api.offers import Input, NumberPress, Offer, SeatPress, Visibility
from companion.i18n import Translator

StateT = TypeVar("StateT", bound=GameState)


class Who(Enum):
    """Whose move it is.

    >>> from companion.games.counting_tray import GAME
    >>> game = GAME.create_game(2, Seat(0), GAME.settings_model())
    >>> {kind.kind: kind.who.name for kind in game.MOVES[:3]}
    {'throw': 'ACTIVE', 'again': 'ACTIVE', 'threshold': 'TABLE'}
    """

    ACTIVE = "active"
    """Of the player whose turn it is: `GameState.get_active_seat`."""
    ANYBODY = "anybody"
    """Of any player, also of several at the same time."""
    TABLE = "table"
    """Of the whole table: the move has no seat."""


@dataclass(frozen=True, slots=True)
class Key:
    """Input and label of a move: a press, or an action at the table that the camera sees.

    >>> from companion.api.offers import ConsolePress
    >>> key = Key(SeatPress, "Take", awaited=True)
    >>> key.make_offer(Move("take", Seat(1)), Translator("companion")).input
    SeatPress(seat=1)
    >>> Key(ConsolePress.OK, "Covered").make_offer(Move("covered"), Translator("companion")).label
    'Covered'
    """

    input: Input | type[SeatPress | NumberPress]
    """The class `SeatPress` is the button of the player who moves, `NumberPress` the number key of the move's value."""
    label: str = ""
    """Marked with `N_`; empty: the value of the move."""
    awaited: bool = False
    """The table waits for it: its lamp blinks."""
    repeats: bool = False
    shown_seconds: float = 0.0
    """See `Offer`."""
    confirm_question: str = ""
    """Marked with `N_`; empty: it is done at once."""

    def make_offer(self, move: Move, translate: Translator) -> Offer:
        """Return the offer of `move`, which has a seat or a value where the key needs it."""
        where = self.input
        if where is SeatPress:
            where = SeatPress(move.player)
        elif where is NumberPress:
            where = NumberPress(move.value[0])
        assert not isinstance(where, type)
        label = translate(self.label) if self.label else str(move.value[0])
        question = translate(self.confirm_question) if self.confirm_question else ""
        return Offer(move, where, label, self.awaited, question, self.repeats, self.shown_seconds)


class MoveKind(ABC, Generic[StateT]):
    """Base class of a kind of move. A game lists one instance of each in `MOVES`.

    >>> from companion.api.offers import ConsolePress
    >>> from companion.i18n import N_
    >>> @dataclass(frozen=True)
    ... class Table:
    ...     others_asked: bool = False
    ...
    >>> class Ask(MoveKind):
    ...     kind, who = "ask", Who.TABLE
    ...     key, log, bot_weight = Key(ConsolePress.NO, N_("Ask all")), N_("All are asked"), 0.4
    ...     def needs(self, game, move):
    ...         if game.others_asked:
    ...             yield "M30", N_("the others have been asked already")
    ...     def apply(self, game, move):
    ...         return Table(others_asked=True)
    ...
    >>> (move,) = Ask().list_legal(Table())
    >>> after = Ask().apply(Table(), move)
    >>> [*Ask().list_legal(after)], Ask().find_reason(after, move)
    ([], ('M30', 'the others have been asked already'))

    Legal means that `needs` yields nothing; its first reason is the refusal. Texts are marked with `N_`; the game's
    catalogue translates them when they are shown.
    """

    kind: str
    """Name in journals: once released it never changes."""
    who: Who = Who.ACTIVE
    rule: str = ""
    """Rule that gives the move to the player whose turn it is; empty: the game's `MOVE_RULE`."""
    phases: tuple[Enum, ...] = ()
    """Phases of the game in which it is possible at all; empty: in all."""
    otherwise: Reason | None = None
    """Why it is refused where `needs` knows no other reason: not in these phases, or not with this value."""
    key: Key | None = None
    """None: `make_offers` makes its offers, or it has none."""
    log: str = ""
    """Its line in the log; {who} and what `GameState.fill_in` knows are filled in."""
    bot_weight: float = 1.0
    """Relative weight in the bots' choice; 1 is usual, 0 never."""
    implied_by: tuple[str, ...] = ()
    """Kinds of the table actions by which people say it without a press: they go on with the game."""
    goes_back: bool = False
    """It may lead back into a turn that has ended: clocks go on from where they stood, as after undo."""

    def is_implied(self, game: StateT, action: str) -> bool:
        """Return whether a table action of the kind `action`, which is not possible yet, can only mean this first."""
        return action in self.implied_by

    def needs(self, game: StateT, move: Move) -> Iterable[Reason]:
        """Yield each condition that is not met, in the order in which people should be told.

        It is asked in other phases too, for the refusal. The value of `move` is empty: see `explain_value`.
        """
        return ()

    def list_values(self, game: StateT) -> Iterable[int | tuple[int, ...]] | ValueRange | None:
        """Return the values that are possible now, each a move, or the range of an open one; None: it has no value."""
        return None

    def explain_value(self, game: StateT, move: Move) -> Iterable[Reason]:
        """Yield why the value of `move` is not among `list_values`, though `needs` yields nothing."""
        return ()

    def list_seats(self, game: StateT) -> Iterable[Seat | None]:
        """Return who may be able to make it; `needs` decides."""
        if self.who is Who.TABLE:
            return (None,)
        return (game.get_active_seat(),) if self.who is Who.ACTIVE else map(Seat, range(game.player_count))

    @abstractmethod
    def apply(self, game: StateT, move: Move) -> StateT:
        """Return the game after the legal `move`, all but `changes`."""

    def get_key(self, game: StateT) -> Key | None:
        """Return what plays it now."""
        return self.key

    def make_offers(
        self, game: StateT, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        """Yield what plays `moves`: the legal ones of this kind, at least one."""
        if key := self.get_key(game):
            yield from (key.make_offer(move, game.translate) for move in moves)

    def describe(self, before: StateT, move: Move, after: StateT, names: Sequence[str]) -> str:
        """Return the translated line of the log, without changes of scores."""
        who = "" if move.seat is None else names[move.seat]
        return before.translate(self.log, who=who, **before.get_log_values(move, names))

    def get_bot_weight(self, game: StateT, offer: Offer) -> float:
        """Return the relative weight of an offer of this kind in the bots' choice."""
        return self.bot_weight

    def list_legal(self, game: StateT) -> Iterator[Move]:
        """Yield the legal moves of this kind; `game` is in one of its phases."""
        for seat in self.list_seats(game):
            candidate = Move(self.kind, seat)
            if any(True for _unmet in self.needs(game, candidate)):
                continue
            values = self.list_values(game)
            if values is None:
                yield candidate
            elif isinstance(values, ValueRange):
                yield Move(self.kind, seat, value_range=values)
            else:
                for value in values:
                    yield Move(self.kind, seat, value if isinstance(value, tuple) else (value,))

    def find_reason(self, game: StateT, move: Move) -> Reason:
        """Return the first reason why `move`, which is not legal, is refused."""
        for reason in self.needs(game, Move(self.kind, move.seat)):
            return reason
        for reason in self.explain_value(game, move):
            return reason
        return self.otherwise or (game.MOVE_RULE, f"'{self.kind}' is not possible so")


class SimpleMove(MoveKind[StateT]):
    """A move without logic of its own, as a row: always legal in its phases.

    >>> from companion.api.offers import ConsolePress
    >>> key = Key(ConsolePress.OK, "Dealt")
    >>> dealt = SimpleMove("dealt", lambda game: f"{game}, dealt", key=key, log="All are dealt")
    >>> [move] = dealt.list_legal("round 1")
    >>> move, dealt.apply("round 1", move)
    (Move(kind='dealt', seat=None, value=(), value_range=None), 'round 1, dealt')
    """

    def __init__(
        self,
        kind: str,
        then: Callable[[StateT], StateT],
        *,
        key: Key | None = None,
        log: str = "",
        phases: tuple[Enum, ...] = (),
        otherwise: Reason | None = None,
        who: Who = Who.TABLE,
        bot_weight: float = 1.0,
    ) -> None:
        self.kind, self.then, self.key, self.log, self.phases = kind, then, key, log, phases
        self.otherwise, self.who, self.bot_weight = otherwise, who, bot_weight

    def apply(self, game: StateT, move: Move) -> StateT:
        """Return `then(game)`."""
        return self.then(game)
