"""Texts of the counting tray: short, for a screen that is read from three metres."""

from collections.abc import Sequence

from companion.api import CommonCorrection, Correctable, Correction, Move, Seat
from companion.games.counting_tray.rules import CountingTray
from companion.games.counting_tray.settings import Settings
from companion.games.counting_tray.state import FACES, CorrectionKind, MoveKind, Phase
from companion.i18n import N_, Translator, join_and

_ = Translator("counting_tray")

_CORRECTABLE_LABELS: dict[str, str] = {
    CommonCorrection.ACTIVE: N_("who throws"),
    CommonCorrection.AWAY: N_("{who} is away"),
    CorrectionKind.FACE: N_("dice that show {n}"),
    CorrectionKind.TOTAL: N_("{who}’s hits before"),
}


def format_threshold(threshold: int) -> str:
    """Return what counts, in the current language ("4 or more").

    Args:
        threshold: lowest value that counts, 1 to 6.
    """
    return _("Only {n}", n=threshold) if threshold == FACES else _("{n} or more", n=threshold)


def format_prompt(game: CountingTray, names: Sequence[str]) -> str:
    """Return one translated sentence for the screen: who is to act and what to do now.

    Args:
        game: current game.
        names: players' names by seat.
    """
    who = names[game.active_seat]
    match game.phase:
        case Phase.OVER:
            return _("Most hits: {names}", names=join_and([names[q] for q in game.leaders]))
        case Phase.THROW:
            return _("{who}: throw the dice", who=who)
        case Phase.COUNTED if any(game.failed):
            return _("{who}: re-roll those that failed, or throw new", who=who)
    return _("{who}: all count! Throw new", who=who)


def get_addressed_seat(game: CountingTray) -> Seat | None:
    """Return the seat of the player whose name the prompt begins with; None: the prompt is for all."""
    return None if game.is_over else game.active_seat


def describe_move(before: CountingTray, what: Move | Correction, after: CountingTray, names: Sequence[str]) -> str:
    """Return one translated line for the log on a move or correction, without the changes of scores.

    Args:
        before: game before it.
        what: the move or correction, which was legal in `before`.
        after: game after it.
        names: players' names by seat.
    """
    if isinstance(what, Correction):
        return _describe_correction(before, what, names)
    who = names[before.active_seat]
    match what.kind:
        case MoveKind.THRESHOLD:
            return _("It counts: {what}", what=format_threshold(after.threshold))
        case MoveKind.THROW:
            return _("{who}: {hits} of {n} dice", who=who, hits=after.hits, n=after.dice_count)
        case MoveKind.AGAIN:
            return _("{who} re-rolls {k}: now {hits}", who=who, k=sum(what.value), hits=after.hits)
        case MoveKind.NEXT:
            return _("{who} throws now", who=names[after.active_seat])
    return _("The game is ended")


def label_correctable(_game: CountingTray, what: Correctable | Correction, names: Sequence[str]) -> str:
    """Return the translated name of an entry that may be corrected, for the menu and the log.

    Args:
        _game: not used.
        what: entry of `list_correctables`, or a correction of one.
        names: players' names by seat.
    """
    n = what.index[0] if what.index else 0
    return _(_CORRECTABLE_LABELS[what.kind], who="" if what.seat is None else names[what.seat], n=n)


def label_values(game: CountingTray, what: Correctable, names: Sequence[str]) -> Sequence[str]:
    """Return translated labels for the values that may be entered for `what`; empty: numbers."""
    return tuple(names[: game.player_count]) if what.kind == CommonCorrection.ACTIVE else ()


def format_input_title(_game: CountingTray, move: Move, _names: Sequence[str]) -> str:
    """Return the heading while dice are entered."""
    return _("Re-rolled dice by face") if move.kind == MoveKind.AGAIN else _("Dice by face")


def list_preparations(settings: Settings, _player_count: int) -> Sequence[str]:
    """Return the translated lines on what is laid out before the game begins."""
    return (_("A tray and up to 40 dice"), _("It counts: {what}", what=format_threshold(settings.threshold)))


def _describe_correction(before: CountingTray, what: Correction, names: Sequence[str]) -> str:
    entry = before.find_correctable(what)
    assert entry is not None, "it has been made"
    (old,), (new,) = entry.current_value, what.value
    match what.kind, what.seat:
        case CommonCorrection.AWAY, int() as seat:
            return _("{who} is away", who=names[seat]) if new else _("{who} is back", who=names[seat])
        case CommonCorrection.ACTIVE, _seat:
            return _("Corrected: {who} throws", who=names[new])
    return _("Corrected: {thing}, {old} to {new}", thing=label_correctable(before, what, names), old=old, new=new)
