"""A StarFall game in words: short, for a screen that is read from three metres."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.game import Correctable, Correction, Move, Seat
from companion.games.starfall import paying
from companion.games.starfall.corrections import AT_SPACES
from companion.games.starfall.naming import naming, short
from companion.games.starfall.offers import amount
from companion.games.starfall.position import UNKNOWN
from companion.games.starfall.rules import StarFall
from companion.games.starfall.settings import TILES, Settings
from companion.games.starfall.show import rows
from companion.games.starfall.view import LINES, Phase

PARTS = ("planets", "moons", "holes", "comets", "nebulae", "dust")


def sentence(game: StarFall, names: Sequence[str]) -> str:
    """Who, and what now."""
    active = names[game.active]
    match game.phase:
        case Phase.TURN:
            return f"{active}: {_turn(game)}"
        case Phase.NAMING:
            return f"{active}: {naming(game).question.lower()}"
        case Phase.PAY if game.payment is not None:
            return f"{active}: pay {game.payment.space} for the tile"
        case Phase.CHOOSE:
            return "The game is over: press your button to count your tiles"
        case Phase.PAGE if game.counting is not None:
            return f"{names[game.counting]}: how many {LINES[game.line]} do you have?"
        case Phase.TABLE:
            return "All are counted: is everything right?"
        case _:
            return _result(game, names)


def tell(before: StarFall, what: Move | Correction, after: StarFall, names: Sequence[str]) -> str:
    """One line on what was played."""
    if isinstance(what, Correction):
        return _corrected(before, what, names)
    line = _played(before, what, after, names)
    if after.ended and not before.ended:
        return f"{line}, and the game ends"
    return line


def correctable_words(game: StarFall, names: Sequence[str]) -> Mapping[tuple[str, Seat | None], str]:
    """A line of the menu for each thing that may be corrected now."""
    return {(c.kind, c.seat): _thing(c.kind, c.seat, names) for c in game.correctables()}


def value_words(game: StarFall, what: Correctable, _names: Sequence[str]) -> Sequence[str]:
    """Words for values that a bare number would not explain: which tile of the catalogue, counted or not."""
    if what.kind == "counted":
        return ("Count again", "Counted")
    if what.kind.startswith("tile on "):
        return ("Not known", *(f"{n}: {short(tile.counts)}" for n, tile in enumerate(game.settings.catalogue, start=1)))
    return ()


def preparation(settings: Settings, players: int) -> Sequence[str]:
    """F1 to F3: what is laid out before the game."""
    removed = settings.tiles_removed[players][0]
    tokens = "7 white and 5 orange stars" if settings.start_dust == 32 else f"{settings.start_dust} stardust"
    put_back = f", put {_count(removed, 'tile')} back unseen" if removed else ""
    return (
        f"Each player: {tokens}, a player aid",
        f"Shuffle the {TILES} sky tiles face down{put_back}",
        f"Pile of {settings.pile(players)} tiles beside the empty board",
        "By the rules, who last visited a planetarium begins",
    )


def _turn(game: StarFall) -> str:
    if not game.board:
        return "add a tile"
    can_take = any(game.payable(space) for space in game.spaces)
    deeds = ["add"] * game.may_add + ["move"] + ["take"] * can_take
    if len(deeds) == 1:
        return "move a tile"
    return f"{', '.join(deeds[:-1])} or {deeds[-1]} a tile"


def _result(game: StarFall, names: Sequence[str]) -> str:
    outcome = game.outcome()
    winners = [names[q] for q in outcome.winners] if outcome else []
    most = max(game.scores()[q] for q in game.present)
    return f"{_both(winners)} {'share the victory' if len(winners) > 1 else 'wins'} with {most}"


def _played(before: StarFall, move: Move, after: StarFall, names: Sequence[str]) -> str:
    if move.seat is None:
        return _counted(before, move, after, names)
    who = names[move.seat]
    match move.kind:
        case "add":
            which = "a tile" if move.value[0] == UNKNOWN else f"tile {move.value[0]}"
            return f"{who} adds {which} on {before.next_free}"
        case "move":
            lands = before.lands(move.value[0])
            where = "off the board" if lands is None else f"to {lands}"
            return f"{who} moves the tile on {move.value[0]} {where}"
        case "discover" if after.payment is not None:
            return f"{who} chooses the tile on {move.value[0]}"
        case "discover":
            return f"{who} takes the tile on {move.value[0]} for {_dust_paid(before, after, move.seat) or 'nothing'}"
        case "pay" if before.payment is not None:
            tiles = len(before.payment.tiles)
            spent = before.dust[move.seat] - after.dust[move.seat]
            return f"{who} takes the tile on {before.payment.space} for {_spent(spent, tiles)}"
        case "with":
            pays = paying.paid(before, *move.value).worth
            return f"{who} gives a tile" + (f" that pays {pays}" if pays is not None else "")
        case "without":
            return f"{who} takes a tile back"
        case "dust":
            return f"{who} pays {move.value[0]} dust"
        case "cancel":
            return f"{who} does not take it"
        case "name" | "narrow" | "back":
            return f"{who} names the new tile"
        case "page":
            return f"{who} looks at the other tiles"
        case _:
            return _counted(before, move, after, names)


def _spent(dust: int, tiles: int) -> str:
    words = amount(dust, tiles)
    return words.replace(" and", " dust and") if dust and tiles else words


def _dust_paid(before: StarFall, after: StarFall, seat: Seat) -> str:
    spent = before.dust[seat] - after.dust[seat]
    return f"{spent} dust" if spent else ""


def _counted(before: StarFall, move: Move, after: StarFall, names: Sequence[str]) -> str:
    if move.kind == "finish":
        bonus = [f"{names[row.seat]} {row.majority:+d}" for row in rows(after) if row.majority]
        return f"The count is right; for stars: {', '.join(bonus) or 'nothing'}"
    if move.kind == "accept":
        return f"As in the catalogue: {_standing(after, names, before.proposals)}"
    assert move.seat is not None, f"{move.kind} belongs to a seat"
    who, line = names[move.seat], before.line
    held = after.counts[move.seat][line]
    match move.kind:
        case "count":
            return f"{who} counts"
        case "more" | "less":
            return f"{who}: {_count(held, one(LINES[line]))}"
        case "back line":
            return f"{who}: back to the {LINES[after.line]}"
        case "leave":
            return f"{who} is counted later"
        case "next line" if after.counting == move.seat:
            return f"{who} has {_count(held, one(LINES[line]))}"
        case _:
            return f"{who} {_parts(after, move.seat)}"


def _parts(game: StarFall, seat: Seat) -> str:
    """How a count came about, but for the stars, which only compare: "34: planets 10, comets 24"."""
    row = rows(game)[seat]
    parts = [f"{part} {worth}" for part, worth in zip(PARTS, row.points, strict=True) if worth]
    return f"{sum(row.points)}: {', '.join(parts) or 'nothing'}"


def _standing(game: StarFall, names: Sequence[str], seats: Sequence[Seat]) -> str:
    found = rows(game)
    best_first = sorted(seats, key=lambda q: -found[q].total)
    return ", ".join(f"{names[q]} {found[q].total}" for q in best_first)


def _corrected(before: StarFall, what: Correction, names: Sequence[str]) -> str:
    if what.kind == "away" and what.seat is not None:
        return f"{names[what.seat]} {'is away' if what.value[0] else 'is back'}"
    if what.kind == "counted" and what.seat is not None:
        return f"{names[what.seat]} is counted again"
    old = next((c.current for c in before.correctables() if (c.kind, c.seat) == (what.kind, what.seat)), ())
    thing = _thing(what.kind, what.seat, names)
    if what.kind == "active":
        return f"Corrected: {thing}, {names[old[0]]} to {names[what.value[0]]}"
    return f"Corrected: {thing}, {_listed(old)} to {_listed(what.value)}"


def _thing(kind: str, seat: Seat | None, names: Sequence[str]) -> str:
    if seat is not None:
        who = names[seat]
        return {
            "dust": f"{who}'s dust",
            "tiles": f"how many tiles {who} has",
            "counted": f"{who} is counted",
            "counts": f"{who}'s stars, planets, moons, holes, comets",
            "nebulae": f"{who}'s nebulae by colour",
            "total": f"{who}'s total",
        }.get(kind, f"{who} is away")
    if kind == "pile":
        return "tiles in the pile"
    if kind == "active":
        return "whose turn"
    if kind.startswith(AT_SPACES):
        first, _, last = kind.removeprefix(AT_SPACES).partition(" to ")
        return f"tiles on {_listed(range(int(first), int(last) - 1, -1))}"
    return f"which tile lies{kind.removeprefix('tile')}"


def one(things: str) -> str:
    """A line of the page for a single thing.

    >>> one("planets"), one("red nebulae")
    ('planet', 'red nebula')
    """
    return things.removesuffix("s") if things.endswith("s") else things.removesuffix("e")


def _count(count: int, thing: str) -> str:
    """A number of things.

    >>> _count(1, "tile"), _count(2, "red nebula"), _count(0, "star")
    ('1 tile', '2 red nebulae', '0 stars')
    """
    if count == 1:
        return f"1 {thing}"
    return f"{count} {thing}{'e' if thing.endswith('a') else 's'}"


def _listed(values: Sequence[int]) -> str:
    return " ".join(str(v) for v in values)


def _both(words: Sequence[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
