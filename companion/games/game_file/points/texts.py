"""Texts of a game of entered points: short, for a screen that is read from three metres."""

from collections.abc import Sequence

from companion.api import CommonCorrection, Correctable, Correction, Move, Seat
from companion.games.game_file.points.illegal_moves import explain_refusal
from companion.games.game_file.points.rules import PointsGame
from companion.games.game_file.points.state import CorrectionKind, MoveKind
from companion.i18n import N_, Translator, format_number, join_and

_ = Translator("game_file")

_CORRECTABLE_LABELS: dict[str, str] = {
    CommonCorrection.ACTIVE: N_("whose turn it is"),
    CommonCorrection.AWAY: N_("{who} is away"),
    CommonCorrection.ROUND: N_("{who} in round {n}"),
    CorrectionKind.ENTRY: N_("{who}: {name}"),
    CorrectionKind.TOTAL: N_("{who}'s points"),
}


def format_prompt(game: PointsGame, names: Sequence[str]) -> str:
    """Return one translated sentence for the screen: who is to act and what to do now; after the end, who has won.

    Args:
        game: current game.
        names: players' names by seat.

    Raises:
        IndexError: a player in the sentence has no name.
    """
    if game.is_over:
        winners, points = join_and([names[q] for q in game.leaders]), format_number(game.totals[game.leaders[0]])
        shared, alone = N_("{names} share the victory with {points}"), N_("{who} wins with {points}")
        return _(shared if len(game.leaders) > 1 else alone, names=winners, who=winners, points=points)
    if game.has_turns:
        entry = game.find_next_entry(game.active_seat)
        assert entry is not None, "the turn goes on"
        return _("{who}: {what}", who=names[game.active_seat], what=label_entry(game, entry))
    if not game.seats_to_enter:
        move = Move(MoveKind.ENTER, game.present_seats[0], (0,))
        return _("{reason}. Enter again", reason=explain_refusal(game, move).describe(names))
    entries = {game.find_next_entry(q) for q in game.seats_to_enter}
    what = label_entry(game, entries.pop() or 0) if len(entries) == 1 else _("your numbers")
    return _("After the round: {what}", what=what)


def format_input_title(game: PointsGame, move: Move, names: Sequence[str]) -> str:
    """Return the heading while the number of `move` is entered: "Ada: points of three darts"."""
    seat = Seat(0) if move.seat is None else move.seat
    entry = game.find_next_entry(seat)
    return _("{who}: {what}", who=names[seat], what=label_entry(game, entry)) if entry is not None else names[seat]


def label_entry(game: PointsGame, entry: int) -> str:
    """Return the translated name of an entry, by its index."""
    return game.rules.translate(game.rules.model.entries[entry].name)


def label_number(game: PointsGame, move: Move) -> str:
    """Return the number of a move as it is read: yes or no where it is the answer to a question (G61)."""
    entry = game.find_next_entry(Seat(0) if move.seat is None else move.seat)
    if entry is not None and game.is_question(entry):
        return _("yes") if move.value[0] else _("no")
    return format_number(move.value[0])


def get_addressed_seat(game: PointsGame) -> Seat | None:
    """Return the seat of the player whose name the prompt begins with; None: the prompt is for all."""
    return game.active_seat if game.has_turns and not game.is_over else None


def describe_move(before: PointsGame, what: Move | Correction, after: PointsGame, names: Sequence[str]) -> str:
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
    if what.seat is None:
        return _("The game is ended")
    if what.kind == MoveKind.AGAIN:
        return _("{who} enters again", who=names[what.seat])
    line = _(
        "{who}: {name} {n}",
        who=names[what.seat],
        name=label_entry(before, before.find_next_entry(what.seat) or 0),
        n=label_number(before, what),
    )
    return _("{line}, the turn is lost", line=line) if after.is_bust else line


def label_correctable(game: PointsGame, what: Correctable | Correction, names: Sequence[str]) -> str:
    """Return the translated name of an entry that may be corrected, for the menu and the log ("Ada's points").

    Raises:
        IndexError: the player concerned has no name.
        KeyError: no entry has this kind.
    """
    n = what.index[0] if what.index else 0
    name = label_entry(game, n - 1) if what.kind == CorrectionKind.ENTRY else ""
    return _(_CORRECTABLE_LABELS[what.kind], who="" if what.seat is None else names[what.seat], n=n, name=name)


def label_values(game: PointsGame, what: Correctable, names: Sequence[str]) -> Sequence[str]:
    """Return translated labels for the values that may be entered for `what`: names of players, or none."""
    return tuple(names[: game.player_count]) if what.kind == CommonCorrection.ACTIVE else ()


def _describe_correction(before: PointsGame, what: Correction, names: Sequence[str]) -> str:
    found = before.find_correctable(what)
    assert found is not None, "it has been made"
    (old,), (new,) = found.current_value, what.value
    match what.kind, what.seat:
        case CommonCorrection.AWAY, int() as seat:
            return _("{who} is away", who=names[seat]) if new else _("{who} is back", who=names[seat])
        case CommonCorrection.ACTIVE, _seat:
            return _("Corrected: it is {who}'s turn", who=names[new])
    thing = label_correctable(before, what, names)
    return _("Corrected: {thing}, {old} to {new}", thing=thing, old=format_number(old), new=format_number(new))
