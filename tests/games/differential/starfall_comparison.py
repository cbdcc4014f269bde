"""StarFall beside its scorer: house rules at random, moves in the scorer's words, and what is compared."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from companion.api import Move
from tests.games.differential import starfall
from tests.games.differential.driver import Differential, Happening, check_end, presence

SYMBOLS = ("stars", "planets", "moons", "black_holes", "comets", "red", "blue", "green", "yellow", "purple")
"""The order in which symbols are counted."""


def draw_starfall(random: Random) -> dict[str, Any]:
    """Return house rules of StarFall, often with a catalogue of all tiles or some."""
    top = random.choice((3, 9, 9, 9, 11))
    known = random.choice((0, 9, 27, 27))
    return {
        "start_dust": random.choice((1, 4, 12, 32, 32, 33, 60)),
        "tiles_removed": {players: random.choice((25, 20, 10, 5, 0)) for players in (2, 3, 4)},
        "board_max_tiles": random.choice((2, 3, 3, 3)),
        "top_space": top,
        "stars_tie": random.choice(("all_tied", "none")),
        "stars_all_equal": random.choice(("none", "as_tied")),
        "tile_pays": random.choice(("star_symbols", "star_symbols", "space_number")),
        "token_change": random.random() < 0.6,
        "running_score": random.random() < 0.3,
        "catalogue": tuple({name: random.choice((0, 0, 0, 1, 1, 2)) for name in SYMBOLS} for _ in range(known)),
    }


def seat_starfall(seats: int, first: int, settings: Any) -> starfall.StarTable:
    """Return the scorer of StarFall at the start."""
    rules = {
        "dust": settings.start_dust,
        "pile": 27 - settings.tiles_removed[seats][0],
        "most": settings.board_max_tiles,
        "top": settings.top_space,
        "change": settings.token_change,
        "space_pays": settings.tile_pays == "space_number",
        "ties": settings.stars_tie == "all_tied",
        "equal": settings.stars_all_equal == "as_tied",
        "catalogue": [tuple(getattr(tile, name) for name in SYMBOLS) for tile in settings.catalogue],
    }
    return starfall.StarTable(seats, first, rules)


def translate_starfall(game: Any, move: Move, table: starfall.StarTable) -> Sequence[Happening]:
    """Return what happened at the table of StarFall; of a payment, what lies there when it is made."""
    kind = str(move.kind)
    if kind in ("add", "move"):
        return [(kind, *move.value)]
    if kind == "discover" and not (move.value[0] and table.tiles[table.turn]):
        return [("discover", *move.value, *move.value, [])]
    if kind == "pay":
        payment = game.payment
        own, given = list(enumerate(table.tiles[table.turn])), []
        for paid in payment.tiles:
            place, tile = next(item for item in own if item[1] == (paid.tile.tile_number, paid.tile.space))
            own.remove((place, tile))
            given.append((place, paid.value))
        missing = max(0, payment.space - sum(value for _, value in given))
        return [("discover", payment.space, min(missing, table.dust[table.turn]), given)]
    match kind:
        case "enter" | "six more" | "clear" | "next line":
            after = game.play(move)
            pages = zip(game.symbol_counts[move.seat], after.symbol_counts[move.seat], strict=True)
            counted = [("count", move.seat, line, now - then) for line, (then, now) in enumerate(pages)]
            return [*counted, ("counted", move.seat)] if after.counting_seat != move.seat else counted
        case "leave":
            return [("later", move.seat)]
        case "accept" | "finish":
            return [(kind,)]
    return []


def compare_starfall(game: Any, table: starfall.StarTable) -> None:
    """Check the legal actions, turn order, stardust, pile, board and tiles, the end and the final points."""
    assert list(game.dust) == table.dust, "dust"
    assert game.pile_size == table.pile, "pile"
    assert dict(game.board) == table.board, "board"
    owned = [[(tile.tile_number, tile.space) for tile in tiles] for tiles in game.owned_tiles]
    assert owned == table.tiles, "tiles"
    assert bool(game.end_reason) == table.ended, "F20, F21"
    if not table.ended:
        assert game.active_seat == table.turn, "turn"
    if game.phase == "turn":
        spaces = {"add": game.next_free_space}
        listed = [move for move in game.list_moves() if move.kind in ("add", "move", "discover")]
        actions = {(str(move.kind), spaces.get(str(move.kind), move.value[0])) for move in listed}
        assert actions == table.list_actions(), "F10 to F12"
    if game.phase in ("table", "over"):
        assert [list(page) for page in game.symbol_counts] == [table.get_page(q) for q in range(table.seats)], "F30"
        assert list(game.totals) == table.points, "points"
        check_end(game, starfall.find_winners(table.points), over=table.over)


STARFALL = Differential(
    "starfall",
    draw_starfall,
    seat_starfall,
    translate_starfall,
    {
        "active": lambda correction: ("turn", *correction.value),
        "pile": lambda correction: ("pile", *correction.value),
        "tiles": lambda correction: ("tiles", correction.seat, *correction.value),
        "dust": lambda correction: ("dust", correction.seat, *correction.value),
        "away": presence,
    },
    compare_starfall,
    {"add": 2.0, "name": 1.0, "mark": 1.0, "cancel": 0.2, "next line": 4.0, "enter": 2.0, "leave": 0.2, "finish": 0.7},
)
