"""The referee's state as the display is told it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from math import ceil
from typing import TYPE_CHECKING

from companion.events import Button, CameraState
from companion.games.api.game import Game, Seat
from companion.games.api.offers import Command, Kit, Offer, Sight
from companion.i18n import language
from companion.journal.replay import Sitting
from companion.journal.statistics import rounds_of
from companion.referee.buttons import button_of, keys_of
from companion.referee.dialogs.camera_view import ENLARGE, LIVE, Looking, plain, secret, to_be_seen
from companion.referee.dialogs.score_sheet import Account
from companion.screen_state import Eyes, Place, Player, Shown

if TYPE_CHECKING:
    from companion.referee.referee import Referee


def of_game(
    kit: Kit, game: Game, names: Sequence[str], buttons: Sequence[Button], offers: Sequence[Offer], sight: Sight
) -> Shown:
    """What is shown of a game by itself.

    Args:
        names, buttons: of the players, clockwise.
        offers: what is open now, the referee's own offers among it.
    """
    scores = game.scores()
    pieces = (*kit.pieces, *("" for _ in names))
    away = {c.seat for c in game.correctables() if c.kind == "away" and c.current == (1,)}
    sentence = kit.sighted if kit.sighted and sight.dice else kit.sentence
    return Shown(
        place=Place.PLAY if game.outcome() is None else Place.RESULT,
        game=kit.name,
        title=kit.title,
        camera=kit.camera,
        sentence=sentence(game, names),
        view=game.view(),
        players=tuple(
            Player(Seat(i), name, button, pieces[i], Seat(i) in away)
            for i, (name, button) in enumerate(zip(names, buttons, strict=True))
        ),
        scores=tuple(scores[Seat(i)] for i in range(len(names))),
        keys=keys_of(offers, buttons),
    )


NO_EYES = Eyes()
"""Where the camera does not play."""


@cache
def blank(state: CameraState) -> Eyes:
    """Eyes that show no picture, only how the camera is (one value per state: the display compares by identity)."""
    return Eyes(state)


def shown_of(referee: Referee, eyes: Eyes) -> Shown:
    """One state of the screen."""
    sitting, dialog = referee.sitting, referee.dialog
    names, buttons = sitting.setup.players, sitting.setup.buttons
    referee.live.camera = eyes.state is not CameraState.OFF
    over = sitting.game.outcome() is not None
    offers = referee.offers()
    details, rounds = _ending(sitting, sitting.seq, language()) if over else ((), ())
    large = dialog.large if isinstance(dialog, Looking) else None
    return replace(
        of_game(sitting.kit, sitting.game, names, buttons, offers, referee.sight),
        question=dialog.question if dialog else None,
        menu=dialog.menu if dialog else None,
        notice=referee.notice or referee.trouble(buttons, names),
        last=sitting.last_words,
        heard=referee.heard.now(),
        clocks=tuple(replace(clock, left=ceil(clock.left)) for clock in referee.clocks.running()),
        eyes=_eyes(referee, eyes),
        details=details,
        rounds=rounds,
        sheet=dialog.sheet if isinstance(dialog, Account) else None,
        face=referee.row.face(),
        entered=dialog.entered if dialog else referee.entered,
        large=large,
        live=referee.live.shown,
        enlarges=_enlarges(referee, offers),
    )


@lru_cache(maxsize=1)
def _ending(sitting: Sitting, _seq: int, _code: str) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
    """All that was played, in words, and the points of each round: worked out once for each state and language."""
    return sitting.lines(), rounds_of(sitting.replay)


def _eyes(referee: Referee, eyes: Eyes) -> Eyes:
    if secret(referee.sitting):
        return blank(eyes.state)
    if referee.live.shown:
        return plain(eyes)
    return eyes if referee.sitting.kit.camera else NO_EYES


def _enlarges(referee: Referee, offers: Sequence[Offer]) -> Button | None:
    """What a touch on the picture presses: what enlarges it, or closes it; else the menu that lists it first."""
    if isinstance(referee.dialog, Looking):
        return Button.NO
    means = next((offer.means for offer in offers if offer.does in (ENLARGE, LIVE)), None)
    if means is not None:
        return button_of(means, referee.sitting.setup.buttons)
    listed = to_be_seen(referee.sitting, referee.sight) and any(o.does == Command("fix") for o in offers)
    return Button.MINUS if listed and referee.dialog is None else None
