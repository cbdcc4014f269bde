"""The scene of all games of entered points: the scores as large cards, with what was entered in this round."""

from companion.api import Seat
from companion.api.places import list_teams
from companion.display.api import HUGE_EM, Canvas, ScreenLayout, ScreenState
from companion.display.scenes.turn_clock import TurnClockScene
from companion.display.widgets import ScoreCard, draw_score_cards, split_score_cards
from companion.games.game_file.points.state import PointsGameState, _

MAX_SHOWN_NUMBERS = 3
"""Most numbers of the round in play that stand on a card; of more it says how many there are."""


class PointsScene(TurnClockScene[PointsGameState]):
    """A card for each player; the lines under the scores show the numbers of the round in play."""

    ACCENT = (64, 120, 168)

    def draw_game(self, canvas: Canvas, layout: ScreenLayout, state: ScreenState, view: PointsGameState) -> None:
        """Draw the scores."""
        teams = list_teams(view, (Seat(0), *view.list_others(Seat(0))))
        places = split_score_cards(canvas, layout.body, len(teams))
        is_level = len(view.leaders) == view.player_count
        cards = []
        for team in teams:
            players = tuple(state.players[seat] for seat in team)
            is_away = all(player.away for player in players)
            entered = " / ".join(filter(None, (_format_entered(view, seat) for seat in team)))
            cards.append(
                ScoreCard(
                    players,
                    state.scores[team[0]],
                    _("away") if is_away else _format_note(view, team, entered),
                    not is_level and team[0] in view.leaders,
                    self.find_active_seat(view) in team,
                    entered if view.is_round_played and not is_away else "",
                    " · ".join(_list_kept(view, team[0])),
                )
            )
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


def _format_note(view: PointsGameState, team: tuple[Seat, ...], entered: str) -> str:
    """Format the line under the large number: what was entered, or the score while that is large."""
    if view.is_out(team[0]):
        return _("out")
    return _("{n} in all", n=view.totals[team[0]]) if view.is_round_played else entered


def _list_kept(view: PointsGameState, seat: Seat) -> list[str]:
    """List what a player or a team keeps: numbers, then the names of flags (G72, G73)."""
    flags = zip(view.rules.model.flags, view.memory[seat][len(view.rules.model.kept) :], strict=True)
    return [*view.list_shown_memory(seat), *(view.rules.translate(flag.name) for flag, has_it in flags if has_it)]


def _format_entered(view: PointsGameState, seat: Seat) -> str:
    """Format the numbers entered in this round, or turn: "26", and "?" where one is still to be entered."""
    own, is_due = view.entered[seat], view.find_next_entry(seat) is not None
    if len(own) > MAX_SHOWN_NUMBERS:
        count = len(view.rules.model.entries)  # what was not asked for counts as entered
        return _("{n} of {all}", n=len(own) if is_due else count, all=count)
    # A 0 in between was not asked for, or says nothing.
    entries = view.rules.model.entries
    shown = [(i, number) for i, number in enumerate(own) if number or not entries[i].when or i == len(own) - 1]
    numbers = [view.format_entered(i, number) for i, number in shown]
    if is_due and (numbers or not view.has_turns) and not view.is_round_played:
        numbers.append("?")
    return " · ".join(numbers)
