"""What the throws of a dice test say about the die, in plain words; and all throws as CSV."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.commands.dice_test.throws import CountedThrow, ThrowCounter
from companion.dice_statistics import (
    READER_DICE,
    READER_WRONG_DICE,
    SMALLEST_PROBABILITY,
    bound_misread,
    compute_evenness,
    compute_face_shares,
    compute_pearson,
    compute_wilson,
    shift_counts,
)
from companion.system.atomic_file import write_atomic

CSV_COLUMNS = ("throw", "face", "how", "read", "confidence")
UNFAIR_P, DOUBTFUL_P = 0.01, 0.05
"""A die is called unfair if a fair one is as uneven in less than one of 100 tests, and doubtful in less than five."""
MIN_THROWS_PER_FACE = 5
"""With fewer throws for each face than this a test finds only the grossest faults, so no verdict is given."""


@dataclass(frozen=True, slots=True)
class DiceVerdict:
    """What a test says about a die.

    Attributes:
        p: probability that a fair die's throws are as uneven as these or more uneven.
        fairest_p: the same if the camera had misread as many throws as it may, and so made the die look worse.
        unfairest_p: the same if it had made the die look better.
        misread: number of throws that it may have misread, see `bound_misread`.
        text: in one or two sentences.
    """

    p: float
    fairest_p: float
    unfairest_p: float
    misread: int
    text: str


def judge(counts: Sequence[int], read: int) -> DiceVerdict:
    """Judge a die by its throws.

    Args:
        counts: number of throws that showed each face.
        read: number of throws that the camera read and that nobody was asked about.

    Raises:
        ValueError: these are no counts, see `check_counts`.
    """
    misread = bound_misread(read)
    p = compute_evenness(counts)[0]
    fairest = compute_evenness(shift_counts(counts, misread, evenly=True))[0]
    unfairest = compute_evenness(shift_counts(counts, misread, evenly=False))[0]
    most, least = max(counts), min(counts)
    if sum(counts) < MIN_THROWS_PER_FACE * len(counts):
        text = f"Too early to tell: throw it {MIN_THROWS_PER_FACE * len(counts)} times at least, better 200 times."
    elif p < UNFAIR_P:
        often = _join_faces(counts, most)
        text = f"This die is not fair: it shows {often} too often, or the others too seldom."
        if fairest >= UNFAIR_P:
            text = (
                f"This die is probably not fair: it shows {often} too often, or the others too seldom. But throws that "
                f"the camera misread could be the reason: test it again and enter the faces (--table keyboard)."
            )
    elif p < DOUBTFUL_P:
        text = (
            f"In doubt: {_join_faces(counts, most)} came often and {_join_faces(counts, least)} seldom, as in one test "
            f"of a fair die in {round(1 / p)}. Test it again; only a second suspicious test says something."
        )
    else:
        text = "Nothing speaks against this die."
        if unfairest < UNFAIR_P:
            text += " An unfair die could hide behind misread throws, but only if they all helped it."
    return DiceVerdict(p, fairest, unfairest, misread, text)


def _join_faces(counts: Sequence[int], count: int) -> str:
    return " and ".join(str(face) for face, found in enumerate(counts, 1) if found == count)


def format_report(counter: ThrowCounter, true_faces: Sequence[int] | None = None) -> str:
    """Return the result of a test as lines of text.

    Args:
        counter: with at least one throw.
        true_faces: of a simulated table: the faces that really lay on top, for each throw; None: nobody knows.

    Raises:
        ValueError: there are no throws.
    """
    counts, n = counter.counts, len(counter.throws)
    read = [throw for throw in counter.throws if not throw.is_entered]
    verdict = judge(counts, len(read))
    head = f"{_count(n, 'throw')}: {len(read)} read by the camera, {n - len(read)} entered"
    lines = ["", head + (f"; {len(counter.left_out)} left out." if counter.left_out else "."), ""]
    lines.append("face  throws  fair die  share  95 % interval of its probability")
    for face, (count, share) in enumerate(zip(counts, compute_face_shares(counts), strict=True), 1):
        interval = f"{100 * share.low:.1f} to {100 * share.high:.1f} %"
        lines.append(f"{face:4}  {count:6}  {n / len(counts):8.1f}  {100 * share.value:4.1f} %  {interval}")
    lines += [
        "",
        verdict.text,
        f"Goodness of fit: chi-squared {compute_pearson(counts):.2f} with {len(counts) - 1} degrees of freedom, "
        f"p = {format_p(verdict.p)} (exact, so without an error of its own): of 100 tests of a fair die "
        f"{_format_tests(verdict.p)} at least as uneven.",
        f"The intervals (Goodman) hold all at once with 95 %; a fair die has {100 / len(counts):.1f} %.",
    ]
    if read:
        lines += _describe_reader(verdict, len(read))
    if true_faces is not None:
        wrong = sum(
            throw.face != face for throw, face in zip(counter.throws, true_faces, strict=True) if not throw.is_entered
        )
        lines.append(f"The simulated table knows its die: of the {len(read)} readings {wrong} were wrong.")
    return "\n".join(lines)


def _describe_reader(verdict: DiceVerdict, read: int) -> list[str]:
    error = compute_wilson(READER_WRONG_DICE, READER_DICE)
    figure = (
        f"The camera's own error: of {READER_DICE} dice that it was sure of, it misread {READER_WRONG_DICE} "
        f"({100 * error.value:.1f} %, interval {100 * error.low:.1f} to {100 * error.high:.1f} %; "
        f"docs/measurements.md, other dice than yours)."
    )
    if not verdict.misread:
        return [figure]
    return [
        figure,
        f"Of these {read} throws it may have misread up to {verdict.misread}. Had all of them misled the test in one "
        f"way, p would be {format_p(verdict.unfairest_p)} or {format_p(verdict.fairest_p)}.",
    ]


def format_p(p: float) -> str:
    """Return a probability for people.

    >>> format_p(0.382), format_p(0.0123), format_p(0.00001), format_p(0.0)
    ('0.38', '0.012', '0.00001', 'less than 0.0000001')
    """
    if p < SMALLEST_PROBABILITY:
        return f"less than {SMALLEST_PROBABILITY:.7f}"
    return (
        f"{p:.2f}" if p >= 0.095 else f"{p:.3f}" if p >= 0.0095 else f"{p:.1g}" if p >= 1e-4 else f"{p:.7f}".rstrip("0")
    )


def _format_tests(p: float) -> str:
    percent = 100 * p
    if percent < 0.95:
        return "less than 1 is"
    return "1 is" if round(percent) == 1 else f"{round(percent)} are"


def _count(n: int, word: str) -> str:
    return f"{n} {word}" if n == 1 else f"{n} {word}s"


def write_csv(counter: ThrowCounter, path: Path) -> None:
    """Write the throws as CSV: a line of CSV_COLUMNS, then one line per throw, in order; those left out follow.

    `how` is "camera", "entered" (also if the camera was asked first) or "left out"; `read` is what the camera read,
    several dice with spaces between them.

    Args:
        counter: the throws so far.
        path: the file; one that is there is overwritten.

    Raises:
        OSError: it cannot be written.
    """
    file = io.StringIO()
    out = csv.writer(file, lineterminator="\n")
    out.writerow(CSV_COLUMNS)
    for number, throw in enumerate(counter.throws, 1):
        out.writerow([number, throw.face, "entered" if throw.is_entered else "camera", *_list_reading(throw)])
    out.writerows(["", "", "left out", *_list_reading(throw)] for throw in counter.left_out)
    write_atomic(path, file.getvalue().encode())


def _list_reading(throw: CountedThrow) -> tuple[str, str]:
    if throw.reading is None:
        return "", ""
    return " ".join(map(str, throw.reading.values)), f"{throw.reading.confidence:.4f}"
