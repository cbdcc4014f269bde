"""Try the actions of a compromised program; runs within the companion's unit, as its user.

Prints one JSON object: what was tried, and what came of it ("done", or the error's name).
"""

import ctypes
import errno
import json
import os
import socket
import sys
from pathlib import Path

LIBC = ctypes.CDLL(None, use_errno=True)


def tried(what):
    """ "done", or the name of the error."""
    try:
        answer = what()
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error))
    if isinstance(answer, int) and answer < 0:
        return errno.errorcode.get(ctypes.get_errno(), "failed")
    return "done"


def write(path):
    """Write a file and delete it."""

    def attempt():
        Path(path).write_text("x", encoding="ascii")
        Path(path).unlink()

    return attempt


def status(name):
    """Return a line of /proc/self/status."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(line.split()[1] for line in lines if line.startswith(f"{name}:"))


def opened(path):
    """Open a device that has no driver here: ENXIO once it is allowed, EPERM where the unit forbids it."""
    return tried(lambda: os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK)))


found = {
    "devices": {path.name: opened(path) for path in Path("/var/lib/nodes").iterdir()},
    "stick": tried(write("/run/media/companion/sda1/x")),
    "internet": tried(lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM).close()),
    "internet 6": tried(lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).close()),
    "hot-plug": tried(lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 15).close()),
    "/etc": tried(write("/etc/companion/x")),
    "/opt": tried(write("/opt/companion/x")),
    "/usr": tried(write("/usr/local/bin/x")),
    "/boot": tried(write("/boot/x")),
    "data": tried(write("/var/lib/companion/x")),
    "other data": tried(write("/var/lib/x")),
    "home": tried(lambda: list(Path("/root").iterdir())),
    "tun": tried(lambda: os.close(os.open("/dev/net/tun", os.O_RDWR))),
    "null": tried(lambda: os.close(os.open("/dev/null", os.O_RDWR))),
    "mount": tried(lambda: LIBC.mount(b"none", b"/tmp", b"tmpfs", 0, None)),
    "namespace": tried(lambda: LIBC.unshare(0x10000000)),
    "clock": tried(lambda: LIBC.settimeofday(ctypes.byref(ctypes.c_int64(0)), None)),
    "reboot": tried(lambda: LIBC.reboot(0)),
    "capabilities": int(status("CapBnd"), 16) | int(status("CapPrm"), 16),
    "no new privileges": status("NoNewPrivs"),
    "system call filter": status("Seccomp"),
    "user": os.getuid() != 0,
    "others": [path.name for path in Path("/proc").iterdir() if path.name.isdigit() and path.stat().st_uid == 0],
}
json.dump(found, sys.stdout)
