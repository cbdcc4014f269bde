"""The companion for physical board games: rules, referee, vision, display and journal."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("board-game-companion")
except PackageNotFoundError:  # run from a checkout that was never installed
    __version__ = "0+unknown"
