"""The scene of all games of entered points: the scores as large cards, with what was entered in this round."""

from companion.api import Seat, format_number
from companion.display.api import HUGE_EM, Canvas, GameScene, ScreenLayout, ScreenState
from companion.display.widgets import ScoreCard, draw_score_cards, split_score_cards
from companion.games.game_file.points.state import PointsGameState, _


class PointsScene(GameScene[PointsGameState]):
    """A card for each player; the lines under the scores show the numbers of the round in play."""

    ACCENT = (64, 120, 168)

    def draw_game(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState, view: PointsGameState) -> None:
        """Draw the scores."""
        places = split_score_cards(canvas, layout.body, len(state.players))
        is_level = len(view.leaders) == view.player_count
        cards = [
            ScoreCard(
                (player,),
                state.scores[player.seat],
                _("away") if player.away else _format_note(view, player.seat),
                not is_level and player.seat in view.leaders,
                self.find_active_seat(view) == player.seat,
                _format_entered(view, player.seat) if view.is_round_played and not player.away else "",
            )
            for player in (state.players[seat] for seat in (Seat(0), *view.list_others(Seat(0))))
        ]
        draw_score_cards(canvas, layout.body, places, cards, HUGE_EM)

    def has_own_scores(self, _state: ScreenState) -> bool:
        """Return True: the scores are the point."""
        return True

    def find_active_seat(self, view: PointsGameState) -> Seat | None:
        """Return the seat whose turn it is; None: all enter their numbers, or the game is over."""
        return view.active_seat if view.has_turns and not view.is_over else None

    def count_rounds(self, view: PointsGameState) -> int:
        """Return the number of rounds; 0: any number (G68)."""
        return view.rules.model.rounds


def _format_note(view: PointsGameState, seat: Seat) -> str:
    """Format the line under the large number: what was entered, or the score while that is large."""
    return _("{n} in all", n=view.totals[seat]) if view.is_round_played else _format_entered(view, seat)


def _format_entered(view: PointsGameState, seat: Seat) -> str:
    """Format the numbers entered in this round, or turn: "26", and "?" where one is still to be entered."""
    numbers = [
        (_("yes") if number else _("no")) if view.is_question(i) else format_number(number)
        for i, number in enumerate(view.entered[seat])
    ]
    if view.find_next_entry(seat) is not None and (numbers or not view.has_turns) and not view.is_round_played:
        numbers.append("?")
    return " · ".join(numbers)
