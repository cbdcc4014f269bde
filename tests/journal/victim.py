"""A process that plays and is killed. It says what it shows after, and only after, it is in the journal."""

from __future__ import annotations

from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from companion.events import Button
from companion.games.macroscope import GAME
from companion.journal.database import Journal
from companion.journal.entry import GameSetup
from companion.journal.replay import SavedGame
from tests.journal.play import act, digest

SETUP = GameSetup(game="macroscope", players=("Ada", "Bob", "Cleo"), buttons=(Button.SEAT1, Button.SEAT3, Button.SEAT4))

Shown = tuple[int, int, str]
"""Sitting, number of its entries, digest of the game."""


def play(path: Path, seed: int, screen: Connection) -> None:
    """Take up the last sitting and play on for ever, a new sitting after each that ends."""
    random = Random(seed)
    journal = Journal(path)
    number = journal.find_resumable_game()
    sitting = SavedGame.begin(journal, SETUP, GAME) if number is None else SavedGame(journal, number, GAME)
    show(screen, sitting)
    sitting.note_resumed()
    while True:
        show(screen, sitting)
        if sitting.game.compute_outcome() is not None and random.random() < 0.5:
            sitting = SavedGame.begin(journal, SETUP, GAME)
        else:
            act(random, sitting)


def show(screen: Connection, sitting: SavedGame) -> None:
    screen.send((sitting.id, sitting.last_seq, digest(sitting.game)))
