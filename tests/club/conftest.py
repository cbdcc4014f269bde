"""Databases of both kinds, and a broker, for the club's tests."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from companion.club.database import ClubDatabase
from companion.club.receiver import LiveTables
from tests.club.build import END
from tests.mosquitto import Mosquitto

POSTGRES = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)
"""Folder of PostgreSQL's programs, which Debian keeps off the path."""


def get_time() -> float:
    """Return the time of the club's clock in tests: a month after the games."""
    return (END + timedelta(days=30)).timestamp()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A PostgreSQL server of its own on loopback; yields the start of its databases' addresses."""
    if POSTGRES is None:
        pytest.skip("PostgreSQL is not installed (Debian: postgresql)")
    user = [] if os.geteuid() else ["runuser", "-u", "postgres", "--"]  # it refuses to run as root
    # Not below pytest's folder, which other users cannot enter.
    folder = Path(tempfile.mkdtemp(prefix="companion-postgres-"))
    if user:
        shutil.chown(folder, "postgres")
    data = folder / "data"
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    initdb = [POSTGRES / "initdb", "-D", data, "-A", "trust", "-U", "club", "--no-sync", "-E", "UTF8"]
    subprocess.run([*user, *initdb], check=True, capture_output=True)
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
    control = [*user, POSTGRES / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options]
    subprocess.run([*control, "start"], check=True, stdout=subprocess.DEVNULL)
    try:
        yield f"postgresql+psycopg://club@127.0.0.1:{port}"
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], check=True, stdout=subprocess.DEVNULL)
        shutil.rmtree(folder)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.full)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ClubDatabase]:
    """An empty database of a club, of each kind."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path}/club.sqlite3"
    else:
        import psycopg

        server = request.getfixturevalue("postgres")
        with psycopg.connect(server.replace("+psycopg", "") + "/postgres", autocommit=True) as connection:
            connection.execute("DROP DATABASE IF EXISTS club WITH (FORCE)")
            connection.execute("CREATE DATABASE club")
        url = f"{server}/club"
    with ClubDatabase(url, get_time) as opened:
        yield opened


@pytest.fixture
def sqlite_database(tmp_path: Path) -> Iterator[ClubDatabase]:
    """An empty database of a club in a file."""
    with ClubDatabase(f"sqlite:///{tmp_path}/club.sqlite3", get_time) as opened:
        yield opened


@pytest.fixture
def make_broker(tmp_path: Path) -> Iterator[Callable[..., Mosquitto]]:
    """Return a function that starts a broker."""
    brokers: list[Mosquitto] = []

    def make(**options: bool) -> Mosquitto:
        broker = Mosquitto(tmp_path / f"broker-{len(brokers)}", **options)
        brokers.append(broker)
        broker.start()
        return broker

    yield make
    for broker in brokers:
        broker.close()


@pytest.fixture
def tables() -> LiveTables:
    """The tables of a club, none of which has reported yet."""
    return LiveTables()
