"""The menu of house rules: built from the fields of the game's settings model.

A field with a `title` may be changed in the lobby; one without stands in the settings file only.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, get_args, get_origin

from annotated_types import Ge, Le
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from companion.api import AnyGameDefinition, ConsolePress, NumberPress
from companion.i18n import Translator, _, format_number
from companion.referee.dialogs.base import Answer, Dialog, LazyStep, ListMenu, Step, back_answer, open_numbered_menu
from companion.referee.dialogs.number_inputs import Number, NumberInput, RowInput, replace_value
from companion.screen_state import Menu

DEFAULT_MAX_NUMBER = 999
"""Upper bound of a number whose model names none."""
DEFAULT_MAX_ROW_NUMBER = 9
"""Upper bound of each number of a row whose model names none."""
NO_LINE = -1
"""Index of the selected line of a menu in which no line is selected."""
DEFAULT_SECONDS_STEP = 15
"""Seconds by which PLUS and MINUS change a time whose model names no step."""


def list_lobby_settings(model: type[BaseModel]) -> Sequence[str]:
    """List the names of the settings that may be changed in the lobby, in the order of the menu.

    Args:
        model: a game's settings model; its fields with a `title` are listed.
    """
    return [name for name, info in model.model_fields.items() if info.title]


def format_title(definition: AnyGameDefinition, model: type[BaseModel], name: str) -> str:
    """Format a setting's name for the screen, in the current language.

    Args:
        definition: the game; it translates the name.
        model: the game's settings model, or that of the entries of one of its settings.
        name: name of one of the model's fields.

    Raises:
        KeyError: the model has no such field.
    """
    return definition.translate(model.model_fields[name].title or name.replace("_", " "))


def format_value(name: str, value: Any, player_count: int, translate: Translator = _) -> str:
    """Format a setting's value for the screen, in the current language.

    Args:
        name: name of the setting; one that ends in "_seconds" is a time in seconds, 0 is "off".
        value: its value: a boolean is "yes" or "no", a tuple of models their count, another tuple its items ("none" if
            it is empty); a dict holds one value for each number of players ("none" where that is missing); anything
            else is a text.
        player_count: the number of players that a dict is read for; else not used.
        translate: translator of the game, for the names of its choices.

    >>> format_value("rounds", 10, 3), format_value("turn_seconds", 0.0, 3), format_value("turn_seconds", 45.0, 3)
    ('10', 'off', '45 s')
    >>> format_value("tokens", {3: (2, 1), 4: (2, 1, 1)}, 4), format_value("payee", "last_guesser", 4)
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
            return format_value(name, value.get(player_count, ()), player_count, translate)
        case tuple() if value and isinstance(value[0], BaseModel):
            return str(len(value))
        case tuple():
            return " · ".join(format_number(str(v)) for v in value) or _("none")
        case _:
            return translate(str(value).replace("_", " "))


def format_setting(definition: AnyGameDefinition, settings: BaseModel, name: str, player_count: int) -> str:
    """Format a setting and its value as a line of the menu, in the current language: "Rounds: 10".

    Args:
        settings: its house rules.
        name: name of the setting.
        player_count: the number of players that the rules are for.

    Raises:
        AttributeError: there is no such setting.
    """
    value = format_value(name, getattr(settings, name), player_count, definition.translate)
    return _("{rule}: {value}", rule=format_title(definition, type(settings), name), value=value)


def list_changed_settings(definition: AnyGameDefinition, settings: BaseModel, player_count: int) -> tuple[str, ...]:
    """List the lines of the settings that differ from the game's own rules, in the current language.

    Only settings that may be changed in the lobby are listed, in the order of its menu; empty: none differs.

    Args:
        settings: its house rules now.
        player_count: the number of players that the rules are for.

    Raises:
        pydantic.ValidationError: the model has a setting without a default.
    """
    usual = type(settings)()
    return tuple(
        format_setting(definition, settings, name, player_count)
        for name in list_lobby_settings(type(settings))
        if getattr(settings, name) != getattr(usual, name)
    )


@dataclass(frozen=True, slots=True)
class RowCheck(Dialog):
    """Several numbers to be compared with the parts of the game: OK confirms all, a number key opens one to change it.

    No single press changes a number, and a number that was changed is shown with its old value.

    Args:
        title: the question, translated.
        labels: a label for each number, translated.
        old_values: the numbers at first, at least one, each from `low` to `high`.
        values: the numbers now.
        low: lowest number.
        high: highest number.
    """

    title: str
    labels: tuple[str, ...]
    old_values: tuple[int, ...]
    values: tuple[int, ...]
    low: int
    high: int
    on_done: Callable[[tuple[int, ...]], Step]
    """Makes the step of OK from the values."""

    @property
    def prompt(self) -> str:
        """Main line of the screen, in the current language."""
        return _("Look into the box. All correct? OK. If not, press the line's number")

    @property
    def menu(self) -> Menu:
        """The question with a numbered line for each number; none is selected."""
        lines = tuple(
            _("{rule}: {value}", rule=label, value=self._format_value(i, value))
            for i, (label, value) in enumerate(zip(self.labels, self.values, strict=True))
        )
        return Menu(self.title, lines, NO_LINE, numbered=len(lines))

    def list_answers(self) -> Sequence[Answer]:
        """List OK, a number key for each line, and NO, which closes the dialog."""
        return [
            Answer(ConsolePress.OK, _("All right"), lambda: self.on_done(self.values), awaited=True),
            *(Answer(NumberPress(i + 1), _("Line {n}", n=i + 1), self._open_line(i)) for i in range(len(self.values))),
            back_answer(),
        ]

    def _open_line(self, i: int) -> NumberInput:
        """Open the input of one number; it shows the old value beside a new one."""
        return NumberInput(
            self.labels[i],
            self.values[i],
            self.low,
            self.high,
            lambda value: replace(self, values=replace_value(self.values, i, int(value))),
            back=self,
            old_value=self.old_values[i],
        )

    def _format_value(self, i: int, value: int) -> str:
        old = self.old_values[i]
        return format_number(value) if value == old else _("{new}, was {old}", new=value, old=old)


@dataclass(frozen=True, slots=True)
class RuleEditor:
    """Opens the dialogs that change one setting.

    Args:
        settings: the house rules now.
        name: name of the setting.
        player_count: the number of players that the rules are for.
        set_rule: changes the setting to a value, and returns the next dialog.
        edit_again: opens the editor of this setting again, after it was changed.
        back: step of NO; None: it closes the dialog.
    """

    definition: AnyGameDefinition
    settings: BaseModel
    name: str
    player_count: int
    set_rule: Callable[[Any], Step]
    edit_again: Callable[[], Step]
    back: LazyStep = None

    def open(self) -> Step:
        """Return the dialog that fits the setting's type: a number, a row of numbers, a choice, or a list of entries.

        A setting with only one other value (yes or no, one of two) is changed at once by `set_rule`, and its step
        returned.

        Raises:
            AttributeError: there is no such setting.
            KeyError: the setting has one value for each number of players, and none for `player_count`.
            ValueError: the setting is a choice, and its value is none of the options.
            Exception: anything that `set_rule` raises, if the setting is changed at once.
        """
        value, info = getattr(self.settings, self.name), self._info
        if isinstance(value, bool):
            return self.set_rule(not value)
        if get_origin(info.annotation) is Literal:
            return self._open_choice(value, get_args(info.annotation))
        if isinstance(value, int | float):
            return self._open_number(value)
        if isinstance(value, dict):
            title = _("{rule}, {n} players", rule=self._title, n=self.player_count)
            return self._open_row(
                title, tuple(value[self.player_count]), lambda new: self.set_rule({**value, self.player_count: new})
            )
        inner = get_args(info.annotation)
        if inner and isinstance(inner[0], type) and issubclass(inner[0], BaseModel):
            return self._open_catalogue(inner[0], value)
        return self._open_row(self._title, tuple(value), self.set_rule)

    @property
    def _info(self) -> FieldInfo:
        return type(self.settings).model_fields[self.name]

    @property
    def _title(self) -> str:
        return format_title(self.definition, type(self.settings), self.name)

    def open_check(self) -> RowCheck:
        """Return the dialog in which a row of numbers is compared with the parts of the game.

        The model's field says what is asked: its `json_schema_extra` has "question", with `{n}` for the number of
        players, and "line", with `{n}` for the number of the line.

        Raises:
            AttributeError: there is no such setting.
            KeyError: the setting has no numbers for `player_count`, or its field has no "question" or "line".
        """
        value, extra = getattr(self.settings, self.name), self._info.json_schema_extra
        assert isinstance(value, dict), "a setting that is confirmed has a row of numbers for each number of players"
        assert isinstance(extra, dict)
        translate, row = self.definition.translate, tuple(value[self.player_count])
        return RowCheck(
            translate(str(extra["question"]), n=self.player_count),
            tuple(translate(str(extra["line"]), n=i) for i in range(1, len(row) + 1)),
            row,
            row,
            int(self._read_hint("low", 0)),
            int(self._read_hint("high", DEFAULT_MAX_ROW_NUMBER)),
            lambda new: self.set_rule({**value, self.player_count: new}),
        )

    def _read_hint(self, key: str, default: int) -> Number:
        """Read what the model says for the lobby only: "step", and "low" and "high" of each number of a row."""
        extra = self._info.json_schema_extra
        hint = extra.get(key) if isinstance(extra, dict) else None
        return hint if isinstance(hint, int | float) else default

    def _open_choice(self, value: object, options: Sequence[Any]) -> Step:
        if len(options) == 2:
            return self.set_rule(options[1 - options.index(value)])
        translate = self.definition.translate
        items = [
            (format_value(self.name, option, self.player_count, translate), partial(self.set_rule, option))
            for option in options
        ]
        return open_numbered_menu(self._title, items, options.index(value), self.back)

    def _open_number(self, value: Number) -> Step:
        metadata, kind = self._info.metadata, type(value)
        low = next((kind(float(str(m.ge))) for m in metadata if isinstance(m, Ge)), kind(0))
        high = next((kind(float(str(m.le))) for m in metadata if isinstance(m, Le)), kind(DEFAULT_MAX_NUMBER))
        step = self._read_hint("step", DEFAULT_SECONDS_STEP if self.name.endswith("_seconds") else 1)
        return NumberInput(
            self._title,
            value,
            low,
            high,
            lambda number: partial(self.set_rule, number),
            kind(step),
            lambda number: format_value(self.name, number, self.player_count),
            self.back,
        )

    def _open_row(self, title: str, values: tuple[int, ...], on_done: Callable[[tuple[int, ...]], Step]) -> Step:
        low = int(self._read_hint("low", 0))
        if len(values) == 1:
            high = int(self._read_hint("high", DEFAULT_MAX_NUMBER))
            return NumberInput(
                title, values[0], low, high, lambda number: partial(on_done, (int(number),)), back=self.back
            )
        labels = tuple(f"{i}." for i in range(1, len(values) + 1))
        high = int(self._read_hint("high", DEFAULT_MAX_ROW_NUMBER))
        return RowInput(title, labels, values, low, high, on_done, self.back)

    def _open_catalogue(self, model: type[BaseModel], entries: tuple[BaseModel, ...]) -> ListMenu:
        """Open a list of entries; each is a row of numbers. The line after the last one adds an entry."""
        max_entries = next(
            (int(m.max_length) for m in self._info.metadata if hasattr(m, "max_length")), DEFAULT_MAX_NUMBER
        )
        items: list[tuple[str, LazyStep]] = [
            (_("{n}: {contents}", n=i + 1, contents=self._format_entry(entry)), self._open_entry(model, entries, i))
            for i, entry in enumerate(entries)
        ]
        if len(entries) < max_entries:
            items.append((_("Add number {n}", n=len(entries) + 1), self._open_entry(model, entries, len(entries))))
        if entries:
            items.append((_("Remove number {n}", n=len(entries)), partial(self.set_rule, entries[:-1])))
        return open_numbered_menu(self._title, items, min(len(entries), max_entries - 1), self.back)

    def _format_entry(self, entry: BaseModel) -> str:
        found = [
            _("{n} {things}", n=value, things=format_title(self.definition, type(entry), field))
            for field, value in entry
            if value
        ]
        return ", ".join(found) or _("nothing")

    def _open_entry(self, model: type[BaseModel], entries: tuple[BaseModel, ...], i: int) -> RowInput:
        fields = tuple(model.model_fields)
        values = tuple(getattr(entries[i], field) for field in fields) if i < len(entries) else (0,) * len(fields)

        def set_entry(new: tuple[int, ...]) -> Step:
            entry = model(**dict(zip(fields, new, strict=True)))
            self.set_rule((*entries[:i], entry, *entries[i + 1 :]))
            return self.edit_again()

        labels = tuple(format_title(self.definition, model, field) for field in fields)
        return RowInput(_("Number {n}", n=i + 1), labels, values, 0, DEFAULT_MAX_ROW_NUMBER, set_entry, self.edit_again)
