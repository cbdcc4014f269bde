"""Back-off: due at once, then after pauses that double up to the limit."""

from __future__ import annotations

from companion.backoff import Backoff


def test_due_at_once_before_the_first_failure() -> None:
    assert Backoff(1.0, 8.0).is_due(-1e9)


def test_pauses_double_up_to_the_limit() -> None:
    backoff, now, pauses = Backoff(1.0, 5.0), 100.0, []
    for _ in range(2000):
        backoff.note_failure(now)
        assert not backoff.is_due(now)
        pauses.append(backoff.pause_seconds)
        now += backoff.pause_seconds
        assert backoff.is_due(now)
    assert pauses[:5] == [1.0, 2.0, 4.0, 5.0, 5.0]
    assert set(pauses[3:]) == {5.0}
    assert backoff.failures == 2000


def test_a_success_starts_the_pauses_again() -> None:
    backoff = Backoff(0.5, 30.0)
    for now in (0.0, 1.0, 2.0):
        backoff.note_failure(now)
    backoff.note_success()
    assert backoff.is_due(0.0)
    assert backoff.failures == 0
    backoff.note_failure(3.0)
    assert not backoff.is_due(3.4)
    assert backoff.is_due(3.5)
