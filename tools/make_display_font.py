"""Make the display faces of `companion/display/fonts`: Sofia Sans Extra Condensed Bold, one with tabular figures.

pygame draws a font without choosing features. So there are two files: one with the usual figures, which are kerned, and
one whose figures are all as wide as the widest of those, for columns and clocks. Needs fontTools, and
`SofiaSansExtraCondensed_700Bold.ttf` of the npm package @expo-google-fonts/sofia-sans-extra-condensed (SIL Open Font
License 1.1):

    python tools/make_display_font.py SofiaSansExtraCondensed_700Bold.ttf companion/display/fonts
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

FILE_NAME = "SofiaSansExtraCondensed-Bold.ttf"
"""Name of the file with the usual figures."""
TABULAR_FILE_NAME = "SofiaSansExtraCondensed-BoldTabular.ttf"
"""Name of the file with tabular figures."""
KEPT_FEATURES = ("kern", "ccmp", "locl", "mark", "mkmk")
"""Features that stay: those that SDL_ttf applies without being asked."""
DIGITS = range(ord("0"), ord("9") + 1)


def make_display_fonts(source: Path, folder: Path) -> tuple[Path, Path]:
    """Write both fonts into `folder`; return their paths.

    Raises:
        OSError: the source cannot be read, or a font cannot be written.
    """
    usual, tabular = TTFont(source), TTFont(source)
    _take_tabular_figures(tabular)
    paths = folder / FILE_NAME, folder / TABULAR_FILE_NAME
    for font, path in zip((usual, tabular), paths, strict=True):
        options = subset.Options(layout_features=list(KEPT_FEATURES), name_IDs=["*"], notdef_outline=True)
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=[code for characters in font["cmap"].tables for code in characters.cmap])
        subsetter.subset(font)
        font.save(path)
    return paths


def _take_tabular_figures(font: TTFont) -> None:
    """Put the figures of the feature "tnum" in place of the usual ones, as wide as the widest of those."""
    widths, glyphs = font["hmtx"].metrics, font["glyf"]
    width = max(widths[font.getBestCmap()[code]][0] for code in DIGITS)
    table = font["GSUB"].table
    (tabular,) = (r.Feature for r in table.FeatureList.FeatureRecord if r.FeatureTag == "tnum")
    figures: dict[str, str] = {}
    for index in tabular.LookupListIndex:
        for subtable in table.LookupList.Lookup[index].SubTable:
            figures |= getattr(subtable, "ExtSubTable", subtable).mapping
    for characters in font["cmap"].tables:
        characters.cmap = {code: figures.get(glyph, glyph) for code, glyph in characters.cmap.items()}
    for name in {font.getBestCmap()[code] for code in DIGITS}:
        old_width, left = widths[name]
        shift = (width - old_width) // 2
        glyphs[name].coordinates.translate((shift, 0))
        glyphs[name].recalcBounds(glyphs)
        widths[name] = (width, left + shift)


if __name__ == "__main__":
    print(*make_display_fonts(Path(sys.argv[1]), Path(sys.argv[2])))
