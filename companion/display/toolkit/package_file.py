"""Files that a package brings: pictures and sounds of the companion and of plug-ins, also from a zipped package."""

from importlib.resources import files
from typing import NamedTuple


class PackageFile(NamedTuple):
    """A file in an installed package.

    >>> PackageFile("companion", "display/fonts/LICENSE.txt").is_file()
    True

    Attributes:
        package: name of the package, such as "race_to_ten".
        path: path of the file in it, with slashes: "art/title.png".
    """

    package: str
    path: str

    def is_file(self) -> bool:
        """Return whether the package is installed and has the file."""
        try:
            return files(self.package).joinpath(self.path).is_file()
        except ModuleNotFoundError:
            return False

    def read_bytes(self) -> bytes:
        """Return the file's content.

        Raises:
            FileNotFoundError: there is no such file in the package.
            ModuleNotFoundError: there is no such package.
        """
        return files(self.package).joinpath(self.path).read_bytes()
