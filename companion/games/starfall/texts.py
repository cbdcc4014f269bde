"""A StarFall game in words: short, for a screen that is read from three metres."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.api.game import Correctable, Correction, Move, Seat
from companion.games.starfall import payment
from companion.games.starfall.corrections import SPACES_KIND
from companion.games.starfall.rules import StarFall
from companion.games.starfall.settings import TILE_COUNT, Settings
from companion.games.starfall.state import UNKNOWN_TILE
from companion.games.starfall.tile_identification import get_tile_question
from companion.games.starfall.tile_texts import (
    ask_owned_count,
    ask_printed_count,
    format_count,
    format_symbol_counts,
    get_symbol_name,
)
from companion.games.starfall.view import FIRST_NEBULA_INDEX, Phase
from companion.games.starfall.view_builder import list_player_scores
from companion.i18n import N_, Translator, join_and

_ = Translator("starfall")

SCORE_PART_LABELS = (
    N_("planets {points}"),
    N_("moons {points}"),
    N_("holes {points}"),
    N_("comets {points}"),
    N_("nebulae {points}"),
    N_("dust {points}"),
)
"""What a count adds up, each part with its points."""


def build_prompt(game: StarFall, names: Sequence[str]) -> str:
    """Who, and what now."""
    active = names[game.active_seat]
    match game.phase:
        case Phase.TURN:
            return _format_turn_prompt(game, active)
        case Phase.NAMING:
            line = get_tile_question(game).line_index
            return _("{who}: which tile is it?", who=active) if line is None else ask_printed_count(line, active)
        case Phase.PAY if game.payment is not None:
            return _("{who}: pay {price} for the tile", who=active, price=game.payment.space)
        case Phase.CHOOSE:
            return _("The game is over: press your button to count your tiles")
        case Phase.PAGE if game.counting_seat is not None:
            return ask_owned_count(game.line_index, names[game.counting_seat])
        case Phase.TABLE:
            return _("All are counted: is everything right?")
        case _:
            return _format_result(game, names)


def get_addressed_seat(game: StarFall) -> Seat | None:
    """Return the player whose name the prompt begins with; None: it is for all."""
    match game.phase:
        case Phase.TURN | Phase.NAMING | Phase.PAY:
            return game.active_seat
        case Phase.PAGE:
            return game.counting_seat
        case _:
            return None


def describe(before: StarFall, what: Move | Correction, after: StarFall, names: Sequence[str]) -> str:
    """One line on what was played."""
    if isinstance(what, Correction):
        return _describe_correction(before, what, names)
    line = _describe_move(before, what, after, names)
    if after.ended and not before.ended:
        return _("{played}, and the game ends", played=line)
    return line


def list_score_parts(game: StarFall, seat: Seat) -> Sequence[tuple[str, int]]:
    """F30 to F36: what a player's points are made of."""
    row = list_player_scores(game)[seat]
    held = [format_count(line, row.symbol_counts[line]) for line in range(FIRST_NEBULA_INDEX)]
    nebulae = [
        format_count(line, count)
        for line, count in enumerate(row.symbol_counts)
        if line >= FIRST_NEBULA_INDEX and count
    ]
    found = [
        (held[0], row.majority_bonus),
        *zip(held[1:], row.points, strict=False),
        (", ".join(nebulae), row.points[-2]),
        (_("{n} dust", n=row.dust), row.points[-1]),
        (_("put right by hand"), row.adjustment),
    ]
    return [(words, worth) for words, worth in found if worth and not row.is_away] or [(_("nothing"), 0)]


def label_correctable(_game: StarFall, what: Correctable | Correction, names: Sequence[str]) -> str:
    """Return the name of what may be corrected, for the menu and the log."""
    return _label_correctable(what.stored_kind, what.seat, names)


def label_values(game: StarFall, what: Correctable, _names: Sequence[str]) -> Sequence[str]:
    """Words for values that a bare number would not explain: which tile of the catalogue, counted or not."""
    if what.stored_kind == "counted":
        return (_("Count again"), _("Counted"))
    if what.stored_kind.startswith("tile on "):
        catalogue = (
            f"{n}: {format_symbol_counts(tile.symbol_counts)}"
            for n, tile in enumerate(game.settings.catalogue, start=1)
        )
        return (_("Not known"), *catalogue)
    return ()


def list_setup_steps(settings: Settings, players: int) -> Sequence[str]:
    """F1 to F3: what is laid out before the game."""
    removed = settings.tiles_removed[players][0]
    usual = settings.start_dust == 32
    dust = _("7 white and 5 orange stars") if usual else _("{n} stardust", n=settings.start_dust)
    shuffle = _("Shuffle the {tiles} sky tiles face down", tiles=TILE_COUNT)
    if removed:
        shuffle = _.plural(
            "Shuffle the {tiles} sky tiles face down, put {n} tile back unseen",
            "Shuffle the {tiles} sky tiles face down, put {n} tiles back unseen",
            removed,
            tiles=TILE_COUNT,
        )
    return (
        _("Each player: {dust}, a player aid", dust=dust),
        shuffle,
        _("Pile of {n} tiles beside the empty board", n=settings.get_pile_size(players)),
        _("By the rules, who last visited a planetarium begins"),
    )


def _format_turn_prompt(game: StarFall, who: str) -> str:
    if not game.board:
        return _("{who}: add a tile", who=who)
    match game.can_add, any(game.can_pay_for(space) for space in game.occupied_spaces):
        case True, True:
            return _("{who}: add, move or take a tile", who=who)
        case True, _nothing:
            return _("{who}: add or move a tile", who=who)
        case _full, True:
            return _("{who}: move or take a tile", who=who)
        case _:
            return _("{who}: move a tile", who=who)


def _format_result(game: StarFall, names: Sequence[str]) -> str:
    outcome = game.compute_outcome()
    winners = [names[q] for q in outcome.winners] if outcome else []
    most = max(game.compute_scores()[q] for q in game.present_seats)
    if len(winners) > 1:
        return _("{names} share the victory with {points}", names=join_and(winners), points=most)
    return _("{who} wins with {points}", who=join_and(winners), points=most)


def _describe_move(before: StarFall, move: Move, after: StarFall, names: Sequence[str]) -> str:
    if move.seat is None:
        return _describe_count_move(before, move, after, names)
    who = names[move.seat]
    match move.kind:
        case "add" if move.value[0] == UNKNOWN_TILE:
            return _("{who} adds a tile on {space}", who=who, space=before.next_free_space)
        case "add":
            return _("{who} adds tile {number} on {space}", who=who, number=move.value[0], space=before.next_free_space)
        case "move":
            space, lands = move.value[0], before.find_landing_space(move.value[0])
            if lands is None:
                return _("{who} moves the tile on {space} off the board", who=who, space=space)
            return _("{who} moves the tile on {space} to {lands}", who=who, space=space, lands=lands)
        case "discover" if after.payment is not None:
            return _("{who} chooses the tile on {space}", who=who, space=move.value[0])
        case "discover":
            return _describe_taken_tile(who, move.value[0], before.dust[move.seat] - after.dust[move.seat], 0)
        case "pay" if before.payment is not None:
            spent = before.dust[move.seat] - after.dust[move.seat]
            return _describe_taken_tile(who, before.payment.space, spent, len(before.payment.tiles))
        case "with":
            pays = payment.make_paid_tile(before, *move.value).value
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
            return _describe_count_move(before, move, after, names)


def _describe_taken_tile(who: str, space: int, dust: int, tiles: int) -> str:
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


def _describe_count_move(before: StarFall, move: Move, after: StarFall, names: Sequence[str]) -> str:
    if move.kind == "finish":
        bonus = [
            f"{names[row.seat]} {row.majority_bonus:+d}" for row in list_player_scores(after) if row.majority_bonus
        ]
        return _("The count is right; for stars: {points}", points=", ".join(bonus) or _("nothing"))
    if move.kind == "accept":
        return _("As in the catalogue: {points}", points=_format_totals(after, names, before.seats_with_proposal))
    assert move.seat is not None, f"{move.kind} belongs to a seat"
    who, line = names[move.seat], before.line_index
    held = after.symbol_counts[move.seat][line]
    match move.kind:
        case "count":
            return _("{who} counts", who=who)
        case "more" | "less":
            return f"{who}: {format_count(line, held)}"
        case "back line":
            return _("{who}: back to the {things}", who=who, things=get_symbol_name(after.line_index))
        case "leave":
            return _("{who} is counted later", who=who)
        case "next line" if after.counting_seat == move.seat:
            return _("{who} has {things}", who=who, things=format_count(line, held))
        case _:
            return _format_score_parts(after, move.seat, who)


def _format_score_parts(game: StarFall, seat: Seat, who: str) -> str:
    """How a count came about, but for the stars, which only compare: "Ada 34: planets 10, comets 24"."""
    row = list_player_scores(game)[seat]
    parts = [_(part, points=worth) for part, worth in zip(SCORE_PART_LABELS, row.points, strict=True) if worth]
    return f"{who} {sum(row.points)}: {', '.join(parts) or _('nothing')}"


def _format_totals(game: StarFall, names: Sequence[str], seats: Sequence[Seat]) -> str:
    found = list_player_scores(game)
    best_first = sorted(seats, key=lambda q: -found[q].total)
    return ", ".join(f"{names[q]} {found[q].total}" for q in best_first)


def _describe_correction(before: StarFall, what: Correction, names: Sequence[str]) -> str:
    if what.stored_kind == "away" and what.seat is not None:
        return _("{who} is away", who=names[what.seat]) if what.value[0] else _("{who} is back", who=names[what.seat])
    if what.stored_kind == "counted" and what.seat is not None:
        return _("{who} is counted again", who=names[what.seat])
    old = next(
        (c.current_value for c in before.list_correctables() if (c.kind, c.seat) == (what.stored_kind, what.seat)), ()
    )
    was, now = _join_numbers(old), _join_numbers(what.value)
    if what.stored_kind == "active":
        was, now = names[old[0]], names[what.value[0]]
    thing = _label_correctable(what.stored_kind, what.seat, names)
    return _("Corrected: {thing}, {old} to {new}", thing=thing, old=was, new=now)


def _label_correctable(kind: str, seat: Seat | None, names: Sequence[str]) -> str:
    if seat is not None:
        return _label_seat_correctable(kind, names[seat])
    if kind == "pile":
        return _("tiles in the pile")
    if kind == "active":
        return _("whose turn")
    if kind.startswith(SPACES_KIND):
        first, _to, last = kind.removeprefix(SPACES_KIND).partition(" to ")
        return _("tiles on {spaces}", spaces=_join_numbers(range(int(first), int(last) - 1, -1)))
    return _("which tile lies on {space}", space=kind.removeprefix("tile on "))


def _label_seat_correctable(kind: str, who: str) -> str:
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


def _join_numbers(values: Sequence[int]) -> str:
    return " ".join(str(v) for v in values)
