"""What the commands of the referee do: each returns the step to which it leads.

The menu in which people choose them: `dialogs/pause_menu.py`.
"""

from functools import partial

from companion.api import Command, CommandName, Move
from companion.i18n import N_, _
from companion.journal.entry import JournalUnwritable
from companion.journal.known_players import load_known_players
from companion.referee.dialogs.base import Step
from companion.referee.dialogs.correction_menu import open_correction_menu
from companion.referee.dialogs.large_picture import open_camera_dialog
from companion.referee.dialogs.players_menu import open_players_menu
from companion.referee.dialogs.result_codes import open_result_codes
from companion.referee.dialogs.score_sheet import open_score_sheet
from companion.referee.game_stage import GameStage


def execute_command(stage: GameStage, command: Command) -> Step:
    """Execute a command of an offer or of a dialog's answer.

    Args:
        stage: the game at the table.
        command: the command; one that only the game knows is left to its readings.

    Returns:
        The dialog that opens, a move or correction to be made, or None: no dialog stays open.

    Raises:
        NotImplementedError: neither referee nor game know the command.
        Exception: a game of another package may raise any error.
    """
    saved_game = stage.saved_game
    match command.name:
        case CommandName.UNDO if saved_game.can_undo:
            stage.change_game(saved_game.undo, N_("Undone: {what}"))
        case CommandName.REDO:
            longer = _find_longer_turn(stage)
            redo = saved_game.redo if longer is None else partial(saved_game.redo_as, longer)
            stage.change_game(redo, N_("Redone: {what}"))
        case CommandName.SET_ASIDE:
            stage.change_game(saved_game.set_aside)
            stage.exit = Command(CommandName.LOBBY)
        case CommandName.AGAIN | CommandName.LOBBY | CommandName.RESTART:
            stage.exit = command
        case CommandName.PAUSE if stage.clocks.list_running():
            stage.clocks.pause()  # the referee opens the menu while the clocks stand still
        case CommandName.PAUSE:
            return stage.open_pause()
        case CommandName.HELP:
            stage.wants_help = True
            return stage.dialog
        case CommandName.CONTINUE:
            stage.clocks.resume()
        case CommandName.FILM if stage.services.start_film is not None:
            stage.services.start_film(saved_game.id)
        case CommandName.LIVE_PICTURE:
            stage.camera.is_live_wanted = not stage.camera.is_live_wanted
        case CommandName.ERASE:
            stage.entered_numbers = stage.entered_numbers[:-1]
        case CommandName.DIGIT:
            return _enter_number(stage, *command.value)
        case CommandName.CORRECT:
            return _open_corrections(stage)
        case CommandName.PLAYERS:
            return _open_players(stage)
        case CommandName.SCORE_SHEET | CommandName.DICE_LUCK:
            return open_score_sheet(saved_game.replay, command)
        case CommandName.RESULT_CODE:
            return _open_codes(stage)
        case CommandName.PICTURE:
            return open_camera_dialog(saved_game.game, stage.readings.last_window)
        case CommandName.MARK_DIE | CommandName.BOXES | CommandName.CLAIM:
            if command.name is CommandName.CLAIM:  # another player may be about to press OK for the turn
                stage.press_guard.note_new_screen(stage.services.monotonic())
            step: Step = saved_game.definition.open_dialog(saved_game.game, saved_game.players, command)
            return step
        case CommandName.UNDO:
            return None  # there is nothing to undo: only the dialog closes
        case _:
            step = stage.readings.handle_command(command)
            if step is None:
                stage.learner.note_reading(None)  # no answer: the dice may be thrown again
            return step
    return None


def _find_longer_turn(stage: GameStage) -> Move | None:
    """Return the end of a turn that is to be redone, with the time that has run since it was undone.

    Returns:
        None: no time has run since, or the move that is to be redone has no time as its value.
    """
    game, undone = stage.saved_game.game, stage.saved_game.replay.undone_steps
    if not undone or not isinstance(ended := undone[-1].played, Move):
        return None
    for move in game.list_moves():
        if (move.kind, move.seat) == (ended.kind, ended.seat) and stage.find_timed_clock(move):
            longer = stage.fill_time(move)
            return longer if longer.value > ended.value else None
    return None


def _enter_number(stage: GameStage, number: int) -> Step:
    """Enter a number of the open move that is on the number keys; the last one plays it."""
    move = next(m for m in stage.saved_game.game.list_moves() if m.value_range is not None)
    assert move.value_range is not None
    stage.entered_numbers = (*stage.entered_numbers, number)
    is_complete = len(stage.entered_numbers) == move.value_range.count
    return move.fill(*stage.entered_numbers) if is_complete else None


def _open_corrections(stage: GameStage) -> Step:
    dialog = open_correction_menu(
        stage.saved_game, stage.list_game_offers(), picture_visible=stage.camera.is_picture_public
    )
    if dialog is None:
        stage.notice = _("Nothing can be corrected yet")
    return dialog


def _open_players(stage: GameStage) -> Step:
    try:
        known = load_known_players(stage.saved_game.journal)
    except JournalUnwritable as error:  # it says who played here before
        stage.notice = error.screen_text
        return None
    return open_players_menu(stage.saved_game.replay, known)


def _open_codes(stage: GameStage) -> Step:
    saved_game, services = stage.saved_game, stage.services
    return open_result_codes(
        saved_game.record,
        saved_game.replay,
        saved_game.journal.clock,
        services.code_kind,
        offers_film=services.start_film is not None,
    )
