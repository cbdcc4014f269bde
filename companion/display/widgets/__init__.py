"""Parts of the screen that scenes share: header, players, soft keys, dialogs, clocks, camera, status line, chart."""

from companion.display.widgets.camera_panel import draw_camera_panel, draw_enlarged_camera
from companion.display.widgets.clocks import (
    clock_colour,
    clock_content,
    draw_clock,
    draw_time_bar,
    find_clock,
    format_clock,
)
from companion.display.widgets.dialog import draw_dialog_if_open, draw_main_region, draw_scroll_bar, visible_rows
from companion.display.widgets.header import draw_header, draw_round_track
from companion.display.widgets.players import columns_for, draw_players, split_player_cells
from companion.display.widgets.score_chart import accumulate_scores, draw_score_chart
from companion.display.widgets.soft_keys import draw_soft_keys
from companion.display.widgets.status_line import draw_status_line

__all__ = [
    "accumulate_scores",
    "clock_colour",
    "clock_content",
    "columns_for",
    "draw_camera_panel",
    "draw_clock",
    "draw_dialog_if_open",
    "draw_enlarged_camera",
    "draw_header",
    "draw_main_region",
    "draw_players",
    "draw_round_track",
    "draw_score_chart",
    "draw_scroll_bar",
    "draw_soft_keys",
    "draw_status_line",
    "draw_time_bar",
    "find_clock",
    "format_clock",
    "split_player_cells",
    "visible_rows",
]
