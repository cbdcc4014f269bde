"""Tokens taken off the lid count when two readings agree, and the lid is at rest."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.events import LidCovered, LidRead, TokenPlaced, TokenTaken
from companion.vision.reading import Lid, LidWindow
from companion.vision.table.token_agreement import TokenAgreement

CORNERS = ((0.0, 0.0), (400.0, 0.0), (400.0, 400.0), (0.0, 400.0))
Faces = tuple[int | None, ...]
ALL: Faces = (1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6)


def lid(faces: Faces, hidden: tuple[int, ...] = (), sure: float = 0.99) -> Lid:
    """Return a lid with these tokens (None: open); `hidden` windows are below a hand."""
    windows = tuple(
        LidWindow(
            (40.0 * i, 50.0), 15.0, None if i in hidden else face is not None, None if i in hidden else face, sure
        )
        for i, face in enumerate(faces)
    )
    return Lid(CORNERS, None, windows)


def without(*taken: int) -> Faces:
    return tuple(None if i in taken else face for i, face in enumerate(ALL))


def add_twice(agreement: TokenAgreement, lid_read: Lid, at: float = 5.0) -> list[object]:
    agreement.reset()
    for _ in range(6):
        events = agreement.add_reading(lid_read, at)
        if events is not None:
            return [event for event in events if not isinstance(event, LidRead)]
    pytest.fail("no result")


class TestTokens:
    def test_a_taken_token_is_reported_with_its_number_and_the_lid_as_covered_after_it(self) -> None:
        agreement = TokenAgreement()
        assert add_twice(agreement, lid(ALL)) == []
        assert add_twice(agreement, lid(without(3))) == [TokenTaken(3, 4, 0.99, 5.0)]
        assert add_twice(agreement, lid(ALL), 6.0) == [LidCovered(6.0), TokenPlaced(3, 4, 0.99, 6.0)]

    def test_hidden_windows_stay_as_they_were(self) -> None:
        agreement = TokenAgreement()
        add_twice(agreement, lid(ALL))
        assert add_twice(agreement, lid(without(3), hidden=(3, 4))) == []
        assert add_twice(agreement, lid(without(3))) == [TokenTaken(3, 4, 0.99, 5.0)]

    def test_one_reading_or_two_that_differ_decide_nothing(self) -> None:
        agreement = TokenAgreement()
        add_twice(agreement, lid(ALL))
        agreement.reset()
        assert agreement.add_reading(lid(without(3)), 1.0) is None
        assert agreement.add_reading(lid(ALL), 1.1) is None
        assert agreement.add_reading(lid(ALL), 1.2) == []

    def test_a_turned_and_misread_lid_makes_no_events(self) -> None:
        """Windows 0, 1 open; then, named otherwise, 6, 7 are open and the others' numbers have traded places."""
        agreement = TokenAgreement()
        add_twice(agreement, lid(ALL))
        add_twice(agreement, lid(without(0, 1)))
        turned: Faces = (2, 1, 4, 3, 6, 5, None, None, 4, 3, 6, 5)
        assert add_twice(agreement, lid(turned)) == []

    def test_an_unread_number_keeps_the_known_one(self) -> None:
        agreement = TokenAgreement()
        add_twice(agreement, lid(ALL))
        lid_read = lid(ALL)
        unread = replace(lid_read.windows[0], number=None, confidence=0.4)
        add_twice(agreement, replace(lid_read, windows=(unread, *lid_read.windows[1:])))
        assert agreement.windows[0].number == 1

    def test_a_token_turned_over_has_no_number_any_more(self) -> None:
        agreement = TokenAgreement()
        add_twice(agreement, lid(ALL))
        lid_read = lid(ALL)
        turned = replace(lid_read, windows=(replace(lid_read.windows[0], number=None), *lid_read.windows[1:]))
        assert not agreement.is_unchanged(turned)
        assert add_twice(agreement, turned) == []
        assert add_twice(agreement, lid(without(0))) == [TokenTaken(0, None, 0.99, 5.0)]

    def test_an_unchanged_lid_is_recognised(self) -> None:
        agreement = TokenAgreement()
        add_twice(agreement, lid(ALL))
        assert agreement.is_unchanged(lid(ALL))
        assert not agreement.is_unchanged(lid(without(2)))
        assert not agreement.is_unchanged(lid(ALL, hidden=(2,)))
        assert not agreement.is_unchanged(lid((2, *ALL[1:])))
