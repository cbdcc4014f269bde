"""A porch that was taken over: try to press a button, to read a secret, and to hinder the game.

Runs within the porch's unit, as its user; prints one JSON object: what was tried, and what came of it ("done", or why
not).
"""

# It tries system calls, and nothing may stop it.
# ruff: noqa: BLE001, PTH108, PTH112, PTH118, PTH123, PTH208, SIM115

import ctypes
import json
import os
import signal
import socket
import sys
import time
from pathlib import Path

SOCKET = os.environ["COMPANION_PORCH_SOCKET"]
DEVICES = ("/dev/gpiochip0", "/dev/input/event0", "/dev/uinput", "/dev/tty1", "/dev/video0", "/dev/ttyACM0", "/dev/mem")
PRIVATE = (
    "/var/lib/companion/journal.sqlite3",
    "/var/lib/companion",
    "/run/companion",
    "/etc/shadow",
    "/root",
    "/home",
)
PLACES = (
    "/",
    "/etc",
    "/etc/companion",
    "/opt/companion",
    "/run",
    "/run/companion-porch",
    "/var/lib",
    "/usr",
    "/dev/shm",
)


def attempt(action):
    """Return "done" if an action did not fail, else the error."""
    try:
        action()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "done"


def press():
    """Write to the companion's socket, as a client that wants to press a button."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(SOCKET)
        client.recv(65536)
        for _ in range(100):
            client.sendall(b'{"press": "ok"}\n')


def read_path(path):
    """Read a file, or list a folder that has something in it."""
    if os.path.isdir(path):
        if not os.listdir(path):
            raise FileNotFoundError("an empty folder")
    else:
        open(path, "rb").read(1)


def write_in(folder):
    """Write a file into a folder."""
    Path(folder, "planted").write_text("x")


def reach(address):
    """Connect to a port of TCP outside of the local network."""
    with socket.socket() as client:
        client.settimeout(3)
        client.connect((address, 80))


def trace(process):
    """Attach to a process as a debugger does."""
    if ctypes.CDLL(None, use_errno=True).ptrace(16, process, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")


def find_processes():
    """Return the numbers of processes of others that can be seen."""
    mine = os.getuid()
    return [int(p.name) for p in Path("/proc").iterdir() if p.name.isdigit() and p.stat().st_uid != mine]


def list_sockets():
    """Return the sockets in the file system that can be connected to."""
    found = []
    for top in ("/run", "/var", "/tmp", "/dev", "/etc"):
        for folder, _folders, names in os.walk(top):
            for name in names:
                path = os.path.join(folder, name)
                for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
                    with socket.socket(socket.AF_UNIX, kind) as client:
                        if Path(path).is_socket() and attempt(lambda c=client, p=path: c.connect(p)) == "done":
                            found.append(path)
    return sorted(set(found))


for _ in range(600):
    if attempt(lambda: socket.socket(socket.AF_UNIX).connect(SOCKET)) == "done":
        break
    time.sleep(0.1)
main = int(sys.argv[1])
found = {
    "press": attempt(press),
    "devices": {path: attempt(lambda path=path: open(path, "rb+", buffering=0)) for path in DEVICES},
    "private": {path: attempt(lambda path=path: read_path(path)) for path in PRIVATE},
    "places": {path: attempt(lambda path=path: write_in(path)) for path in PLACES},
    "replace": attempt(lambda: os.unlink(SOCKET)),
    "sockets": list_sockets(),
    "processes": find_processes(),
    "kill": attempt(lambda: os.kill(main, signal.SIGKILL)),
    "trace": attempt(lambda: trace(main)),
    "memory": attempt(lambda: open(f"/proc/{main}/mem", "rb")),
    "outside": attempt(lambda: reach("192.0.2.1")),
    "raw": attempt(lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW)),
    "root": attempt(lambda: os.setuid(0)),
}
print("PROBE " + json.dumps(found), flush=True)
