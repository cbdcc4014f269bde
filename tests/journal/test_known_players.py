"""Names of earlier players: who played lately, and who sat where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from companion.events import SEAT_BUTTONS, Button
from companion.i18n import set_language
from companion.journal.database import Journal
from companion.journal.entry import GameSetup
from companion.journal.known_players import load_known_players

S1, S2, S3, *_ = SEAT_BUTTONS


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    set_language("en")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.sqlite3", wall=lambda: 0.0, monotonic=lambda: 0.0) as opened:
        yield opened


def begin(journal: Journal, players: Sequence[str], buttons: Sequence[Button] = (S1, S2)) -> None:
    journal.begin_game(GameSetup(game="toy", players=tuple(players), buttons=tuple(buttons)))


def test_the_latest_names_come_first_with_their_last_seats(journal: Journal) -> None:
    begin(journal, ("Ada", "Bob"))
    begin(journal, ("Cleo", "Ada"), (S1, S3))
    known = load_known_players(journal)
    assert known.names == ("Cleo", "Ada", "Bob")
    assert known.by_button == {S1: "Cleo", S2: "Bob", S3: "Ada"}


def test_shapes_are_no_names_in_any_language(journal: Journal) -> None:
    begin(journal, ("Ada", "Circle"), (S1, S2))
    begin(journal, ("Kreis", "Triangolo"), (S1, S2))
    set_language("it")
    known = load_known_players(journal)
    assert (known.names, known.by_button) == (("Ada",), {S1: "Ada"})


def test_the_names_of_the_last_sixty_games_are_known(journal: Journal) -> None:
    for number in range(61):
        begin(journal, (f"Player {number}",), (S1,))
    names = load_known_players(journal).names
    assert (names[0], names[-1], len(names)) == ("Player 60", "Player 1", 60)


def test_a_game_of_another_version_is_skipped(journal: Journal) -> None:
    begin(journal, ("Ada", "Bob"))
    setup = GameSetup.model_construct(game="toy", players=("Cleo",), buttons=(S1, S2))
    journal.begin_game(setup)
    assert load_known_players(journal).names == ("Ada", "Bob")


def test_nobody_is_known_in_an_empty_journal(journal: Journal) -> None:
    known = load_known_players(journal)
    assert (known.names, known.by_button) == ((), {})
