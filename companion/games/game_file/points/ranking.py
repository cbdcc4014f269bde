"""By what the winner of a game of entered points is found: the score, the rank of the file (G76), or being in (G77)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from companion.api import Seat, Translator, format_number
from companion.games.game_file.points.formulas import Side

if TYPE_CHECKING:
    from companion.games.game_file.points.state import PointsGameState

_ = Translator("game_file")


def list_rank_keys(game: PointsGameState) -> list[tuple[bool, int]]:
    """Return by seat whether the player is out, and the rank with the sign that makes the least one the best."""
    info, sign = game.info, 1 if game.rules.model.lowest_wins else -1
    return [
        (game.is_out(Seat(q)), sign * game.rules.compute_rank(Side((), game.memory[q], total), info))
        for q, total in enumerate(game.totals)
    ]


def list_places(game: PointsGameState) -> tuple[int, ...]:
    """Return the place of each seat, from 1, if something else than the score decides; empty: it decides."""
    keys, sign = list_rank_keys(game), 1 if game.rules.model.lowest_wins else -1
    by_score = sorted(zip((sign * total for total in game.totals), keys, strict=True))
    # A rank that tells equal scores apart does not contradict them.
    is_in_order = all(a[0] == b[0] or a[1] < b[1] for a, b in pairwise(by_score))
    if is_in_order and game.rules.ranks_by_score and not _has_last_player(game):
        return ()
    return tuple(1 + sum(other < key for other in keys) for key in keys)


def format_victory(game: PointsGameState) -> str:
    """Return by what the winner was found, in one translated sentence; empty: by the score."""
    if not list_places(game):
        return ""
    if _has_last_player(game):
        return _("The others are out.")
    model, winner = game.rules.model, game.leaders[0]
    if not model.rank:
        best = min(game.totals) if model.lowest_wins else max(game.totals)
        if game.totals[winner] == best:
            return ""
        return _("The best score of those who are not out wins: {n}.", n=format_number(game.totals[winner]))
    for kept, number in zip(model.kept, game.memory[winner], strict=False):
        if kept.id == model.rank.strip():
            return _("Decided by {name}: {n}.", name=game.rules.translate(kept.name), n=format_number(number))
    return _("The score alone does not decide.")


def _has_last_player(game: PointsGameState) -> bool:
    """Return whether all but one are out of the game."""
    return game.player_count > 1 and sum(not game.is_out(Seat(q)) for q in range(game.player_count)) == 1
