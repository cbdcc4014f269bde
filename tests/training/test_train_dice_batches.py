"""Batches and steps of the dice reader's training: the same from a seed, rightly answered. They need PyTorch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from train_dice.labels import CLEAR, IGNORED, SCENE_SIDE_PX
from train_dice.render import write_shard
from train_dice.samples import PATCH_SIDE_PX, SceneShards

from companion.vision.dice.crops import CROP_SIDE_EDGES, crop_face

torch = pytest.importorskip("torch", reason="tools/training/train_dice/requirements.txt is not installed")

# PyTorch's older exporter, whose files OpenCV's classic engine reads, warns of itself.
pytestmark = [pytest.mark.training, pytest.mark.filterwarnings("ignore::DeprecationWarning")]


@pytest.fixture
def shards(tmp_path: Path) -> SceneShards:
    rng = np.random.default_rng(0)
    images = rng.integers(0, 256, (4, SCENE_SIDE_PX, SCENE_SIDE_PX, 3), np.uint8)
    dice = [[200.0, 150.0, 30.0, 5, CLEAR, 0.1, 0.0], [90.0, 300.0, 24.0, 2, CLEAR, 0.1, 0.0]]
    write_shard(tmp_path, 0, [(image, dice, [(300.0, 300.0, 30.0)]) for image in images])
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


@pytest.mark.parametrize(("net", "threads"), [("finder", 1), ("reader", 1), ("reader", 2)])
def test_a_training_gives_the_same_network_again(
    shards: SceneShards, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, net: str, threads: int
) -> None:
    from train_dice import train

    assert len(shards) == 4
    files = []
    for jobs in ("1", "2"):
        out = tmp_path / f"{jobs}.pt"
        options = ["--out", str(out), "--steps", "3", "--jobs", jobs, "--threads", str(threads), "--seed", "5"]
        monkeypatch.setattr("sys.argv", ["train", net, str(tmp_path), *options])
        train.main()
        files.append(out.with_suffix(".onnx").read_bytes())
    torch.set_num_threads(1)
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


def make_crops(count: int) -> torch.Tensor:
    """Noise in planes of their own brightness and contrast."""
    crops = torch.randn(count, 3, 64, 64, generator=torch.Generator().manual_seed(3))
    of_planes = torch.tensor([-1.0, 0.0, 1.0])[:, None, None]
    return crops * (1 + 0.4 * of_planes) + of_planes


def test_half_of_the_crops_change_colours() -> None:
    from train_dice.batches import alter_colours

    crops = make_crops(200)
    altered = alter_colours(crops, 5)
    assert altered.shape == crops.shape
    assert torch.allclose(altered.mean((1, 2, 3)), crops.mean((1, 2, 3)), atol=1e-3)
    assert torch.allclose(altered.std((1, 2, 3)), crops.std((1, 2, 3)), rtol=2e-3)
    # Brightness, contrast and coarseness change, so the plane that is most like a new one is where it came from.
    likeness = torch.einsum("nihw,njhw->nij", *((one - one.mean((2, 3), keepdim=True)) for one in (altered, crops)))
    likeness /= crops.flatten(2).std(2)[:, None]
    order = likeness.argmax(2)
    assert set(map(tuple, order.sort(1).values.tolist())) == {(0, 1, 2)}
    moved = (order != torch.arange(3)).any(1).float().mean()
    assert 0.15 < float(moved) < 0.35  # half are tinted, 60 % of these shuffled; one order in six is the old one
    same = (altered - crops).abs().amax((1, 2, 3)) < 0.02
    assert 0.35 < float(same.float().mean()) < 0.5  # half are tinted, 12 % of the others made coarser


@pytest.mark.parametrize("spread", [60, 1])
def test_crops_are_normalised_as_the_companion_does(spread: int) -> None:
    from train_dice.batches import Batch, prepare_batch

    pixels = np.random.default_rng(0).integers(250 - spread, 250 + min(spread, 4), (6, 64, 64, 3)).astype(np.uint8)
    labels = np.zeros(6, np.int64), np.zeros(6, np.int64), np.zeros((6, 5), np.float32)
    made = prepare_batch(Batch(torch.from_numpy(pixels), labels, 0), torch.device("cpu"), altered=False)[0]
    for crop, image in zip(made.numpy(), pixels, strict=True):
        assert np.abs(crop - crop_face(image, 32, 32, 64 / CROP_SIDE_EDGES)).max() < 0.02


@pytest.mark.parametrize("shape", [(8, 3), (3, 8), (16, 144)])
def test_an_update_moves_as_far_in_every_direction(shape: tuple[int, int]) -> None:
    from train_dice.muon import orthogonalize

    matrix = torch.randn(*shape, generator=torch.Generator().manual_seed(1)) * 1e-3
    u, before, v = torch.linalg.svd(matrix, full_matrices=False)
    after = u.mT @ orthogonalize(matrix) @ v.mT
    assert float(before.max() / before.min()) > 1.5
    assert float((after - after.diag().diag()).abs().max()) < 1e-4
    assert float(after.diag().min()) > 0.65
    assert float(after.diag().max()) < 1.25


def test_hidden_convolutions_move_as_by_the_optimizer_of_pytorch() -> None:
    from train_dice.muon import Muon

    if not hasattr(torch.optim, "Muon"):
        pytest.skip("PyTorch before 2.9 has no Muon")
    random = torch.Generator().manual_seed(1)
    for shape in ((16, 2, 2, 1), (4, 3, 3, 3)):
        start = torch.randn(*shape, generator=random)
        weight, matrix = (torch.nn.Parameter(one.clone()) for one in (start, start.flatten(1)))
        own, theirs = Muon([weight], 0.05, weight_decay=0.5), torch.optim.Muon([matrix], 0.05, weight_decay=0.5)
        for _ in range(6):
            weight.grad = torch.randn(*shape, generator=random)
            matrix.grad = weight.grad.flatten(1)
            own.step()
            theirs.step()
        moved = float((weight.detach() - start).norm())
        assert moved > 0.5
        # PyTorch's own iteration is in bfloat16.
        assert float((weight.detach().flatten(1) - matrix.detach()).norm()) < 0.03 * moved


def test_each_weight_has_one_optimizer() -> None:
    from train_dice.nets import FinderNet, ReaderNet
    from train_dice.train import split_weights

    finder, reader = FinderNet(), ReaderNet()
    ends = [finder.stem[0][0], *(head[-1] for head in (finder.out4, finder.out8, finder.out16, finder.out32))]
    for net, first_and_last, inner in (
        (finder, ends, finder.down8[0][0]),
        (reader, [reader.look[0][0], reader.say[0], reader.say[3]], reader.look[1][0]),
    ):
        hidden, others = ({id(weight) for weight in weights} for weights in split_weights(net))
        assert hidden | others == {id(weight) for weight in net.parameters()}
        assert not hidden & others
        assert id(inner.weight) in hidden
        assert all(id(part.weight) in others for part in first_and_last)


def test_a_reader_is_trained_on_from_its_onnx_file(
    shards: SceneShards, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from train_dice import train
    from train_dice.nets import ReaderNet, export_onnx, load_reader

    torch.manual_seed(0)
    net, crops = ReaderNet().eval(), torch.rand(3, 3, 64, 64)
    for part in net.modules():
        if isinstance(part, torch.nn.BatchNorm2d):
            part.running_mean.uniform_(-0.2, 0.2)
            part.running_var.uniform_(0.5, 2.0)
    export_onnx(net, crops, tmp_path / "base.onnx", ["said"], False)
    loaded = load_reader(tmp_path / "base.onnx").eval()
    assert torch.allclose(loaded(crops), net(crops), atol=1e-4)
    options = ["--start", str(tmp_path / "base.onnx"), "--steps", "2", "--batch", "8", "--rate", "1e-4"]
    monkeypatch.setattr("sys.argv", ["train", "reader", str(tmp_path), "--out", str(tmp_path / "on.pt"), *options])
    train.main()
    trained = load_reader(tmp_path / "on.onnx").eval()
    off = float((trained(crops) - loaded(crops)).detach().abs().max())
    assert 0 < off < 0.5


def test_photographs_are_varied_and_rendered_scenes_are_not(tmp_path: Path) -> None:
    from train_dice.batches import Batches

    image = np.full((SCENE_SIDE_PX, SCENE_SIDE_PX, 3), 90, np.uint8)
    dice = [[224.0, 224.0, 60.0, 5, CLEAR, 0.1, 0.0]]
    for name, photographs in (("photographs", True), ("rendered", False)):
        (tmp_path / name).mkdir()
        write_shard(tmp_path / name, 0, [(image, dice, [])] * 6, photographs=photographs)
        batches = Batches(SceneShards({tmp_path / name: 1.0}), np.arange(6), finder=False, size=40, count=1, seed=1)
        assert (int(batches[0].pixels.float().std()) > 4) == photographs, name


def test_the_averaged_reader_is_the_weighted_mean_of_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from train_dice import average_weights
    from train_dice.nets import ReaderNet, export_onnx, load_reader

    files = [tmp_path / f"{name}.onnx" for name in ("base", "trained", "mixed")]
    for file in files[:2]:
        export_onnx(ReaderNet(normalised=False), torch.rand(2, 3, 64, 64), file, ["said"], sides_vary=False)
    monkeypatch.setattr("sys.argv", ["average_weights", *map(str, files)])
    average_weights.main()
    for base, trained, mixed in zip(*(load_reader(file).parameters() for file in files), strict=True):
        assert torch.allclose(mixed, base.lerp(trained, average_weights._TRAINED_SHARE), atol=1e-6)
        assert not torch.equal(base, trained)
