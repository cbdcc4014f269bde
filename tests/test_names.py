"""Names: one normal form, and one key for all spellings."""

from __future__ import annotations

import pytest

from companion.api import BadCorrection
from companion.config.settings import PorchSettings
from companion.events import SEAT_BUTTONS
from companion.journal.entry import GameSetup, InvalidSavedGame, SeatChange
from companion.journal.seating import Seating
from companion.names import has_name, make_name_key, normalize_name, resolve_names


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("Zoe\u0308", "Zo\u00eb"),
        ("  Ada \t Lovelace\u00a0", "Ada Lovelace"),
        ("\u202eevil\u202c", "evil"),
        ("A\u200bd\u200da\ufeff\u00ad\u2060", "Ada"),
        ("A\ufe0fd\u3164a\u2800", "Ada"),
        ("McDonald", "McDonald"),
        ("\u200b", ""),
    ],
)
def test_names_have_one_normal_form(written: str, normal: str) -> None:
    assert normalize_name(written) == normal
    assert normalize_name(normal) == normal


@pytest.mark.parametrize("mark", "\u180b\u180f\ufe00\ufe0f\U000e0100\U000e01ef")
def test_a_mark_that_only_chooses_a_shape_makes_no_other_name(mark: str) -> None:
    assert normalize_name(f"Ada{mark}") == "Ada"


@pytest.mark.parametrize("letter", "\u180a\u1810\ufe10")
def test_a_letter_beside_those_marks_stays(letter: str) -> None:
    assert normalize_name(f"Ada{letter}") == f"Ada{letter}"


def test_capitals_are_kept_and_not_told_apart() -> None:
    assert normalize_name("ADA") == "ADA"
    assert make_name_key("ZOE\u0308") == make_name_key("zo\u00eb\u200b")
    assert has_name(["Stra\u00dfe"], "STRASSE")
    assert not has_name(["Ada"], "Adam")


def test_a_journal_of_before_is_read_in_normal_form() -> None:
    setup = GameSetup(game="pig", players=("Zoe\u0308", "\u202eBob"), buttons=SEAT_BUTTONS[:2])
    assert setup.players == ("Zo\u00eb", "Bob")
    assert GameSetup.from_json(setup.model_dump_json()) == setup
    with pytest.raises(InvalidSavedGame, match="no letter of this name can be seen"):
        GameSetup.from_json(setup.model_dump_json().replace("Bob", "\u200b"))


def test_a_name_that_grows_in_its_normal_form_is_refused_before_it_is_stored() -> None:
    grows = "\u0958" * 30
    with pytest.raises(ValueError, match="too long: at most 40"):
        GameSetup(game="pig", players=(grows, "Bob"), buttons=SEAT_BUTTONS[:2])
    setup = GameSetup(game="pig", players=(grows[:20], "Bob"), buttons=SEAT_BUTTONS[:2])
    assert GameSetup.from_json(setup.model_dump_json()) == setup


def test_the_name_of_a_table_has_a_normal_form() -> None:
    assert PorchSettings(name=" Cafe\u0301\u202e Hall\u200b").name == "Caf\u00e9 Hall"


def test_nobody_takes_a_name_that_another_has_in_another_spelling() -> None:
    seating = Seating.from_setup(GameSetup(game="pig", players=("Zo\u00eb", "Bob"), buttons=SEAT_BUTTONS[:2]))
    with pytest.raises(BadCorrection):
        seating.apply(SeatChange(seat=1, name="ZOE\u0308", button=SEAT_BUTTONS[1]))
    assert seating.apply(SeatChange(seat=1, name="BOB", button=SEAT_BUTTONS[1])).players == ("Zo\u00eb", "BOB")


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("Bob", "Ada"), ("Robert", "Ada")),
        (("Bob", "Robert"), ("Bob", "Robert")),
        (("Robert", "Ada", "Bob"), ("Robert", "Ada", "Bob")),
        (("Rob", "Bob"), ("Robert", "Bob")),
        (("Bob", "Rob", "ROBERT"), ("Bob", "Rob", "Robert")),
    ],
)
def test_names_of_one_table_stay_apart(names: tuple[str, ...], expected: tuple[str, ...]) -> None:
    merged = {"Bob": "Robert", "Rob": "Robert", "ROBERT": "Robert"}
    assert resolve_names(names, lambda name: merged.get(name, name)) == expected
