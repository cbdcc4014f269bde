"""A StarFall game in words: short, for a screen that is read from three metres."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.api.game import Correctable, Correction, Move, Seat
from companion.games.starfall import payment
from companion.games.starfall.corrections import AT_SPACES
from companion.games.starfall.rules import StarFall
from companion.games.starfall.settings import TILES, Settings
from companion.games.starfall.state import UNKNOWN
from companion.games.starfall.tile_identification import naming
from companion.games.starfall.tile_texts import are_on_it, do_you_have, named, numbered, short
from companion.games.starfall.view import FIRST_NEBULA, Phase
from companion.games.starfall.view_builder import rows
from companion.i18n import N_, Words, both

_ = Words("starfall")

PARTS = (
    N_("planets {points}"),
    N_("moons {points}"),
    N_("holes {points}"),
    N_("comets {points}"),
    N_("nebulae {points}"),
    N_("dust {points}"),
)
"""What a count adds up, each part with its points."""


def sentence(game: StarFall, names: Sequence[str]) -> str:
    """Who, and what now."""
    active = names[game.active]
    match game.phase:
        case Phase.TURN:
            return _turn(game, active)
        case Phase.NAMING:
            line = naming(game).line
            return _("{who}: which tile is it?", who=active) if line is None else are_on_it(line, active)
        case Phase.PAY if game.payment is not None:
            return _("{who}: pay {price} for the tile", who=active, price=game.payment.space)
        case Phase.CHOOSE:
            return _("The game is over: press your button to count your tiles")
        case Phase.PAGE if game.counting is not None:
            return do_you_have(game.line, names[game.counting])
        case Phase.TABLE:
            return _("All are counted: is everything right?")
        case _:
            return _result(game, names)


def tell(before: StarFall, what: Move | Correction, after: StarFall, names: Sequence[str]) -> str:
    """One line on what was played."""
    if isinstance(what, Correction):
        return _corrected(before, what, names)
    line = _played(before, what, after, names)
    if after.ended and not before.ended:
        return _("{played}, and the game ends", played=line)
    return line


def parts(game: StarFall, seat: Seat) -> Sequence[tuple[str, int]]:
    """F30 to F36: what a player's points are made of."""
    row = rows(game)[seat]
    held = [numbered(line, row.counts[line]) for line in range(FIRST_NEBULA)]
    nebulae = [numbered(line, count) for line, count in enumerate(row.counts) if line >= FIRST_NEBULA and count]
    found = [
        (held[0], row.majority),
        *zip(held[1:], row.points, strict=False),
        (", ".join(nebulae), row.points[-2]),
        (_("{n} dust", n=row.dust), row.points[-1]),
        (_("put right by hand"), row.put_right),
    ]
    return [(words, worth) for words, worth in found if worth and not row.away] or [(_("nothing"), 0)]


def correctable_words(game: StarFall, names: Sequence[str]) -> Mapping[tuple[str, Seat | None], str]:
    """A line of the menu for each thing that may be corrected now."""
    return {(c.kind, c.seat): _thing(c.kind, c.seat, names) for c in game.correctables()}


def value_words(game: StarFall, what: Correctable, _names: Sequence[str]) -> Sequence[str]:
    """Words for values that a bare number would not explain: which tile of the catalogue, counted or not."""
    if what.kind == "counted":
        return (_("Count again"), _("Counted"))
    if what.kind.startswith("tile on "):
        catalogue = (f"{n}: {short(tile.counts)}" for n, tile in enumerate(game.settings.catalogue, start=1))
        return (_("Not known"), *catalogue)
    return ()


def preparation(settings: Settings, players: int) -> Sequence[str]:
    """F1 to F3: what is laid out before the game."""
    removed = settings.tiles_removed[players][0]
    usual = settings.start_dust == 32
    dust = _("7 white and 5 orange stars") if usual else _("{n} stardust", n=settings.start_dust)
    shuffle = _("Shuffle the {tiles} sky tiles face down", tiles=TILES)
    if removed:
        shuffle = _.plural(
            "Shuffle the {tiles} sky tiles face down, put {n} tile back unseen",
            "Shuffle the {tiles} sky tiles face down, put {n} tiles back unseen",
            removed,
            tiles=TILES,
        )
    return (
        _("Each player: {dust}, a player aid", dust=dust),
        shuffle,
        _("Pile of {n} tiles beside the empty board", n=settings.pile(players)),
        _("By the rules, who last visited a planetarium begins"),
    )


def _turn(game: StarFall, who: str) -> str:
    if not game.board:
        return _("{who}: add a tile", who=who)
    match game.may_add, any(game.payable(space) for space in game.spaces):
        case True, True:
            return _("{who}: add, move or take a tile", who=who)
        case True, _nothing:
            return _("{who}: add or move a tile", who=who)
        case _full, True:
            return _("{who}: move or take a tile", who=who)
        case _:
            return _("{who}: move a tile", who=who)


def _result(game: StarFall, names: Sequence[str]) -> str:
    outcome = game.outcome()
    winners = [names[q] for q in outcome.winners] if outcome else []
    most = max(game.scores()[q] for q in game.present)
    if len(winners) > 1:
        return _("{names} share the victory with {points}", names=both(winners), points=most)
    return _("{who} wins with {points}", who=both(winners), points=most)


def _played(before: StarFall, move: Move, after: StarFall, names: Sequence[str]) -> str:
    if move.seat is None:
        return _counted(before, move, after, names)
    who = names[move.seat]
    match move.kind:
        case "add" if move.value[0] == UNKNOWN:
            return _("{who} adds a tile on {space}", who=who, space=before.next_free)
        case "add":
            return _("{who} adds tile {number} on {space}", who=who, number=move.value[0], space=before.next_free)
        case "move":
            space, lands = move.value[0], before.lands(move.value[0])
            if lands is None:
                return _("{who} moves the tile on {space} off the board", who=who, space=space)
            return _("{who} moves the tile on {space} to {lands}", who=who, space=space, lands=lands)
        case "discover" if after.payment is not None:
            return _("{who} chooses the tile on {space}", who=who, space=move.value[0])
        case "discover":
            return _taken(who, move.value[0], before.dust[move.seat] - after.dust[move.seat], 0)
        case "pay" if before.payment is not None:
            spent = before.dust[move.seat] - after.dust[move.seat]
            return _taken(who, before.payment.space, spent, len(before.payment.tiles))
        case "with":
            pays = payment.paid(before, *move.value).worth
            if pays is None:
                return _("{who} gives a tile", who=who)
            return _("{who} gives a tile that pays {pays}", who=who, pays=pays)
        case "without":
            return _("{who} takes a tile back", who=who)
        case "dust":
            return _("{who} pays {dust} dust", who=who, dust=move.value[0])
        case "cancel":
            return _("{who} does not take it", who=who)
        case "name" | "narrow" | "back":
            return _("{who} names the new tile", who=who)
        case "page":
            return _("{who} looks at the other tiles", who=who)
        case _:
            return _counted(before, move, after, names)


def _taken(who: str, space: int, dust: int, tiles: int) -> str:
    """F12, F13: what a tile was taken for."""
    if dust and tiles:
        return _.plural(
            "{who} takes the tile on {space} for {dust} dust and a tile",
            "{who} takes the tile on {space} for {dust} dust and {n} tiles",
            tiles,
            who=who,
            space=space,
            dust=dust,
        )
    if tiles:
        return _.plural(
            "{who} takes the tile on {space} for a tile",
            "{who} takes the tile on {space} for {n} tiles",
            tiles,
            who=who,
            space=space,
        )
    if dust:
        return _("{who} takes the tile on {space} for {dust} dust", who=who, space=space, dust=dust)
    return _("{who} takes the tile on {space} for nothing", who=who, space=space)


def _counted(before: StarFall, move: Move, after: StarFall, names: Sequence[str]) -> str:
    if move.kind == "finish":
        bonus = [f"{names[row.seat]} {row.majority:+d}" for row in rows(after) if row.majority]
        return _("The count is right; for stars: {points}", points=", ".join(bonus) or _("nothing"))
    if move.kind == "accept":
        return _("As in the catalogue: {points}", points=_standing(after, names, before.proposals))
    assert move.seat is not None, f"{move.kind} belongs to a seat"
    who, line = names[move.seat], before.line
    held = after.counts[move.seat][line]
    match move.kind:
        case "count":
            return _("{who} counts", who=who)
        case "more" | "less":
            return f"{who}: {numbered(line, held)}"
        case "back line":
            return _("{who}: back to the {things}", who=who, things=named(after.line))
        case "leave":
            return _("{who} is counted later", who=who)
        case "next line" if after.counting == move.seat:
            return _("{who} has {things}", who=who, things=numbered(line, held))
        case _:
            return _parts(after, move.seat, who)


def _parts(game: StarFall, seat: Seat, who: str) -> str:
    """How a count came about, but for the stars, which only compare: "Ada 34: planets 10, comets 24"."""
    row = rows(game)[seat]
    parts = [_(part, points=worth) for part, worth in zip(PARTS, row.points, strict=True) if worth]
    return f"{who} {sum(row.points)}: {', '.join(parts) or _('nothing')}"


def _standing(game: StarFall, names: Sequence[str], seats: Sequence[Seat]) -> str:
    found = rows(game)
    best_first = sorted(seats, key=lambda q: -found[q].total)
    return ", ".join(f"{names[q]} {found[q].total}" for q in best_first)


def _corrected(before: StarFall, what: Correction, names: Sequence[str]) -> str:
    if what.kind == "away" and what.seat is not None:
        return _("{who} is away", who=names[what.seat]) if what.value[0] else _("{who} is back", who=names[what.seat])
    if what.kind == "counted" and what.seat is not None:
        return _("{who} is counted again", who=names[what.seat])
    old = next((c.current for c in before.correctables() if (c.kind, c.seat) == (what.kind, what.seat)), ())
    was, now = _listed(old), _listed(what.value)
    if what.kind == "active":
        was, now = names[old[0]], names[what.value[0]]
    thing = _thing(what.kind, what.seat, names)
    return _("Corrected: {thing}, {old} to {new}", thing=thing, old=was, new=now)


def _thing(kind: str, seat: Seat | None, names: Sequence[str]) -> str:
    if seat is not None:
        return _of_seat(kind, names[seat])
    if kind == "pile":
        return _("tiles in the pile")
    if kind == "active":
        return _("whose turn")
    if kind.startswith(AT_SPACES):
        first, _to, last = kind.removeprefix(AT_SPACES).partition(" to ")
        return _("tiles on {spaces}", spaces=_listed(range(int(first), int(last) - 1, -1)))
    return _("which tile lies on {space}", space=kind.removeprefix("tile on "))


def _of_seat(kind: str, who: str) -> str:
    match kind:
        case "dust":
            return _("{who}'s dust", who=who)
        case "tiles":
            return _("how many tiles {who} has", who=who)
        case "counted":
            return _("{who} is counted", who=who)
        case "counts":
            return _("{who}'s stars, planets, moons, holes, comets", who=who)
        case "nebulae":
            return _("{who}'s nebulae by colour", who=who)
        case "total":
            return _("{who}'s total", who=who)
        case _:
            return _("{who} is away", who=who)


def _listed(values: Sequence[int]) -> str:
    return " ".join(str(v) for v in values)
