"""Where the companion keeps what belongs to a user; without the settings, which take long to import.

Where the settings file is looked for: `settings_file.py`.
"""

from pathlib import Path


def default_data_folder() -> Path:
    """Return the folder in which the program stores its data for this user; it is not created and need not exist."""
    from platformdirs import user_data_path  # most commands name a folder, or need none

    return user_data_path("companion", appauthor=False)
