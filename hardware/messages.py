"""What a device says, in English; kept so that whoever has the catalogue can say it in another language, and later."""

from __future__ import annotations

from types import MappingProxyType
from typing import Self


class LazyMessage(str):
    """A sentence as it reads in English, which remembers the message and what fills its {places}.

    What goes through a device's thread and a queue is told by a screen whose language may change meanwhile: it is put
    into words there. Everywhere else (logs, the terminal) it is a text like any other. What fills a place is kept as
    long as the sentence: a text or a number, no exception with all that hangs on it.

    >>> text = LazyMessage("{name} is not there.", name="/dev/ttyACM0")
    >>> text, text.template, dict(text.values)
    ('/dev/ttyACM0 is not there.', '{name} is not there.', {'name': '/dev/ttyACM0'})
    """

    template: str
    values: MappingProxyType[str, str | int]

    def __new__(cls, message: str, **places: str | int) -> Self:
        made = super().__new__(cls, message.format(**places) if places else message)
        made.template, made.values = message, MappingProxyType(places)
        return made
