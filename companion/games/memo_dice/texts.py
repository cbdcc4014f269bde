"""Texts of a Memo Dice game: short, for a screen that is read from three metres.

No line names a symbol, nor the colour of the die under the golden cup (D14): lines stay on the screen and in the log.
"""

from collections.abc import Sequence

from companion.api import CommonCorrection, Correctable, Correction, Move, Seat
from companion.events import MemoColour
from companion.games.memo_dice import colour_texts
from companion.games.memo_dice.rules import MemoDice
from companion.games.memo_dice.settings import Settings
from companion.games.memo_dice.state import SYMBOL_COLOURS, CorrectionKind, MoveKind, Phase
from companion.i18n import N_, Translator, join_and

_ = Translator("memo_dice")

_ANSWER_TEXTS: dict[str, tuple[str, str]] = {
    MoveKind.CALL: (N_("{who} has named a symbol for cup {n}"), N_("{who} has named a symbol for the golden cup")),
    MoveKind.LIFT: (N_("Cup {n} is lifted"), N_("The golden cup is lifted")),
    MoveKind.RIGHT: (N_("{who} is right about cup {n}"), N_("{who} is right about the golden cup")),
    MoveKind.MISS: (N_("{who} loses cup {n} to {other}"), N_("{who} loses the golden cup to {other}")),
}
"""What became of a cup, and of the golden cup (D21 to D23)."""
_CORRECTABLE_LABELS: dict[str, str] = {
    CommonCorrection.ACTIVE: N_("whose turn"),
    CommonCorrection.AWAY: N_("{who} is away"),
    CommonCorrection.ROUND: N_("{who}'s points in round {n}"),
    CorrectionKind.OPEN: N_("the open die's colour"),
    CorrectionKind.CUP: N_("colour of cup {n}"),
    CorrectionKind.SWAP: N_("neighbours that change places"),
    CorrectionKind.OWNER: N_("who has cup {n}"),
    CorrectionKind.SQUARE: N_("{who}'s square"),
    CorrectionKind.UNKNOWN: N_("die {n} was knocked over"),
}


def format_prompt(game: MemoDice, names: Sequence[str]) -> str:
    """Return one translated sentence for the screen: who is to act and what to do now; after the end, who has won.

    Args:
        game: current game.
        names: players' names by seat.

    Raises:
        IndexError: a player in the sentence has no name.
    """
    active = names[game.active_seat]
    match game.phase:
        case Phase.COVER if game.is_last_die:
            return _("{who}: roll the last die, it gets the golden cup", who=active)
        case Phase.COVER if not game.coverable_colours:
            return _("{who}: roll a die, it gets the golden cup", who=active)
        case Phase.COVER:
            return _("{who}: roll a die, press its symbol's colour", who=active)
        case Phase.LOOK if game.open_colour is not None:
            return _(colour_texts.COVER_PROMPTS[game.open_colour], who=active)
        case Phase.UNCOVER:
            return _format_uncover_prompt(game, active)
        case Phase.SCORED:
            return _("{who}: move the pieces, put dice and cups back, then you start", who=active)
        case _:
            shared, alone = N_("{players} share the victory on square {n}"), N_("{who} wins on square {n}")
            winners = join_and([names[q] for q in game.leaders])
            return _(shared if len(game.leaders) > 1 else alone, players=winners, who=winners, n=max(game.totals))


def format_prompt_with_camera(game: MemoDice, names: Sequence[str]) -> str:
    """Return the prompt for a table with a camera: as `format_prompt`, but a rolled die goes to the end of the row.

    Args:
        game: current game.
        names: players' names by seat.

    Raises:
        IndexError: a player in the sentence has no name.
    """
    if game.phase is Phase.COVER and game.coverable_colours:
        return _("{who}: roll a die, put it at the end of the row", who=names[game.active_seat])
    return format_prompt(game, names)


def get_addressed_seat(game: MemoDice) -> Seat | None:
    """Return the seat of the player whose name the prompt begins with; None: the prompt is for all."""
    return None if game.phase is Phase.OVER else game.active_seat


def describe_move(before: MemoDice, what: Move | Correction, after: MemoDice, names: Sequence[str]) -> str:
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
    who, n = names[before.active_seat if what.seat is None else what.seat], len(after.cup_row)
    match what.kind:
        case MoveKind.NEXT:
            return _("Round {n} begins: {who} starts", n=after.round_number, who=names[after.active_seat])
        case kind if kind in _ANSWER_TEXTS:
            number, is_gold = _find_next_cup(before)
            numbered, gold = _ANSWER_TEXTS[kind]
            neighbour = names[before.find_next_seat(before.active_seat)]
            return _(gold if is_gold else numbered, who=who, n=number, other=neighbour)
    if after.open_colour is not None:
        cup = _(colour_texts.CUP_NAMES[after.open_colour])
        return _("{who} rolls die {n}: {cup}", who=who, n=n + 1, cup=cup)
    if after.stage is Phase.UNCOVER:
        return _("{who} covers die {n} with the golden cup", who=who, n=n)
    return _(colour_texts.COVERED_LINES[after.cup_row[-1].colour], who=who, n=n)


def describe_changes(what: Move | Correction, after: MemoDice, names: Sequence[str]) -> str:
    """Return the points of a round, for the end of the line on its last cup: ": Ada +3, Bob +2"; else empty.

    Args:
        what: move or correction that led to `after`.
        after: game after it.
        names: players' names by seat.

    Raises:
        IndexError: a player concerned has no name.
    """
    if what.kind not in (MoveKind.RIGHT, MoveKind.MISS) or after.stage is not Phase.SCORED:
        return ""
    best_first = sorted(enumerate(after.round_scores[-1]), key=lambda item: -item[1])
    return ": " + ", ".join(f"{names[q]} +{points}" for q, points in best_first if points)


def explain_score(before: MemoDice, after: MemoDice, seat: Seat) -> str:
    """Return the cups that gave `seat` its points in the round just scored (D30): "3 cups", "the golden cup".

    Args:
        before: game before the move or correction.
        after: game after it.
        seat: the player.

    Returns:
        A translated text; empty if the step scored no round, or the seat won no cup.
    """
    own = [cup.colour for cup in after.cup_row if cup.owner == seat]
    if len(after.round_scores) == len(before.round_scores) or not own:
        return ""
    if MemoColour.GOLD not in own:
        return _.plural("{n} cup", "{n} cups", len(own))
    if own == [MemoColour.GOLD]:
        return _("the golden cup")
    return _.plural("{n} cup and the golden one", "{n} cups and the golden one", len(own) - 1)


def label_correctable(_game: MemoDice, what: Correctable | Correction, names: Sequence[str]) -> str:
    """Return the translated name of an entry that may be corrected, for the menu and the log ("Ada's square").

    Args:
        what: entry of `list_correctables`, or a correction of one.
        names: players' names by seat.

    Raises:
        IndexError: the player concerned has no name.
        KeyError: no entry has this kind.
    """
    n = " ".join(map(str, what.index))
    who = "" if what.seat is None else names[what.seat]
    return _(_CORRECTABLE_LABELS[what.kind], who=who, n=n)


def label_values(game: MemoDice, what: Correctable, names: Sequence[str]) -> Sequence[str]:
    """Return translated labels for the values that may be entered for `what`, one for each, lowest value first.

    Args:
        game: current game.
        what: entry of `list_correctables`.
        names: players' names by seat.

    Returns:
        Colours, names of players, yes and no, or pairs of neighbours; empty: the values are shown as numbers.
    """
    match what.kind:
        case CorrectionKind.OPEN | CorrectionKind.CUP:
            return tuple(_(colour_texts.NAMES[colour]) for colour in SYMBOL_COLOURS)
        case CorrectionKind.OWNER:
            return tuple(names[: game.player_count])
        case CorrectionKind.UNKNOWN:
            return (_("no"), _("yes"))
        case CorrectionKind.SWAP:
            first, last = what.value_range.low + 1, what.value_range.high
            return (_("none"), *(join_and([str(i), str(i + 1)]) for i in range(first, last + 1)))
        case _:
            return ()


def list_preparations(settings: Settings, _player_count: int) -> Sequence[str]:
    """Return the translated steps of setting up the table, one line each, in order.

    Args:
        settings: house rules of the game.
        _player_count: not used.
    """
    return (
        _("Cups: {n} red, {n} blue, {n} black and the golden one", n=settings.cups_per_colour),
        _("{n} dice within everybody's reach", n=settings.dice),
        _("A piece for each player on square {n}", n=settings.start_square),
    )


def _format_uncover_prompt(game: MemoDice, who: str) -> str:
    n, is_gold = _find_next_cup(game)
    if game.cup_row[n - 1].is_die_unknown:
        gold = N_("{who}: the golden cup's die was knocked over, the table decides")
        numbered = N_("{who}: cup {n}'s die was knocked over, the table decides")
    elif game.cup_lifted:
        gold = N_("{who}: the golden cup is lifted. Right or wrong?")
        numbered = N_("{who}: cup {n} is lifted. Right or wrong?")
    elif game.symbol_named:
        gold = N_("{who}: lift the golden cup. Right or wrong?")
        numbered = N_("{who}: lift cup {n}. Right or wrong?")
    else:
        gold = N_("{who}: what is under the golden cup? Say it, then lift it")
        numbered = N_("{who}: what is under cup {n}? Say it, then lift it")
    return _(gold if is_gold else numbered, who=who, n=n)


def _find_next_cup(game: MemoDice) -> tuple[int, bool]:
    """Return the number of the cup to be lifted next, and whether it is the golden one."""
    i = game.next_cup_index
    assert i is not None, "a cup is down"
    return i + 1, game.cup_row[i].colour is MemoColour.GOLD


def _describe_correction(before: MemoDice, what: Correction, names: Sequence[str]) -> str:
    entry = before.find_correctable(what)
    (value,) = what.value
    (old,) = entry.current_value if entry else what.value
    was, now = str(old), str(value)
    match what.kind:
        case CommonCorrection.AWAY:
            who = names[what.seat or 0]
            return _("{who} has left", who=who) if value else _("{who} is at the table", who=who)
        case CorrectionKind.SWAP:
            return _("Corrected: cups {n} and {m} change places", n=value, m=value + 1)
        case CorrectionKind.UNKNOWN:
            line = N_("Corrected: die {n} was knocked over") if value else N_("Corrected: die {n} is as it was rolled")
            return _(line, n=what.index[0])
        case CommonCorrection.ACTIVE | CorrectionKind.OWNER:
            was, now = names[old], names[value]
        case CorrectionKind.CUP | CorrectionKind.OPEN:
            was, now = (_(colour_texts.NAMES[MemoColour(each)]) for each in (old, value))
    return _("Corrected: {thing}, {was} to {now}", thing=label_correctable(before, what, names), was=was, now=now)
