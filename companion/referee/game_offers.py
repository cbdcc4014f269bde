"""All that may be pressed or done in a game: the game's own offers, the referee's, or an open dialog's answers."""

from collections.abc import Callable, Sequence

from companion.api import (
    NUMBER_ENTRY,
    AnyGameDefinition,
    Command,
    CommandName,
    ConsolePress,
    Move,
    NumberPress,
    Offer,
    Visibility,
)
from companion.i18n import Translator
from companion.journal.saved_game import SavedGame
from companion.referee.camera_visibility import CameraVisibility
from companion.referee.dialogs.base import Dialog
from companion.referee.dialogs.camera_view import LIVE, add_enlarge_offer
from companion.referee.dialogs.result_codes import list_code_offers
from companion.referee.dialogs.score_sheet import list_sheet_offers

_ = Translator("companion")

UNDO = Command(CommandName.UNDO)
CORRECT = Command(CommandName.CORRECT)
ERASE = Command(CommandName.ERASE)


class OffersCache:
    """Keeps a list of offers until something changes on which it depends.

    A game lists its offers by its rules, which takes long; screen, lamps and presses ask several times a turn.

    >>> kept = OffersCache()
    >>> first = kept.get(1, lambda: [Offer(UNDO, ConsolePress.HOLD_NO, "Hold: undo")])
    >>> kept.get(1, lambda: []) is first, kept.get(2, lambda: [])
    (True, ())
    """

    def __init__(self) -> None:
        self._key: object = None
        self._offers: tuple[Offer, ...] | None = None

    def get(self, key: object, list_offers: Callable[[], Sequence[Offer]]) -> Sequence[Offer]:
        """Return the kept offers, listed again if `key` is not equal to that of the last call."""
        if self._offers is None or key != self._key:
            self._offers, self._key = tuple(list_offers()), key
        return self._offers


def expand_open_move(offer: Offer, *, is_begun: bool = False) -> Sequence[Offer]:
    """Replace an open move on the number keys by one offer for each number; any other offer is returned alone.

    Args:
        offer: one of the game's own offers.
        is_begun: numbers were entered already, which can be erased.
    """
    if offer.input != NUMBER_ENTRY or not isinstance(offer.action, Move) or offer.action.value_range is None:
        return [offer]
    numbers = range(offer.action.value_range.low, offer.action.value_range.high + 1)
    digits = [
        Offer(Command(CommandName.DIGIT, (n,)), NumberPress(n), str(n), offer.awaited, repeats=True) for n in numbers
    ]
    erase = Offer(ERASE, ConsolePress.NO, _("Back"), repeats=True)
    return [*digits, erase] if is_begun else digits


def list_game_offers(saved_game: SavedGame, seen: Visibility, *, is_begun: bool) -> Sequence[Offer]:
    """List the game's own offers, open moves on the number keys as one offer for each number.

    Args:
        seen: what the camera sees now.
        is_begun: numbers of an open move were entered already.

    Raises:
        Exception: a game of another package may raise any error.
    """
    definition: AnyGameDefinition = saved_game.definition
    offers = definition.list_offers(saved_game.game, saved_game.players, seen)
    expanded = [each for offer in offers for each in expand_open_move(offer, is_begun=is_begun)]
    erase = next((offer for offer in expanded if offer.action == ERASE), None)
    # While numbers are entered their button erases them, whatever the game has it for.
    return [offer for offer in expanded if erase is None or offer is erase or offer.input != erase.input]


def list_own_offers(*, has_clocks: bool = False, is_over: bool = False) -> Sequence[Offer]:
    """List the offers that the referee adds to those of a game while no dialog is open; undo is not among them.

    Args:
        has_clocks: clocks are running, which MINUS pauses.
        is_over: the game is over: OK plays again, NO goes to the lobby, and MINUS corrects; else MINUS opens the pause
            menu. Without effect if `has_clocks`.
    """
    if has_clocks or not is_over:
        return [Offer(Command(CommandName.PAUSE), ConsolePress.MINUS, _("Pause"))]
    return [
        Offer(Command(CommandName.AGAIN), ConsolePress.OK, _("Play again"), awaited=True),
        Offer(Command(CommandName.LOBBY), ConsolePress.NO, _("New game")),
        Offer(CORRECT, ConsolePress.MINUS, _("Fix error")),
    ]


def list_all_offers(
    saved_game: SavedGame,
    dialog: Dialog | None,
    game_offers: Callable[[], Sequence[Offer]],
    camera: CameraVisibility,
    *,
    has_clocks: bool,
) -> Sequence[Offer]:
    """List everything that may be pressed or done now, an open dialog's answers in place of the game's offers.

    Undo is the last one, if there is something to undo.

    Args:
        dialog: the open dialog; None: there is none.
        game_offers: lists the game's own offers; not called while a dialog is open.
        camera: what the camera sees, and what of its picture may be shown.
        has_clocks: clocks are running.

    Raises:
        Exception: a game of another package may raise any error.
    """
    if dialog is not None:
        offers = [*dialog.list_offers()]
    else:
        is_over = not has_clocks and saved_game.game.compute_outcome() is not None
        offers = [
            *game_offers(),
            *list_own_offers(has_clocks=has_clocks, is_over=is_over),
            *((*list_sheet_offers(saved_game.replay), *list_code_offers()) if is_over else ()),
        ]
        # In the enlarged picture seat buttons choose what to correct: not while a clock waits for them.
        waits = any(clock.on_expiry is not None for clock in saved_game.game.list_clocks())
        offers = add_enlarge_offer(offers, picture_visible=camera.is_picture_public and not waits)
        label = camera.live_label
        if label is not None and all(offer.input is not ConsolePress.PLUS for offer in offers):
            offers.append(Offer(LIVE, ConsolePress.PLUS, label))
    if saved_game.can_undo:
        offers.append(Offer(UNDO, ConsolePress.HOLD_NO, _("Hold: undo")))
    return offers
