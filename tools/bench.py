"""Accuracy and speed of the vision on the pictures in ../shared, beside the usual method; printed as two tables.

The usual method is shared's blob_baseline.py. A network of the size of YOLOv5n (1.9 million weights, 4.5 GFLOP at
640x640, here with random weights) says what a general detector would cost on this machine, in one thread.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"
SCORE = SHARED / "score" / "score_see.py"
BLOBS = SHARED / "score" / "blob_baseline.py"
SEE = ("-m", "companion", "see", "--json")
SIDE = 640
# Output channels and stride of its 3x3 convolutions: weights and work add up to YOLOv5n's.
LAYERS = (
    (16, 2),
    (32, 2),
    (32, 1),
    (64, 2),
    (64, 1),
    (64, 1),
    (128, 2),
    (128, 1),
    (128, 1),
    (256, 2),
    (256, 1),
    (256, 1),
)


def run(*arguments: str | Path) -> str:
    """What that Python program prints; one that prints nothing has failed and said why on stderr."""
    done = subprocess.run([sys.executable, *arguments], stdout=subprocess.PIPE, text=True, check=False)
    if not done.stdout:
        sys.exit(f"{' '.join(map(str, arguments[:4]))}: no answer, see above")
    return done.stdout


def score(kind: str, pairs: Iterable[tuple[Path, str]]) -> dict[str, Any]:
    """The figures of score_see.py for (truth, JSON lines) pairs."""
    with tempfile.TemporaryDirectory() as folder:
        arguments: list[str | Path] = []
        for number, (truth, seen) in enumerate(pairs):
            file = Path(folder, f"{number}.jsonl")
            file.write_text(seen, encoding="utf-8")
            arguments += [truth, file]
        scored: dict[str, Any] = json.loads(run(SCORE, kind, *arguments))
    return scored


def photo_rows(pictures: Sequence[Path], labels: Path) -> list[tuple[str, ...]]:
    """The table of the photographs: what, ours, the usual method's."""
    both = [score("photos", [(labels, run(*how, *pictures))]) for how in (SEE, (BLOBS,))]
    keys = {
        "all values right": "acted_right",
        "a value wrong": "acted_wrong",
        "asks the table": "abstained",
        "per-die recall": "die_recall",
    }
    rows = [(words, *(percent(figures[key]) for figures in both)) for words, key in keys.items()]
    return [*rows, ("ms a picture", *(f"{figures['ms_median']:.0f}" for figures in both))]


def sitting_rows(folders: Sequence[Path]) -> list[tuple[str, ...]]:
    """The table of the sittings; the usual method reads no lid."""
    ours = score("sitting", [(folder / "truth.json", run(*SEE, "--sitting", folder)) for folder in folders])
    blobs = score("sitting", [(f / "truth.json", run(BLOBS, *sorted(f.glob("*.jpg")))) for f in folders])
    rows: list[tuple[str, ...]] = [
        ("windows right", percent(ours["windows"].get("right", 0)), "-"),
        ("numbers right", percent(ours["numbers"].get("right", 0)), "-"),
        ("whole lids right", percent(ours["frames"].get("lid exact", 0)), "-"),
    ]
    for words, key in (("dice right", "right"), ("dice wrong", "wrong"), ("dice: asks the table", "abstained")):
        rows.append((words, *(percent(figures["dice"].get(key, 0)) for figures in (ours, blobs))))
    rows.append(("acts on what is not at rest", *(str(rash(figures)) for figures in (ours, blobs))))
    return [*rows, ("ms a frame", *(f"{figures['ms_median']:.0f}" for figures in (ours, blobs)))]


def rash(figures: dict[str, Any]) -> int:
    """Frames in which it acted on rolling, cocked, hidden or no dice."""
    return sum(count for words, count in figures["should_keep_quiet"].items() if words.endswith(": acted"))


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def table(title: str, rows: Iterable[tuple[str, ...]]) -> None:
    print(f"{title:32}{'companion':>12}{'blobs':>12}")
    for words, ours, blobs in rows:
        print(f"  {words:30}{ours:>12}{blobs:>12}")
    print(flush=True)


def field(number: int, value: int | bytes | str) -> bytes:
    """One field of a protocol buffer (protobuf.dev, "Encoding"): a number or length-delimited bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def float_tensor(name: str, shape: Iterable[int]) -> bytes:
    """A ValueInfoProto."""
    dims = b"".join(field(1, field(1, size)) for size in shape)
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, dims)))


def nano_network(rng: np.random.Generator) -> bytes:
    """An ONNX file (onnx.proto3, opset 13) of `LAYERS`, each with a ReLU, on a 1x3xSIDExSIDE picture."""
    nodes, weights, channels, last = b"", b"", 3, "x"
    for number, (wanted, stride) in enumerate(LAYERS):
        values = rng.normal(0, (2 / (9 * channels)) ** 0.5, (wanted, channels, 3, 3)).astype(np.float32)
        dims = b"".join(field(1, size) for size in values.shape)
        weights += field(5, dims + field(2, 1) + field(8, f"w{number}") + field(9, values.tobytes()))
        attributes = b"".join(
            field(5, field(1, name) + b"".join(field(8, one) for one in ints) + field(20, 7))
            for name, ints in (("kernel_shape", (3, 3)), ("strides", (stride, stride)), ("pads", (1, 1, 1, 1)))
        )
        names = field(1, last) + field(1, f"w{number}") + field(2, f"c{number}")
        nodes += field(1, names + field(4, "Conv") + attributes)
        nodes += field(1, field(1, f"c{number}") + field(2, f"r{number}") + field(4, "Relu"))
        channels, last = wanted, f"r{number}"
    small = SIDE // 2 ** sum(stride == 2 for _, stride in LAYERS)
    source = field(11, float_tensor("x", (1, 3, SIDE, SIDE)))
    target = field(12, float_tensor(last, (1, channels, small, small)))
    graph = nodes + field(2, "nano") + weights + source + target
    return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 13))


def nano_ms(rounds: int = 9) -> float:
    """Median time of one picture through the network, in milliseconds, one thread."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(1)
    net = cv2.dnn.readNetFromONNX(np.frombuffer(nano_network(rng), np.uint8))
    picture = rng.random((1, 3, SIDE, SIDE), dtype=np.float32)
    took = []
    for _ in range(rounds):
        start = time.perf_counter()
        net.setInput(picture)
        net.forward()
        took.append((time.perf_counter() - start) * 1000)
    return statistics.median(took)


def main() -> int:
    pictures = sorted((SHARED / "photos" / "dice").glob("*.jpg"))
    folders = sorted((SHARED / "sittings").glob("s*"))
    if pictures and folders:
        table(f"{len(pictures)} photographs", photo_rows(pictures, SHARED / "photos" / "dice" / "labels.csv"))
        table(f"{len(folders)} sittings", sitting_rows(folders))
    else:
        print(f"Skipped: no pictures in {SHARED}.\n")
    print(f"A random network of YOLOv5n's size takes {nano_ms():.0f} ms a picture here, in one thread.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
