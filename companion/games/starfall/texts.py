"""Texts of a StarFall game: short, for a screen that is read from three metres."""

from collections.abc import Sequence

from companion.api import CommonCorrection, Correctable, Correction, Move, Seat
from companion.games.starfall import payment_rules
from companion.games.starfall.rules import StarFall
from companion.games.starfall.settings import FIRST_NEBULA_INDEX, SYMBOLS, TILE_COUNT, Settings
from companion.games.starfall.state import UNKNOWN_TILE, CorrectionKind, MoveKind, Phase
from companion.games.starfall.tile_identification import get_tile_question
from companion.games.starfall.tile_texts import (
    OWNED_QUESTIONS,
    PRINTED_QUESTIONS,
    format_count,
    format_symbol_counts,
)
from companion.i18n import N_, Translator, format_number, join_and

_ = Translator("starfall")

USUAL_DUST = 32
"""F1: stardust of each player at the start by the printed rules, in seven white and five orange tokens."""
SCORE_PART_LABELS = (
    N_("planets {points}"),
    N_("moons {points}"),
    N_("holes {points}"),
    N_("comets {points}"),
    N_("nebulae {points}"),
    N_("dust {points}"),
)
"""F31 to F36: the parts of a score in the order of `PlayerScore.points`."""
MAX_LISTED_PARTS = 3
"""Most parts of a score that are listed in a line about it: more are too long for the screen."""
_TURN_PROMPTS = {
    (True, True): N_("{who}: add, move or take a tile"),
    (True, False): N_("{who}: add or move a tile"),
    (False, True): N_("{who}: move or take a tile"),
    (False, False): N_("{who}: move a tile"),
}
"""By (a tile can be added, a tile can be taken)."""
_MOVE_TEXTS: dict[str, str] = {
    MoveKind.WITHOUT: N_("{who} takes a tile back"),
    MoveKind.DUST: N_("{who} pays {value} dust"),
    MoveKind.CANCEL: N_("{who} does not take it"),
    MoveKind.NAME: N_("{who} names the new tile"),
    MoveKind.NARROW: N_("{who} names the new tile"),
    MoveKind.BACK: N_("{who} names the new tile"),
    MoveKind.PAGE: N_("{who} looks at the other tiles"),
    MoveKind.COUNT: N_("{who} counts"),
    MoveKind.BACK_LINE: N_("{who}: back to the {things}"),
    MoveKind.LEAVE: N_("{who} is counted later"),
}
"""Moves that are always described in the same way."""
_CORRECTABLE_LABELS: dict[str, str] = {
    CommonCorrection.ACTIVE: N_("whose turn"),
    CommonCorrection.AWAY: N_("{who} is away"),
    CorrectionKind.PILE: N_("tiles in the pile"),
    CorrectionKind.SPACES: N_("tiles on {spaces}"),
    CorrectionKind.TILE: N_("which tile lies on {space}"),
    CorrectionKind.DUST: N_("{who}'s dust"),
    CorrectionKind.TILES: N_("how many tiles {who} has"),
    CorrectionKind.COUNTED: N_("{who} is counted"),
    CorrectionKind.COUNTS: N_("{who}'s stars, planets, moons, holes, comets"),
    CorrectionKind.NEBULAE: N_("{who}'s nebulae by colour"),
    CorrectionKind.TOTAL: N_("{who}'s total"),
}


def format_prompt(game: StarFall, names: Sequence[str]) -> str:
    """Return one translated sentence for the screen: who is to act and what to do now; after the end, who has won.

    Args:
        game: current game.
        names: players' names by seat.

    Raises:
        IndexError: a player in the sentence has no name.
    """
    who = names[game.active_seat]
    match game.phase:
        case Phase.TURN if not game.board:
            return _("{who}: add a tile", who=who)
        case Phase.TURN:
            can_take = any(game.can_pay_for(space) for space in game.occupied_spaces)
            return _(_TURN_PROMPTS[game.can_add, can_take], who=who)
        case Phase.NAMING:
            line = get_tile_question(game).line_index
            return _(N_("{who}: which tile is it?") if line is None else PRINTED_QUESTIONS[line], who=who)
        case Phase.PAY if game.payment is not None:
            return _("{who}: pay {price} for the tile", who=who, price=game.payment.space)
        case Phase.CHOOSE if any(game.away[q] and not game.counted[q] for q in game.seats_to_count):
            return _("The game is over: press a player's button to count the tiles, also of who left")
        case Phase.CHOOSE:
            return _("The game is over: press your button to count your tiles")
        case Phase.PAGE if game.counting_seat is not None:
            return _(OWNED_QUESTIONS[game.line_index], who=names[game.counting_seat])
        case Phase.TABLE:
            return _("All are counted: is everything right?")
    outcome = game.compute_outcome()
    winners = [names[q] for q in outcome.winners] if outcome else []
    message = N_("{names} share the victory with {points}") if len(winners) > 1 else N_("{who} wins with {points}")
    return _(message, names=join_and(winners), who=join_and(winners), points=max(game.totals))


def get_addressed_seat(game: StarFall) -> Seat | None:
    """Return the seat of the player whose name the prompt begins with; None: the prompt is for all."""
    return game.counting_seat if game.end_reason else game.active_seat


def describe_move(before: StarFall, what: Move | Correction, after: StarFall, names: Sequence[str]) -> str:
    """Return one translated line for the log on a move or correction, without the changes of scores.

    Args:
        before: game before it.
        what: the move or correction, which was legal in `before`.
        after: game after it.
        names: players' names by seat.

    Raises:
        IndexError: a player concerned has no name.
    """
    if isinstance(what, Correction):
        return _describe_correction(before, what, names)
    line = _describe_kind(before, what, after, names)
    return _("{played}, and the game ends", played=line) if after.end_reason and not before.end_reason else line


def _describe_kind(before: StarFall, move: Move, after: StarFall, names: Sequence[str]) -> str:
    if move.seat is None:
        return _describe_table_move(before, move, after, names)
    who, value = names[move.seat], move.value[0] if move.value else 0
    spent = before.dust[move.seat] - after.dust[move.seat]
    match move.kind:
        case kind if kind in _MOVE_TEXTS:
            return _(_MOVE_TEXTS[kind], who=who, value=value, things=_(SYMBOLS[after.line_index]))
        case MoveKind.ADD:
            is_unknown = value == UNKNOWN_TILE
            message = N_("{who} adds a tile on {space}") if is_unknown else N_("{who} adds tile {number} on {space}")
            return _(message, who=who, number=value, space=before.next_free_space)
        case MoveKind.MOVE:
            lands = before.find_landing_space(value)
            off, on = (
                N_("{who} moves the tile on {space} off the board"),
                N_("{who} moves the tile on {space} to {lands}"),
            )
            return _(off if lands is None else on, who=who, space=value, lands=lands)
        case MoveKind.DISCOVER if after.payment is not None:
            return _("{who} chooses the tile on {space}", who=who, space=value)
        case MoveKind.DISCOVER:
            return _describe_taken_tile(who, value, spent, 0)
        case MoveKind.PAY if before.payment is not None:
            return _describe_taken_tile(who, before.payment.space, spent, len(before.payment.tiles))
        case MoveKind.WITH:
            pays = payment_rules.make_paid_tile(before, *move.value).value
            message = N_("{who} gives a tile") if pays is None else N_("{who} gives a tile that pays {pays}")
            return _(message, who=who, pays=pays)
    return _describe_count(before, move, after, move.seat, who)


def _describe_taken_tile(who: str, space: int, dust: int, tile_count: int) -> str:
    """F12, F13: what a tile was taken for."""
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


def _describe_table_move(before: StarFall, move: Move, after: StarFall, names: Sequence[str]) -> str:
    scores = after.player_scores
    if move.kind == MoveKind.FINISH:
        bonuses = [
            f"{names[score.seat]} {format_number(f'{score.majority_bonus:+d}')}"
            for score in scores
            if score.majority_bonus
        ]
        return _("The count is right; for stars: {points}", points=", ".join(bonuses) or _("nothing"))
    best_first = sorted(before.seats_with_proposal, key=lambda q: -scores[q].total)
    totals = ", ".join(f"{names[q]} {format_number(scores[q].total)}" for q in best_first)
    return _("As in the catalogue: {points}", points=totals)


def _describe_count(before: StarFall, move: Move, after: StarFall, seat: Seat, who: str) -> str:
    """A line of a page, or the whole count but for the stars, which only compare: "Ada 34: planets 10, comets 24"."""
    line = before.line_index
    held = format_count(line, after.symbol_counts[seat][line])
    if move.kind in (MoveKind.MORE, MoveKind.LESS):
        return f"{who}: {held}"
    if move.kind == MoveKind.NEXT_LINE and after.counting_seat == seat:
        return _("{who} has {things}", who=who, things=held)
    points = after.player_scores[seat].points
    named = zip(SCORE_PART_LABELS, points, strict=True)
    parts = [_(label, points=format_number(part)) for label, part in named if part]
    if len(parts) > MAX_LISTED_PARTS:
        return _("{who} has {n} points", who=who, n=format_number(sum(points)))
    listed = ", ".join(parts) or _("nothing")
    return f"{who} {format_number(sum(points))}: {listed}"


def list_score_parts(game: StarFall, seat: Seat) -> Sequence[tuple[str, int]]:
    """Return the parts of the score of `seat` (F30 to F36): pairs of a translated text and its points.

    `game` must be at its end, with all tiles counted. Earlier, the parts are those known so far.

    Returns:
        Parts without points are left out; ("nothing", 0) if no part has any.

    Raises:
        IndexError: there is no such seat.
    """
    score = game.player_scores[seat]
    counts = [format_count(line, count) for line, count in enumerate(score.symbol_counts)]
    nebulae = [counts[line] for line in range(FIRST_NEBULA_INDEX, len(counts)) if score.symbol_counts[line]]
    *symbol_points, nebula_points, dust_points = score.points
    parts = [
        (counts[0], score.majority_bonus),
        *zip(counts[1:FIRST_NEBULA_INDEX], symbol_points, strict=True),
        (", ".join(nebulae), nebula_points),
        (_("{n} dust", n=score.dust), dust_points),
        (_("corrected by hand"), score.adjustment),
    ]
    return [(text, points) for text, points in parts if points] or [(_("nothing"), 0)]


def label_correctable(_game: StarFall, what: Correctable | Correction, names: Sequence[str]) -> str:
    """Return the translated name of an entry that may be corrected, for the menu and the log ("Ada's dust").

    Args:
        what: entry of `list_correctables`, or a correction of one.
        names: players' names by seat.

    Raises:
        IndexError: the player concerned has no name.
        KeyError: no entry has this kind.
    """
    who, spaces = "" if what.seat is None else names[what.seat], what.index
    if len(spaces) == 2:
        spaces = tuple(range(spaces[0], spaces[1] - 1, -1))
    listed = _join_numbers(spaces)
    return _(_CORRECTABLE_LABELS[what.kind], who=who, spaces=listed, space=listed)


def label_values(game: StarFall, what: Correctable, _names: Sequence[str]) -> Sequence[str]:
    """Return translated labels for the values that may be entered for `what`, one for each, lowest value first.

    Args:
        game: current game.
        what: entry of `list_correctables`.
        _names: not used.

    Returns:
        Words for whether a seat is counted, or the prints of the catalogue's tiles; empty: the values are shown as
        numbers.
    """
    match what.kind:
        case CorrectionKind.COUNTED:
            return (_("Count again"), _("Counted"))
        case CorrectionKind.TILE:
            tiles = enumerate(game.settings.catalogue, start=1)
            return (_("Not known"), *(f"{n}: {format_symbol_counts(tile.symbol_counts)}" for n, tile in tiles))
        case _:
            return ()


def _describe_correction(before: StarFall, what: Correction, names: Sequence[str]) -> str:
    entry = before.find_correctable(what)
    assert entry is not None, "it has been made"
    match what.kind, what.seat:
        case CommonCorrection.AWAY, int() as seat:
            return _("{who} is away", who=names[seat]) if what.value[0] else _("{who} is back", who=names[seat])
        case CorrectionKind.COUNTED, int() as seat:
            return _("{who} is counted again", who=names[seat])
    was, now = _join_numbers(entry.current_value), _join_numbers(what.value)
    if what.kind == CommonCorrection.ACTIVE:
        was, now = names[entry.current_value[0]], names[what.value[0]]
    return _("Corrected: {thing}, {old} to {new}", thing=label_correctable(before, what, names), old=was, new=now)


def _join_numbers(values: Sequence[int]) -> str:
    return " ".join(map(str, values))


def list_preparations(settings: Settings, player_count: int) -> Sequence[str]:
    """Return the translated steps of setting up the table, one line each, in order (F1 to F3).

    Args:
        settings: house rules of the game.
        player_count: number of players, 2 to 4.

    Raises:
        KeyError: `player_count` is not 2 to 4.
    """
    (removed,) = settings.tiles_removed[player_count]
    dust = _("{n} stardust", n=settings.start_dust)
    if settings.start_dust == USUAL_DUST:
        dust = _("7 white and 5 orange stars")
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
        _("Pile of {n} tiles beside the empty board", n=settings.get_pile_size(player_count)),
        _("By the rules, who last visited a planetarium begins"),
    )
