"""StarFall on the screen: every phase, fewest and most players, clocks, dialogs; and positions for the tests."""

from dataclasses import replace
from typing import Any

from companion.api import Move, Seat
from companion.events import SEAT_BUTTONS
from companion.gallery import fixtures
from companion.gallery.fixtures import (
    FOUR_SEAT_BUTTONS,
    describe_move,
    get_refusal_notice,
    list_value_inputs,
    make_correction_menu,
    open_dialog,
    play_moves,
)
from companion.games.starfall import GAME, Settings, SkyTile, StarFall
from companion.games.starfall.count_lines import COLOURS_LINE, get_line_count
from companion.games.starfall.state import OwnedTile, Phase
from companion.games.starfall.tile_catalogue import FIRST_NEBULA_INDEX, SYMBOLS
from companion.i18n import format_number
from companion.screen_state import ScreenState

NAMES = ("Wilhelmina", "Bo", "Maximilianna", "Zoë")
CATALOGUE = tuple(
    SkyTile(
        stars=n % 5,
        planets=n % 3,
        moons=n % 2,
        black_holes=int(n % 7 == 0),
        comets=n % 4 // 3,
        **{("red", "blue", "green", "yellow", "purple")[n % 5]: 1},
    )
    for n in range(27)
)
"""Sky tiles with different prints."""
FULL_TILE = SkyTile(stars=3, planets=2, moons=1, black_holes=1, comets=2, red=1, blue=1, green=1, yellow=1, purple=1)
BLANK_TILE = SkyTile.model_validate({})
SYMBOL_COUNTS = (
    (11, 2, 3, 0, 4, 1, 0, 0, 0, 0),
    (17, 1, 0, 1, 1, 2, 1, 1, 0, 0),
    (7, 13, 12, 2, 10, 0, 0, 0, 0, 0),
    (0, 0, 0, 1, 0, 0, 0, 0, 0, 0),
)
"""By seat: symbols on the tiles of each player, as in `tile_catalogue.SYMBOLS`."""


def new_game(player_count: int = 3, **settings: Any) -> StarFall:
    """Return a game at its start, in which seat 0 begins; `settings` are house rules by name.

    Raises:
        ValueError: `player_count` or a setting is not allowed.
    """
    return StarFall.create(player_count, Seat(0), Settings(**settings))


def make_position(
    spaces: tuple[int, ...] = (), player_count: int = 3, own: tuple[int, ...] = (), **fields: Any
) -> StarFall:
    """Return a game with tiles on the board of which it is not known which they are.

    Args:
        spaces: numbers of the spaces that hold a tile; not checked.
        player_count: number of players, 2 to 4.
        own: by seat, the number of tiles (taken from space 5) that each player owns; 0 for seats left out; more than
            players are ignored.
        fields: further fields of `StarFall`; `settings`: house rules as a dictionary.

    Raises:
        ValueError: `player_count` or a setting is not allowed.
        TypeError: `StarFall` has no field of that name.
    """
    settings = fields.pop("settings", {})
    board = tuple((space, 0) for space in sorted(spaces, reverse=True))
    tiles = tuple((OwnedTile(0, 5),) * count for count in (*own, *(0,) * player_count)[:player_count])
    return replace(new_game(player_count, **settings), board=board, owned_tiles=tiles, **fields)


def end_game(player_count: int = 3, dust: tuple[int, ...] = (), **fields: Any) -> StarFall:
    """Return a game that has just ended (F20: no pile, one tile), in which no player's tiles are counted yet.

    Args:
        player_count: number of players, 2 to 4.
        dust: stardust by seat, one number for each player (not checked); empty: as at the start.
        fields: as in `make_position`.

    Raises:
        ValueError: `player_count` or a setting is not allowed.
        TypeError: `StarFall` has no field of that name.
    """
    game = make_position((5,), player_count, pile_size=0, **fields)
    return replace(game, dust=dust or game.dust)


def count_tiles(game: StarFall, seat: int, *counts: int) -> StarFall:
    """Enter the symbols of a player's tiles line by line, from the open line on, in the presses that a player needs.

    Args:
        game: ended game that is being counted.
        seat: player whose tiles are counted.
        counts: numbers on the lines, in the order of `tile_catalogue.SYMBOLS`: up to five, or all ten; of nebulae the
            number and that of the colours are entered.

    Raises:
        IllegalMove: the page of another player is open, the game has not ended, nobody has that seat, or a number is
            negative.
    """
    if game.counting_seat is None:
        game = game.play(Move("count", Seat(seat)))
    lines = [*counts[:FIRST_NEBULA_INDEX], *([sum(counts[FIRST_NEBULA_INDEX:])] if len(counts) == len(SYMBOLS) else [])]
    for wanted in lines:
        if get_line_count(game.symbol_counts[seat], game.line_index):
            game = game.play(Move("clear", Seat(seat)))
        for _ in range((wanted - 1) // 6 if wanted else 0):
            game = game.play(Move("six more", Seat(seat)))
        rest = (wanted - 1) % 6 + 1
        game = game.play(Move("enter", Seat(seat), (rest,)) if wanted else Move("next line", Seat(seat)))
    colours = sum(map(bool, counts[FIRST_NEBULA_INDEX:]))
    if game.counting_seat == seat and game.line_index == COLOURS_LINE:
        game = game.play(Move("enter", Seat(seat), (colours,)))
    return game


def count_all(player_count: int = 4, *, finish: bool = False) -> StarFall:
    """Return an ended game in which all tiles are counted.

    Args:
        player_count: number of players, 2 to 4.
        finish: whether the scores are confirmed, so that the game is over.

    Raises:
        ValueError: `player_count` is not 2 to 4.
    """
    game = end_game(player_count, (6, 3, 0, 31)[:player_count])
    for seat in range(player_count):
        game = count_tiles(game, seat, *SYMBOL_COUNTS[seat])
    return play_moves(game, "finish") if finish else game


def show_game(game: StarFall, *, names: tuple[str, ...] = NAMES, **fields: Any) -> ScreenState:
    """Build the screen of a game after a move that may have led to it.

    Args:
        names: players' names by seat, at least two and as many as players; more are ignored.
        fields: further fields of `ScreenState`, or others in place of those built here.

    Raises:
        ValueError, IndexError: there are fewer names.
        TypeError: `ScreenState` has no field of that name.
    """
    buttons = FOUR_SEAT_BUTTONS if game.player_count > 2 else SEAT_BUTTONS
    last_move = _describe_last_move(game, names)
    return fixtures.show_game(GAME, game, names, buttons=buttons, **{"last_move": last_move, **fields})


def _describe_last_move(game: StarFall, names: tuple[str, ...]) -> str | None:
    """Return the text of a move that may have led to `game`; None: it has just begun."""
    seat = game.active_seat
    match game.phase:
        case Phase.PAY if game.payment is not None:
            move = Move("discover", seat, (game.payment.space,))
            return describe_move(GAME, replace(game, payment=None), move, names)
        case Phase.NAMING:
            return describe_move(GAME, replace(game, naming_answers=None), Move("name", seat), names)
        case Phase.PAGE:
            choosing = replace(game, counting_seat=None, line_index=0)
            return describe_move(GAME, choosing, Move("count", game.counting_seat), names)
        case Phase.TURN if not game.board:
            return None
        case Phase.TURN:
            before = replace(game, active_seat=Seat((seat - 1) % game.player_count))
            moved = [s for s in game.occupied_spaces if s + 1 not in game.occupied_spaces]
            lowest = min(moved)
            if lowest == game.settings.top_space:
                added = replace(before, board=game.board[1:], pile_size=game.pile_size + 1)
                return describe_move(GAME, added, Move("add", before.active_seat, (0,)), names)
            # Whoever moves a tile leaves the space above it empty.
            board = tuple((space + (space == lowest), number) for space, number in game.board)
            move = Move("move", before.active_seat, (lowest + 1,))
            return describe_move(GAME, replace(before, board=board), move, names)
    paying = play_moves(make_position((9, 7), 2, own=(3, 0), dust=(14, 7)), "discover 0 7", "with 0 0 3")
    return describe_move(GAME, paying, Move("pay", Seat(0)), names)


def build_samples() -> dict[str, ScreenState]:
    """Return the sample screens of this module by name of the state, with texts in the current language."""
    board = make_position((9, 7, 2), 4, own=(3, 0, 1, 2), dust=(14, 0, 32, 7))
    state = show_game(board, scores=board.dust)
    return {
        **_build_board_samples(),
        **_build_payment_samples(),
        **_build_count_samples(),
        "board": state,
        "menu": open_dialog(state, make_correction_menu(GAME, board, NAMES, 4)),
        "menu_spinner": open_dialog(state, list_value_inputs(GAME, board, NAMES)[4]),
        "notice": replace(state, notice=get_refusal_notice(board, Move("discover", Seat(1), (9,)), NAMES)),
    }


def _build_board_samples() -> dict[str, ScreenState]:
    """Turns (F10 to F12), the house timer, and tiles of the catalogue."""
    timed = make_position((9, 8), 4, settings={"turn_seconds": 45})
    settings = {"catalogue": (*CATALOGUE[:20], FULL_TILE, BLANK_TILE), "turn_seconds": 45}
    known = replace(make_position((), 4, settings=settings), board=((9, 4), (8, 21), (1, 22)))
    owned = ((OwnedTile(1, 5), OwnedTile(3, 2)), (OwnedTile(2, 4),), (), (OwnedTile(21, 0),))
    running = replace(known, settings=known.settings.model_copy(update={"running_score": True}))
    running = replace(running, owned_tiles=owned, dust=(14, 0, 32, 7))
    few = make_position((), 3, settings={"catalogue": (*CATALOGUE[:5], FULL_TILE)})
    three = make_position((), 2, settings={"catalogue": (*CATALOGUE[:2], BLANK_TILE)})
    full = make_position((9, 7, 2), 3)
    taken = describe_move(GAME, full, Move("discover", Seat(0), (7,)), NAMES)
    return {
        "start_two": show_game(new_game(2), last_move=None),
        "start_four": show_game(new_game(4)),
        "board_changes": show_game(play_moves(full, "discover 0 7"), last_move=taken),
        "board_marked": show_game(play_moves(full, "mark 0 2", "mark 0 7"), last_move=taken),
        "board_poor": show_game(make_position((9, 4, 0), 2, dust=(3, 12), pile_size=1)),
        "board_no_pile": show_game(make_position((9, 7, 2), 3, pile_size=0)),
        "board_unpaid": show_game(play_moves(make_position((9, 4, 0), 2, dust=(3, 12)), *("mark 0 0", "mark 0 4"))),
        "board_last": show_game(make_position((1, 0), 2, pile_size=0)),
        "board_wide": show_game(make_position((11, 10, 6, 5, 0), 4, settings={"board_max_tiles": 5, "top_space": 11})),
        "clock": show_game(timed, seconds_left=31.4),
        "clock_soon": show_game(replace(timed, active_seat=Seat(2)), seconds_left=4.0),
        "board_known": show_game(known),
        "board_running": show_game(running),
        "naming": show_game(play_moves(replace(known, board=(), pile_size=27), "name 0")),
        "naming_tiles": show_game(play_moves(few, "name 0")),
        "naming_three": show_game(play_moves(three, "name 0")),
    }


def _build_payment_samples() -> dict[str, ScreenState]:
    """A tile is paid for (F13)."""
    paying = play_moves(make_position((9, 7), 4, own=(5, 0, 1, 2), dust=(14, 0, 32, 7)), "discover 0 7")
    known = make_position((9, 3), 3, settings={"catalogue": ({"stars": 2}, {"stars": 3})})
    known = replace(known, owned_tiles=((OwnedTile(1, 9), OwnedTile(2, 8)), (), ()))
    return {
        "pay": show_game(paying),
        "pay_tile": show_game(play_moves(paying, "with 0 0 3")),
        "pay_tiles": show_game(play_moves(paying, "with 0 0 3", "with 0 1 2", "with 0 2 1", "with 0 3 1")),
        "pay_unneeded": show_game(play_moves(known, "discover 0 3", "with 0 0 2", "with 0 1 3")),
        "pay_little": show_game(
            play_moves(make_position((9, 7), 2, own=(2, 0), dust=(2, 7)), "discover 0 9", "with 0 0 3")
        ),
    }


def _build_count_samples() -> dict[str, ScreenState]:
    """Tiles are counted after the end (F30 to F37), and the result."""
    over = end_game(4, (6, 3, 0, 31), own=(4, 1, 0, 12))
    # The longest description of a count: every part of the score is worth something.
    last_line = play_moves(count_tiles(end_game(3, (6, 3, 17)), 2, *(2, 5, 3, 1, 5)), "six-more 2", "enter 2 2")
    long_count = describe_move(GAME, last_line, Move("enter", Seat(2), (4,)), NAMES)
    lines = tuple(f"{name} is counted: {format_number(n)}" for name, n in zip(NAMES, (55, 16, 231, -5), strict=True))
    return {
        "choose": show_game(over),
        "choose_some": show_game(replace(count_tiles(over, 1, *SYMBOL_COUNTS[1]), away=(False, False, True, False))),
        "page_first": show_game(play_moves(over, "count 2")),
        "page": show_game(play_moves(count_tiles(over, 2, *SYMBOL_COUNTS[2][:4]), "six-more 2")),
        "page_nebulae": show_game(count_tiles(over, 1, *SYMBOL_COUNTS[1][:5])),
        "page_colours": show_game(play_moves(count_tiles(over, 1, *SYMBOL_COUNTS[1][:5]), "enter 1 4")),
        "page_again": show_game(play_moves(count_all(2), "count 1")),
        "table": show_game(count_all(), last_move=long_count),
        "table_two": show_game(count_all(2)),
        "table_fixed": show_game(
            replace(count_all(), total_adjustments=(0, -3, 12, 0), away=(False, False, False, True))
        ),
        "result": show_game(count_all(finish=True), details=lines),
    }
