"""The places of a result: who plays together, who stands where, and the sentence that says who has won.

Equal scores share a place: `GameState.leaders`.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.api.game_state import GameState, number_places
from companion.api.move import Outcome, Seat
from companion.i18n import N_, _, join_and


class RankedSeats(NamedTuple):
    """A player, or all of a team, with rank and score.

    >>> RankedSeats(rank=1, seats=(Seat(0), Seat(2)), score=12).seats
    (0, 2)

    Attributes:
        rank: from 1; equal ones share it.
        seats: the player's, or those of all of the team, ascending.
        score: the score.
    """

    rank: int
    seats: tuple[Seat, ...]
    score: int


def list_teams(game: GameState, seats: Iterable[Seat] | None = None) -> list[tuple[Seat, ...]]:
    """Return the seats of each team, without teams of each player.

    >>> from companion.api.registry import find_game
    >>> keeper = find_game("score_keeper")
    >>> list_teams(keeper.create_game(4, Seat(0), keeper.settings_model(teams=True)))
    [(0, 2), (1, 3)]

    Args:
        game: says who plays together.
        seats: the teams come in the order of these; None: in that of the seats' numbers.
    """
    return list(dict.fromkeys(map(game.list_team, map(Seat, range(game.player_count)) if seats is None else seats)))


def compute_places(outcome: Outcome, scores: Sequence[int]) -> tuple[int, ...]:
    """Return the place of each seat, from 1; equal ones share it, and each counts: after two first comes the third.

    >>> compute_places(Outcome((Seat(1),), "The last one wins."), (9, 4, 9, 5))
    (2, 1, 2, 4)

    Args:
        outcome: how the game ended.
        scores: by seat.
    """
    keys = outcome.places or [score if outcome.lowest_wins else -score for score in scores]
    # All winners share the first place.
    return number_places([(False, 0) if q in outcome.winners else (True, key) for q, key in enumerate(keys)])


def rank_teams(teams: Iterable[tuple[Seat, ...]], scores: Sequence[int], places: Sequence[int]) -> list[RankedSeats]:
    """Rank the teams, best first.

    Equal ones share a rank, in the order of seats; each team counts once: after two first comes the third.

    >>> rank_teams([(0, 2), (1, 3)], (5, 9, 5, 9), (3, 1, 3, 1))
    [RankedSeats(rank=1, seats=(1, 3), score=9), RankedSeats(rank=2, seats=(0, 2), score=5)]

    Args:
        teams: the seats of each (`list_teams`).
        scores: by seat.
        places: by seat (`GameState.places`, after the end `compute_places`).
    """
    ordered = sorted((places[team[0]], team) for team in teams)
    first = [place for place, _team in ordered]
    return [RankedSeats(first.index(place) + 1, team, scores[team[0]]) for place, team in ordered]


def is_by_score(places: Sequence[int], scores: Sequence[int], *, lowest_wins: bool) -> bool:
    """Return whether nobody with a better score has a later place than others.

    >>> is_by_score((1, 2, 2), (9, 4, 7), lowest_wins=False), is_by_score((1, 2), (4, 9), lowest_wins=False)
    (True, False)

    Args:
        places: by seat, from 1.
        scores: by seat.
        lowest_wins: the fewer points, the better.
    """
    signed = [score if lowest_wins else -score for score in scores]
    ordered = [score for _place, score in sorted(zip(places, signed, strict=True))]
    return ordered == sorted(ordered)


def format_winners(game: GameState, names: Sequence[str], points: str = "") -> str:
    """Return who has won, in one translated sentence: "Ada wins with 12", "Ada and Bob share the victory".

    >>> from companion.api.registry import find_game
    >>> from companion.api.move import Correction, Move
    >>> keeper = find_game("score_keeper")
    >>> game = keeper.create_game(2, Seat(0), keeper.settings_model()).correct(Correction("total", Seat(1), (12,)))
    >>> format_winners(game.play(Move("end")), ("Ada", "Bob"), "12")
    'Bob wins with 12'

    Args:
        game: the game, which is over.
        names: players' names by seat.
        points: the winners' score; empty: it is not named, since something else has decided.
    """
    is_shared = game.list_team(game.leaders[0]) != game.leaders
    is_team = len(game.leaders) > 1 and not is_shared
    if points:
        message = N_("{names} share the victory with {points}") if is_shared else N_("{who} wins with {points}")
        message = N_("{names} win with {points}") if is_team else message
    else:
        message = N_("{names} share the victory") if is_shared else N_("{who} wins")
        message = N_("{names} win") if is_team else message
    who = join_and([names[q] for q in game.leaders])
    return _(message, names=who, who=who, points=points)
