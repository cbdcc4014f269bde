"""The referee's state as the display is told it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from math import ceil
from typing import TYPE_CHECKING

from companion.events import Button, CameraState
from companion.games.api.game import Game, Seat
from companion.games.api.offers import Command, GameDefinition, Offer, Visibility
from companion.i18n import current_language
from companion.journal.replay import SavedGame
from companion.journal.statistics import compute_rounds
from companion.referee.buttons import build_soft_keys, find_button
from companion.referee.dialogs.camera_view import (
    ENLARGE,
    LIVE,
    CameraDialog,
    hide_reading,
    is_picture_secret,
    is_picture_visible,
)
from companion.referee.dialogs.score_sheet import ScoreSheetDialog
from companion.screen_state import CameraView, Player, ScreenKind, ScreenState

if TYPE_CHECKING:
    from companion.referee.referee import Referee


def build_game_state(
    definition: GameDefinition,
    game: Game,
    names: Sequence[str],
    buttons: Sequence[Button],
    offers: Sequence[Offer],
    visibility: Visibility,
) -> ScreenState:
    """What is shown of a game by itself.

    Args:
        names, buttons: of the players, clockwise.
        offers: what is open now, the referee's own offers among it.
    """
    scores = game.compute_scores()
    pieces = (*definition.piece_colours, *("" for _ in names))
    away = {c.seat for c in game.list_correctables() if c.kind == "away" and c.current_value == (1,)}
    sentence = definition.prompt_with_camera if definition.prompt_with_camera and visibility.dice else definition.prompt
    return ScreenState(
        kind=ScreenKind.PLAY if game.compute_outcome() is None else ScreenKind.RESULT,
        game_name=definition.name,
        title=definition.title,
        uses_camera=definition.uses_camera,
        prompt=sentence(game, names),
        view=game.build_view(),
        players=tuple(
            Player(Seat(i), name, button, pieces[i], Seat(i) in away)
            for i, (name, button) in enumerate(zip(names, buttons, strict=True))
        ),
        scores=tuple(scores[Seat(i)] for i in range(len(names))),
        soft_keys=build_soft_keys(offers, buttons),
    )


NO_CAMERA_VIEW = CameraView()
"""Where the camera does not play."""


@cache
def hide_picture(state: CameraState) -> CameraView:
    """Eyes that show no picture, only how the camera is (one value per state: the display compares by identity)."""
    return CameraView(state)


def build_screen_state(referee: Referee, camera_view: CameraView) -> ScreenState:
    """One state of the screen."""
    sitting, dialog = referee.saved_game, referee.dialog
    names, buttons = sitting.setup.players, sitting.setup.buttons
    referee.live_picture.has_camera = camera_view.state is not CameraState.OFF
    over = sitting.game.compute_outcome() is not None
    offers = referee.list_offers()
    details, rounds = _summarise_ended_game(sitting, sitting.last_seq, current_language()) if over else ((), ())
    large = dialog.enlarged if isinstance(dialog, CameraDialog) else None
    return replace(
        build_game_state(sitting.definition, sitting.game, names, buttons, offers, referee.visibility),
        question=dialog.question if dialog else None,
        menu=dialog.menu if dialog else None,
        notice=referee.notice or referee.describe_problem(buttons, names),
        last_move=sitting.last_move_text,
        pressed_buttons=referee.press_feedback.recent_presses(),
        clocks=tuple(replace(clock, seconds_left=ceil(clock.seconds_left)) for clock in referee.clocks.list_running()),
        camera_view=_choose_camera_view(referee, camera_view),
        details=details,
        round_points=rounds,
        score_sheet=dialog.sheet if isinstance(dialog, ScoreSheetDialog) else None,
        die_picture=referee.cup_row_reader.revealed_die(),
        entered_numbers=dialog.entered_numbers if dialog else referee.entered_numbers,
        enlarged=large,
        shows_live_picture=referee.live_picture.is_shown,
        enlarge_button=_find_enlarge_button(referee, offers),
    )


@lru_cache(maxsize=1)
def _summarise_ended_game(
    saved_game: SavedGame, _seq: int, _code: str
) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
    """All that was played, in words, and the points of each round: worked out once for each state and language."""
    return saved_game.lines(), compute_rounds(saved_game.replay)


def _choose_camera_view(referee: Referee, camera_view: CameraView) -> CameraView:
    if is_picture_secret(referee.saved_game):
        return hide_picture(camera_view.state)
    if referee.live_picture.is_shown:
        return hide_reading(camera_view)
    return camera_view if referee.saved_game.definition.uses_camera else NO_CAMERA_VIEW


def _find_enlarge_button(referee: Referee, offers: Sequence[Offer]) -> Button | None:
    """What a touch on the picture presses: what enlarges it, or closes it; else the menu that lists it first."""
    if isinstance(referee.dialog, CameraDialog):
        return Button.NO
    means = next((offer.input for offer in offers if offer.action in (ENLARGE, LIVE)), None)
    if means is not None:
        return find_button(means, referee.saved_game.setup.buttons)
    listed = is_picture_visible(referee.saved_game, referee.visibility) and any(
        o.action == Command("fix") for o in offers
    )
    return Button.MINUS if listed and referee.dialog is None else None
