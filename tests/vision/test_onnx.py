"""The packaged networks."""

from __future__ import annotations

import hashlib
import json
import re
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from train_dice.make import LEFT_OUT

from companion.vision.onnx import DamagedDataFile, load_net
from tests.conftest import REPOSITORY

PACKAGED = sorted(p.name for p in files("companion.vision").joinpath("models").iterdir() if p.name.endswith(".onnx"))


@pytest.mark.parametrize("name", PACKAGED)
def test_packaged_networks_are_small_and_load(name: str) -> None:
    assert len(files("companion.vision").joinpath("models", name).read_bytes()) < 1_000_000
    assert not load_net(name).empty()


def test_the_packaged_models_are_those_that_the_manifest_names() -> None:
    models = Path(str(files("companion.vision"))) / "models"
    manifest = json.loads((models / "dice_models.json").read_text(encoding="utf-8"))
    assert sorted(manifest["sha256"]) == sorted(
        path.name for path in models.glob("dice_*") if path.stem not in ("dice_models", "dice_attribution")
    )
    base = REPOSITORY / "tools/training/train_dice/base"
    left_out = {LEFT_OUT: manifest["decisions without a source"]}
    for folder, hashes in ((models, manifest["sha256"]), (base, manifest["base"]), (base.parent, left_out)):
        for name, expected in hashes.items():
            assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == expected, name


def test_the_sources_of_photographs_are_named_beside_the_networks() -> None:
    text = files("companion.vision").joinpath("models", "dice_attribution.txt").read_text(encoding="utf-8")
    for source in ("N3VERS4YDIE/dice-recognition", "Epanemu/GameDiceRecognition", "BaylorRice/DiceReader"):
        assert re.search(rf"github\.com/{source}: \d+ photographs, .*CC BY 4\.0", text), source


@pytest.mark.parametrize("batch", [1, 3])
def test_the_dice_reader_outputs_fifteen_numbers_for_each_crop_of_a_batch(batch: int) -> None:
    net = load_net("dice_reader.onnx")
    crops = np.random.default_rng(5).standard_normal((batch, 3, 64, 64)).astype(np.float32)
    net.setInput(crops)
    said = np.array(net.forward())
    assert said.shape == (batch, 15)
    net.setInput(crops[-1:])
    assert np.allclose(np.asarray(net.forward())[0], said[-1], atol=1e-3)


def test_missing_network_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DamagedDataFile, match=r"none.onnx is missing or damaged: install the companion again"):
        load_net(tmp_path / "none.onnx")


@pytest.mark.parametrize("kept_share", [0.0, 0.01, 0.5, 0.99])
@pytest.mark.parametrize("is_scrambled", [False, True])
def test_damaged_network_is_refused(tmp_path: Path, kept_share: float, is_scrambled: bool) -> None:
    data = files("companion.vision").joinpath("models", "dice_reader.onnx").read_bytes()
    torn = tmp_path / "torn.onnx"
    torn.write_bytes((b"not a network" if is_scrambled else b"") + data[: int(len(data) * kept_share)])
    with pytest.raises(DamagedDataFile, match=r"torn.onnx is missing or damaged"):
        load_net(torn)
