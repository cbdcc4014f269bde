"""The only place where signals meet rules."""

from companion.referee.referee import Referee

__all__ = ["Referee"]
