"""Before a game: the players and their seats, the game, its house rules, and the first player."""

from companion.lobby.button_teaching import ButtonTeaching
from companion.lobby.dice_teaching import DiceTeaching
from companion.lobby.first_player_draw import FirstPlayerDraw
from companion.lobby.greeting import Greeting
from companion.lobby.house_rules import HouseRules
from companion.lobby.idle_timer import IdleTimer
from companion.lobby.lesson_stage import Lesson
from companion.lobby.lobby import Lobby
from companion.lobby.pre_game_stage import PreGameStage
from companion.lobby.preferences import Preferences
from companion.lobby.problem_report import ProblemReport
from companion.lobby.results_cache import ResultsCache
from companion.lobby.resume_prompt import ResumePrompt
from companion.lobby.services import LobbyServices
from companion.lobby.setup_wizard import SetupWizard

__all__ = [
    "ButtonTeaching",
    "DiceTeaching",
    "FirstPlayerDraw",
    "Greeting",
    "HouseRules",
    "IdleTimer",
    "Lesson",
    "Lobby",
    "LobbyServices",
    "PreGameStage",
    "Preferences",
    "ProblemReport",
    "ResultsCache",
    "ResumePrompt",
    "SetupWizard",
]
