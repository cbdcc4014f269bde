"""Texts of the games in files that come with the companion, for languages that the files themselves do not have."""

from companion.api.registry import SHIPPED_GAME_FOLDER
from companion.file_reader import read_file
from companion.games.game_file.reader import MAX_FILE_BYTES, parse_game_file


def list_untranslated_texts(language: str) -> dict[str, str]:
    """Return the texts without a translation into a language, each with the name of a file that has it.

    Of a file that has the language, its title may stay as it is.

    >>> list_untranslated_texts("de"), list_untranslated_texts("tlh")["Fives"]
    ({}, 'yacht.toml')
    """
    found = dict[str, str]()
    for path in sorted(SHIPPED_GAME_FOLDER.glob("*.toml")):
        file = parse_game_file(read_file(path, MAX_FILE_BYTES), path.name)
        translated = file.translations.get(language)
        done = {file.title, *translated} if translated is not None else ()
        found |= {text: path.name for text in sorted(file.list_texts().difference(done)) if text not in found}
    return found
