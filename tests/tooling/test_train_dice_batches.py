"""Batches for training the dice reader: the same from a seed, rightly answered. They need PyTorch."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from train_dice.samples import PATCH_SIDE_PX, SceneShards
from train_dice.scenes import CLEAR, IGNORED, SCENE_SIDE_PX

torch = pytest.importorskip("torch", reason="tools/train_dice/requirements.txt is not installed")


@pytest.fixture
def shards(tmp_path: Path) -> SceneShards:
    rng = np.random.default_rng(0)
    images = rng.integers(0, 256, (4, SCENE_SIDE_PX, SCENE_SIDE_PX, 3), np.uint8)
    files = [cv2.imencode(".jpg", image)[1].tobytes() for image in images]
    (tmp_path / "000000.jpegs").write_bytes(b"".join(files))
    dice = [[200.0, 150.0, 30.0, 5, CLEAR, 0.1, 0.0], [90.0, 300.0, 24.0, 2, CLEAR, 0.1, 0.0]]
    notes = [{"dice": dice, "decoys": [[300, 300, 30]], "bytes": len(file)} for file in files]
    (tmp_path / "000000.json").write_text(json.dumps(notes))
    return SceneShards({tmp_path: 1.0})


@pytest.mark.parametrize("finder", [True, False])
def test_a_batch_is_its_seed_and_its_number(shards: SceneShards, finder: bool) -> None:
    from train_dice.batches import Batches, prepare_batch

    batches = Batches(shards, np.arange(4), finder=finder, size=20, count=3, seed=7)
    one, again, other = (prepare_batch(batches[step], torch.device("cpu")) for step in (0, 0, 1))
    assert torch.equal(one[0], again[0])
    assert all(torch.equal(a, b) for a, b in zip(one[1], again[1], strict=True))
    assert not torch.equal(one[0], other[0])
    assert len(one[0]) == 20
    elsewhere = Batches(shards, np.arange(4), finder=finder, size=20, count=3, seed=8)
    assert not torch.equal(prepare_batch(elsewhere[0], torch.device("cpu"))[0], one[0])
    for jobs in (1, 2):
        made = [pixels for pixels, _ in batches.iterate(torch.device("cpu"), jobs)]
        assert torch.equal(made[0], one[0])
        assert torch.equal(made[1], other[0])


@pytest.mark.parametrize("net", ["finder", "reader"])
def test_a_training_gives_the_same_network_again(
    shards: SceneShards, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, net: str
) -> None:
    from train_dice import train

    assert len(shards) == 4
    files = []
    for jobs in ("1", "2"):
        out = tmp_path / f"{jobs}.pt"
        options = ["--out", str(out), "--steps", "3", "--jobs", jobs, "--seed", "5"]
        monkeypatch.setattr("sys.argv", ["train", net, str(tmp_path), *options])
        train.main()
        files.append(out.with_suffix(".onnx").read_bytes())
    assert files[0] == files[1]


def test_targets_mark_each_die_in_the_map_of_its_size() -> None:
    from train_dice.batches import make_targets

    dice = torch.tensor([[[50.0, 60.0, 20.0, CLEAR], [150.0, 62.0, 9.0, CLEAR], [0.0, 0.0, 0.0, IGNORED]]])
    heat, log_edge, right, down, weight, near = make_targets(dice, 1)[0]  # of stride 8, for edges of 16 to 36 pixels
    assert heat.shape == (PATCH_SIDE_PX // 8, PATCH_SIDE_PX // 8)
    assert (heat == 1).nonzero().tolist() == [[7, 6]]
    assert float(log_edge[7, 6]) == pytest.approx(np.log(20 / 32))
    assert ((6 + 0.5 + float(right[7, 6])) * 8, (7 + 0.5 + float(down[7, 6])) * 8) == pytest.approx((50, 60))
    assert int(near.sum()) == 9
    assert float(weight.min()) == 1  # the small one is too small for this map to be asked about it
    assert (make_targets(dice, 0)[0, 0] == 1).nonzero().tolist() == [[15, 37]]


def test_no_answer_is_wanted_where_a_die_does_not_count() -> None:
    from train_dice.batches import make_targets

    heat, *_, weight, near = make_targets(torch.tensor([[[50.0, 60.0, 20.0, IGNORED]]]), 1)[0]
    assert float(heat.max()) == 0
    assert float(near.max()) == 0
    assert float(weight[7, 6]) == 0
    assert float(weight[20, 20]) == 1


def test_crops_in_other_colours_keep_their_mean_and_contrast() -> None:
    from train_dice.batches import alter_colours

    crops = torch.randn(60, 3, 64, 64, generator=torch.Generator().manual_seed(3)) * 0.8 + 0.2
    altered = alter_colours(crops, 5)
    assert altered.shape == crops.shape
    assert torch.allclose(altered.mean((1, 2, 3)), crops.mean((1, 2, 3)), atol=1e-3)
    assert torch.allclose(altered.std((1, 2, 3)), crops.std((1, 2, 3)), rtol=0.01)
    assert 10 < int(((altered - crops).abs().amax((1, 2, 3)) > 0.1).sum()) < 60
