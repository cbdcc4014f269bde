"""The referee: where events from the table meet the rules of a game."""

from companion.referee.referee import Referee

__all__ = ["Referee"]
