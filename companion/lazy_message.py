"""Messages in English that code with a catalogue can translate later, such as those of devices."""

from types import MappingProxyType
from typing import Self


class LazyMessage(str):
    """An English message that remembers its template and values, so that it can be translated when it is shown.

    A device's message passes through a thread and a queue before it reaches the screen, whose language may change
    meanwhile. Everywhere else (logs, the terminal) it is an ordinary string. Values are numbers and strings only: an
    exception would keep its traceback alive.

    Args:
        template: English text with {placeholders}, the key in the translation catalogue.
        values: one value per placeholder, as keyword arguments; a value without a placeholder is ignored. Without any
            value the template is taken as it is, braces included.

    Attributes:
        template: the text before its placeholders were replaced.
        values: the values by the names of their placeholders.

    Raises:
        KeyError: values were passed, but not for every placeholder.
        IndexError: values were passed, and a placeholder has no name.
        ValueError: values were passed, and the template has a single brace.

    >>> text = LazyMessage("{name} is not there.", name="/dev/ttyACM0")
    >>> text, text.template, dict(text.values)
    ('/dev/ttyACM0 is not there.', '{name} is not there.', {'name': '/dev/ttyACM0'})
    """

    template: str
    values: MappingProxyType[str, str | int]

    def __new__(cls, template: str, **values: str | int) -> Self:
        message = super().__new__(cls, template.format(**values) if values else template)
        message.template, message.values = template, MappingProxyType(values)
        return message
