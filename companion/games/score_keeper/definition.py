"""What the score keeper provides besides its rules."""

from collections.abc import Sequence

from companion.api import N_, GameDefinition, Move, PicturedRule, Preset, Seat, format_number
from companion.api.places import format_winners
from companion.games.score_keeper.game import ScoreKeeper
from companion.games.score_keeper.moves import End, Pass, Point, TakeTurn
from companion.games.score_keeper.presets import PRESETS
from companion.games.score_keeper.settings import TEAM_PLAYER_COUNTS, Settings
from companion.games.score_keeper.state import Phase, _


class ScoreKeeperDefinition(GameDefinition[ScoreKeeper]):
    """Any game whose points people enter."""

    name = "score_keeper"
    title = N_("Any game")
    genre = "any_game"
    has_first_player = False
    player_counts = Settings.model_validate({}).player_counts
    settings_model = Settings
    scene = "companion.games.score_keeper.display.scene:ScoreKeeperScene"
    samples = "companion.games.score_keeper.samples:build_samples"
    simulator = "companion.games.score_keeper.simulator.player:KIT"
    presets: tuple[Preset, ...] = PRESETS
    name_setting = "name"

    def create_game(self, player_count: int, first_seat: Seat, settings: Settings) -> ScoreKeeper:
        return ScoreKeeper.create(player_count, first_seat, settings)

    def can_join(self, game: ScoreKeeper) -> bool:
        """Return whether one more player may sit down (K20): not where teams are formed, and while the game goes on."""
        settings = game.settings
        is_allowed = settings.late_joiners != "no" and not settings.teams and game.phase is not Phase.OVER
        return is_allowed and game.player_count + 1 in settings.player_counts

    def format_prompt(self, game: ScoreKeeper, names: Sequence[str]) -> str:
        match game.phase:
            case Phase.OVER if not any(game.totals) and len(game.leaders) == game.player_count:
                return _("Nobody has scored")
            case Phase.OVER:
                is_by_score = game.lost_on_time is None or game.player_count == 1
                return format_winners(game, names, format_number(game.totals[game.leaders[0]]) if is_by_score else "")
            case Phase.WAIT if game.turn_number == 0:
                return _("Who begins? Press your button")
            case Phase.WAIT:
                return _("Who is next? Press your button first")
            case _ if game.active_seat is not None and game.settings.has_chess_clock:
                return _("{who}: your turn, then your button", who=names[game.active_seat])
            case _ if game.active_seat is not None:
                return _("{who}: your turn, then OK", who=names[game.active_seat])
        return _("A point: press your button. More points: hold it")

    def get_addressed_seat(self, game: ScoreKeeper) -> Seat | None:
        return game.active_seat

    def get_round_number(self, game: ScoreKeeper) -> int:
        return game.round_number if game.settings.has_rounds else 0

    def list_round_points(self, game: ScoreKeeper) -> Sequence[Sequence[int]]:
        """Return the points of each round with that in play so far, in teams those of both partners together (K12)."""
        if not game.settings.has_rounds:
            return ()
        rounds = (*game.finished_rounds, *((game.current_points,) if any(game.current_points) else ()))
        return [game.sum_teams(points) for points in rounds]

    def get_default_move(self, game: ScoreKeeper, seat: Seat) -> Move:
        if game.phase is Phase.PLAY and game.settings.has_chess_clock:
            return Move(Pass.kind, seat)
        return Move(TakeTurn.kind if game.phase is Phase.WAIT else Point.kind, seat)

    def get_timed_clock(self, game: ScoreKeeper, move: Move) -> str:
        return game.turn_clock_name if move.kind in (Pass.kind, End.kind) else ""

    def list_rules(self, settings: Settings) -> Sequence[PicturedRule]:
        """Return K2 to K7, K10 and K14."""
        rules = [
            PicturedRule(_("Your own button: a point."), "button 1"),  # K2
            PicturedRule(_("Hold it for more at once."), "word +50"),  # K3
        ]
        if settings.has_chess_clock:
            rules[0] = PicturedRule(
                _("Your button ends your turn; the other clock runs."), "button 1", "button 2"
            )  # K14
        elif settings.has_turns:
            rules.append(PicturedRule(_("OK ends the turn."), "sign ok"))  # K5
        elif settings.has_rounds:
            rules.append(PicturedRule(_("OK ends the round."), "sign ok"))  # K7
        rules.append(PicturedRule(_("Hold NO to undo."), "sign no"))
        return tuple(rules)

    def explain_ending(self, settings: Settings) -> str:
        """Return K8 to K11."""
        end = _("You end the game yourselves.")  # K10
        if settings.target_points:
            end = _("The game ends with {n} points.", n=settings.target_points)  # K8
        elif settings.rounds:
            end = _.plural("The game ends after {n} round.", "The game ends after {n} rounds.", settings.rounds)  # K9
        best = _("The lowest score wins.") if settings.lowest_wins else _("The highest score wins.")  # K11
        return f"{end} {best}"

    def list_setup_steps(self, settings: Settings, player_count: int) -> Sequence[str]:
        """Return what is played."""
        lines = [
            {
                "none": _("Own button: +1. Hold it: more"),
                "clockwise": _("Turns go clockwise, your button ends yours")
                if settings.has_chess_clock
                else _("Turns go clockwise, OK ends a turn"),
                "auction": _("Who presses first has the next turn"),
            }[settings.turn_order]
        ]
        if settings.target_points:
            lines.append(_("Played to {n} points", n=settings.target_points))
        if settings.rounds:
            lines.append(_.plural("Played over {n} round", "Played over {n} rounds", settings.rounds))
        if settings.lowest_wins:
            lines.append(_("The lowest score wins"))
        if settings.teams and player_count in TEAM_PLAYER_COUNTS:
            lines.append(_("Opposite players are a team"))
        return tuple(lines)


GAME = ScoreKeeperDefinition()
