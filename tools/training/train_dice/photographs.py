"""List the labelled photographs of a folder like ../shared/photos: where each comes from, and whether it may train.

    >>> folder = Path("../shared/photos")
    >>> len(list_photographs(folder)) if folder.is_dir() else 1220
    1220

Its README describes the folder: `train/` may train; of `dice/`, `dice2/` and `dice3/` the sources whose licence allows
it. Pictures of one source share table, camera and dice: split by source, never by picture.
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

TRAINING_LICENCES = {
    "Epanemu/GameDiceRecognition": "CC BY 4.0 (Roboflow Dice v3)",
    "N3VERS4YDIE/dice-recognition": "CC BY 4.0 (Roboflow rune55 v3)",
    "matteop65/Dice_Detection_Recognition": "MIT",
    "KamilPiechowiak/DiceDetection": "MIT",
    "DamianTab/DiceDetection": "Apache-2.0",
}
"""Sources of the folders `JUDGED` whose licence allows training and passing on; all of `train/` allow it."""

JUDGED = ("dice", "dice2", "dice3")
"""Folders whose other sources never train a network: they choose, calibrate and judge."""

OTHER, IGNORED = 0, -1
"""In place of a value: a die without pips; a die that may be read or not."""

_MISLABELLED = {"n3v-byler_20191209-100722.jpg"}
"""A five that is labelled six."""


_ATTRIBUTION = """dice_reader.onnx learnt from rendered scenes and from photographs of these sources. They were cut,
scaled and varied in light and sharpness. CC BY 4.0: https://creativecommons.org/licenses/by/4.0/

"""


class LabelledBox(NamedTuple):
    """A die in a photograph: left, top, right, bottom in pixels, and its value 1 to 6, `OTHER` or `IGNORED`."""

    x0: float
    y0: float
    x1: float
    y1: float
    value: int


@dataclass(frozen=True)
class Photograph:
    """A photograph and what lies in it.

    Attributes:
        path: its file.
        folder: "train", "dice", "dice2" or "dice3".
        source: the repository that it comes from.
        group: groups weigh alike in training: a group of `train/`, or a source with its siblings there.
        licence: as its folder states it.
        values: of its pip dice, sorted, without ignored ones.
        boxes: its dice; empty where nobody drew them, though there are values.
        view: "overhead", "angled" or "other".
        kind: group of `train/`, else "".
    """

    path: Path
    folder: str
    source: str
    group: str
    licence: str
    values: tuple[int, ...]
    boxes: tuple[LabelledBox, ...]
    view: str
    kind: str = ""

    @property
    def may_train(self) -> bool:
        """Whether its licence allows to train networks on it and to pass them on."""
        return self.folder == "train" or self.source in TRAINING_LICENCES

    @property
    def has_other_dice(self) -> bool:
        """Whether dice without pips lie in it."""
        return self.kind in ("poly", "tower", "numeral")


def list_photographs(folder: Path) -> list[Photograph]:
    """List all photographs of a folder that has `train`, `dice`, `dice2` and `dice3`, in a fixed order.

    Raises:
        ValueError: a source, or a sibling of its pictures, would both train and judge.
    """
    photographs = [*_list_training(folder / "train"), *(one for name in JUDGED for one in _list_judged(folder / name))]
    training = {one.source for one in photographs if one.may_train}
    if both := sorted({one.source for one in photographs if not one.may_train} & training):
        raise ValueError(f"Of these sources some photographs train and others judge: {', '.join(both)}")
    return photographs


def format_attribution(photographs: Iterable[Photograph]) -> str:
    """Format the sources that trained the reader, with their licences, as CC BY 4.0 asks."""
    counts = Counter(
        (one.source, TRAINING_LICENCES.get(one.source, one.licence)) for one in photographs if one.may_train
    )
    lines = [
        f"- https://github.com/{source}: {count} photographs, {licence}"
        for (source, licence), count in sorted(counts.items())
    ]
    return _ATTRIBUTION + "\n".join(lines) + "\n"


def _read_rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _list_training(folder: Path) -> Iterator[Photograph]:
    labels = defaultdict(list)
    for row in _read_rows(folder / "labels.csv"):
        labels[row["file"]].append(row)
    for row in _read_rows(folder / "meta.csv"):
        boxes, values = [], []
        for die in labels[row["file"]]:
            named = {"other": OTHER, "ignore": IGNORED, "": IGNORED}
            value = named[die["value"]] if die["value"] in named else int(die["value"])
            values += [value] if value > 0 else []
            if die["w"]:
                x, y, w, h = (float(die[key]) for key in ("x", "y", "w", "h"))
                boxes.append(LabelledBox(x, y, x + w, y + h, value))
        if row["sibling_of"] and row["repo"] not in TRAINING_LICENCES:
            raise ValueError(f"{row['file']} trains, and its siblings judge: {row['sibling_of']}")
        group = row["repo"] if row["sibling_of"] else row["group"]
        yield Photograph(
            folder / row["file"], "train", row["repo"], group, row["licence"], tuple(sorted(values)), tuple(boxes),
            row["view"], row["group"],
        )  # fmt: skip


def _list_judged(folder: Path) -> Iterator[Photograph]:
    for row in _read_rows(folder / "labels.csv"):
        if row["file"] in _MISLABELLED:
            continue
        values = tuple(sorted(map(int, row["values"].split())))
        boxes = []
        for text in filter(None, row["boxes"].split(";")):
            x0, y0, x1, y1, value = map(float, text.split(","))
            boxes.append(LabelledBox(x0, y0, x1, y1, int(value)))
        whole = len(boxes) == len(values)
        yield Photograph(
            folder / row["file"], folder.name, row["source"], row["source"], row["licence"], values,
            tuple(boxes) if whole else (), row["view"],
        )  # fmt: skip
