"""Simulator of all games with dice in a tray."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Self

from companion.api import Move
from companion.events import CameraState
from companion.i18n import _
from companion.screen_state import ScreenKind, ScreenState
from companion.simulation.actions import SimulatedHand
from companion.simulation.appearance import TableAppearance
from companion.simulation.dice_throws import DiePose
from companion.simulation.dice_tray.mouse import FIRST_COUNT, DiceTrayMouse
from companion.simulation.dice_tray.render import RIM_HEIGHT_MM, RIM_WIDTH_MM, TrayRenderer
from companion.simulation.dice_tray.table import ASIDE_Y_MM, DiceTrayTable
from companion.simulation.dice_tray.table import DICE_TRAY as TRAY
from companion.simulation.kit import TableKit, find_throw
from companion.simulation.optics import FrameArea, Optics
from companion.simulation.players.dice_tray import DiceTrayPlayers
from companion.simulation.render_dice import Box
from companion.simulation.views import (
    BAR_HEIGHT_RATIO,
    GAP_RATIO,
    MAX_BAR_HEIGHT_RATIO,
    TableArrangement,
    TouchablePlace,
    fit_view,
)

DIE_SIZE_MM = 16.0
"""Edge length of the dice."""
MIN_SHOWN_REACH = 0.8
"""Share of its way from which on people see a hand. Smaller: fingers without a palm; larger: it comes from nowhere."""
ASIDE_HEIGHT = 1.8
"""Height of the strip with the dice that were set aside, as a multiple of a die's edge."""


class TrayPictureRenderer(TrayRenderer[DiceTrayTable]):
    """Draws besides the frame what lies below it, if `shows_aside`: the dice that were set aside.

    A hand on its way is seen only by the camera: people would see loose pieces of fingers in the strip below the tray.
    """

    shows_aside = False

    def crop(self, area: FrameArea, zoom: float) -> Self:
        """See `TrayRenderer`."""
        part = super().crop(area, zoom)
        part.shows_aside = True
        return part

    def _find_hand_box(self, hand: SimulatedHand) -> Box | None:
        is_seen = not self.shows_aside or hand.reach >= MIN_SHOWN_REACH
        return super()._find_hand_box(hand) if is_seen else None

    def _list_dice(self, table: DiceTrayTable, back: float = 0.0) -> Sequence[DiePose]:
        dice = super()._list_dice(table, back)
        return (*dice, *table.list_aside()) if self.shows_aside else dice


def create_dice_tray(appearance: TableAppearance, rng: Random) -> tuple[DiceTrayTable, TrayPictureRenderer]:
    """Create a table with a tray and its renderer, both of one appearance; `rng` decides on all that is random."""
    return DiceTrayTable(appearance.die_size_mm), TrayPictureRenderer(appearance, rng.getrandbits(32), TRAY)


class DiceTrayKit(TableKit[DiceTrayTable]):
    """The dice are never laid out for an interrupted game: nobody knows how they lay."""

    create_mouse = DiceTrayMouse
    create_players = DiceTrayPlayers
    _optics = Optics()

    def create_table(self, rng: Random) -> tuple[DiceTrayTable, TrayPictureRenderer]:
        """Create an empty tray, and its renderer; `rng` decides on all that is random."""
        return create_dice_tray(TableAppearance(die_size_mm=DIE_SIZE_MM), rng)

    def follow(self, table: DiceTrayTable, state: ScreenState) -> None:
        """Note how many dice the game waits for, and whether none of them lie on the table for it."""
        throw = self._find_throw(state)
        table.wanted_count = throw.value_range.count if throw and throw.value_range else None
        table.must_set_aside = throw is None and bool(_list_keeps(state))
        # As `companion.referee.kept_dice_readings` reads them; the counting tray counts faces.
        dice = getattr(state.view, "table", getattr(state.view, "faces", ()))
        # The throw of all dice by the next player has another kind.
        is_next_players = throw is not None and throw.kind != "throw"
        table.is_new_turn = state.kind is ScreenKind.PLAY and (is_next_players or not any(dice))
        table.takes_any_count = hasattr(state.view, "faces")
        table.may_set_aside = getattr(state.view, "sets_dice_aside", True)
        table.is_choosing_by_keys = state.kind is ScreenKind.PLAY and bool(state.marked_dice or state.choices)
        self._follow_keys(table, state)
        last = tuple(die.value for die in table.planned_dice)
        table.may_keep_last = len(last) == 1 and any(tuple(move.value) == last for move in _list_keeps(state))
        table.game_locked = tuple(getattr(state.view, "locked", ()))
        wrong = Counter(table.aside) - Counter(table.game_aside)
        is_read = state.camera_view.state is CameraState.STEADY and not table.is_busy(table.now)
        is_between_throws = table.must_set_aside or (throw is not None and not table.is_new_turn)
        table.wrong_aside = tuple(wrong.elements()) if is_read and is_between_throws else ()
        table.is_astray = is_between_throws and is_read and sorted(table.values) != sorted(dice)

    @staticmethod
    def _find_throw(state: ScreenState) -> Move | None:
        """Find the throw that is waited for; not the next player's, while the player on turn may set dice aside.

        At a table each player throws for themselves; here one who wants to throw again would end their turn with it.
        """
        throw = find_throw(state)
        return None if throw is not None and throw.kind != "throw" and _list_keeps(state) else throw

    def _follow_keys(self, table: DiceTrayTable, state: ScreenState) -> None:
        """Lay beside the tray what was set aside by keys, and back what keys have put back: as a hand does elsewhere.

        A hand that sets dice aside or puts them back is before the game, which reads them later: only what has changed
        in the game is done here.
        """
        if state.kind is not ScreenKind.PLAY or table.is_busy(table.now):
            return
        before = Counter(table.game_aside)
        table.game_aside = (*getattr(state.view, "aside", ()), *getattr(state.view, "locked", ()))
        if table.is_new_turn:
            return
        now = Counter(table.game_aside)
        returned = (before - now) & (Counter(table.aside) - now)
        if returned and table.values:
            table.put_back(tuple(returned.elements()), Random(table.version), table.now)
            return
        left = (now - before) & (now - Counter(table.aside))
        all_dice = now + Counter(getattr(state.view, "table", ()))
        is_chosen = Counter(table.aside) + Counter(die.value for die in table.planned_dice) == all_dice
        if left and is_chosen and (wrong := Counter(table.aside) - now):  # others than the hand had taken
            table.put_back(tuple(wrong.elements()), Random(table.version), table.now)
        taken = []
        for die in table.planned_dice:
            if left[die.value] > 0:
                left[die.value] -= 1
                taken.append(die)
        if taken and not left.total():
            table.set_aside(taken, table.now)

    def arrange(self, table: DiceTrayTable, size: tuple[int, int]) -> TableArrangement:
        """Show the tray, below it the dice that were set aside, and the bar."""
        (width, height), (half_width, half_height), optics = size, TRAY.half_size, self._optics
        x, y = TRAY.center
        # All of the rim above and below; of its sides only the inner edge, so that the dice are larger.
        left, _top, wide, _tall = optics.find_area([(x + dx, y, RIM_HEIGHT_MM) for dx in (-half_width, half_width)])
        rim = half_height + RIM_WIDTH_MM
        outer = optics.find_area([(x, y + dy, RIM_HEIGHT_MM) for dy in (-rim, rim)])
        gap, low = max(2, round(GAP_RATIO * height)), optics.project([(x, ASIDE_Y_MM, DIE_SIZE_MM / 2)])[0][1]
        strip = ASIDE_HEIGHT * DIE_SIZE_MM * optics.focal_px / optics.height_mm
        zoom = min(width / wide, (height * (1 - BAR_HEIGHT_RATIO) - gap) / (outer[3] + strip))
        aside_height = round(zoom * strip)
        tall = max(round(zoom * outer[3]), round(height * (1 - MAX_BAR_HEIGHT_RATIO)) - gap - aside_height)
        zoom = min(width / wide, tall / outer[3])
        tray = fit_view((left, outer[1], wide, outer[3]), (0, 0, width, tall))
        aside = (tray.area[0], low - strip / 2, tray.area[2], aside_height / tray.zoom)
        bar_top = tall + gap + aside_height
        return TableArrangement(
            (tray, fit_view(aside, (0, tall + gap, width, aside_height), aside)),
            (0, bar_top, width, height - bar_top),
        )

    def describe_actions(self, table: DiceTrayTable, state: ScreenState) -> str:
        """Say what the game waits for: a throw, dice to be set aside, or keys while they choose dice or a box."""
        throw = self._find_throw(state)
        is_key_first = throw.kind != "throw" if throw is not None else hasattr(state.view, "table")
        if table.is_choosing_by_keys or (table.must_set_aside and not table.planned_dice):
            return _("Choose by the keys first")
        if state.kind is not ScreenKind.PLAY or (is_key_first and not table.must_set_aside):
            return ""
        if table.is_new_turn or not table.planned_dice:
            return _.plural(
                "Touch the tray: throw the die", "Touch the tray: throw the dice", table.wanted_count or FIRST_COUNT
            )
        if not table.may_set_aside:
            return _("Touch the tray: throw again")
        if table.may_keep_last and throw is not None:
            return _("Touch the tray: throw the die. Its key keeps it")
        if table.wrong_aside:
            return _("These do not score yet. Touch the tray: they come back")
        if table.aside and not table.waits_for_die:
            return _("Touch the tray: throw the others. Touch dice beside it: they come back")
        if table.wanted_count is None and not table.takes_any_count and len(table.planned_dice) == 1:
            return _("Keep the last die by its key")
        if table.wanted_count is not None or table.must_set_aside:
            return _("Touch dice to keep them, then the tray: throw the others")
        return _("Touch a die: take it out. Touch the tray: throw again")

    def list_touchable_places(self, table: DiceTrayTable, state: ScreenState) -> Sequence[TouchablePlace]:
        """List the tray, if a throw is waited for, and the dice that may be set aside."""
        is_covered = state.question is not None or state.menu is not None
        if state.kind is not ScreenKind.PLAY or is_covered or table.is_choosing_by_keys:
            return ()
        (x, y), (half_width, half_height), size = TRAY.center, TRAY.half_size, table.die_size
        found = []
        if self._find_throw(state) is not None or table.is_new_turn:
            corners = [(x - half_width, y - half_height, 0.0), (x + half_width, y + half_height, 0.0)]
            found.append(TouchablePlace("tray", self._optics.find_area(corners)))
        if not table.is_new_turn:
            kept = {value for move in _list_keeps(state) for value in move.value}
            dice = (die.footprint.center for die in table.planned_dice if die.value in kept)
            found += [TouchablePlace("die", self._optics.find_square(at, 0.75 * size, size)) for at in dice]
        return found


def _list_keeps(state: ScreenState) -> Sequence[Move]:
    """Return the moves that set dice aside."""
    is_played = state.kind is ScreenKind.PLAY and state.view is not None
    return [move for move in state.view.list_moves() if move.kind == "keep"] if is_played else []


DICE_TRAY = DiceTrayKit()
