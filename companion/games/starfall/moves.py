"""The moves of a turn of StarFall (F10 to F12): add a tile, say which one it is, move one, discover one.

The number keys 1 to 3 take the tiles on the board, dearest first; 4 to 6 move them. OK continues, NO goes back, PLUS
has more. MINUS (the menu) and NO held (undo) are the referee's and never used here.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from companion.api import (
    N_,
    ConsolePress,
    Key,
    Move,
    MoveKind,
    NumberPress,
    Offer,
    Reason,
    Unmet,
    Visibility,
)
from companion.games.starfall import payment_rules
from companion.games.starfall.state import (
    BOARD_TILES_PER_PAGE,
    END_TEXTS,
    UNKNOWN_TILE,
    Payment,
    Phase,
    StarFallState,
    _,
)
from companion.games.starfall.tile_identification import get_tile_question


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


class Add(TurnMove):
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
        if game.phase is Phase.TURN:
            yield Offer(unknown, ConsolePress.OK, _("Add tile"), awaited=True)
            return
        choices = (choice for choice in get_tile_question(game).choices if choice.is_found)
        for move, choice in zip(found, choices, strict=True):
            yield Offer(move, NumberPress(choice.key), choice.label, awaited=True)
        yield Offer(unknown, ConsolePress.OK, _("Not known"))

    def describe(self, before: StarFallState, move: Move, after: StarFallState, names: Sequence[str]) -> str:
        who, (number,), space = names[move.player], move.value, before.next_free_space
        message = N_("{who} adds a tile on {space}")
        if number != UNKNOWN_TILE:
            message = N_("{who} adds tile {number} on {space}")
        return _(message, who=who, number=number, space=space)


class Name(TurnMove):
    """F10: a tile is added, and people say which one."""

    kind, phases, bot_weight = "name", (Phase.TURN,), 0.5
    key, log = Key(ConsolePress.PLUS, N_("Say which")), N_("{who} names the new tile")

    def needs_in_turn(self, game: StarFallState) -> Iterator[Reason]:
        yield from game.explain_no_add()
        if not game.unseen_tiles:
            yield "F10", N_("the catalogue knows of no tile that could be in the pile")

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        return replace(game, naming_answers=(), key_page=0)


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
        choices = get_tile_question(game).choices
        for move in moves:
            choice = choices[move.value[0] - 1]
            yield Offer(move, NumberPress(choice.key), choice.label, awaited=True)


class Back(TurnMove):
    """The last answer is taken back, or the tile is not added after all."""

    kind, phases, otherwise, bot_weight = "back", (Phase.NAMING,), Narrow.otherwise, 0.1
    key, log = Key(ConsolePress.NO, N_("Back")), N_("{who} names the new tile")

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        return replace(game, naming_answers=game.naming_answers[:-1] if game.naming_answers else None)


# Tiles on the board ------------------------------------------------------------------------------------------------


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
            yield Unmet(self.rule, N_("no tile is on that key; it is {active}'s turn"), {"active": game.active_seat})
        elif move.value[0] not in game.occupied_spaces:
            yield Unmet(self.rule, N_("there is no tile on {space}"), values={"space": move.value[0]})

    def make_offers(
        self, game: StarFallState, moves: Sequence[Move], names: Sequence[str], visibility: Visibility
    ) -> Iterator[Offer]:
        for move in moves:
            if move.value[0] in game.spaces_on_keys:
                yield self.make_offer(game, move, game.spaces_on_keys.index(move.value[0]) + 1)

    @abstractmethod
    def make_offer(self, game: StarFallState, move: Move, key: int) -> Offer:
        """Return the offer of a move whose tile is on the keys, at the place `key` from 1."""


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
            return replace(game, payment=payment, key_page=0)
        return payment_rules.take_tile(game, payment).end_turn()

    def make_offer(self, game: StarFallState, move: Move, key: int) -> Offer:
        return Offer(move, NumberPress(key), _("Take {space}", space=move.value[0]), awaited=True)

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

    def make_offer(self, game: StarFallState, move: Move, key: int) -> Offer:
        (space,) = move.value
        lands = game.find_landing_space(space)
        message = N_("Push {space} off") if lands is None else N_("Move {space} to {lands}")
        return Offer(move, NumberPress(key + BOARD_TILES_PER_PAGE), _(message, space=space, lands=lands), awaited=True)

    def describe(self, before: StarFallState, move: Move, after: StarFallState, names: Sequence[str]) -> str:
        (space,) = move.value
        lands = before.find_landing_space(space)
        message = N_("{who} moves the tile on {space} to {lands}")
        if lands is None:
            message = N_("{who} moves the tile on {space} off the board")
        return _(message, who=names[move.player], space=space, lands=lands)


class TurnPage(TurnMove):
    """Other choices come onto the keys."""

    kind, phases, bot_weight = "page", (Phase.TURN, Phase.PAY), 0.2
    otherwise, log = ("F10", N_("there are no more tiles to turn to")), N_("{who} looks at the other tiles")

    def needs_in_turn(self, game: StarFallState) -> Iterator[Reason]:
        if self._count_pages(game) == 1:
            yield self.otherwise

    def apply(self, game: StarFallState, move: Move) -> StarFallState:
        return replace(game, key_page=(game.key_page + 1) % self._count_pages(game))

    def get_key(self, game: StarFallState) -> Key:
        if game.payment is None:
            return Key(ConsolePress.NO, N_("More tiles"), repeats=True)
        left = self._count_pages(game) - 1 - game.key_page  # the last page has no tiles, but the dust
        return Key(ConsolePress.PLUS, (N_("Tiles"), N_("Dust"), N_("More tiles"))[min(left, 2)], repeats=True)

    @staticmethod
    def _count_pages(game: StarFallState) -> int:
        if game.payment is None:
            return game.board_page_count
        return len(payment_rules.list_key_pages(game, game.payment))


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
