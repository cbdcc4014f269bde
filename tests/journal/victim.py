"""A process that plays and is killed. It says what it shows after, and only after, it is in the journal."""

from __future__ import annotations

from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from companion.events import Button
from companion.games.macroscope import KIT
from companion.journal.database import Journal
from companion.journal.entry import Setup
from companion.journal.replay import Sitting
from tests.journal.play import act, digest

SETUP = Setup(game="macroscope", players=("Ada", "Bob", "Cleo"), buttons=(Button.SEAT1, Button.SEAT3, Button.SEAT4))

Shown = tuple[int, int, str]
"""Sitting, number of its entries, digest of the game."""


def play(path: Path, seed: int, screen: Connection) -> None:
    """Take up the last sitting and play on for ever, a new sitting after each that ends."""
    random = Random(seed)
    journal = Journal(path)
    number = journal.resumable()
    sitting = Sitting.begin(journal, SETUP, KIT) if number is None else Sitting(journal, number, KIT)
    show(screen, sitting)
    sitting.resume()
    while True:
        show(screen, sitting)
        if sitting.game.outcome() is not None and random.random() < 0.5:
            sitting = Sitting.begin(journal, SETUP, KIT)
        else:
            act(random, sitting)


def show(screen: Connection, sitting: Sitting) -> None:
    screen.send((sitting.id, sitting.seq, digest(sitting.game)))
