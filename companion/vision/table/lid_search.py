"""When a table is searched for a lid: it is the slowest step, and the same view is not searched over and over."""

from math import inf

_MAX_LID_SEARCHES = 2
"""Searches for the lid at each rest; a search is the slowest step. Larger: slower, finds it in worse light."""

_MIN_LID_SEARCH_GAP_SECONDS = 1.0
"""First pause between two searches for a lid on a table that has shown none; it doubles each time."""

_MAX_LID_SEARCH_GAP_SECONDS = 8.0
"""Longest pause between two searches for a lid on a table that has shown none. Larger: it is found later."""


class LidSearch:
    """Counts the searches for a lid at each rest; only motion can bring one. All times are in seconds.

    >>> search = LidSearch()
    >>> search.note_missing(5.0, is_learnt=False), search.note_missing(5.1, is_learnt=False)
    (False, True)
    >>> search.again_at
    6.1

    Attributes:
        again_at: no search is due before.
    """

    def __init__(self) -> None:
        self.again_at = -inf
        self._count, self._gap = 0, 0.0

    def restart(self) -> None:
        """Begin to count again: something has moved."""
        self._count = 0

    def note_found(self) -> None:
        """Note that a lid was found: there is one on this table."""
        self._gap = 0.0

    def note_missing(self, at: float, *, is_learnt: bool) -> bool:
        """Note that a search found no lid; return whether it was the last one at this rest.

        Args:
            at: when.
            is_learnt: the reader knows a lid, so that a search is fast.
        """
        self._count += 1
        if self._count < _MAX_LID_SEARCHES:
            return False
        if not is_learnt:  # perhaps there is none on this table, and learning takes long
            self._gap = min(max(_MIN_LID_SEARCH_GAP_SECONDS, 2 * self._gap), _MAX_LID_SEARCH_GAP_SECONDS)
            self.again_at = at + self._gap
        return True
