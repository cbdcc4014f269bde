"""StarFall on the screen: every phase, fewest and most players, clocks, questions, menus."""

from __future__ import annotations

from dataclasses import replace

from companion.events import SEAT_BUTTONS, Button
from companion.gallery.fixtures import asked, confirming, fix_menu, in_vain, spinners, table_offers
from companion.gallery.starfall_positions import at, count, ended, play, start
from companion.games.api.game import Move, Seat
from companion.games.api.offers import Sight
from companion.games.starfall import KIT, StarFall, Tile
from companion.games.starfall.state import Owned
from companion.referee.screen import of_game
from companion.screen_state import RunningClock, Shown

NAMES = ("Wilhelmina", "Bo", "Maximilianna", "Zoë")
SEATING = (Button.SEAT2, Button.SEAT3, Button.SEAT5, Button.SEAT6)
BOX = tuple(
    Tile(
        stars=n % 5,
        planets=n % 3,
        moons=n % 2,
        black_holes=int(n % 7 == 0),
        comets=n % 4 // 3,
        **{("red", "blue", "green", "yellow", "purple")[n % 5]: 1},
    )
    for n in range(27)
)
FULL = Tile(stars=3, planets=2, moons=1, black_holes=1, comets=2, red=1, blue=1, green=1, yellow=1, purple=1)
BLANK = Tile.model_validate({})
HANDS = (
    (11, 2, 3, 0, 4, 1, 0, 0, 0, 0),
    (17, 1, 0, 1, 1, 2, 1, 1, 0, 0),
    (7, 13, 12, 2, 10, 0, 0, 0, 0, 0),
    (0, 0, 0, 1, 0, 0, 0, 0, 0, 0),
)


def shown(game: StarFall, *, clock: float | None = None, last: str = "", names: tuple[str, ...] = NAMES) -> Shown:
    """What the referee would show."""
    players = game.players
    buttons = SEATING[:players] if players > 2 else SEAT_BUTTONS[:players]
    clocks = tuple(RunningClock(c.name, c.seconds if clock is None else clock, c.seconds) for c in game.clocks())
    more = table_offers(paused=bool(clocks), over=game.outcome() is not None)
    offers = (*KIT.offers(game, names, Sight()), *more)
    return replace(
        of_game(KIT, game, names[:players], buttons, offers, Sight()),
        last=last or paid_with_a_tile(names),
        clocks=clocks,
    )


def paid_with_a_tile(names: tuple[str, ...]) -> str:
    """What was played last, where it makes no difference."""
    paying = play(at((9, 7), 2, own=(3, 0), dust=(14, 7)), "discover 0 7", "with 0 0 3")
    pay = Move("pay", Seat(0))
    return KIT.tell(paying, pay, paying.play(pay), names)


def all_told() -> str:
    """The longest that is said of a count: each part of it is worth something."""
    game = count(ended(3, (6, 3, 17)), 2, *(2, 5, 3, 1, 5, 2, 2, 2, 2))
    last = Move("next line", Seat(2))
    return KIT.tell(game, last, game.play(last), NAMES)


def counted(players: int = 4, finish: bool = False) -> StarFall:
    """All pages are filled."""
    game = ended(players, (6, 3, 0, 31)[:players])
    for seat in range(players):
        game = count(game, seat, *HANDS[seat])
    return play(game, "finish") if finish else game


def samples() -> dict[str, Shown]:
    """All states, by name."""
    found: dict[str, Shown] = {}
    found["start_two"] = replace(shown(start(2)), last=None)
    found["start_four"] = shown(start(4))
    board = at((9, 7, 2), 4, own=(3, 0, 1, 2), dust=(14, 0, 32, 7))
    found["board"] = replace(shown(board), scores=board.dust)
    found["board_changes"] = shown(play(at((9, 7, 2), 3), "discover 0 7"))
    found["board_poor"] = shown(at((9, 4, 0), 2, dust=(3, 12), pile=1))
    found["board_no_pile"] = shown(at((9, 7, 2), 3, pile=0))
    found["board_last"] = shown(at((1, 0), 2, pile=0))
    found["board_wide"] = shown(at((11, 10, 6, 5, 0), 4, settings={"board_max_tiles": 5, "top_space": 11}))
    timed = at((9, 8), 4, settings={"turn_seconds": 45})
    found["clock"] = shown(timed, clock=31.4)
    found["clock_soon"] = shown(replace(timed, active=Seat(2)), clock=4.0)
    known = at((9, 8, 1), 4, settings={"catalogue": (*BOX[:20], FULL, BLANK), "turn_seconds": 45})
    known = replace(known, board=((9, 4), (8, 21), (1, 22)))
    found["board_known"] = shown(known)
    rich = replace(known, settings=known.settings.model_copy(update={"running_score": True}))
    rich = replace(rich, tiles=((Owned(1, 5), Owned(3, 2)), (Owned(2, 4),), (), (Owned(21, 0),)), dust=(14, 0, 32, 7))
    found["board_running"] = shown(rich)
    found["naming"] = shown(play(replace(known, board=(), pile=27), "name 0"))
    found["naming_tiles"] = shown(play(at((), 3, settings={"catalogue": (*BOX[:5], FULL)}), "name 0"))
    found["naming_three"] = shown(play(at((), 2, settings={"catalogue": (*BOX[:2], BLANK)}), "name 0"))

    pay = play(at((9, 7), 4, own=(5, 0, 1, 2), dust=(14, 0, 32, 7)), "discover 0 7")
    found["pay"] = shown(pay)
    found["pay_tile"] = shown(play(pay, "with 0 0 3"))
    found["pay_unsaid"] = shown(play(pay, "with 0 0 3", "with 0 1 0", "dust 0 3", "dust 0 2"))
    found["pay_more"] = shown(play(pay, "with 0 0 6", "with 0 1 5", "with 0 2 4", "with 0 3 1", "with 0 4 2"))
    poor = at((9, 7), 2, own=(2, 0), dust=(2, 7))
    found["pay_little"] = shown(play(poor, "discover 0 9", "with 0 0 3"))
    much = play(pay, "with 0 0 6", "with 0 1 5", "with 0 2 4")
    found["pay_question"] = asked(shown(much), confirming(KIT.offers(much, NAMES, Sight())))

    over = ended(4, (6, 3, 0, 31), own=(4, 1, 0, 12))
    found["choose"] = shown(over)
    found["choose_some"] = shown(replace(count(over, 1, *HANDS[1]), away=(False, False, True, False)))
    found["page_first"] = shown(play(over, "count 2"))
    middle = play(count(over, 2, *HANDS[2][:4]), "more 2 6", "more 2 4")
    found["page"] = shown(middle)
    found["page_nebulae"] = shown(play(count(over, 0, *HANDS[0][:7]), "more 0 3"))
    found["page_again"] = shown(play(counted(2), "count 1"))
    found["table"] = shown(counted(), last=all_told())
    found["table_two"] = shown(counted(2))
    fixed = counted()
    fixed = replace(fixed, put_right=(0, -3, 12, 0), away=(False, False, False, True))
    found["table_fixed"] = shown(fixed)
    lines = tuple(f"{name} is counted: {n}" for name, n in zip(NAMES, (55, 16, 231, -5), strict=True))
    found["result"] = replace(shown(counted(finish=True)), details=lines)
    found["menu"] = asked(found["board"], fix_menu(KIT, board, NAMES, 4))
    found["menu_spinner"] = asked(found["board"], spinners(KIT, board, NAMES)[4])
    found["notice"] = replace(found["board"], notice=in_vain(board, Move("discover", Seat(1), (9,)), NAMES))
    return found
