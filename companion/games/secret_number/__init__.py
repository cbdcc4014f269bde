"""Secret Number. For the rule numbers (S1 to S36, A1 to A14) see `docs/rules/secret_number.md`."""

from companion.games.secret_number.definition import GAME
from companion.games.secret_number.game import SecretNumber
from companion.games.secret_number.settings import Settings

__all__ = ["GAME", "SecretNumber", "Settings"]
