"""House rules as the lobby shows and changes them: read off the game's settings model.

A setting with a `title` is for the lobby, one without for the settings file only.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Literal, get_args, get_origin

from annotated_types import Ge, Le
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from companion.i18n import Translator
from companion.lobby.dialogs import ListMenu, LobbyChange, Number, NumberInput, RowInput, Step

_ = Translator("companion")

DEFAULT_MAX_NUMBER = 999
"""Of an amount whose model names no bound."""
DEFAULT_MAX_ROW_NUMBER = 9
"""Of each number of a row whose model names none."""


def list_lobby_settings(model: type[BaseModel]) -> Mapping[str, FieldInfo]:
    """The settings that may be changed in the lobby, by name."""
    return {name: info for name, info in model.model_fields.items() if info.title}


def translator_of(model: type[BaseModel]) -> Translator:
    """The words of the game that the model belongs to: its catalogue has the name of its package."""
    return Translator(model.__module__.removesuffix(".settings").rpartition(".")[2])


def setting_title(model: type[BaseModel], name: str) -> str:
    """A setting's name as people read it, in the language of the evening."""
    return translator_of(model)(model.model_fields[name].title or name.replace("_", " "))


def format_value(name: str, value: Any, players: int, translate: Translator = _) -> str:
    """A setting's value as people read it. `words`: the game's own, for what it calls its choices.

    >>> said("rounds", 10, 3), said("turn_seconds", 0.0, 3), said("turn_seconds", 45.0, 3), said("dice", True, 3)
    ('10', 'off', '45 s', 'yes')
    >>> said("tokens", {3: (2, 1), 4: (2, 1, 1)}, 4), said("payee", "last_guesser", 4)
    ('2 · 1 · 1', 'last guesser')
    """
    match value:
        case bool():
            return _("yes") if value else _("no")
        case int() | float() if name.endswith("_seconds"):
            return _("{n} s", n=f"{value:g}") if value else _("off")
        case int() | float():
            return f"{value:g}"
        case dict():
            return format_value(name, value.get(players, ()), players, translate)
        case tuple() if value and isinstance(value[0], BaseModel):
            return str(len(value))
        case tuple():
            return " · ".join(str(v) for v in value) or _("none")
        case _:
            return translate(str(value).replace("_", " "))


def format_setting(settings: BaseModel, name: str, players: int) -> str:
    """A setting with its value, as a line of the menu."""
    words = translator_of(type(settings))
    value = format_value(name, getattr(settings, name), players, words)
    return _("{rule}: {value}", rule=setting_title(type(settings), name), value=value)


def list_changed_settings(settings: BaseModel, players: int) -> tuple[str, ...]:
    """The lines of those settings that are not as the rules have them."""
    usual = type(settings)()
    names = [name for name in list_lobby_settings(type(settings)) if getattr(settings, name) != getattr(usual, name)]
    return tuple(format_setting(settings, name, players) for name in names)


def open_rules_menu(settings: BaseModel, players: int, selected: int = 0) -> Step:
    """All house rules of the game, each a press away from being changed."""
    names = list(list_lobby_settings(type(settings)))
    items = tuple((format_setting(settings, name, players), LobbyChange("edit", name)) for name in names)
    return ListMenu(_("House rules"), items, min(selected, len(items) - 1)) if items else None


def open_rule_editor(settings: BaseModel, name: str, players: int, back: Step) -> Step:
    """What changes the setting `name`: a dialog, or at once the change where there is only one other value."""
    info, title, words = (
        list_lobby_settings(type(settings))[name],
        setting_title(type(settings), name),
        translator_of(type(settings)),
    )
    value = getattr(settings, name)
    change = partial(_set_rule, name)
    if isinstance(value, bool):
        return change(not value)
    if get_origin(info.annotation) is Literal:
        options = get_args(info.annotation)
        if len(options) == 2:
            return change(options[1 - options.index(value)])
        items = tuple((format_value(name, option, players, words), change(option)) for option in options)
        return ListMenu(title, items, options.index(value), back)
    if isinstance(value, int | float):
        return _open_number_input(info, title, name, value, back)
    if isinstance(value, dict):
        row = tuple(value[players])
        return _open_row_input(
            _("{rule}, {n} players", rule=title, n=players),
            info,
            row,
            lambda new: change({**value, players: new}),
            back,
        )
    if _holds_models(info):
        return open_catalogue(info, title, name, value, back)
    return _open_row_input(title, info, tuple(value), change, back)


def _set_rule(name: str, value: Any) -> LobbyChange:
    return LobbyChange("rule", (name, value))


def _open_number_input(info: FieldInfo, title: str, name: str, value: Number, back: Step) -> Step:
    low = next((float(str(m.ge)) for m in info.metadata if isinstance(m, Ge)), 0.0)
    high = next((float(str(m.le)) for m in info.metadata if isinstance(m, Le)), float(DEFAULT_MAX_NUMBER))
    kind = int if isinstance(value, int) else float
    by = _schema_number(info, "step", 15.0 if name.endswith("_seconds") else 1.0)
    return NumberInput(
        title,
        value,
        kind(low),
        kind(high),
        kind(by),
        lambda number: format_value(name, number, 0),
        lambda number: _set_rule(name, number),
        back,
    )


def _schema_number(info: FieldInfo, key: str, default: float) -> float:
    """What the model says of a setting for the lobby only: "step", and "low" and "high" of each number of a row."""
    extra = info.json_schema_extra
    told = extra.get(key) if isinstance(extra, dict) else None
    return float(told) if isinstance(told, int | float) else default


def _open_row_input(title: str, info: FieldInfo, values: tuple[int, ...], on_done: Any, back: Step) -> Step:
    low = int(_schema_number(info, "low", 0))
    if len(values) == 1:
        high = int(_schema_number(info, "high", DEFAULT_MAX_NUMBER))
        return NumberInput(title, values[0], low, high, 1, str, lambda number: on_done((int(number),)), back)
    labels = tuple(f"{i}." for i in range(1, len(values) + 1))
    return RowInput(
        title, labels, values, low, int(_schema_number(info, "high", DEFAULT_MAX_ROW_NUMBER)), on_done, back
    )


def _holds_models(info: FieldInfo) -> bool:
    inside = get_args(info.annotation)
    return bool(inside) and isinstance(inside[0], type) and issubclass(inside[0], BaseModel)


def open_catalogue(info: FieldInfo, title: str, name: str, entries: tuple[BaseModel, ...], back: Step) -> Step:
    """A catalogue: one page of numbers an entry, the next one new."""
    model: type[BaseModel] = get_args(info.annotation)[0]
    most = next((int(m.max_length) for m in info.metadata if hasattr(m, "max_length")), DEFAULT_MAX_NUMBER)
    items = [
        (_("{n}: {contents}", n=i + 1, contents=_format_contents(entry)), _open_catalogue_page(model, name, entries, i))
        for i, entry in enumerate(entries)
    ]
    if len(entries) < most:
        items.append(
            (_("Add number {n}", n=len(entries) + 1), _open_catalogue_page(model, name, entries, len(entries)))
        )
    if entries:
        items.append((_("Remove number {n}", n=len(entries)), LobbyChange("rule", (name, entries[:-1]))))
    new = min(len(entries), most - 1)
    return ListMenu(title, tuple(items), new, back)


def _format_contents(entry: BaseModel) -> str:
    found = [_("{n} {things}", n=value, things=setting_title(type(entry), field)) for field, value in entry if value]
    return ", ".join(found) or _("nothing")


def _open_catalogue_page(model: type[BaseModel], name: str, entries: tuple[BaseModel, ...], i: int) -> Step:
    fields = tuple(model.model_fields)
    values = tuple(getattr(entries[i], field) for field in fields) if i < len(entries) else (0,) * len(fields)

    def done(new: tuple[int, ...]) -> LobbyChange:
        entry = model(**dict(zip(fields, new, strict=True)))
        return LobbyChange("page", (name, (*entries[:i], entry, *entries[i + 1 :])))

    labels = tuple(setting_title(model, field) for field in fields)
    return RowInput(_("Number {n}", n=i + 1), labels, values, 0, 9, done, LobbyChange("edit", name))
