"""Image sequences of a Macroscope table with labels, in the format of the shared ones."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from ray_tracer.scene import PaintedSolid
from ray_tracer.sensor import develop, write_jpeg

from testset_renderer.dice import LyingDie, list_painted_dice
from testset_renderer.hands import HAND_OWNER, make_hand
from testset_renderer.lid import PlacedLid
from testset_renderer.pictures import measure_clear_share
from testset_renderer.table import (
    TableModel,
    lean_die,
    make_covered_lid,
    make_flying_dice,
    make_two_dice,
    measure_disc_share,
    push_lid,
    random_table,
    render_moving_dice,
    render_table,
)

Rng = np.random.Generator
FRAMES = 10
EXPOSURE_STEPS = 9
"""Moments of an exposure that are averaged for a moving die."""


def is_new_round(number: int) -> bool:
    """Return whether all tokens are back and reshuffled in that frame: three before the end."""
    return number == FRAMES - 3


def make_lids(rng: Rng, table: TableModel) -> list[PlacedLid]:
    """Return the lid in each frame: covered, then with tokens taken and turned, covered again near the end."""
    out = [make_covered_lid(rng, table)]
    for number in range(1, FRAMES):
        last = out[-1]
        if is_new_round(number):
            fresh = make_covered_lid(rng, table)
            out.append(replace(fresh, at=last.at, angle=fresh.angle))
            continue
        now = push_lid(rng, table, last) if number % 2 else last
        left = [i for i, t in enumerate(now.tokens) if t]
        take = int(rng.integers(0, 3)) if not is_new_round(number - 1) else 0
        gone = set(rng.choice(left, min(take, len(left)), replace=False)) if left else set()
        out.append(replace(now, tokens=tuple(0 if i in gone else t for i, t in enumerate(now.tokens))))
    return out


def _make_reaching_hand(rng: Rng, table: TableModel, where: str, lid: PlacedLid) -> list[PaintedSolid]:
    """Create a hand whose fingers reach over the lid or the tray from the nearest side of the table."""
    middle = np.array([*(lid.at if where == "lid" else table.tray_at), 0.0])
    spread = 45.0 if where == "lid" else 25.0
    tip = middle + np.array([*rng.uniform(-spread, spread, 2), 0])
    tip[2] = (lid.lid.high if where == "lid" else 12.0) + rng.uniform(14, 40)
    # From below or above in the picture: the arm must not cover the other half of the table.
    down = np.arctan2(table.camera.axes[1, 1], table.camera.axes[1, 0])
    heading = down + np.pi + (np.pi if rng.random() < 0.3 else 0.0) + rng.normal(0, 0.35)
    return make_hand(rng, table.skin, tip.astype(np.float32), float(heading))


def render_frame(rng: Rng, table: TableModel, lid: PlacedLid, still: bool = False) -> tuple[np.ndarray, dict[str, Any]]:
    """Render one frame: the picture and its labels, without the file's name."""
    kind = rng.choice(["rest", "none", "cocked", "rolling"], p=[0.7, 0.1, 0.08, 0.12])
    over = rng.choice([None, "lid", "tray"], p=[0.76, 0.12, 0.12]) if not still else None
    dice: list[LyingDie] = make_two_dice(rng, table) if kind != "none" else []
    if kind == "cocked":
        for _ in range(20):
            one = lean_die(rng, table, dice[0])
            if np.hypot(*(one.center - dice[1].center)[:2]) > one.make.edge * 1.5:
                dice[0] = one
                break
        else:
            kind = "rest"
    hands = _make_reaching_hand(rng, table, str(over), lid) if over else []
    mine = list(list_painted_dice(dice)) if kind != "rolling" else []
    light, owner = render_table(table, lid, [*mine, *hands])
    if kind == "rolling":
        render_moving_dice(table, lid, make_flying_dice(rng, table, dice, EXPOSURE_STEPS), hands, light)
    truth = lid.describe_truth(table.camera)
    for window in truth["windows"]:
        window["visible"] = round(measure_disc_share(owner, window["px"], window["r_px"] * 1.02, HAND_OWNER), 3)
    said = []
    for number, die in enumerate(dice):
        x0, y0 = table.camera.project(die.list_corners()).min(0)
        x1, y1 = table.camera.project(die.list_corners()).max(0)
        others = [*hands, *table.walls, *(t for t in mine if t.name != 101 + number)]
        seen = 1.0 if kind == "rolling" and not hands else measure_clear_share(table.camera, die, others)
        said.append(
            {
                "value": die.value,
                "box_px": [round(float(v), 1) for v in (x0, y0, x1, y1)],
                "cocked": die.tilt > 0.1,
                "visible": round(seen, 3),
            }
        )
    truth |= {"rolling": kind == "rolling", "hand": over and str(over), "dice": said}
    flicker = replace(table.sensor, exposure=table.sensor.exposure * float(rng.uniform(0.97, 1.03)))
    return develop(light, flicker, rng), truth


def describe_lid(table: TableModel) -> dict[str, Any]:
    """Describe a whole image sequence for truth.json."""
    lid = table.lid
    return {
        "layout": lid.layout,
        "lid_size_mm": list(lid.size),
        "windows_mm": [[round(float(v), 2) for v in w] for w in lid.windows],
        "window_radius_mm": round(lid.radius, 2),
        "tags": lid.tags,
        "tag_ids_clockwise_from_arrow_left": [0, 1, 2, 3] if lid.tags else None,
        "die_size_mm": round(table.makes[0].edge, 1),
    }


def write_image_sequence(folder: Path, seed: int) -> None:
    """Write the frames and labels of an image sequence; every second one has tags."""
    folder.mkdir(parents=True, exist_ok=True)
    table_rng = np.random.default_rng([78, seed])
    table = random_table(table_rng, tags=seed % 2 == 1)
    frames = []
    for number, lid in enumerate(make_lids(table_rng, table)):
        rng = np.random.default_rng([79, seed, number])
        image, truth = render_frame(rng, table, lid, still=number == 0)
        name = f"f{number:02}.jpg"
        write_jpeg(str(folder / name), image, table.sensor.quality)
        frames.append({"file": name, **truth})
    whole = {"sitting": folder.name, **describe_lid(table), "frames": frames}
    (folder / "truth.json").write_text(json.dumps(whole), encoding="utf-8")
