"""StarFall's scene: the ring of spaces with the pile in its middle, a payment, a page of the count, the final table."""

from collections.abc import Iterator
from dataclasses import replace

from pygame import Rect

from companion.api import Seat, join_and
from companion.display.scenes.base import Movement
from companion.display.scenes.turn_clock import TurnClockScene
from companion.display.sound.sound_effects import SoundEffect
from companion.display.toolkit import INK, Canvas, ScreenLayout
from companion.games.starfall.display.board import draw_board
from companion.games.starfall.display.payment import draw_naming, draw_payment
from companion.games.starfall.display.scoring import draw_choice, draw_page, draw_score_table
from companion.games.starfall.display.tiles import UNKNOWN_ART
from companion.games.starfall.payment_rules import make_payment_view
from companion.games.starfall.state import Phase, StarFallState
from companion.games.starfall.tile_texts import format_count
from companion.i18n import Translator
from companion.screen_state import ScreenState

_ = Translator("starfall")

TOTAL_SECONDS = 0.5
"""Time in which a player's sum counts to a new value."""


class StarFallScene(TurnClockScene[StarFallState]):
    """The scene of StarFall: the board, a payment, or the count of symbols in the centre."""

    HAS_OWN_RESULT = True
    ACCENT = (110, 120, 196)

    def draw_result(self, canvas: Canvas, rect: Rect, state: ScreenState) -> None:
        """Draw how each score came about, line by line (F30 to F36)."""
        draw_score_table(canvas, rect, state.view.player_scores, state.players)

    def draw_game(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState, view: StarFallState) -> None:
        """Draw the phase of the game."""
        rect = layout.body if self.has_own_scores(state) else layout.stage
        seat = view.counting_seat
        sum_so_far = 0 if seat is None else view.player_scores[seat].total
        total = round(canvas.timeline.follow(f"total {seat}", sum_so_far, TOTAL_SECONDS))
        content = (replace(view, changes=()), state.players, total)
        canvas.draw_region("main", rect, content, lambda: _draw_stage(canvas, rect, state, view, total))

    def describe_stage(self, state: ScreenState) -> Iterator[str]:
        """Yield the size of the pile and the board, dearest tile first, with what is known of the tiles."""
        view: StarFallState = state.view
        if self.has_own_scores(state):
            return
        pile = _("tiles in the pile")
        yield f"{pile}: {view.pile_size}"
        yield _("tiles on {spaces}", spaces=join_and([str(space) for space in view.occupied_spaces]))
        for space, number in sorted(view.board, reverse=True):
            if counts := view.get_symbol_counts(number):
                yield f"{space}: " + ", ".join(format_count(i, count) for i, count in enumerate(counts) if count)

    def has_own_scores(self, state: ScreenState) -> bool:
        """Return whether symbols are counted, or all are: the page and the table show the scores."""
        return state.view.phase not in {Phase.TURN, Phase.NAMING, Phase.PAY, Phase.CHOOSE}

    def shows_gain(self, after: StarFallState) -> bool:
        """Return whether no page of the count is open: it shows the next symbol."""
        return after.phase is not Phase.PAGE

    def find_active_seat(self, view: StarFallState) -> Seat | None:
        """Return the seat of the player whose turn it is, or whose tiles are being counted; None: there is none."""
        return view.active_seat if view.phase in (Phase.TURN, Phase.NAMING, Phase.PAY) else view.counting_seat

    def find_movements(self, before: StarFallState, after: StarFallState) -> Iterator[Movement]:
        """Yield the tile that was added, moved or taken: from the pile, along the ring, or to its new owner.

        Yields:
            A movement between two of the places "pile", "space 9" and "player 0".
        """
        left = set(before.occupied_spaces) - set(after.occupied_spaces)
        reached = set(after.occupied_spaces) - set(before.occupied_spaces)
        if len(left) > 1 or len(reached) > 1:
            return
        owners = zip(before.owned_tiles, after.owned_tiles, strict=False)
        gained = [seat for seat, (old, new) in enumerate(owners) if len(new) > len(old)]
        start = next((f"space {space}" for space in left), "pile")
        if reached:
            yield Movement(UNKNOWN_ART, INK, start, f"space {reached.pop()}")
        elif left and gained:
            yield Movement(UNKNOWN_ART, INK, start, f"player {gained[0]}")

    def choose_sound(self, before: StarFallState, after: StarFallState) -> SoundEffect | None:
        """Return the sound of a tile that was added to the board, or left it without going to a player; else None."""
        if len(after.board) > len(before.board):
            return SoundEffect.PIECE_ADDED
        counts_before, counts_after = (tuple(map(len, view.owned_tiles)) for view in (before, after))
        is_lost = len(after.board) < len(before.board) and counts_after == counts_before
        return SoundEffect.PIECE_LOST if is_lost else None


def _draw_stage(canvas: Canvas, rect: Rect, state: ScreenState, view: StarFallState, total: int) -> None:
    match view.phase:
        case Phase.TURN:
            draw_board(canvas, rect, state, view)
        case Phase.NAMING:
            draw_naming(canvas, rect, view)
        case Phase.PAY if view.payment is not None:
            draw_payment(canvas, rect, make_payment_view(view, view.payment))
        case Phase.CHOOSE:
            draw_choice(canvas, rect, view, state.players)
        case Phase.PAGE if view.counting_seat is not None:
            draw_page(canvas, rect, view, view.player_scores[view.counting_seat], total)
        case _:
            draw_score_table(canvas, rect, view.player_scores, state.players)
