"""The caller: which lines are spoken of a change of the screen, from the two states alone.

Everything that is needed to play is spoken, at the level "everything": who cannot see the screen plays by ear.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from companion.display.scenes import load_game_scene
from companion.display.sound.effect_choice import find_round, is_newly_asked, is_simultaneous
from companion.display.sound.key_meanings import describe_actions
from companion.display.sound.spoken_clocks import describe_time_left
from companion.display.widgets.ranking import rank_players
from companion.events import Button
from companion.i18n import _
from companion.lobby_views import HistoryTable, WizardPage
from companion.possible_actions import PossibleAction, find_instruction, list_actions_beside_lines
from companion.screen_state import Menu, ScreenKind, ScreenState


class SpeechLevel(StrEnum):
    """How much is spoken; the names are those of the settings."""

    OFF = "off"
    MOMENTS = "moments"
    """Throws, scores, turns, questions and the winner: for a table that sees the screen."""
    EVERYTHING = "everything"
    """All that is needed to play without seeing."""


def compose_lines(before: ScreenState | None, after: ScreenState, level: SpeechLevel) -> tuple[str, ...]:
    """Compose the lines to speak about a change of the screen, in the language of the states.

    Args:
        before: the state before; None: nothing was shown yet.
        after: the state after.
        level: how much is spoken. The help is asked for, and spoken at any level but OFF.

    Returns:
        The lines in their order; empty: nothing is spoken.

    Raises:
        Exception: any error of the scene's methods is passed on.
    """
    if level is SpeechLevel.OFF:
        return ()
    if after.help is not None and (before is None or after.help != before.help):
        lines: Iterable[str] = _describe_help(after)
    elif level is SpeechLevel.EVERYTHING:
        is_back = before is not None and before.help != after.help and before.last_move == after.last_move
        lines = _describe_screen(after) if before is None or is_back else _answer_press(before, after)
    else:
        lines = () if before is None else _list_moments(before, after)
    return tuple(spoken for line in lines if (spoken := make_speakable(line)))


def make_speakable(text: str) -> str:
    """Replace the signs of the screen that a voice skips or misreads by words, in the current language.

    >>> make_speakable("Ada throws 6 6 2: −4 · 1/8 · 2 × 0:30")
    'Ada throws 6, 6, 2: minus 4, 1 of 8, 2 times 30 seconds'
    """
    text = re.sub(r"(\d+)/(\d+)", lambda m: _("{n} of {most}", n=m[1], most=m[2]), text)
    text = re.sub(r"(\d+):(\d\d)", lambda m: _format_time(int(m[1]), int(m[2])), text)
    text = re.sub(r"[−-](?=\d)", _("minus") + " ", text)
    text = re.sub(r"\+(?=\d)", _("plus") + " ", text)
    text = re.sub(r"(?<=\d)\+", " " + _("and more"), text)
    text = re.sub(r"(?<=\d) × ", " " + _("times") + " ", text)
    text = re.sub(r"(?<=\d) (?=\d)", ", ", text)
    text = re.sub(r"\s*–\s*", " " + _("to") + " ", text)
    return re.sub(r"\s*[·→]", ",", text).replace("_", " ").strip()


def _format_time(minutes: int, seconds: int) -> str:
    parts = [_.plural("{n} minute", "{n} minutes", minutes)] if minutes else []
    if seconds or not minutes:
        parts.append(_.plural("{n} second", "{n} seconds", seconds))
    return " ".join(parts)


# Levels ---------------------------------------------------------------------------------------------------------------


def _describe_help(state: ScreenState) -> Iterator[str]:
    """Describe the open page of the help: places, scores, time, all that can be done and the stage, or the rules."""
    assert state.help is not None, "the help is open"
    if state.help.rules or state.help.ending:
        yield from (rule.sentence for rule in state.help.rules)
        yield state.help.ending
        return
    for player in state.players:
        yield _("{who}, button {n}", who=player.name, n=player.button.seat_number) + (
            f": {state.scores[player.seat]}" if state.scores else ""
        )
    yield describe_time_left(state)
    yield from _describe_screen(state)
    if state.kind is ScreenKind.PLAY:
        yield from load_game_scene(state.game_name).describe_stage(state)
    yield _("That was the help. OK goes back, plus turns the page")


def _describe_screen(state: ScreenState) -> Iterator[str]:
    if not state.in_game:
        yield state.title
    yield state.notice or ""
    yield from _list_parts(state).values()
    yield from describe_actions(list_actions_beside_lines(state))


def _answer_press(before: ScreenState, after: ScreenState) -> Sequence[str]:
    """List all that is new. A press cuts the notice short: if it brings nothing new, the notice is spoken again."""
    lines = [line for line in _list_changes(before, after) if line]
    is_pressed = bool(after.pressed_buttons - before.pressed_buttons)
    return [after.notice] if is_pressed and not lines and after.notice else lines


def _list_changes(before: ScreenState, after: ScreenState) -> Iterator[str]:
    """Yield all that is new: what has happened, what is asked now, and the keys if they have changed."""
    if after.title != before.title:
        yield after.title
    if after.kind is before.kind is ScreenKind.LOBBY:
        yield from _describe_seats(before, after)
    yield (after.notice or "") if after.notice != before.notice else ""
    yield _describe_move(before, after)
    yield _describe_scores(before, after)
    yield _describe_round(before, after)
    old, new = _list_parts(before), _list_parts(after)
    is_new = after.kind is not before.kind or next(iter(new.items())) != next(iter(old.items()))
    yield from (text for name, text in new.items() if is_new or old.get(name) != text)
    if after.kind is ScreenKind.RESULT is not before.kind:
        yield _format_standing(after)
    old_keys, keys = _list_meanings(before), _list_meanings(after)
    if keys != old_keys or after.kind is not before.kind:
        is_asked = after.question is not None or after.menu is not None  # there MINUS may be dark
        actions = list_actions_beside_lines(after)
        yield from describe_actions([each for each in actions if is_asked or not _stays(each, old_keys)])


def _list_moments(before: ScreenState, after: ScreenState) -> Iterator[str]:
    """Yield throws and what changed the scores, whose turn it is and what to do, a question, or who has won and why."""
    if before.game_name != after.game_name or not after.in_game:
        return
    if after.question is not None and is_newly_asked(before, after):
        yield after.question.title
        return
    scores, move = _describe_scores(before, after), _describe_move(before, after)
    if scores or re.search(r"\d", move):
        yield move
    if after.kind is ScreenKind.RESULT is not before.kind:
        yield after.prompt
        yield _get_reason(after)
        yield _format_standing(after)
        return
    yield scores
    is_new_turn = after.addressed != before.addressed or is_simultaneous(after) != is_simultaneous(before)
    if after.kind is ScreenKind.PLAY and is_new_turn and after.prompt != before.prompt:
        yield after.prompt


# What has happened ----------------------------------------------------------------------------------------------------


def _describe_move(before: ScreenState, after: ScreenState) -> str:
    """Describe the last move if it is new; empty after an undo, whose notice says which move it was."""
    notice = after.notice or ""
    is_told = any(move is not None and move in notice for move in (before.last_move, after.last_move))
    is_new = after.last_move != before.last_move or (before.in_game and after.in_game and after.view != before.view)
    return (after.last_move or "") if is_new and not is_told else ""


def _describe_scores(before: ScreenState, after: ScreenState) -> str:
    """Describe the new scores of those whose score has changed: "Ada 12, Bo 7"."""
    if not (before.in_game and after.in_game) or len(before.scores) != len(after.scores):
        return ""
    changed = [p for p in after.players if after.scores[p.seat] != before.scores[p.seat]]
    return ", ".join(f"{player.name} {after.scores[player.seat]}" for player in changed)


def _get_reason(state: ScreenState) -> str:
    """Return why the game ended as it did: what decided it, a tie too; empty before the end."""
    return state.outcome.reason if state.outcome is not None else ""


def _format_standing(state: ScreenState) -> str:
    return ", ".join(f"{ranked.name} {ranked.score}" for ranked in rank_players(state))


def _describe_seats(before: ScreenState, after: ScreenState) -> Iterator[str]:
    """Describe who has sat down, got another name, or stood up."""
    old, new = ({p.button: p.name for p in state.players} for state in (before, after))
    for button, name in new.items():
        if old.get(button) != name:
            yield _("{who}, button {n}", who=name, n=button.seat_number)
    for button in old.keys() - new.keys():
        yield _("{who} stands up", who=old[button])


def _describe_round(before: ScreenState, after: ScreenState) -> str:
    if after.kind is not ScreenKind.PLAY:
        return ""
    number, count = find_round(after), load_game_scene(after.game_name).count_rounds(after.view)
    if not number or (before.kind is ScreenKind.PLAY and number == find_round(before)):
        return ""
    return _("Round {n}/{count}", n=number, count=count) if count else _("Round {n}", n=number)


# What is asked now ----------------------------------------------------------------------------------------------------


def _list_parts(state: ScreenState) -> dict[str, str]:
    """List what the screen asks, by part; the first one is the heading, and another heading is another screen."""
    question, menu = state.question, state.menu
    if state.result_code is not None:
        return {"code": state.result_code.caption}
    if question is not None:
        parts = {"question": question.title, "detail": question.detail}
    elif menu is not None:
        parts = _list_menu_parts(menu)
    else:
        parts = {"prompt": state.prompt, "page": _describe_page(state), "reason": _get_reason(state)}
    if state.entered_numbers:
        parts["entered"] = ", ".join(map(str, state.entered_numbers))
    if isinstance(state.view, HistoryTable):
        parts["row"] = _describe_row(state.view)
    elif state.kind is ScreenKind.FIRST:
        parts["steps"] = "; ".join(state.details[state.view.first_step : state.view.end_step])
    sheet = state.score_sheet
    if sheet is not None and sheet.lines:
        line = sheet.lines[sheet.selected]
        parts["line"] = f"{line.label}: {line.points:+d}, {line.total}"
    return parts


def _list_menu_parts(menu: Menu) -> dict[str, str]:
    parts = {"title": menu.title}
    numbered = menu.items[menu.first_numbered : menu.first_numbered + menu.numbered]
    if numbered:
        parts["items"] = "; ".join(f"{n}: {item}" for n, item in enumerate(numbered, 1))
    if menu.items:
        details = menu.details[menu.selected] if menu.details else ()
        parts["selected"] = ", ".join((menu.items[menu.selected], *details))
    if menu.note:
        parts["note"] = menu.note
    if menu.value is not None:
        parts["value"] = menu.value
    return parts


def _describe_page(state: ScreenState) -> str:
    """Describe what a screen that leads through something says besides its title; empty: nothing."""
    if (instruction := find_instruction(state)) != state.prompt:
        return instruction
    if state.kind is ScreenKind.LESSON:
        return "; ".join(state.view.learnt)
    if state.kind is ScreenKind.SETUP and state.view.page is WizardPage.SCREEN:
        return state.details[0]  # the distance; the others are on the keys
    return "; ".join(state.details) if state.kind is ScreenKind.WAITING else ""


def _describe_row(table: HistoryTable) -> str:
    if not table.rows:
        return ""
    row = table.rows[table.selected]
    cells = (f"{heading} {cell}" for heading, cell in zip(table.headings, row.cells, strict=False))
    return "; ".join((row.label, *cells, row.detail))


def _list_meanings(state: ScreenState) -> dict[tuple[Button, bool], str]:
    return {(action.button, action.is_hold): action.words for action in list_actions_beside_lines(state)}


def _stays(action: PossibleAction, before: dict[tuple[Button, bool], str]) -> bool:
    """Return whether a key needs no word in a list of new keys: MINUS and undo while they mean what they meant."""
    is_constant = action.button is Button.MINUS or action.is_hold
    return is_constant and not action.is_awaited and before.get((action.button, action.is_hold)) == action.words


def join_lines(lines: Sequence[str]) -> str:
    """Join lines to one text for the voice, each with a pause after it.

    >>> join_lines(("Ada rolls 2 and 5", "Who guesses?"))
    'Ada rolls 2 and 5. Who guesses?'
    """
    return " ".join(line if line.endswith((".", "?", "!")) else f"{line}." for line in lines).removesuffix(".")
