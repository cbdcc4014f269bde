"""Throws of two dice into a tray as clips: empty tray, bounces, rest, a hand; in the format of the shared clips."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from ray_tracer.scene import PaintedSolid
from ray_tracer.sensor import develop
from ray_tracer.shapes import rotate_about

from testset_renderer import tumble
from testset_renderer.dice import LyingDie, list_painted_dice
from testset_renderer.hands import make_hand
from testset_renderer.lid import PlacedLid
from testset_renderer.pictures import measure_clear_share
from testset_renderer.sittings import describe_lid
from testset_renderer.table import TableModel, make_covered_lid, random_table, render_moving_dice, render_table

Rng = np.random.Generator
FPS = 15
HAND_FRAMES = 4
MAX_FLIGHT_HEIGHT_MM = 150.0
"""Greatest height of the dice above the tray; the larger, the more pixels are rendered."""


def _simulate_visible_throw(rng: Rng, table: TableModel) -> tuple[tumble.DiePath, tumble.DiePath]:
    rim = max(float(w.solid.outline()[:, 2].max()) for w in table.walls) - table.floor.z
    while True:
        paths = tumble.simulate_throw(rng, table.makes[0].edge, table.tray_half, rim)
        if paths is None:
            continue
        end = [place_on_path(table, p, i, 10**9) for i, p in enumerate(paths)]
        if all(measure_clear_share(table.camera, d, list(table.walls)) == 1.0 for d in end):
            return paths


def place_on_path(table: TableModel, path: tumble.DiePath, which: int, step: int) -> LyingDie:
    """Return a die at a step of its path, in the world."""
    last = len(path.at) - 1
    step = min(step, last)
    turn = tumble.level_axes(path.turn[step]) if step == last else path.turn[step]
    u, v, z = path.at[step]
    z = table.makes[which].edge / 2 if step == last else z
    x, y = table.tray_to_table(float(u), float(v))
    axes = rotate_about((0, 0, 1), table.tray_yaw) @ turn
    return LyingDie(table.makes[which], axes.astype(np.float32), np.array([x, y, table.floor.z + z], np.float32))


def write_throw(name: Path, seed: int) -> None:
    """Write NAME.mp4 and NAME.json of a seed's throw."""
    rng = np.random.default_rng([80, seed])
    table = random_table(rng, tags=seed % 2 == 1)
    table = replace(table, makes=(table.makes[0], table.makes[0]))
    lid = make_covered_lid(rng, table)
    paths = _simulate_visible_throw(rng, table)
    rest_s = max(tumble.find_settling_seconds(p, table.makes[0].edge) for p in paths)
    start = int(rng.integers(4, 7))
    phase, exposure = float(rng.uniform(0, 1)), float(rng.uniform(0.01, 0.03))
    moving = int(np.ceil(rest_s * FPS - phase)) + 1
    rest_frame = start + max(1, moving)
    total = rest_frame + FPS + int(rng.integers(0, 4)) + HAND_FRAMES
    empty, _ = render_table(table, lid, [])
    final = [place_on_path(table, p, i, 10**9) for i, p in enumerate(paths)]
    heading = float(np.arctan2(table.camera.axes[1, 1], table.camera.axes[1, 0]) + np.pi + rng.normal(0, 0.3))
    writer = cv2.VideoWriter(f"{name}.mp4", cv2.VideoWriter.fourcc(*"mp4v"), FPS, table.camera.size)
    frames: list[dict[str, Any]] = []
    calm = None
    for number in range(total):
        over = number >= total - HAND_FRAMES
        if number < start:
            light = empty
        elif number < rest_frame:
            light = _render_blurred(table, lid, paths, empty, (number - start + phase) / FPS, exposure)
        elif over:
            away = (total - 1 - number) * 26.0
            light, _ = render_table(
                table, lid, [*list_painted_dice(final), *_make_approaching_hand(seed, table, heading, away)]
            )
        else:
            if calm is None:
                calm = empty.copy()
                render_moving_dice(table, lid, [final], [], calm, MAX_FLIGHT_HEIGHT_MM)
            light = calm
        writer.write(develop(light, table.sensor, rng))
        there = number >= start
        frames.append(
            {
                "file": f"f{number:02}.jpg",
                "dice_in_tray": there,
                "moving": start <= number < rest_frame,
                "hand": "tray" if over else None,
            }
        )
    writer.release()
    truth = {"sitting": name.name, **describe_lid(table), "frames": frames, "fps": FPS, "rest_frame": rest_frame}
    truth |= {"values": sorted(d.value for d in final), "tilts": [0.0, 0.0]}
    Path(f"{name}.json").write_text(json.dumps(truth), encoding="utf-8")


def _render_blurred(
    table: TableModel, lid: PlacedLid, paths: tuple[tumble.DiePath, ...], empty: np.ndarray, at: float, exposure: float
) -> np.ndarray:
    moments = [
        [
            place_on_path(table, p, i, max(0, int((at + exposure * share) / tumble.STEP_SECONDS)))
            for i, p in enumerate(paths)
        ]
        for share in (-0.75, -0.25, 0.25, 0.75)
    ]
    light = empty.copy()
    render_moving_dice(table, lid, moments, [], light, MAX_FLIGHT_HEIGHT_MM)
    return light


def _make_approaching_hand(seed: int, table: TableModel, heading: float, away: float) -> list[PaintedSolid]:
    """Create the hand, `away` mm before it reaches the tray's middle."""
    rng = np.random.default_rng([81, seed])
    at = np.array([*table.tray_at, 0.0]) + np.array([*rng.uniform(-15, 15, 2), rng.uniform(30, 50)])
    back = np.array([np.cos(heading), np.sin(heading), 0]) * (away - 30)
    return make_hand(rng, table.skin, (at - back).astype(np.float32), heading)
