"""Version of the contract with plug-ins, and which versions this companion still plays.

The contract is what the modules of `tests/api/contract.txt` export, and the entry-point groups.
`docs/your-own-game.md` has the policy: a new name or field raises the second number; a removed or changed one the
first, after it was deprecated for at least a year.
"""

import re

ApiVersion = tuple[int, int]
"""Version of the contract: first number, second number; 1.10 is newer than 1.9."""

API_VERSION: ApiVersion = (1, 0)
"""Version of the contract that this companion has. `tests/api/contract.txt` holds what it promises."""

OLDEST_API_VERSION: ApiVersion = (1, 0)
"""Oldest version for which a plug-in may be written to be played here."""


def parse_version(text: str) -> ApiVersion:
    """Parse a version such as "1.0".

    Raises:
        ValueError: the text is not two whole numbers with a dot between them.

    >>> parse_version("1.10") > parse_version("1.9")
    True
    """
    found = re.fullmatch(r"(\d{1,4})\.(\d{1,4})", text, re.ASCII)
    if found is None:
        raise ValueError(f"{text!r} is no version such as {format_version(API_VERSION)}")
    return int(found[1]), int(found[2])


def format_version(version: ApiVersion) -> str:
    """Return a version as plug-ins state it: "1.0".

    >>> format_version((1, 10))
    '1.10'
    """
    return ".".join(map(str, version))


def explain_unsupported(package: str, stated: str | None) -> str:
    """Explain why a plug-in that states this version is not played here, and what helps; empty: it is played.

    Args:
        package: the plug-in's package, for the message.
        stated: the version for which the plug-in says that it is written; None: it states none.

    >>> explain_unsupported("chess", "1.0")
    ''
    >>> explain_unsupported("chess", "9.3")
    'chess is written for version 9.3 of companion.api, this companion has 1.0: install a newer companion'
    """
    here, oldest = format_version(API_VERSION), format_version(OLDEST_API_VERSION)
    if stated is None:
        return (
            f"{package} does not state for which version of companion.api it is written: "
            f'its pyproject.toml needs "{here}" = "{package}" under [project.entry-points."companion.api"]'
        )
    try:
        version = parse_version(stated)
    except ValueError as error:
        return f"{package} states a version of companion.api that cannot be read: {error}"
    written = f"{package} is written for version {stated} of companion.api, this companion"
    if version > API_VERSION:
        return f"{written} has {here}: install a newer companion"
    if version < OLDEST_API_VERSION:
        return f"{written} plays {oldest} to {here}: install a newer {package}"
    return ""
