"""Measure the strength of the tests: change one place of the code at a time and see whether a test fails.

`python tools/mutants.py --places 300 --seed 1` first runs the tests of each package once, to learn which test reaches
which line. Then it draws places at random, of each package as many as of the others, makes one change at each (a
comparison, `and`/`or`, a sign, `not`, a number, True/False), and runs the tests of that package which reach the line,
the quickest first, until one fails; then those of the package that is built on it (BUILT_ON). It prints the changes
that no test noticed. See docs/measurements.md for the last figures.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue

from code_changes import Place, list_places

REPOSITORY = Path(__file__).resolve().parent.parent
WORK_FOLDER = REPOSITORY / "build" / "mutants"
PACKAGES = {
    **{
        f"companion/{name}": f"tests/{name}"
        for name in (
            *("api", "app", "camera", "club", "commands", "config", "display", "film", "games", "journal", "lobby"),
            *("porch", "referee", "simulation", "system", "vision"),
        )
    },
    **{
        f"companion/{n}.py": f"tests/test_{n}.py"
        for n in ("backoff", "catalogues", "file_reader", "i18n", "names", "po_file")
    },
    "companion/cli.py": "tests/commands",
    "companion/validation_messages.py": "tests/config",
    "companion/dice_statistics.py": "tests/test_dice_statistics.py",
    "companion/evening.py": "tests/journal",
    "companion/gallery": "tests/display",
    "companion/web_server": "tests/porch",
    **{f"hardware/{n}.py": f"tests/hardware/test_{n}.py" for n in ("console_screen", "edid", "power")},
    **{
        f"hardware/{name}": f"tests/hardware/{name}"
        for name in ("buttons/controllers", "buttons/gpio", "buttons/usb_box", "buttons", "cameras")
    },
}
"""The packages and modules that are changed, each with its tests; one within another comes before it."""
BUILT_ON = {"companion/api": "companion/games", "companion/referee": "companion/games"}
"""Packages that the tests of another hold too: most of what a game needs of them is tested with a game."""
MAX_TESTS_ABOVE = 100
"""Most tests of the package above that one change is tried with, the quickest."""
MAX_OTHER_TESTS = 100
"""Most tests of the package, the quickest, that a change of a constant or a default is tried with beside those that run
its module: other modules import a constant, and a dataclass is made without a line of its own."""
TIMEOUT_SECONDS = 60.0
"""Least time limit for the tests of one change; a change that makes them hang counts as noticed."""
TIMEOUT_FACTOR = 10.0
"""Time limit divided by the time that the same tests take without the change."""
LAYERS = "not proof and not real and not appliance"
"""The tests that count, in place of the choice of pyproject.toml, which leaves out `full` ones: see `pytest -m`."""
CHUNK_TESTS = 200
"""Number of tests passed to one run of pytest; the larger, the longer its command line and the fewer the starts."""


def find_package(path: str) -> str | None:
    """Return the package of PACKAGES that a file belongs to; None: it is in none.

    >>> find_package("hardware/buttons/gpio/driver.py"), find_package("hardware/buttons/source.py")
    ('hardware/buttons/gpio', 'hardware/buttons')
    """
    return next((package for package in PACKAGES if path == package or path.startswith(f"{package}/")), None)


def list_modules(package: Path) -> list[Path]:
    """Return the modules of a package, sorted; a module's only one is itself."""
    return sorted(package.rglob("*.py")) if package.is_dir() else [package]


def draw_places(places: Iterable[Place], count: int, seed: int) -> list[Place]:
    """Draw places at random, of each package as many as of the others: a small one is not left to chance.

    Args:
        places: all that may be changed.
        count: how many are drawn; fewer if there are fewer.
        seed: chooses them.
    """
    rng = random.Random(seed)
    of_packages: defaultdict[str | None, list[Place]] = defaultdict(list)
    for place in places:
        of_packages[find_package(place.path)].append(place)
    for each in of_packages.values():
        rng.shuffle(each)
    turns = [[each[turn] for each in of_packages.values() if turn < len(each)] for turn in range(count)]
    for turn in turns:
        rng.shuffle(turn)  # so that the rest of the last turn goes to any of them
    return [place for turn in turns for place in turn][:count]


class Copy:
    """A copy of the working tree in which one change at a time is made.

    Args:
        folder: folder of the copy; it is replaced.
    """

    def __init__(self, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        names = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=REPOSITORY, capture_output=True, check=True, text=True,
        ).stdout.split("\0")  # fmt: skip
        for name in filter(None, names):
            if (REPOSITORY / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(REPOSITORY / name, folder / name)
        for name in ("companion/locale",):  # compiled catalogues, if they are not tracked
            for path in (REPOSITORY / name).rglob("*.mo"):
                target = folder / path.relative_to(REPOSITORY)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, target)
        shared = folder.parent / "shared"
        if not shared.exists() and (REPOSITORY.parent / "shared").exists():
            shared.symlink_to((REPOSITORY.parent / "shared").resolve())
        self.folder = folder

    def run_pytest(self, arguments: Sequence[str], timeout: float | None = None) -> subprocess.CompletedProcess[str]:
        """Run pytest in the copy.

        Raises:
            subprocess.TimeoutExpired: It took longer than `timeout` seconds.
        """
        paths = os.pathsep.join([str(self.folder), str(self.folder / "tools")])
        with subprocess.Popen(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly",
             "-m", LAYERS, *arguments],
            cwd=self.folder, env={**os.environ, "PYTHONPATH": paths}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        ) as process:  # fmt: skip
            try:
                output, _ = process.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                process.communicate()
                raise
        return subprocess.CompletedProcess(process.args, process.returncode, output)

    def try_change(self, place: Place, tests: Sequence[str], seconds: float) -> str | None:
        """Make a change, run tests, and undo the change.

        Args:
            place: the change.
            tests: ids of the tests to run, in this order, until one fails.
            seconds: the time that they take without the change.

        Returns:
            The line that says which test failed, "timeout", or None if no test noticed the change.
        """
        path = self.folder / place.path
        original = path.read_bytes()
        # In parentheses, so that the change keeps its place among the operators around it.
        path.write_bytes(original[: place.start] + f"({place.after})".encode() + original[place.stop :])
        try:
            for k in range(0, len(tests), CHUNK_TESTS):
                self._forget_bytecode(path)
                limit = max(TIMEOUT_SECONDS, TIMEOUT_FACTOR * seconds)
                result = self.run_pytest(["-x", "--no-header", *tests[k : k + CHUNK_TESTS]], timeout=limit)
                if result.returncode not in (0, 5):
                    failed = [line for line in result.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
                    return failed[0] if failed else f"pytest ended with {result.returncode}"
        except subprocess.TimeoutExpired:
            return "timeout"
        finally:
            path.write_bytes(original)
            self._forget_bytecode(path)
        return None

    @staticmethod
    def _forget_bytecode(path: Path) -> None:
        for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
            compiled.unlink()


@dataclass(frozen=True, slots=True)
class Reach:
    """Which tests reach which lines."""

    tests: dict[str, dict[int, list[str]]]
    """Ids of tests by path and line."""
    seconds: dict[str, float]
    """Duration of each test."""

    def find_tests(self, place: Place) -> list[str]:
        """Return the tests that reach a place, the quickest first; for a line run at import, those of the module.

        Behind those of the module are the quickest others of the package; where there are none, all of the package.
        """
        lines = self.tests.get(place.path, {})
        # Python folds a constant of several lines into one: its first line stands for the others.
        tests = lines.get(max((line for line in lines if line <= place.line), default=0), [])
        others: list[str] = []
        if not tests or tests == [""]:
            tests = sorted({test for line in lines.values() for test in line})
            others = self._sort_by_seconds(set(self.seconds).difference(tests))[:MAX_OTHER_TESTS]
        chosen = [test for test in tests if test]
        return self._sort_by_seconds(chosen) + others if chosen else self._sort_by_seconds(self.seconds)

    def _sort_by_seconds(self, tests: Iterable[str]) -> list[str]:
        return sorted(tests, key=lambda test: (self.seconds.get(test, 1.0), test))


def measure_reach(package: str, folder: Path) -> Reach:
    """Run the tests of a package once and note which test reaches which line of it, and of what it is built on.

    A test that fails without any change is named and left out.

    Raises:
        SystemExit: The tests cannot be run.
    """
    own = str(Path(package).parent) if package.endswith(".py") else package  # coverage takes no single file
    sources = [own, *(below for below, above in BUILT_ON.items() if above == package)]
    tree = Copy(folder)
    config = folder / "mutants.coveragerc"
    config.write_text(f"[run]\nsource = {','.join(sources)}\ndata_file = {folder}/mutants.coverage\n")
    result = tree.run_pytest(
        [PACKAGES[package], *(f"--cov={source}" for source in sources), "--cov-config", str(config),
         "--cov-context=test", "--cov-report=", "--durations=0", "-vv"]
    )  # fmt: skip
    if result.returncode not in (0, 1, 5):
        raise SystemExit(f"The tests of {package} cannot be run:\n{result.stdout[-3000:]}")
    failed = set(re.findall(r"^(?:FAILED|ERROR) (\S+::.+?)(?: - .*)?$", result.stdout, re.MULTILINE))
    for test in sorted(failed):
        print(f"fails without any change, left out: {test}", flush=True)
    seconds: defaultdict[str, float] = defaultdict(float)
    for duration, test in re.findall(r"^([\d.]+)s (?:call|setup|teardown) +(\S.*)$", result.stdout, re.MULTILINE):
        if test not in failed:
            seconds[test] += float(duration)
    import coverage

    data = coverage.CoverageData(f"{folder}/mutants.coverage")
    data.read()
    reached: dict[str, dict[int, list[str]]] = {}
    for name in data.measured_files():
        path = Path(name).relative_to(folder).as_posix()
        reached[path] = {
            line: sorted({context.rpartition("|")[0] for context in contexts} - failed)
            for line, contexts in data.contexts_by_lineno(name).items()
        }
    return Reach(reached, dict(seconds))


def load_reach(packages: Sequence[str], jobs: int) -> dict[str, Reach]:
    """Measure the reach of the packages' tests, or load it if no file of the repository has changed since."""
    state = (
        subprocess.run(
            ["git", "stash", "create"], cwd=REPOSITORY, capture_output=True, text=True, check=True
        ).stdout.strip()
        or "HEAD"
    )
    tree = subprocess.run(
        ["git", "rev-parse", f"{state}^{{tree}}"], cwd=REPOSITORY, capture_output=True, text=True, check=True
    ).stdout.strip()

    def load(package: str) -> Reach:
        stored = WORK_FOLDER / f"reach-{package.replace('/', '-')}.json"
        if stored.exists():
            data = json.loads(stored.read_text())
            if data.pop("tree") == tree:
                files = {path: {int(k): v for k, v in lines.items()} for path, lines in data["tests"].items()}
                return Reach(files, data["seconds"])
        print(f"Running the tests of {package} once ...", flush=True)
        reach = measure_reach(package, WORK_FOLDER / f"reach-{package.replace('/', '-')}")
        stored.write_text(json.dumps({"tree": tree, **asdict(reach)}))
        return reach

    WORK_FOLDER.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(jobs) as pool:
        return dict(zip(packages, pool.map(load, packages), strict=True))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool; returns 1 if fewer than `--least` percent of the changes were noticed."""
    parser = argparse.ArgumentParser(description="Change one place at a time and see whether a test fails.")
    parser.add_argument("--places", type=int, default=300, help="number of random changes (default 300)")
    parser.add_argument("--seed", type=int, default=1, help="seed that chooses the changes (default 1)")
    parser.add_argument("--packages", nargs="+", choices=PACKAGES, default=list(PACKAGES), help="default: all")
    parser.add_argument("--only", default="", help="only changes whose description contains this text")
    parser.add_argument("--jobs", type=int, default=2, help="changes tried at the same time (default 2)")
    parser.add_argument("--least", type=float, default=0.0, help="percentage that must be noticed")
    parser.add_argument("--json", type=Path, help="also write the results to this file")
    options = parser.parse_args(argv)
    places = [
        place
        for package in options.packages
        for path in list_modules(REPOSITORY / package)
        if find_package(path.relative_to(REPOSITORY).as_posix()) == package
        for place in list_places(path, REPOSITORY)
        if options.only in place.describe()
    ]
    chosen = draw_places(places, options.places, options.seed)
    above = {BUILT_ON[package] for package in options.packages if package in BUILT_ON}
    reach = load_reach(sorted({*options.packages, *above}), options.jobs)
    copies: SimpleQueue[Copy] = SimpleQueue()
    for k in range(options.jobs):
        copies.put(Copy(WORK_FOLDER / f"copy-{k}"))

    def try_place(place: Place) -> str | None:
        package = find_package(place.path)
        assert package is not None
        rounds = [(reach[package], reach[package].find_tests(place))]
        if above := BUILT_ON.get(package):
            rounds.append((reach[above], reach[above].find_tests(place)[:MAX_TESTS_ABOVE]))
        tree = copies.get()
        try:
            noticed = (
                tree.try_change(place, tests, sum(one.seconds.get(test, 1.0) for test in tests))
                for one, tests in rounds
            )
            return next(filter(None, noticed), None)
        finally:
            copies.put(tree)

    started = time.monotonic()
    with ThreadPoolExecutor(options.jobs) as pool:
        results = []
        for place, noticed in zip(chosen, pool.map(try_place, chosen), strict=True):
            results.append((place, noticed))
            if noticed is None:
                print(f"not noticed: {place.describe()}", flush=True)
    killed = sum(noticed is not None for _, noticed in results)
    share = 100.0 * killed / max(1, len(results))
    print(
        f"{killed} of {len(results)} changes noticed ({share:.1f} %), of {len(places)} possible ones, "
        f"seed {options.seed}, {time.monotonic() - started:.0f} s"
    )
    for package in options.packages:
        own = [noticed is not None for place, noticed in results if find_package(place.path) == package]
        print(f"  {package}: {sum(own)} of {len(own)}")
    if options.json:
        options.json.write_text(json.dumps([{**asdict(place), "noticed": noticed} for place, noticed in results]))
    return 0 if share >= options.least else 1


if __name__ == "__main__":
    sys.exit(main())
