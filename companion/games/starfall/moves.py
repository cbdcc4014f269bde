"""The moves of a turn of StarFall (F10 to F12): add a tile, say which one it is, move one, discover one.

Of the buttons in front of the players only that of the active player does something. It marks a tile on the board; OK
takes the marked tile, PLUS moves it. MINUS (the menu) and NO held (undo) are the referee's and never used here.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from companion.api import (
    N_,
    ConsolePress,
    Input,
    Key,
    Move,
    MoveKind,
    Offer,
    Reason,
    SeatPress,
    Translator,
    Unmet,
    Visibility,
)
from companion.games.starfall import payment_rules
from companion.games.starfall.state import END_TEXTS, UNKNOWN_TILE, Payment, Phase, StarFallState
from companion.games.starfall.tile_questions import get_tile_question

_ = Translator("starfall")


class TurnMove(MoveKind[StarFallState]):
    """A move of the player whose turn it is, before the end."""

    rule = "F10"

    def needs(self, game: StarFallState, move: Move) -> Iterator[Reason]:
        if game.end_reason:
            yield END_TEXTS[game.end_reason]
        elif game.payment is not None and Phase.PAY not in self.phases:
            pay_first = N_("pay for the tile on {space} first, or choose another turn with NO")
            yield Unmet(self.rule, pay_first, values={"space": game.payment.space})
        elif game.phase is Phase.NAMING and Phase.NAMING not in self.phases:
            yield self.rule, N_("a tile is being added; say which one it is, or that nobody knows")
        else:
            yield from self.needs_in_turn(game)

    def needs_in_turn(self, game: StarFallState) -> Iterable[Reason]:
        """Yield each further condition that is not met; the game goes on."""
        return ()


# Adding a tile -----------------------------------------------------------------------------------------------------


class AddTile(TurnMove):
    """F10: a tile is added; the value is its number in the catalogue, or 0."""

    kind, phases, bot_weight = "add", (Phase.TURN, Phase.NAMING), 3.0
    otherwise = "F10", N_("that is no tile that could be added now")

    def needs_in_turn(self, game: StarFallState) -> Iterable[Reason]:
        return game.explain_no_add()

    def list_values(self, game: StarFallState) -> Iterator[int]:
        yield UNKNOWN_TILE
        if game.phase is Phase.NAMING:
            yield from (choice.tile_numbers[0] for choice in get_tile_question(game).choices if choice.is_found)

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        board = sorted((*game.board, (game.next_free_space, move.value[0])), reverse=True)
        return replace(game, board=tuple(board), pile_size=game.pile_size - 1).end_turn()

    def make_offers(
        self, game: StarFallState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        unknown, *found = moves
        if game.phase is Phase.NAMING:
            yield from _offer_answers(game, found, are_found=True)
            yield Offer(unknown, ConsolePress.NO, _("Not known"))
        elif game.marked_space is None:
            yield Offer(unknown, ConsolePress.OK, _("Add tile"), awaited=True)

    def describe(self, before: StarFallState, move: Move, after: StarFallState, names: Sequence[str]) -> str:
        who, (number,), space = names[move.player], move.value, before.next_free_space
        message = N_("{who} adds a tile on {space}")
        if number != UNKNOWN_TILE:
            message = N_("{who} adds tile {number} on {space}")
        return _(message, who=who, number=number, space=space)


class NameTile(TurnMove):
    """F10: a tile is added, and people say which one."""

    kind, phases, bot_weight, log = "name", (Phase.TURN,), 0.5, N_("{who} names the new tile")

    def needs_in_turn(self, game: StarFallState) -> Iterator[Reason]:
        yield from game.explain_no_add()
        if not game.unseen_tiles:
            yield "F10", N_("the catalogue knows of no tile that could be in the pile")

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        return replace(game.restart_turn(), naming_answers=())

    def get_key(self, game: StarFallState) -> Key | None:
        return Key(ConsolePress.PLUS, N_("Say which")) if game.marked_space is None else None


class Narrow(TurnMove):
    """An answer to the question which tile it is; the value is its place among the choices, from 1."""

    kind, phases = "narrow", (Phase.NAMING,)
    otherwise = "F10", N_("that names no tile now")
    log = N_("{who} names the new tile")

    def list_values(self, game: StarFallState) -> Iterator[int]:
        for place, choice in enumerate(get_tile_question(game).choices, start=1):
            if not choice.is_found:
                yield place

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        return replace(game, naming_answers=(*(game.naming_answers or ()), *move.value))

    def make_offers(
        self, game: StarFallState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        return _offer_answers(game, moves, are_found=False)


def _offer_answers(game: StarFallState, moves: Sequence[Move], *, are_found: bool) -> Iterator[Offer]:
    """Yield the offers of `moves`: the answers that find the tile, or those that lead to another question."""
    keys: tuple[Input, ...] = (SeatPress(game.active_seat), ConsolePress.OK, ConsolePress.PLUS)
    answers = zip(keys, get_tile_question(game).choices, strict=False)
    offered = ((key, choice) for key, choice in answers if choice.is_found == are_found)
    for move, (key, choice) in zip(moves, offered, strict=True):
        yield Offer(move, key, choice.label, awaited=True)


# Tiles on the board ------------------------------------------------------------------------------------------------


class Mark(TurnMove):
    """A tile on the board is marked, to take or move it; the value is its space."""

    kind, phases = "mark", (Phase.TURN,)
    otherwise = "F10", N_("no other tile is on the board")

    def needs_in_turn(self, game: StarFallState) -> Iterator[Reason]:
        if not game.board:
            yield "F15", N_("the board is empty, so a tile must be added first")

    def list_values(self, game: StarFallState) -> Iterator[int]:
        if game.next_mark is not None:
            yield game.next_mark

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        return replace(game, marked_space=move.value[0])

    def make_offers(
        self, game: StarFallState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        for move in moves:
            label = _("Tile {space}", space=move.value[0])
            yield Offer(move, SeatPress(move.player), label, awaited=game.marked_space is None, repeats=True)

    def describe(self, before: StarFallState, move: Move, after: StarFallState, names: Sequence[str]) -> str:
        return _("{who} chooses the tile on {space}", who=names[move.player], space=move.value[0])

    def get_bot_weight(self, game: StarFallState, offer: Offer) -> float:
        """Return a lower weight while another tile is marked."""
        return 3.0 if game.marked_space is None else 0.6


class Unmark(TurnMove):
    """The marked tile is neither taken nor moved."""

    kind, phases, bot_weight = "unmark", (Phase.TURN,), 0.1
    key, log = Key(ConsolePress.NO, N_("Back")), N_("{who} chooses no tile")

    def needs_in_turn(self, game: StarFallState) -> Iterator[Reason]:
        if game.marked_space is None:
            yield "F10", N_("no tile is marked")

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        return replace(game, marked_space=None)


class BoardMove(TurnMove):
    """A move with a tile on the board; the value is its space."""

    phases = (Phase.TURN,)
    empty_board: str
    """Why nothing can be done on an empty board."""

    def needs_in_turn(self, game: StarFallState) -> Iterator[Reason]:
        if not game.board:
            yield "F15", self.empty_board

    def explain_value(self, game: StarFallState, move: Move) -> Iterator[Reason]:
        if len(move.value) != 1 or not 0 <= move.value[0] <= game.settings.top_space:
            yield self.rule, N_("the board has no such space")
        elif move.value[0] not in game.occupied_spaces:
            yield Unmet(self.rule, N_("there is no tile on {space}"), values={"space": move.value[0]})

    def make_offers(
        self, game: StarFallState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        for move in moves:
            if move.value == (game.marked_space,):
                yield self.make_offer(game, move)

    @abstractmethod
    def make_offer(self, game: StarFallState, move: Move) -> Offer:
        """Return the offer of a move with the marked tile."""


class Discover(BoardMove):
    """F12: a tile is taken, at once for dust, or by a payment if the player has tiles to pay with."""

    kind, rule = "discover", "F12"
    empty_board = N_("the board is empty, so a tile must be added first, and nothing can be discovered")

    def list_values(self, game: StarFallState) -> Iterable[int]:
        return filter(game.can_pay_for, game.occupied_spaces)

    def explain_value(self, game: StarFallState, move: Move) -> Iterator[Reason]:
        yield from super().explain_value(game, move)
        too_dear = N_("the tile on {space} costs {space}, {who} has {dust} dust")
        if game.owned_tiles[game.active_seat]:
            too_dear = N_("the tile on {space} costs {space}, {who} has {dust} dust, and the tiles do not reach it")
        values = {"space": move.value[0], "dust": game.dust[game.active_seat]}
        yield Unmet("F12", too_dear, values=values)

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        payment = Payment(move.value[0])
        if payment.space and game.owned_tiles[game.active_seat]:
            return replace(game.restart_turn(), payment=payment)
        return payment_rules.take_tile(game, payment).end_turn()

    def make_offer(self, game: StarFallState, move: Move) -> Offer:
        return Offer(move, ConsolePress.OK, _("Take {space}", space=move.value[0]), awaited=True)

    def describe(self, before: StarFallState, move: Move, after: StarFallState, names: Sequence[str]) -> str:
        who, (space,) = names[move.player], move.value
        if after.payment is not None:
            return _("{who} chooses the tile on {space}", who=who, space=space)
        return describe_taken_tile(who, space, before.dust[move.player] - after.dust[move.player], 0)

    def get_bot_weight(self, game: StarFallState, offer: Offer) -> float:
        """Return a lower weight for a dearer tile."""
        assert isinstance(offer.action, Move)
        return 3.0 / (1 + offer.action.value[0])


class MoveTile(BoardMove):
    """F11, A5, A6: a tile is moved to a cheaper space, or off the board."""

    kind, rule, bot_weight = "move", "F11", 0.8
    empty_board = N_("the board is empty, so a tile must be added first, and nothing can be moved")

    def list_values(self, game: StarFallState) -> Iterable[int]:
        return game.occupied_spaces

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        (space,) = move.value
        number, landing_space = dict(game.board)[space], game.find_landing_space(space)
        others = tuple(tile for tile in game.board if tile[0] != space)
        if landing_space is None:
            return replace(game, board=others, discarded=(*game.discarded, number)).end_turn()
        return replace(game, board=tuple(sorted((*others, (landing_space, number)), reverse=True))).end_turn()

    def make_offer(self, game: StarFallState, move: Move) -> Offer:
        (space,) = move.value
        lands = game.find_landing_space(space)
        message = N_("Push {space} off") if lands is None else N_("Move {space} to {lands}")
        return Offer(move, ConsolePress.PLUS, _(message, space=space, lands=lands), awaited=True)

    def describe(self, before: StarFallState, move: Move, after: StarFallState, names: Sequence[str]) -> str:
        (space,) = move.value
        lands = before.find_landing_space(space)
        message = N_("{who} moves the tile on {space} to {lands}")
        if lands is None:
            message = N_("{who} moves the tile on {space} off the board")
        return _(message, who=names[move.player], space=space, lands=lands)


def describe_taken_tile(who: str, space: int, dust: int, tile_count: int) -> str:
    """Return the line of the log on what a tile was taken for (F12, F13)."""
    if dust and tile_count:
        return _.plural(
            "{who} takes the tile on {space} for {dust} dust and a tile",
            "{who} takes the tile on {space} for {dust} dust and {n} tiles",
            tile_count,
            who=who,
            space=space,
            dust=dust,
        )
    if tile_count:
        return _.plural(
            "{who} takes the tile on {space} for a tile",
            "{who} takes the tile on {space} for {n} tiles",
            tile_count,
            who=who,
            space=space,
        )
    for_dust, for_nothing = (
        N_("{who} takes the tile on {space} for {dust} dust"),
        N_("{who} takes the tile on {space} for nothing"),
    )
    return _(for_dust if dust else for_nothing, who=who, space=space, dust=dust)
