"""Kinds of games that the score keeper offers with their settings."""

from typing import Any

from companion.api import N_, Preset
from companion.games.score_keeper.settings import Settings


def _make_settings(**values: Any) -> Settings:
    return Settings.model_validate(values)


PRESETS = (
    Preset(N_("Points only"), _make_settings()),
    Preset(N_("Turns to a target"), _make_settings(turn_order="clockwise", target_points=100), "target_points"),
    Preset(
        N_("Rounds, lowest wins"),
        _make_settings(by_rounds=True, lowest_wins=True, target_points=100),
        "target_points",
    ),
    Preset(
        N_("Chess clock"),
        _make_settings(turn_order="clockwise", clock="chess", bank_seconds=600, overtime_seconds=0),
        "bank_seconds",
        is_named=True,
    ),
    Preset(N_("Teams of two"), _make_settings(teams=True, by_rounds=True, target_points=500), "target_points"),
    Preset(N_("Rummy"), _make_settings(by_rounds=True, target_points=500), is_named=True),
    Preset(N_("Hearts"), _make_settings(by_rounds=True, lowest_wins=True, target_points=100), is_named=True),
    Preset(N_("Darts"), _make_settings(turn_order="clockwise", rounds=8), is_named=True),
    Preset(N_("Tichu"), _make_settings(teams=True, by_rounds=True, target_points=1000), is_named=True),
)
"""Five kinds of games, in the order of how often they are played; then games by their names."""
