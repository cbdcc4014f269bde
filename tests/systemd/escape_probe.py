"""Try to leave the sandbox through other programs' sockets; runs within the companion's unit, as its user.

Prints one JSON object: what was tried, and what came of it.
"""

import json
import os
import pwd
import socket
import subprocess
import sys
from pathlib import Path

LOGIND = ("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager")


def run(*command):
    """Return "done", or the last line of what a command said."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    except OSError as error:
        return str(error)
    return "done" if done.returncode == 0 else (done.stdout + done.stderr).strip().splitlines()[-1]


def find_reachable_sockets():
    """Return the sockets in the file system that this process can connect to."""
    found = []
    for top in ("/run", "/var", "/tmp", "/dev", "/etc"):
        for folder, _, names in os.walk(top):
            for path in (Path(folder, name) for name in names):
                if not path.is_socket():
                    continue
                for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
                    with socket.socket(socket.AF_UNIX, kind) as client:
                        try:
                            client.connect(str(path))
                        except OSError:
                            continue
                        found.append(str(path))
    return found


def make_user_unit():
    """Write a unit where the user's own service manager looks for units; return where, None if that is impossible."""
    home = Path(pwd.getpwuid(os.getuid()).pw_dir)
    for folder in (home / ".config/systemd/user", home / ".local/share/systemd/user"):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "escape.service").write_text("[Service]\nExecStart=/bin/true\n", encoding="ascii")
        except OSError:
            continue
        return str(folder)
    return None


found = {
    "linger": run("busctl", "call", *LOGIND, "SetUserLinger", "ubb", str(os.getuid()), "true", "false"),
    "transient unit": run("systemd-run", "--user", "/bin/true"),
    "sockets": find_reachable_sockets(),
    "user unit": make_user_unit(),
    "home": os.environ["HOME"],
}
json.dump(found, sys.stdout)
