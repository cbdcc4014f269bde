"""Parts of the screen that scenes share: header, players, soft keys, dialogs, clocks, camera, status line, chart."""

from companion.display.widgets.camera_panel import draw_camera_view, draw_enlarged_camera
from companion.display.widgets.camera_status import (
    can_read_table,
    describe_camera,
    draw_camera_label,
    draw_camera_mark,
    has_visible_obstacle,
)
from companion.display.widgets.clocks import (
    clock_colour,
    clock_content,
    draw_clock,
    draw_time_bar,
    find_clock,
    format_clock,
)
from companion.display.widgets.dialog import (
    draw_dialog_if_open,
    draw_scroll_bar,
    visible_rows,
)
from companion.display.widgets.guide import draw_guide, draw_ringed_art
from companion.display.widgets.header import draw_header, draw_round_track, draw_sentence
from companion.display.widgets.players import draw_players
from companion.display.widgets.qr_code import draw_result_code
from companion.display.widgets.ranking import (
    RankedTeam,
    RankingColumns,
    draw_ranking_row,
    list_winners,
    measure_ranking,
    rank_players,
)
from companion.display.widgets.score_cards import ScoreCard, draw_score_cards, split_score_cards
from companion.display.widgets.score_chart import accumulate_scores, draw_score_chart
from companion.display.widgets.soft_keys import draw_soft_keys, locate_key_slots
from companion.display.widgets.status_line import draw_notice, draw_status_line
from companion.display.widgets.title import TITLE_COLUMN_WIDTH, draw_title_column

__all__ = [
    "TITLE_COLUMN_WIDTH",
    "RankedTeam",
    "RankingColumns",
    "ScoreCard",
    "accumulate_scores",
    "can_read_table",
    "clock_colour",
    "clock_content",
    "describe_camera",
    "draw_camera_label",
    "draw_camera_mark",
    "draw_camera_view",
    "draw_clock",
    "draw_dialog_if_open",
    "draw_enlarged_camera",
    "draw_guide",
    "draw_header",
    "draw_notice",
    "draw_players",
    "draw_ranking_row",
    "draw_result_code",
    "draw_ringed_art",
    "draw_round_track",
    "draw_score_cards",
    "draw_score_chart",
    "draw_scroll_bar",
    "draw_sentence",
    "draw_soft_keys",
    "draw_status_line",
    "draw_time_bar",
    "draw_title_column",
    "find_clock",
    "format_clock",
    "has_visible_obstacle",
    "list_winners",
    "locate_key_slots",
    "measure_ranking",
    "rank_players",
    "split_score_cards",
    "visible_rows",
]
