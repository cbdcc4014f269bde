"""Base class for game scenes: draws the game, and derives sounds and animations from view changes."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from companion.api import Seat
from companion.display.best_moments import ROUND_TEXTS
from companion.display.scenes.game_screen import draw_game_screen
from companion.display.sound.sound_effects import Sound
from companion.display.toolkit import LINE, WARN, Canvas, Colour, Rect, ScreenLayout
from companion.display.toolkit.icons import Icon
from companion.display.widgets import draw_round_track
from companion.screen_state import RunningClock, ScreenState

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

    >>> from companion.screen_state import ScreenKind
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
        draw_game_screen(canvas, self, state)

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
