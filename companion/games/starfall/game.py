"""StarFall as a frozen value: what the rules allow, and what follows from a move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from companion.api import (
    N_,
    Away,
    BadCorrection,
    Correctable,
    Correction,
    CorrectionKind,
    Game,
    GameClock,
    Outcome,
    Reason,
    Seat,
    Translator,
    Unmet,
    check_start,
)
from companion.games.starfall import payment_rules
from companion.games.starfall.corrections import (
    COUNTS,
    NEBULAE,
    TOTAL,
    Counted,
    OwnTiles,
    Pile,
    PlayerDust,
    Spaces,
    TileOn,
    WhoseTurn,
)
from companion.games.starfall.count_moves import (
    Accept,
    BackLine,
    Clear,
    Count,
    EnterCount,
    Finish,
    Leave,
    NextLine,
    SixMore,
)
from companion.games.starfall.moves import AddTile, Discover, Mark, MoveTile, NameTile, Narrow, Unmark
from companion.games.starfall.payment_moves import Cancel, Change, Pay, With, Without
from companion.games.starfall.settings import Settings
from companion.games.starfall.state import END_TEXTS, Phase, StarFallState
from companion.i18n import capitalize_first_letter

_ = Translator("starfall")

INITIAL_WHITE_TOKENS = 7
"""F1: white tokens of each player at the start; the rest of the dust is orange tokens."""
MIN_PLAYERS = 2
"""F3: with fewer players at the table there is no game."""


@dataclass(frozen=True, slots=True)
class StarFall(StarFallState):
    """A game of StarFall (`companion.api.game.Game`).

    >>> from companion.api import Move
    >>> game = StarFall.create(2, Seat(0), Settings()).play(Move("add", Seat(0), (0,)))
    >>> game.play(Move("discover", Seat(1), (9,))).dust
    (32, 23)
    >>> game.play(Move("discover", Seat(1), (8,)))
    Traceback (most recent call last):
    ...
    companion.api.move.IllegalMove: F12: there is no tile on 8
    """

    MOVES = (
        *(Mark(), AddTile(), Narrow(), NameTile(), Discover(), MoveTile(), Unmark()),
        *(With(), Change(), Without(), Pay(), Cancel()),
        *(Count(), EnterCount(), NextLine(), SixMore(), BackLine(), Clear(), Leave(), Accept(), Finish()),
    )
    CORRECTIONS: ClassVar[tuple[CorrectionKind[Any], ...]] = (
        *(TOTAL, PlayerDust(), WhoseTurn("F3", N_("whose turn"))),
        *(Counted(), COUNTS, NEBULAE),
        *(Spaces(), Pile(), TileOn(), OwnTiles(), Away()),
    )

    @classmethod
    def create(cls, player_count: int, first_seat: Seat, settings: Settings) -> StarFall:
        """Return a game at its start (F1 to F3).

        Args:
            player_count: number of players, within `settings.player_counts`.
            first_seat: seat that begins, from 0.

        Raises:
            ValueError: `player_count` is not allowed, or `first_seat` is not from 0 to `player_count` - 1.
        """
        check_start("StarFall", settings.player_counts, player_count, first_seat)
        dust = settings.start_dust
        orange_tokens = max(0, dust - INITIAL_WHITE_TOKENS) // payment_rules.ORANGE_TOKEN_DUST
        game = cls(
            settings=settings,
            dust=(dust,) * player_count,
            white_tokens=(dust - payment_rules.ORANGE_TOKEN_DUST * orange_tokens,) * player_count,
            owned_tiles=((),) * player_count,
            away=(False,) * player_count,
            active_seat=first_seat,
            pile_size=settings.get_pile_size(player_count),
            changes=(0,) * player_count,
        )
        return game.reset_counts()

    def list_clocks(self) -> Sequence[GameClock]:
        """Return the house timer of the turn, in seconds, which only reminds.

        Empty: none is set, or the game is over.
        """
        if self.end_reason or not self.settings.turn_seconds:
            return ()
        return (GameClock(f"turn {self.turn_number}", self.settings.turn_seconds),)

    def compute_outcome(self) -> Outcome | None:
        """Return who has most points (F37; several share the victory), and the reason; None before the end."""
        if self.phase is not Phase.OVER:
            return None
        most, winners = max(self.totals), self.leaders
        shared = N_("{why}; {most} points are the most, the victory is shared.")
        message = shared if len(winners) > 1 else N_("{why}; {most} points are the most.")
        return Outcome(winners, _(message, why=format_end_reason(self), most=most))

    def get_active_seat(self) -> Seat:
        """Return whose turn it is, or would be if the game went on."""
        return self.active_seat

    def explain_turn(self, rule: str) -> Reason:
        """Return why the game has ended, or that it is another player's turn."""
        if self.end_reason:
            return END_TEXTS[self.end_reason]
        return Unmet(rule, N_("it is {active}'s turn, not {who}'s"), {"active": self.active_seat})

    def change_active_seat(self, seat: Seat) -> Self:
        """Return the game at the start of another player's turn."""
        return replace(self.restart_turn(), active_seat=seat)

    def change_away(self, seat: Seat, is_away: bool) -> Self:
        """Return the game after a player left or came back.

        A player who is away is not asked and does not prevent the end (F21); tiles and stardust still count (F37).
        """
        game = self.set_away(seat, is_away)
        if is_away and len(game.present_seats) < MIN_PLAYERS:
            raise BadCorrection("F3", _("{n} players must stay: set the game aside instead"), n=MIN_PLAYERS)
        if game.away[game.active_seat]:
            game = game.change_active_seat(game.find_next_seat(game.active_seat))
        if game.counting_seat is not None and game.counting_seat not in game.seats_to_count:
            game = replace(game, counting_seat=None, line_index=0)
        return game

    def list_correctables(self) -> Sequence[Correctable]:
        """Return all that may be corrected; the two lines of a player's page stand together."""
        places = {kind.kind: place for place, kind in enumerate(self.CORRECTIONS)}
        places[NEBULAE.kind] = places[COUNTS.kind]

        def find_place(entry: Correctable) -> tuple[int, int]:
            return places[entry.kind], entry.seat or 0 if entry.kind in (COUNTS.kind, NEBULAE.kind) else 0

        return sorted(Game.list_correctables(self), key=find_place)

    def _apply_correction(self, correction: Correction) -> Self:
        """Return the corrected game; what was counted is forgotten where it ends now, or goes on again."""
        after = Game._apply_correction(self, correction)
        if bool(self.end_reason) != bool(after.end_reason):
            after = after.restart_turn().reset_counts()
        return after.open_last_count_page()

    def _with_changes(self, after: Self) -> Self:
        """Return `after` with its changes; dust is compared only with dust, points only with points."""
        changes = tuple(now - then for now, then in zip(after.totals, self.totals, strict=True))
        return replace(after, changes=changes if self.score_kind is after.score_kind else (0,) * self.player_count)


def format_end_reason(state: StarFallState) -> str:
    """Return why the game ended: translated, with a capital letter and no full stop; empty while it goes on."""
    if state.end_reason is None:
        return ""
    _rule, message = END_TEXTS[state.end_reason]
    return capitalize_first_letter(_(message))
