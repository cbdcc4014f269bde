"""What everybody at the table may see, from the view model of the screen: texts and numbers.

The screen hides nothing from those who sit there, and a game's state holds nothing that the whole table may not see
(`companion.api.game.Game`). Even so only the fields below leave the unit: a new field of the screen does not.
"""

from collections.abc import Sequence

from companion.display.scenes import load_game_scene
from companion.display.toolkit.theme import BUTTON_COLOURS, DARK_PALETTE, SEAT_SHAPES
from companion.events import SEAT_BUTTONS
from companion.journal.replay import Replay
from companion.porch.messages import EventLine, EventType, PublicClock, PublicOffer, PublicPlayer, StateLine
from companion.porch.score_history import ScoreHistory
from companion.screen_state import ScreenKind, ScreenState

MAX_TEXT_LETTERS = 300
"""Longest text of a line; a longer one is cut off."""
MAX_LABEL_LETTERS = 80


def describe_table(
    state: ScreenState, table: str, table_name: str = "", language: str = "en", *, has_picture: bool = False
) -> StateLine:
    """Return the table as its screen shows it.

    Args:
        state: of the screen.
        table: id of the table.
        table_name: its name for people; empty: none.
        language: of the screen's texts.
        has_picture: the screen may be seen (`is_screen_public`).
    """
    in_game = state.in_game
    return StateLine(
        table=table,
        table_name=table_name,
        language=language,
        screen=state.kind.value,
        game=state.game_name,
        title=state.title[:MAX_LABEL_LETTERS],
        phase=_read_text(state.view, "phase") if in_game else "",
        headline=_choose_headline(state)[:MAX_TEXT_LETTERS],
        last_move=(state.last_move or "")[:MAX_TEXT_LETTERS],
        notice=(state.notice or "")[:MAX_TEXT_LETTERS],
        round=_read_round(state.view) if in_game else None,
        rounds=_read_number(getattr(state.view, "settings", None), "rounds") if in_game else None,
        active_seats=find_active_seats(state),
        players=_list_players(state),
        clocks=tuple(
            PublicClock(
                label=clock.label[:MAX_LABEL_LETTERS],
                seconds_left=float(clock.seconds_left),
                seconds_total=float(clock.seconds_total),
                running=not clock.paused,
            )
            for clock in state.clocks
        ),
        offers=tuple(
            PublicOffer(
                button=key.button.value, label=key.label[:MAX_LABEL_LETTERS], awaited=key.awaited, hold=key.is_hold
            )
            for key in state.soft_keys
            if key.label
        ),
        winners=tuple(state.outcome.winners) if state.outcome else (),
        has_picture=has_picture,
    )


def _choose_headline(state: ScreenState) -> str:
    """Return the sentence of the screen; over a finished game what a dialog asks is for those at the table only."""
    dialog = (state.menu, state.question, state.score_sheet, state.result_code, state.enlarged)
    is_covered = any(part is not None for part in dialog) or bool(state.choices)
    return state.outcome.reason if state.outcome and is_covered else state.prompt


def is_screen_public(state: ScreenState) -> bool:
    """Return whether others may see the screen.

    They see games, and no menus (settings, sticks, names that are being typed), no QR codes (one holds the secret
    address of the page), and no large picture of the camera, which may show more than the table.
    """
    covers = (state.menu, state.result_code, state.enlarged)
    is_covered = state.asks_for_text or any(cover is not None for cover in covers)
    return state.in_game and not (state.is_demo or is_covered or _shows_camera(state))


def _shows_camera(state: ScreenState) -> bool:
    """Return whether the camera's picture stands in place of the game, to say what is wrong with its view."""
    try:
        return load_game_scene(state.game_name).shows_camera(state)
    except Exception:  # noqa: BLE001 - a scene of another package: it cannot be drawn either
        return True


def read_scores(replay: Replay) -> ScoreHistory:
    """Return how the scores of a game came about, from the steps that its journal has."""
    history, name = ScoreHistory(), replay.definition.name
    history.note_scores(name, replay.setup.players, _read_round(replay.start), replay.start.totals)
    for step in replay.steps:
        history.note_scores(name, step.seating_after.players, _read_round(step.after), step.after.totals)
    return history


def find_active_seats(state: ScreenState) -> tuple[int, ...]:
    """Return the seats for which a game in play waits: who is addressed, else whose own button is awaited."""
    if state.kind is not ScreenKind.PLAY:
        return ()
    if state.addressed is not None:
        return (state.addressed,)
    awaited = {key.button for key in state.soft_keys if key.awaited and not key.is_number and not key.is_hold}
    return tuple(player.seat for player in state.players if player.button in awaited)


def find_events(before: StateLine | None, now: StateLine) -> Sequence[EventLine]:
    """Return what happened between two states of a table: a game began, another's turn, a reveal, a result.

    Args:
        before: the state before; None: none was known, so nothing has happened.
        now: the state now.
    """
    if before is None:
        return ()
    events: list[EventLine] = []
    if now.screen == "play" and before.screen != "play" and before.screen != "result":
        events.append(_make_event(now, "game_began", now.title))
    if now.screen == "result" and before.screen == "play":
        events.append(_make_event(now, "result", now.headline, now.winners))
    if now.screen == "play":
        if "reveal" in now.phase and now.phase != before.phase:
            events.append(_make_event(now, "reveal", now.headline))
        if now.active_seats and (now.active_seats, now.round) != (before.active_seats, before.round):
            events.append(_make_event(now, "turn", now.headline, now.active_seats))
    return events


def make_device_event(state: StateLine, name: str, *, is_lost: bool) -> EventLine:
    """Return the event of a device that was lost or came back.

    Args:
        state: the state now.
        name: of the device, for people.
        is_lost: whether it was lost.
    """
    return _make_event(state, "device_lost" if is_lost else "device_restored", name)


def _make_event(state: StateLine, event_type: EventType, text: str, seats: tuple[int, ...] = ()) -> EventLine:
    names = {player.seat: player.name for player in state.players}
    return EventLine(
        table=state.table,
        event_type=event_type,
        game=state.game,
        text=text[:MAX_TEXT_LETTERS],
        seats=seats,
        names=tuple(names[seat] for seat in seats if seat in names),
    )


def _list_players(state: ScreenState) -> tuple[PublicPlayer, ...]:
    return tuple(
        PublicPlayer(
            name=player.name[:MAX_LABEL_LETTERS],
            seat=player.seat,
            button=SEAT_BUTTONS.index(player.button) + 1,
            colour="#{:02x}{:02x}{:02x}".format(*DARK_PALETTE[BUTTON_COLOURS[player.button]]),
            shape=SEAT_SHAPES[player.button],
            score=state.scores[player.seat] if player.seat < len(state.scores) else None,
            away=player.away,
        )
        for player in state.players
    )


def _read_round(view: object) -> int | None:
    return _read_number(view, "round_number")


def _read_text(view: object, name: str) -> str:
    value = getattr(view, name, "")
    return str(value)[:40] if isinstance(value, str) else ""


def _read_number(view: object, name: str) -> int | None:
    value = getattr(view, name, None)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
