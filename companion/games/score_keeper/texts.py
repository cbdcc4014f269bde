"""Texts of a game of the score keeper: short, for a screen that is read from three metres."""

from collections.abc import Sequence

from companion.api import CommonCorrection, Correctable, Correction, Move, Seat
from companion.games.score_keeper.rules import ScoreKeeper
from companion.games.score_keeper.settings import TEAM_PLAYER_COUNTS, Settings
from companion.games.score_keeper.state import TENTHS, CorrectionKind, MoveKind, Phase
from companion.i18n import N_, Translator, join_and

_ = Translator("score_keeper")

_CORRECTABLE_LABELS: dict[str, str] = {
    CommonCorrection.ACTIVE: N_("whose turn it is"),
    CommonCorrection.AWAY: N_("{who} is away"),
    CommonCorrection.ROUND: N_("{who} in round {n}"),
    CorrectionKind.TOTAL: N_("{who}'s points"),
    CorrectionKind.CURRENT_ROUND: N_("the round"),
}


def format_time(tenths: int) -> str:
    """Return a time for the screen: minutes and seconds, or hours, minutes and seconds.

    Args:
        tenths: tenths of a second, 0 or more; they are rounded to seconds.

    >>> format_time(0), format_time(754), format_time(36_125)
    ('0:00', '1:15', '1:00:13')
    """
    minutes, seconds = divmod((tenths + TENTHS // 2) // TENTHS, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def format_prompt(game: ScoreKeeper, names: Sequence[str]) -> str:
    """Return one translated sentence for the screen: who is to act and what to do now; after the end, who has won.

    Args:
        game: current game.
        names: players' names by seat.

    Raises:
        IndexError: a player in the sentence has no name.
    """
    match game.phase:
        case Phase.OVER:
            winners, points = join_and([names[q] for q in game.leaders]), game.totals[game.leaders[0]]
            shared, alone = N_("{names} share the victory with {points}"), N_("{who} wins with {points}")
            return _(shared if len(game.leaders) > 1 else alone, names=winners, who=winners, points=points)
        case Phase.WAIT if game.turn_number == 0:
            return _("Who begins? Press your button")
        case Phase.WAIT:
            return _("Who is next? Press your button first")
        case _ if game.active_seat is not None:
            return _("{who}: your turn, then OK", who=names[game.active_seat])
    return _("A point: press your button. More points: hold it")


def get_addressed_seat(game: ScoreKeeper) -> Seat | None:
    """Return the seat of the player whose name the prompt begins with; None: the prompt is for all."""
    return game.active_seat


def describe_move(before: ScoreKeeper, what: Move | Correction, after: ScoreKeeper, names: Sequence[str]) -> str:
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
    who = "" if what.seat is None else names[what.seat]
    match what.kind:
        case MoveKind.POINT | MoveKind.ADD:
            points = what.value[0] if what.value else 1
            return _("{who}: {points}", who=who, points=f"{points:+d}".replace("-", "−"))
        case MoveKind.TAKE:
            return _("{who} has the turn", who=who)
        case MoveKind.PASS:
            return _("{who}'s turn took {time}", who=who, time=format_time(*what.value))
        case MoveKind.ROUND:
            return _("Round {n} is over", n=before.round_number)
    return _("The game is ended")


def label_correctable(_game: ScoreKeeper, what: Correctable | Correction, names: Sequence[str]) -> str:
    """Return the translated name of an entry that may be corrected, for the menu and the log ("Ada's points").

    Args:
        _game: not used.
        what: entry of `list_correctables`, or a correction of one.
        names: players' names by seat.

    Raises:
        IndexError: the player concerned has no name.
        KeyError: no entry has this kind.
    """
    n = what.index[0] if what.index else 0
    return _(_CORRECTABLE_LABELS[what.kind], who="" if what.seat is None else names[what.seat], n=n)


def label_values(game: ScoreKeeper, what: Correctable, names: Sequence[str]) -> Sequence[str]:
    """Return translated labels for the values that may be entered for `what`, one for each, lowest value first.

    Args:
        game: current game.
        what: entry of `list_correctables`.
        names: players' names by seat.

    Returns:
        Names of players; empty: the values are shown as numbers.
    """
    return tuple(names[: game.player_count]) if what.kind == CommonCorrection.ACTIVE else ()


def _describe_correction(before: ScoreKeeper, what: Correction, names: Sequence[str]) -> str:
    entry = before.find_correctable(what)
    assert entry is not None, "it has been made"
    (old,), (new,) = entry.current_value, what.value
    match what.kind, what.seat:
        case CommonCorrection.AWAY, int() as seat:
            return _("{who} is away", who=names[seat]) if new else _("{who} is back", who=names[seat])
        case CommonCorrection.ACTIVE, _seat:
            return _("Corrected: it is {who}'s turn", who=names[new])
    return _("Corrected: {thing}, {old} to {new}", thing=label_correctable(before, what, names), old=old, new=new)


def list_preparations(settings: Settings, player_count: int) -> Sequence[str]:
    """Return the translated lines on what is played, before the game begins.

    Args:
        settings: what is played.
        player_count: number of players, 1 to 6; it is not checked.
    """
    lines = [
        {
            "none": _("Own button: +1. Hold it: more"),
            "clockwise": _("Turns go clockwise, OK ends a turn"),
            "auction": _("Who presses first has the next turn"),
        }[settings.turn_order]
    ]
    if settings.target_points:
        lines.append(_("Played to {n} points", n=settings.target_points))
    if settings.rounds:
        lines.append(_.plural("Played over {n} round", "Played over {n} rounds", settings.rounds))
    if settings.lowest_wins:
        lines.append(_("The lowest score wins"))
    if settings.teams and player_count in TEAM_PLAYER_COUNTS:
        lines.append(_("Opposite players are a team"))
    return tuple(lines)
