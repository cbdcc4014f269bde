"""StarFall on the screen: every phase, fewest and most players, clocks, questions, menus."""

from __future__ import annotations

from dataclasses import replace

from companion.events import SEAT_BUTTONS, Button
from companion.gallery.fixtures import (
    get_refusal_notice,
    list_spinners,
    make_confirmation,
    make_correction_menu,
    make_referee_offers,
    open_dialog,
)
from companion.gallery.starfall_positions import count_tiles, end_game, make_position, new_game, play_moves
from companion.games.api.game import Move, Seat
from companion.games.api.offers import Visibility
from companion.games.starfall import GAME, SkyTile, StarFall
from companion.games.starfall.state import OwnedTile
from companion.referee.screen import build_game_state
from companion.screen_state import RunningClock, ScreenState

NAMES = ("Wilhelmina", "Bo", "Maximilianna", "Zoë")
SEAT_BUTTONS_USED = (Button.SEAT2, Button.SEAT3, Button.SEAT5, Button.SEAT6)
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
FULL_TILE = SkyTile(stars=3, planets=2, moons=1, black_holes=1, comets=2, red=1, blue=1, green=1, yellow=1, purple=1)
BLANK_TILE = SkyTile.model_validate({})
SYMBOL_COUNTS = (
    (11, 2, 3, 0, 4, 1, 0, 0, 0, 0),
    (17, 1, 0, 1, 1, 2, 1, 1, 0, 0),
    (7, 13, 12, 2, 10, 0, 0, 0, 0, 0),
    (0, 0, 0, 1, 0, 0, 0, 0, 0, 0),
)


def show_game(
    game: StarFall, *, clock: float | None = None, last: str = "", names: tuple[str, ...] = NAMES
) -> ScreenState:
    """What the referee would show."""
    players = game.player_count
    buttons = SEAT_BUTTONS_USED[:players] if players > 2 else SEAT_BUTTONS[:players]
    clocks = tuple(RunningClock(c.name, c.seconds if clock is None else clock, c.seconds) for c in game.list_clocks())
    more = make_referee_offers(paused=bool(clocks), over=game.compute_outcome() is not None)
    offers = (*GAME.list_offers(game, names, Visibility()), *more)
    return replace(
        build_game_state(GAME, game, names[:players], buttons, offers, Visibility()),
        last_move=last or describe_last_move(names),
        clocks=clocks,
    )


def describe_last_move(names: tuple[str, ...]) -> str:
    """What was played last, where it makes no difference."""
    paying = play_moves(make_position((9, 7), 2, own=(3, 0), dust=(14, 7)), "discover 0 7", "with 0 0 3")
    pay = Move("pay", Seat(0))
    return GAME.describe(paying, pay, paying.play(pay), names)


def describe_long_count() -> str:
    """The longest that is said of a count: each part of it is worth something."""
    game = count_tiles(end_game(3, (6, 3, 17)), 2, *(2, 5, 3, 1, 5, 2, 2, 2, 2))
    last = Move("next line", Seat(2))
    return GAME.describe(game, last, game.play(last), NAMES)


def count_all(players: int = 4, finish: bool = False) -> StarFall:
    """All pages are filled."""
    game = end_game(players, (6, 3, 0, 31)[:players])
    for seat in range(players):
        game = count_tiles(game, seat, *SYMBOL_COUNTS[seat])
    return play_moves(game, "finish") if finish else game


def build_samples() -> dict[str, ScreenState]:
    """All states, by name."""
    found: dict[str, ScreenState] = {}
    found["start_two"] = replace(show_game(new_game(2)), last_move=None)
    found["start_four"] = show_game(new_game(4))
    board = make_position((9, 7, 2), 4, own=(3, 0, 1, 2), dust=(14, 0, 32, 7))
    found["board"] = replace(show_game(board), scores=board.dust)
    found["board_changes"] = show_game(play_moves(make_position((9, 7, 2), 3), "discover 0 7"))
    found["board_poor"] = show_game(make_position((9, 4, 0), 2, dust=(3, 12), pile_size=1))
    found["board_no_pile"] = show_game(make_position((9, 7, 2), 3, pile_size=0))
    found["board_last"] = show_game(make_position((1, 0), 2, pile_size=0))
    found["board_wide"] = show_game(
        make_position((11, 10, 6, 5, 0), 4, settings={"board_max_tiles": 5, "top_space": 11})
    )
    timed = make_position((9, 8), 4, settings={"turn_seconds": 45})
    found["clock"] = show_game(timed, clock=31.4)
    found["clock_soon"] = show_game(replace(timed, active_seat=Seat(2)), clock=4.0)
    known = make_position(
        (9, 8, 1), 4, settings={"catalogue": (*CATALOGUE[:20], FULL_TILE, BLANK_TILE), "turn_seconds": 45}
    )
    known = replace(known, board=((9, 4), (8, 21), (1, 22)))
    found["board_known"] = show_game(known)
    rich = replace(known, settings=known.settings.model_copy(update={"running_score": True}))
    rich = replace(
        rich,
        owned_tiles=((OwnedTile(1, 5), OwnedTile(3, 2)), (OwnedTile(2, 4),), (), (OwnedTile(21, 0),)),
        dust=(14, 0, 32, 7),
    )
    found["board_running"] = show_game(rich)
    found["naming"] = show_game(play_moves(replace(known, board=(), pile_size=27), "name 0"))
    found["naming_tiles"] = show_game(
        play_moves(make_position((), 3, settings={"catalogue": (*CATALOGUE[:5], FULL_TILE)}), "name 0")
    )
    found["naming_three"] = show_game(
        play_moves(make_position((), 2, settings={"catalogue": (*CATALOGUE[:2], BLANK_TILE)}), "name 0")
    )

    pay = play_moves(make_position((9, 7), 4, own=(5, 0, 1, 2), dust=(14, 0, 32, 7)), "discover 0 7")
    found["pay"] = show_game(pay)
    found["pay_tile"] = show_game(play_moves(pay, "with 0 0 3"))
    found["pay_unsaid"] = show_game(play_moves(pay, "with 0 0 3", "with 0 1 0", "dust 0 3", "dust 0 2"))
    found["pay_more"] = show_game(play_moves(pay, "with 0 0 6", "with 0 1 5", "with 0 2 4", "with 0 3 1", "with 0 4 2"))
    poor = make_position((9, 7), 2, own=(2, 0), dust=(2, 7))
    found["pay_little"] = show_game(play_moves(poor, "discover 0 9", "with 0 0 3"))
    much = play_moves(pay, "with 0 0 6", "with 0 1 5", "with 0 2 4")
    found["pay_question"] = open_dialog(show_game(much), make_confirmation(GAME.list_offers(much, NAMES, Visibility())))

    over = end_game(4, (6, 3, 0, 31), own=(4, 1, 0, 12))
    found["choose"] = show_game(over)
    found["choose_some"] = show_game(replace(count_tiles(over, 1, *SYMBOL_COUNTS[1]), away=(False, False, True, False)))
    found["page_first"] = show_game(play_moves(over, "count 2"))
    middle = play_moves(count_tiles(over, 2, *SYMBOL_COUNTS[2][:4]), "more 2 6", "more 2 4")
    found["page"] = show_game(middle)
    found["page_nebulae"] = show_game(play_moves(count_tiles(over, 0, *SYMBOL_COUNTS[0][:7]), "more 0 3"))
    found["page_again"] = show_game(play_moves(count_all(2), "count 1"))
    found["table"] = show_game(count_all(), last=describe_long_count())
    found["table_two"] = show_game(count_all(2))
    fixed = count_all()
    fixed = replace(fixed, total_adjustments=(0, -3, 12, 0), away=(False, False, False, True))
    found["table_fixed"] = show_game(fixed)
    lines = tuple(f"{name} is counted: {n}" for name, n in zip(NAMES, (55, 16, 231, -5), strict=True))
    found["result"] = replace(show_game(count_all(finish=True)), details=lines)
    found["menu"] = open_dialog(found["board"], make_correction_menu(GAME, board, NAMES, 4))
    found["menu_spinner"] = open_dialog(found["board"], list_spinners(GAME, board, NAMES)[4])
    found["notice"] = replace(found["board"], notice=get_refusal_notice(board, Move("discover", Seat(1), (9,)), NAMES))
    return found
