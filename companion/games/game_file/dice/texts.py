"""Texts of a game with dice: short, for a screen that is read from three metres."""

from collections.abc import Sequence

from companion.api import CommonCorrection, Correctable, Correction, Move, Seat
from companion.games.game_file.dice.corrections import OPEN_BOX
from companion.games.game_file.dice.rules import DiceGame
from companion.games.game_file.dice.state import CorrectionKind, EndedTurn, MoveKind, Phase, TurnEnd
from companion.i18n import N_, Translator, format_number, join_and

_ = Translator("game_file")

_CORRECTABLE_LABELS: dict[str, str] = {
    CommonCorrection.ACTIVE: N_("whose turn it is"),
    CommonCorrection.AWAY: N_("{who} is away"),
    CorrectionKind.DICE: N_("the dice"),
    CorrectionKind.TOTAL: N_("{who}'s points"),
    CorrectionKind.TURN_POINTS: N_("points before this throw"),
    CorrectionKind.ROUND_POINTS: N_("{who}'s points in this round"),
    CorrectionKind.CURRENT_ROUND: N_("the round"),
}


def format_dice(dice: Sequence[int]) -> str:
    """Return the values of dice with spaces between them, highest first; of more than ten the number and the sum.

    >>> format_dice((1, 5, 3)), format_dice((6,) * 11)
    ('5 3 1', '11 dice, sum 66')
    """
    if len(dice) > 10:
        return _("{n} dice, sum {total}", n=len(dice), total=sum(dice))
    return " ".join(map(str, sorted(dice, reverse=True)))


def format_prompt(game: DiceGame, names: Sequence[str]) -> str:
    """Return one translated sentence for the screen: who is to act and what to do now; after the end, who has won.

    Args:
        game: current game.
        names: players' names by seat.

    Raises:
        IndexError: a player in the sentence has no name.
    """
    return _format_prompt(game, names, has_camera=False) + _format_round_text(game)


def format_prompt_with_camera(game: DiceGame, names: Sequence[str]) -> str:
    """Return the same sentence while the camera reads the dice in the tray."""
    return _format_prompt(game, names, has_camera=True) + _format_round_text(game)


def _format_round_text(game: DiceGame) -> str:
    """Return what is special in the round, as it follows the request to throw; empty: nothing, or nothing is thrown."""
    text = game.rules.translate(game.rules.model.rounds.text)
    return f" · {text.replace('{round}', str(game.round_number))}" if text and game.dice_to_throw else ""


def _format_prompt(game: DiceGame, names: Sequence[str], *, has_camera: bool) -> str:
    who, n, model = names[game.active_seat], game.dice_to_throw, game.rules.model
    is_scoring = model.keep == "scoring"
    match game.phase:
        case Phase.OVER:
            winners, points = join_and([names[q] for q in game.leaders]), game.totals[game.leaders[0]]
            shared, alone = N_("{names} share the victory with {points}"), N_("{who} wins with {points}")
            return _(shared if len(game.leaders) > 1 else alone, names=winners, who=winners, points=points)
        case Phase.CHOOSE:
            return _("{who}: choose a box", who=who)
        case Phase.DECIDE if game.has_sheet:
            return _("{who}: keep dice, throw all, or score", who=who)
        case Phase.DECIDE if is_scoring:
            return _("{who}: set dice aside that score", who=who)
        case Phase.DECIDE if model.keep == "any":
            return _("{who}: keep dice, throw all, or score", who=who)
        case Phase.THROW if has_camera:
            return _.plural("{who}: throw the die", "{who}: throw {n} dice", n, who=who)
        case Phase.THROW:
            return _.plural("{who}: throw the die, enter it", "{who}: throw {n} dice, enter them", n, who=who)
        case _ if not n:
            return _("{who}: end the turn", who=who)
        case _ if not game.may_bank and not game.has_sheet:
            return _.plural("{who}: throw the die", "{who}: throw {n} dice", n, who=who)
    return _.plural("{who}: throw the die, or score", "{who}: throw {n} dice, or score", n, who=who)


def get_addressed_seat(game: DiceGame) -> Seat | None:
    """Return the seat of the player whose name the prompt begins with; None: the game is over."""
    return None if game.is_over else game.active_seat


def describe_move(before: DiceGame, what: Move | Correction, after: DiceGame, names: Sequence[str]) -> str:
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
    who = names[before.active_seat]
    ended = after.ended_turn if after.ended_turn is not before.ended_turn else None
    match what.kind:
        case MoveKind.THROW if ended is not None:
            thrown = _("{who} throws {dice}", who=who, dice=format_dice(what.value))
            return f"{thrown}: {describe_turn_end(ended)}"
        case MoveKind.THROW:
            return _("{who} throws {dice}", who=who, dice=format_dice(what.value))
        case MoveKind.KEEP:
            return _("{who} sets {dice} aside", who=who, dice=format_dice(what.value))
        case MoveKind.RETURN:
            return _("{who} puts all dice back", who=who)
        case MoveKind.CHOOSE:
            box = before.rules.label_category(what.value[0] - 1)
            return f"{who}: {box}, {format_number(ended.points if ended else 0)}"
    return f"{who}: {describe_turn_end(ended)}" if ended else who


def describe_turn_end(ended: EndedTurn) -> str:
    """Return how a turn ended, in a few translated words: "350 lost", "+350"."""
    match ended.end:
        case TurnEnd.BUST if not ended.points:
            return _("no points")
        case TurnEnd.BUST:
            return _("{n} lost", n=ended.points)
        case TurnEnd.LOST_ALL:
            return _("all points lost")
    return f"+{format_number(ended.points)}" if ended.points > 0 else format_number(ended.points)


def get_score_reason(before: DiceGame, after: DiceGame, seat: Seat) -> str:
    """Return where the points of `seat` came from, for a line of its score sheet: the box; else empty."""
    ended = after.ended_turn
    if ended is None or ended is before.ended_turn or ended.seat != seat:
        return ""
    if ended.box is not None:
        return before.rules.label_category(ended.box)
    return format_dice(ended.dice)


def label_correctable(game: DiceGame, what: Correctable | Correction, names: Sequence[str]) -> str:
    """Return the translated name of an entry that may be corrected, for the menu and the log ("Ada's points").

    Args:
        game: current game.
        what: entry of `list_correctables`, or a correction of one.
        names: players' names by seat.

    Raises:
        IndexError: the player concerned has no name.
        KeyError: no entry has this kind.
    """
    who = "" if what.seat is None else names[what.seat]
    if what.kind == CorrectionKind.BOX:
        return f"{who}: {game.rules.label_category(what.index[0] - 1)}"
    return _(_CORRECTABLE_LABELS[what.kind], who=who)


def label_values(game: DiceGame, what: Correctable, names: Sequence[str]) -> Sequence[str]:
    """Return translated labels for the values that may be entered for `what`, one for each, lowest value first.

    Args:
        game: current game.
        what: entry of `list_correctables`.
        names: players' names by seat.

    Returns:
        Names of players, or the points of a box; empty: the values are shown as numbers.
    """
    if what.kind == CommonCorrection.ACTIVE:
        return tuple(names[: game.player_count])
    if what.kind == CorrectionKind.BOX:
        points = range(what.value_range.low, what.value_range.high + 1)
        return tuple(_("open") if value == OPEN_BOX else format_number(value) for value in points)
    return ()


def _describe_correction(before: DiceGame, what: Correction, names: Sequence[str]) -> str:
    entry = before.find_correctable(what)
    assert entry is not None, "it has been made"
    thing = label_correctable(before, what, names)
    match what.kind, what.seat:
        case CommonCorrection.AWAY, int() as seat:
            return _("{who} is away", who=names[seat]) if what.value[0] else _("{who} is back", who=names[seat])
        case CommonCorrection.ACTIVE, _seat:
            return _("Corrected: it is {who}'s turn", who=names[what.value[0]])
        case CorrectionKind.DICE, _seat:
            old, new = format_dice(entry.current_value), format_dice(what.value)
            return _("Corrected: {thing}, {old} to {new}", thing=thing, old=old, new=new)
    labels = label_values(before, entry, names) if what.kind == CorrectionKind.BOX else ()
    low = entry.value_range.low
    old, new = (
        labels[value - low] if labels else format_number(value) for value in (entry.current_value[0], what.value[0])
    )
    return _("Corrected: {thing}, {old} to {new}", thing=thing, old=old, new=new)
