"""Corrections in play teach the camera the dice that it misread, only where it is certain which die is meant."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.api.registry import find_game
from companion.config.taught_dice_store import TaughtDice
from companion.events import Button, CameraState, CameraStateChanged, DiceRead
from companion.games import counting_tray
from companion.journal.saved_game import SavedGame
from companion.referee.correction_learning import find_corrected_faces
from companion.referee.referee import Referee
from companion.referee.services import GameServices
from companion.testing.table import TableUnderTest

Tables = Callable[..., TableUnderTest]
OK, NO, PLUS, MINUS = Button.OK, Button.NO, Button.PLUS, Button.MINUS
A, B = b"\x89PNG a", b"\x89PNG b"
SURE = b""
OPEN_PICTURE = (MINUS, MINUS, OK)
SEATS = (Button.SEAT1, Button.SEAT2, Button.SEAT3, Button.SEAT4, Button.SEAT5, Button.SEAT6)


class LearningTable:
    """A table whose corrections are learned."""

    def __init__(self, table: TableUnderTest, taught: TaughtDice | None = None, *, may_learn: bool = True) -> None:
        self.table, self.taught, self.may_learn = table, taught or TaughtDice(), may_learn
        self.open()

    def open(self) -> None:
        """Open the game as after a start of the program: only the journal and the taught dice are left."""
        t = self.table
        t.saved_game = SavedGame(t.journal, t.saved_game.id, t.definition)
        services = GameServices(t.clock, taught_dice=self.taught, learns_corrections=self.may_learn)
        t.referee = Referee(t.saved_game, services)
        t.send(CameraStateChanged(CameraState.STEADY, t.clock.now, lid_known=True))

    def read(
        self,
        values: tuple[int, ...],
        faces: tuple[bytes, ...],
        *,
        lying: tuple[bool, ...] = (),
        doubtful: tuple[bool, ...] = (),
        alternatives: tuple[tuple[int, ...], ...] = (),
    ) -> None:
        """Send an uncertain reading with the pictures of its uncertain dice."""
        confidence = 0.5 if any(faces) else 0.99
        now = self.table.clock.now
        self.table.send(
            DiceRead(values, confidence, now, alternatives, lying, doubtful=doubtful, uncertain_faces=faces)
        )

    def enter(self, *values: int) -> None:
        """Answer the question about the dice by hand."""
        self.table.press(MINUS, *(SEATS[value - 1] for value in values))

    def correct(self, *values: int) -> None:
        """Correct the dice in the menu of corrections."""
        self.table.press(MINUS, MINUS)
        assert self.table.state.menu is not None
        line = self.table.state.menu.items.index("The dice")
        self.table.press(*[MINUS] * line, OK, *(SEATS[value - 1] for value in values))

    @property
    def learned(self) -> tuple[tuple[int, bytes], ...]:
        return self.taught.corrected_faces


@pytest.fixture
def macroscope(table: Tables) -> LearningTable:
    return LearningTable(table())


def test_the_one_uncertain_die_is_learned_with_the_value_that_was_entered(macroscope: LearningTable) -> None:
    macroscope.read((2, 5), (SURE, A))
    macroscope.enter(1, 2)
    assert macroscope.table.game.dice == (1, 2)
    assert macroscope.learned == ((1, A),)
    assert macroscope.table.state.notice == "The camera has learned: 1"
    assert not macroscope.taught.faces, "it is no face that was shown on purpose"


def test_the_other_proposal_is_a_correction_too(macroscope: LearningTable) -> None:
    macroscope.read((2, 5), (SURE, A), alternatives=((2, 3),))
    macroscope.table.press(PLUS)
    assert macroscope.table.game.dice == (2, 3)
    assert macroscope.learned == ((3, A),)


def test_a_confirmed_reading_teaches_nothing(macroscope: LearningTable) -> None:
    """Otherwise the reader would learn from its own guesses."""
    macroscope.read((2, 5), (SURE, A))
    macroscope.table.press(OK)
    assert macroscope.table.game.dice == (2, 5)
    assert not macroscope.learned
    assert macroscope.table.state.notice is None


def test_nothing_is_learned_unless_the_owner_allows_it(table: Tables) -> None:
    t = LearningTable(table(), may_learn=False)
    t.read((2, 5), (SURE, A))
    t.enter(1, 2)
    assert t.table.game.dice == (1, 2)
    assert not t.learned


@pytest.mark.parametrize(
    ("values", "faces", "entered"),
    [
        ((2, 5), (A, B), (1, 3)),  # which of the two shows the 1?
        ((2, 5), (SURE, A), (1, 3)),  # a certain die is contradicted
        ((2, 5), (SURE, SURE), (1, 2)),  # no die was uncertain: their readings differed
        ((2, 5), (), (1, 2)),  # no pictures: a die was tilted
    ],
)
def test_nothing_is_learned_where_the_die_is_not_certain(
    macroscope: LearningTable, values: tuple[int, ...], faces: tuple[bytes, ...], entered: tuple[int, ...]
) -> None:
    now = macroscope.table.clock.now
    macroscope.table.send(DiceRead(values, 0.5, now, uncertain_faces=faces))
    macroscope.enter(*entered)
    assert macroscope.table.game.dice == entered
    assert not macroscope.learned


def test_two_uncertain_dice_are_learned_if_both_show_the_same(macroscope: LearningTable) -> None:
    macroscope.read((2, 5), (A, B))
    macroscope.enter(6, 6)
    assert macroscope.learned == ((6, A), (6, B))


def test_an_undo_takes_back_what_the_correction_taught(macroscope: LearningTable) -> None:
    macroscope.read((2, 5), (SURE, A))
    macroscope.enter(1, 2)
    assert macroscope.learned
    macroscope.table.hold(NO)
    assert macroscope.table.game.dice == ()
    assert not macroscope.learned


def test_an_undo_after_a_restart_takes_it_back_too_and_a_replay_teaches_nothing(macroscope: LearningTable) -> None:
    macroscope.read((2, 5), (SURE, A))
    macroscope.enter(1, 2)
    macroscope.open()
    assert macroscope.learned == ((1, A),), "once, not twice"
    macroscope.may_learn = False
    macroscope.open()
    macroscope.table.hold(NO)
    assert not macroscope.learned


def test_an_undo_leaves_what_other_entries_and_games_taught(macroscope: LearningTable) -> None:
    macroscope.taught.add([(4, B)])
    macroscope.taught.add_corrected([(3, B)], game=77, entry=1)
    macroscope.read((2, 5), (SURE, A))
    macroscope.enter(1, 2)
    macroscope.table.hold(NO)
    assert macroscope.taught.faces == ((4, B),)
    assert macroscope.learned == ((3, B),)


def test_a_correction_right_after_the_throw_teaches_as_well(macroscope: LearningTable) -> None:
    macroscope.read((2, 5), (SURE, A))
    macroscope.table.press(OK)
    macroscope.correct(1, 2)
    assert macroscope.table.game.dice == (1, 2)
    assert macroscope.learned == ((1, A),)
    macroscope.table.hold(NO)
    assert macroscope.table.game.dice == (2, 5)
    assert not macroscope.learned


def test_a_correction_of_a_correction_replaces_what_was_learned(macroscope: LearningTable) -> None:
    macroscope.read((2, 5), (SURE, A))
    macroscope.enter(1, 2)
    macroscope.correct(2, 4)
    assert macroscope.learned == ((4, A),)
    macroscope.correct(2, 5)  # it had been read right
    assert not macroscope.learned


def test_a_die_chosen_in_the_picture_is_learned_though_both_are_uncertain(macroscope: LearningTable) -> None:
    macroscope.read((2, 5), (A, B))
    macroscope.table.press(OK, *OPEN_PICTURE)
    assert macroscope.table.state.enlarged is not None
    macroscope.table.press(Button.SEAT2, PLUS, OK)
    assert macroscope.table.game.dice == (2, 6)
    assert macroscope.learned == ((6, B),)


def test_of_two_equal_dice_in_the_picture_none_is_learned(macroscope: LearningTable) -> None:
    macroscope.read((5, 5), (A, B))
    macroscope.table.press(OK, *OPEN_PICTURE, Button.SEAT2, PLUS, OK)
    assert macroscope.table.game.dice == (5, 6)
    assert not macroscope.learned


def test_dice_that_may_have_been_thrown_again_teach_nothing(macroscope: LearningTable) -> None:
    t = macroscope.table
    macroscope.read((2, 5), (SURE, A))
    t.press(NO)  # "Roll again", which the camera does not see
    t.press(PLUS, Button.SEAT1, Button.SEAT2)
    assert t.game.dice == (1, 2)
    assert not macroscope.learned


def test_dice_that_were_thrown_while_the_camera_was_blind_teach_nothing(macroscope: LearningTable) -> None:
    macroscope.read((2, 5), (SURE, A))
    macroscope.table.send(CameraStateChanged(CameraState.LOST, macroscope.table.clock.now))
    macroscope.enter(1, 2)
    assert macroscope.table.game.dice == (1, 2)
    assert not macroscope.learned


def test_dice_that_came_to_rest_during_the_entry_teach_nothing(macroscope: LearningTable) -> None:
    macroscope.read((2, 5), (SURE, A))
    macroscope.table.press(MINUS, Button.SEAT1)
    macroscope.read((2, 3), (SURE, B))  # uncertain: it does not answer the entry
    macroscope.table.press(Button.SEAT2)
    assert macroscope.table.game.dice == (1, 2)
    assert not macroscope.learned


def test_a_reading_that_nobody_was_asked_about_teaches_nothing_later(macroscope: LearningTable) -> None:
    t = macroscope.table
    t.roll(3, 4)
    macroscope.read((3, 4), (SURE, A))  # the same values: not asked about
    t.hold(NO)
    t.press(PLUS, Button.SEAT3, Button.SEAT1)
    assert t.game.dice == (3, 1)
    assert not macroscope.learned


def test_in_a_tray_only_the_thrown_dice_are_meant(table: Tables) -> None:
    t = LearningTable(table(definition=find_game("yacht")))
    t.read((1, 2, 5, 5, 6), (SURE,) * 5, lying=(False,) * 5)
    t.read((1, 2, 6), (SURE,) * 3, lying=(True,) * 3)
    assert sorted(t.table.game.aside) == [5, 5]
    t.read((1, 2, 3, 4, 6), (SURE, SURE, SURE, A, SURE), lying=(True, True, False, False, True))
    t.table.press(MINUS, Button.SEAT3, Button.SEAT5)
    assert sorted(t.table.game.table) == [3, 5]
    assert t.learned == ((5, A),)


def test_a_throw_of_a_tray_game_is_learned(table: Tables) -> None:
    t = LearningTable(table(definition=find_game("yacht")))
    t.read((1, 2, 4, 5, 6), (SURE, SURE, A, SURE, SURE), lying=(False,) * 5)
    t.table.press(MINUS, *(SEATS[v - 1] for v in (1, 2, 3, 5, 6)))
    assert sorted(t.table.game.table) == [1, 2, 3, 5, 6]
    assert t.learned == ((3, A),)


def test_the_counting_tray_learns_from_its_counts(table: Tables) -> None:
    t = LearningTable(table(definition=counting_tray.GAME))
    t.read((1, 4, 4), (A, SURE, SURE), lying=(False,) * 3, alternatives=((2, 4, 4),))
    t.table.press(PLUS)
    assert t.table.game.dice_count == 3
    assert t.learned == ((2, A),)


def test_dice_that_may_have_lain_there_teach_nothing() -> None:
    reading = DiceRead((2, 5), 0.5, 0.0, (), (False, True), doubtful=(False, True), uncertain_faces=(SURE, A))
    assert find_corrected_faces(reading, (1, 2)) == ()


@given(st.data())
def test_what_is_learned_is_never_wrong_if_the_entry_and_the_certain_dice_are_right(data: st.DataObject) -> None:
    truth = data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=6))
    dice = [
        (true, SURE, true)
        if data.draw(st.booleans())
        else (data.draw(st.integers(1, 6)), b"\x89PNG" + bytes([i, true]), true)
        for i, true in enumerate(truth)
    ]
    dice.sort()
    reading = DiceRead(tuple(d[0] for d in dice), 0.5, 0.0, uncertain_faces=tuple(d[1] for d in dice))
    entered = data.draw(st.permutations(truth))
    for value, png in find_corrected_faces(reading, entered):
        assert png[-1] == value
