"""Base class for game scenes: draws the frame around a game, and derives sounds and animations from view changes."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Generic, NamedTuple, TypeVar

from companion.api import Seat
from companion.display.best_moments import ROUND_TEXTS
from companion.display.scenes.acts import Act, ActMoment, find_act, hide_keys
from companion.display.sound_effects import Sound
from companion.display.toolkit import BUTTON_COLOURS, LINE, WARN, Canvas, Colour, Rect, ScreenLayout, lay_out_screen
from companion.display.toolkit.icons import Icon
from companion.display.widgets import (
    draw_camera_view,
    draw_dialog_if_open,
    draw_enlarged_camera,
    draw_guide,
    draw_header,
    draw_notice,
    draw_players,
    draw_result_code,
    draw_round_track,
    draw_soft_keys,
    draw_status_line,
)
from companion.display.widgets.header import split_prompt
from companion.display.widgets.standings import (
    describe_best,
    describe_next,
    describe_standings,
    draw_standings,
    list_standings,
)
from companion.display.widgets.status_line import has_status_line
from companion.screen_state import RunningClock, ScreenKind, ScreenState

View = TypeVar("View")
"""The state of a game, as its scene draws it."""


class Movement(NamedTuple):
    """An icon that moves from one place of the picture to another.

    >>> Movement("sparkle", WARN, start="bank", end="player 1").end
    'player 1'

    Attributes:
        icon: a key of `icons.ICONS`, with another text `Animator.draw` raises KeyError; or a shape of a plug-in's own.
        colour: a tone or a fixed colour.
        start: name of the anchor where it starts, such as "cup 0", "player 1" or "bank".
        end: name of the anchor where it ends.
    """

    icon: Icon
    colour: Colour
    start: str
    end: str


class GameScene(ABC, Generic[View]):
    """Base class for the drawing of a game. Only `draw_game` is required; the other methods have defaults.

    >>> class Silhouettes(GameScene[Any]):
    ...     ACCENT = (64, 130, 140)
    ...     def draw_game(self, canvas, layout, state, view):
    ...         place, text = layout.stage, state.prompt
    ...         canvas.draw_region("stage", place, text, lambda: canvas.draw_text(place, text))
    ...
    >>> Silhouettes().shows_camera(ScreenState(ScreenKind.PLAY))
    False

    A scene is made without arguments, once for each game (`load_game_scene`), and keeps no state between calls.

    Attributes:
        BEST_MOMENT_TEXTS: texts of the best moments when the game is over.
        POINTS_ICON: icon and colour of points that fly to a player.
        ACCENT: the game's own colour: floods the stage while nobody in particular is to act.
        HAS_OWN_RESULT: when the game is over, `draw_result` draws how the scores came about in place of the chart.
        HAS_OWN_STANDINGS: the stage shows how a round has changed the standings: those that are the same for all games
            are not shown after it.
    """

    BEST_MOMENT_TEXTS = ROUND_TEXTS
    POINTS_ICON: tuple[Icon, Colour] = ("sparkle", WARN)
    ACCENT: Colour = LINE
    HAS_OWN_RESULT = False
    HAS_OWN_STANDINGS = False

    def draw(self, canvas: Canvas, state: ScreenState) -> None:
        """Draw a state of the game in play: header, status line, soft keys, track, players, and the game itself.

        Only regions that changed since the last frame are painted again. Call it within `Canvas.frame`.

        Args:
            state: what is shown; its view is one of this scene's game.

        Raises:
            IndexError: the addressed or the active seat has no player.
            KeyError: a soft key's swatch or a player's piece has a colour that is not a key of `theme.PIECE_RGB`.
            Exception: an error of `draw_game` or of another method of the scene is passed on, such as `pygame.error`
                on a screen that is too small.
        """
        moment = find_act(canvas, self, state)
        if moment is None:
            self._draw_state(canvas, state)
        else:
            self.draw_act(canvas, state, moment)

    def draw_act(self, canvas: Canvas, state: ScreenState, moment: ActMoment) -> None:
        """Draw an act before the podium, with the keys of `state`, which are in force; after a game there are none.

        Args:
            state: the game after the move that was just played.
            moment: the act that is shown now.

        Raises:
            Exception: an error of the scene's methods is passed on, as by `draw`.
        """
        played = state.played
        assert played is not None, "an act follows from a move"
        if state.kind is ScreenKind.RESULT:
            state = hide_keys(state)
        before = replace(
            state,
            view=played.before,
            scores=played.before.totals,
            prompt=played.prompt,
            addressed=played.addressed,
            outcome=None,
            last_move=None,
            clocks=(),
            enlarge_button=None,
        )
        match moment.act:
            case Act.QUESTION:
                self._draw_state(canvas, before)
            case Act.ANSWER:
                prompt, addressed = self.describe_answer(state)
                # The answer is given: the line on the move may say it too.
                shown = replace(
                    before, scores=state.scores, prompt=prompt, addressed=addressed, last_move=state.last_move
                )
                self._draw_state(canvas, shown, (state.view, moment.part))
            case _:
                self._draw_standings(canvas, state, before, moment.part)

    def _draw_standings(self, canvas: Canvas, state: ScreenState, before: ScreenState, part: float) -> None:
        """Draw how the round has changed the standings, in place of stage and strip."""
        rows, has_track = list_standings(state), self.has_track(before)
        prompt, seat = describe_standings(rows, part)
        if not has_status_line(canvas):
            prompt = " · ".join(filter(None, (prompt, describe_best(state))))
        # An answer has counted already what the move has changed: no score goes back.
        seen = state.scores if self.is_reveal(before.view, state.view) else before.scores
        layout = lay_out_screen(canvas, has_track=has_track)
        canvas.flood_ground(Rect(layout.flood), self.ACCENT)
        draw_soft_keys(canvas, layout, state)
        draw_header(canvas, layout, replace(state, prompt=prompt, addressed=seat))
        if has_track:
            self.draw_track(canvas, layout, before)
        # The keys are those of the next move already.
        draw_status_line(canvas, layout, replace(state, last_move=describe_next(canvas, layout, state)))
        draw_standings(canvas, layout.body, rows, part, seen)

    def _draw_state(
        self,
        canvas: Canvas,
        state: ScreenState,
        answer: tuple[Any, float] | None = None,
    ) -> None:
        """Draw a state.

        With an answer (the view after a reveal, and the share of its time that has passed) draw that: the state is the
        one before the reveal.
        """
        if state.result_code is not None:
            layout = lay_out_screen(canvas)
            canvas.flood_ground(layout.flood, None)
            draw_soft_keys(canvas, layout, state)
            draw_result_code(canvas, layout.view, state.result_code)
            return
        view = state.view
        shows_picture = self.shows_camera(state)
        has_track = self.has_track(state) and not shows_picture
        layout = lay_out_screen(canvas, len(state.players), has_track=has_track)
        active = self.find_active_seat(view)
        named = state.addressed if state.addressed is not None else active
        button = state.players[named].button if named is not None else None
        flood = Rect(layout.flood)
        has_strip = bool(state.players) and self._has_strip(canvas, state)
        if shows_picture:
            flood.h = layout.view.bottom - flood.top
        elif not has_strip:
            flood.h = layout.body.bottom - flood.top
        canvas.flood_ground(flood, self.ACCENT if button is None else BUTTON_COLOURS[button], button)
        draw_soft_keys(canvas, layout, state)
        if state.enlarged is not None:
            draw_enlarged_camera(canvas, layout.view, state.camera_view, state.enlarged, state.enlarge_button)
            return
        if shows_picture:
            # The header says what is wrong, as large as it says else what to do.
            words = state.notice or split_prompt(state)[1]
            draw_header(canvas, layout, replace(state, prompt=words), active)
            picture = Rect(layout.view)
            picture.h, picture.top = layout.view.bottom - layout.body.top, layout.body.top
            draw_camera_view(canvas, picture, state.camera_view, None, close_button=state.enlarge_button)
            return
        draw_header(canvas, layout, state, active, has_strip=has_strip)
        if has_track:
            self.draw_track(canvas, layout, state)
        draw_status_line(canvas, layout, state)
        strip, notice = layout.players, state.notice
        if has_strip and canvas.is_far and notice is not None:
            canvas.draw_region("players", strip, notice, lambda: draw_notice(canvas, strip, notice))
        elif has_strip:
            # A state that is shown as text has no view.
            seats = tuple(player.seat for player in state.players)
            order = seats if view is None else (Seat(0), *view.list_others(Seat(0)))
            draw_players(canvas, layout, state, order, named, self.list_changes(answer[0] if answer else view))
        if draw_dialog_if_open(canvas, layout.stage if has_strip else layout.body, state):
            return
        if state.guide is not None and state.guide.sentence:
            draw_guide(canvas, layout.stage if has_strip else layout.body, state.guide)
        elif answer is None:
            self.draw_game(canvas, layout, state, view)
        else:
            self.draw_answer(canvas, layout, state, *answer)

    def _has_strip(self, canvas: Canvas, state: ScreenState) -> bool:
        """Return whether the scores stand in a strip: beside a menu too, unless its lines need the room."""
        if state.menu is not None:
            return not (state.menu.numbered or canvas.is_portrait)
        return not self.has_own_scores(state)

    def is_reveal(self, before: View, after: View) -> bool:
        """Return whether a move has answered a question for which all have waited: by default False.

        The stage then shows the question for a breath, and the answer while points go to their players.

        Args:
            before: the game before the move.
            after: the game after it.
        """
        return False

    def shows_gain(self, after: View) -> bool:
        """Return whether the stage shows what a move has just brought: by default True.

        Where it does not, since it asks for the next thing already, a film shows the standings.

        Args:
            after: the game after the move.
        """
        return True

    def describe_answer(self, state: ScreenState) -> tuple[str, Seat | None]:
        """Return the sentence over the answer of a reveal, and the player with whose name it begins, or None.

        By default it is the line that describes the move.

        Args:
            state: the game after the move.
        """
        return state.played.text if state.played else "", None

    def draw_answer(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState, after: View, part: float) -> None:
        """Draw the answer of a reveal; by default the stage stays as it was before the move.

        Args:
            layout: places of the screen, in pixels, as for `draw_game`.
            state: the game before the move, with the scores after it.
            after: the game after the move.
            part: share of the time that has passed, 0 to 1.
        """
        self.draw_game(canvas, layout, state, state.view)

    @abstractmethod
    def draw_game(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState, view: View) -> None:
        """Draw the game as one region or several; no dialog is open, and the camera's picture is not enlarged.

        Args:
            layout: places of the screen, in pixels; the game has `layout.stage`, or `layout.body` where it
                draws the scores itself (`has_own_scores`).
            state: what is shown around the game: players, scores, clocks, dialogs.
            view: what is shown of the game: the same as `state.view`.

        Raises:
            Exception: any; `draw` passes it on.
        """

    def draw_track(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState) -> None:
        """Draw the round track, or what the game has in its place, as the region "track".

        By default it shows `current_round` of `count_rounds`. Call it only if `has_track` is True; it does not check.

        Args:
            layout: places of the screen, in pixels; it is drawn at `layout.track`.
            state: what is shown; its view is one of this scene's game.
        """
        draw_round_track(canvas, layout, self.current_round(state.view), self.count_rounds(state.view))

    def draw_result(self, canvas: Canvas, rect: Rect, state: ScreenState) -> None:
        """Draw how each score came about; by default nothing.

        Called for a finished game if `has_own_result` returns True.

        Args:
            canvas: where it is drawn, while a region is painted: the area is cleared.
            state: what is shown; its view is one of this scene's game.
        """

    def has_own_result(self, state: ScreenState) -> bool:
        """Return whether `draw_result` draws this finished game in place of the chart: by default `HAS_OWN_RESULT`.

        Args:
            state: what is shown; its view is one of this scene's game.
        """
        return self.HAS_OWN_RESULT

    def shows_camera(self, state: ScreenState) -> bool:
        """Return whether the camera's picture stands in place of the game: it is needed, and nothing else is asked."""
        return state.question is None and state.menu is None and self.needs_picture(state)

    def needs_picture(self, state: ScreenState) -> bool:
        """Return whether the camera's picture takes the place of the game, since it cannot be read: by default False.

        Args:
            state: what is shown; its view is one of this scene's game.
        """
        return False

    def has_own_scores(self, state: ScreenState) -> bool:
        """Return whether the stage shows the scores itself, so that there is no players' strip: by default False.

        Args:
            state: what is shown; its view is one of this scene's game.
        """
        return False

    def has_track(self, state: ScreenState) -> bool:
        """Return whether there is a round track, or something in its place: by default if the game has rounds.

        Args:
            state: what is shown; its view is one of this scene's game.
        """
        return self.current_round(state.view) > 0

    def find_active_seat(self, view: View) -> Seat | None:
        """Return the seat of the player who is highlighted, and named if the prompt addresses nobody; None: nobody."""
        return None

    def list_changes(self, view: Any) -> Sequence[int]:
        """Return the points that the last move gave or took: by default `changes` of the view.

        Returns:
            Points by seat, 0 for a player without a change; empty: nothing is drawn beside the scores.

        Raises:
            AttributeError: the view has no `changes`, and the scene does not override this method.
        """
        return tuple(view.changes)

    def current_round(self, view: View) -> int:
        """Return the number of the round that is played, from 1: by default `round_number` of the view.

        Returns:
            The round; 0: the game has no rounds.
        """
        return int(getattr(view, "round_number", 0))

    def count_rounds(self, view: View) -> int:
        """Return the number of rounds of a game; 0 (the default): the game has no rounds."""
        return 0

    def is_simultaneous(self, view: View) -> bool:
        """Return whether all play at the same time now, against the clock: sounds of start and stop follow from it."""
        return False

    def describe_stage(self, state: ScreenState) -> Iterator[str]:
        """Yield in words what the stage shows besides sentence and scores, for who does not see it: by default nothing.

        Args:
            state: a game in play; its view is one of this scene's game.
        """
        yield from ()

    def find_spoken_clock(self, state: ScreenState) -> tuple[RunningClock, str]:
        """Return the clock of which is spoken, and a word on it or an empty text: by default the first clock.

        Args:
            state: a game in play with at least one clock; its view is one of this scene's game.
        """
        return state.clocks[0], ""

    def choose_sound(self, before: View, after: View) -> Sound | None:
        """Return the sound of a change that only this game knows; it is played unless a more important one fits.

        Args:
            before: what was shown of the game before.
            after: what is shown of it now.

        Returns:
            One of the companion's sound effects, or a file of the plug-in's own; None: no special sound.
        """
        return None

    def find_movements(self, before: View, after: View) -> Iterator[Movement]:
        """Yield the things other than points that change hands, for animations: by default none.

        If there are any, no points fly.

        Args:
            before: what was shown of the game before.
            after: what is shown of it now.

        Yields:
            Movements between anchors that the scene sets, in the order of their starts.
        """
        yield from ()
