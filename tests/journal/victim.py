"""A process that plays until it is killed. It sends each state after, and only after, it is in the journal."""

from __future__ import annotations

from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from companion.events import Button
from companion.games.macroscope import GAME
from companion.journal.database import Journal
from companion.journal.entry import GameSetup
from companion.journal.saved_game import SavedGame
from tests.journal.play import act, digest

SETUP = GameSetup(game="macroscope", players=("Ada", "Bob", "Cleo"), buttons=(Button.SEAT1, Button.SEAT3, Button.SEAT4))

SavedState = tuple[int, int, str]
"""Number of the game, number of its entries, digest of its state."""


def play(path: Path, seed: int, screen: Connection) -> None:
    """Resume the last game and play forever, with a new game after each that ends."""
    random = Random(seed)
    journal = Journal(path)
    number = journal.find_resumable_game()
    saved_game = SavedGame.begin(journal, SETUP, GAME) if number is None else SavedGame(journal, number, GAME)
    show(screen, saved_game)
    saved_game.note_resumed()
    while True:
        show(screen, saved_game)
        if saved_game.game.compute_outcome() is not None and random.random() < 0.5:
            saved_game = SavedGame.begin(journal, SETUP, GAME)
        else:
            act(random, saved_game)


def show(screen: Connection, saved_game: SavedGame) -> None:
    screen.send((saved_game.id, saved_game.last_seq, digest(saved_game.game)))
