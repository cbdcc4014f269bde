"""The porch on a real systemd: it shows a game that goes on, and taken over it can do nothing to the game.

`make appliance-test` runs these.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.chromium import SIZES, Browser, needs_chromedriver
from tests.systemd.machine import Machine
from tests.systemd.test_appliance import begin_a_game, status_is, to_the_lobby

pytestmark = pytest.mark.appliance
READ_EVENTS = """
import sys, urllib.request
with urllib.request.urlopen(urllib.request.Request("http://127.0.0.1:8788/events"), timeout=60) as stream:
    for line in stream:
        if line.startswith(b"data: "):
            print(line[6:].decode())
            break
"""
LIST_SOCKETS = """
import json, os, re, sys
pid = sys.argv[1]
inodes = set()
for fd in os.listdir(f"/proc/{pid}/fd"):
    try:
        if found := re.match(r"socket:.(\\d+)", os.readlink(f"/proc/{pid}/fd/{fd}")):
            inodes.add(found[1])
    except FileNotFoundError:
        pass
kinds = {}
for kind in "tcp tcp6 udp udp6 udplite udplite6 raw raw6 icmp icmp6 packet netlink unix".split():
    try:
        lines = open(f"/proc/{pid}/net/{kind}").read().splitlines()[1:]
    except FileNotFoundError:
        continue
    found = [line.split() for line in lines if inodes & set(line.split())]
    if found:
        kinds[kind] = sorted(words[-1] for words in found if kind == "unix" and words[-1].startswith("/"))
print(json.dumps(kinds))
"""


def switch_porch_on(text: str) -> str:
    """Return the installer's settings file with the porch on."""
    text = text.replace("#on = false\n# Id of the table", "on = true\n# Id of the table")
    return text.replace('#table = ""', 'table = "hall-1"')


@pytest.fixture
def opened(box: Machine) -> Machine:
    """A machine with the porch on, and the companion started."""
    box.boot()
    etc = box.root / "etc/companion"
    box.install("--no-start", "--porch")
    file = etc / "companion.toml"
    file.write_text(switch_porch_on(file.read_text(encoding="utf-8")), encoding="utf-8")
    box.run("systemctl", "start", "companion")
    box.wait(lambda: box.show("ActiveState") == "active", "the companion")
    return box


def read_state(box: Machine) -> dict[str, Any]:
    """Return what the page shows now; without a page, or a table, "screen" is empty."""
    answer = box.run("python3", "-c", READ_EVENTS, check=False).strip()
    return {"screen": "", **(json.loads(answer) if answer.startswith("{") else {})}


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    """Chromium on this machine, whose network the booted one shares."""
    made = Browser(tmp_path / "profile")
    yield made
    made.driver.quit()


@needs_chromedriver
def test_browser_follows_a_game(opened: Machine, browser: Browser) -> None:
    """The page is loaded once; the game reaches it by itself."""
    box = opened
    box.run("systemctl", "restart", "companion-porch")
    box.wait(lambda: "follows" in box.show("StatusText", "companion-porch"), "the porch")
    to_the_lobby(box)
    browser.set_up(SIZES["phone"], "light")
    browser.driver.get("http://127.0.0.1:8788/")
    browser.wait_for_text("Nothing is being played")
    browser.take_picture("nspawn, lobby")
    begin_a_game(box)
    box.wait(lambda: read_state(box)["screen"] == "play", "the game on the page")
    browser.wait_for_text(read_state(box)["headline"])
    browser.take_picture("nspawn, play")
    assert not browser.find_faults()
    box.run("systemctl", "stop", "companion")
    browser.wait_for_text("The table does not answer")
    browser.take_picture("nspawn, table off")


def test_page_follows_a_game(opened: Machine) -> None:
    box = opened
    box.run("systemctl", "restart", "companion-porch")
    box.wait(lambda: "follows" in box.show("StatusText", "companion-porch"), "the porch")
    to_the_lobby(box)
    box.wait(lambda: read_state(box)["screen"] == "lobby", "the lobby on the page")
    begin_a_game(box)
    box.wait(lambda: read_state(box)["screen"] == "play", "the game on the page")
    assert len(read_state(box)["players"]) == 3

    # With everything switched on the playing unit has no socket but Unix ones (and those of udev's news).
    kinds = json.loads(box.run("python3", "-c", LIST_SOCKETS, box.show("MainPID")))
    assert kinds.keys() <= {"unix", "netlink"}, kinds
    assert "/run/companion-porch/table.sock" in kinds["unix"]
    assert box.run("stat", "-c", "%U %G %a", "/run/companion-porch/table.sock").split() == [
        "companion",
        "companion-porch",
        "660",
    ]

    # The porch hung, killed and gone: the game notices nothing.
    main = box.show("MainPID")
    porch = box.show("MainPID", "companion-porch")
    box.run("sh", "-c", f"kill -STOP {porch}")
    box.press("Return")
    box.run("sh", "-c", f"kill -KILL {porch}")
    box.wait(lambda: box.show("MainPID", "companion-porch") not in {porch, "0"}, "the new porch")
    box.wait(lambda: read_state(box)["screen"] == "play", "the game on the page")
    assert box.show("MainPID") == main
    assert status_is(box, ": play")
    output = box.run("systemd-analyze", "security", "--no-pager", "companion-porch.service")
    assert float(output.rsplit("companion-porch.service: ", 1)[1].split()[0]) <= 2.0, output

    box.install("--no-porch", "--no-start")
    assert box.show("ActiveState", "companion-porch") == "inactive"


def test_taken_over_porch_can_neither_press_nor_read_secrets(opened: Machine) -> None:
    box = opened
    shutil.copy(Path(__file__).with_name("porch_probe.py"), box.root / "usr/local/lib/porch_probe.py")
    drop_in = box.root / "etc/systemd/system/companion-porch.service.d/probe.conf"
    drop_in.parent.mkdir(exist_ok=True)
    main = box.show("MainPID")
    before = box.run("sh", "-c", "companion history --json 2>/dev/null")
    probe = f"/usr/bin/python3 -I /usr/local/lib/porch_probe.py {main}"
    drop_in.write_text(f"[Service]\nExecStartPre={probe}\n", encoding="ascii")
    box.run("systemctl", "daemon-reload")
    box.run("systemctl", "restart", "companion-porch")
    log = box.run("journalctl", "--boot", "--no-pager", "--output=cat", "--unit=companion-porch")
    found = json.loads(next(line for line in log.splitlines() if line.startswith("PROBE ")).removeprefix("PROBE "))
    assert "BrokenPipe" in found["press"], found
    for kind in ("devices", "private", "places"):
        assert [path for path, came in found[kind].items() if came == "done"] == [], found
    for kind in ("replace", "kill", "trace", "memory", "outside", "raw", "root"):
        assert found[kind] != "done", found
    assert found["sockets"] == [
        "/run/companion-porch/table-picture.sock",
        "/run/companion-porch/table.sock",
        "/run/systemd/notify",
    ]
    assert found["processes"] == []
    assert box.show("MainPID") == main
    assert box.run("sh", "-c", "companion history --json 2>/dev/null") == before
