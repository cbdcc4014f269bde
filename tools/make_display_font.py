"""Make the display face of `companion/display/fonts`: Sofia Sans Extra Condensed Bold with tabular figures by default.

pygame draws a font without choosing features, so the figures of the feature "tnum" take the place of the usual ones.
Needs fontTools, and `SofiaSansExtraCondensed_700Bold.ttf` of the npm package
@expo-google-fonts/sofia-sans-extra-condensed (SIL Open Font License 1.1):

    python tools/make_display_font.py SofiaSansExtraCondensed_700Bold.ttf companion/display/fonts
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

FILE_NAME = "SofiaSansExtraCondensed-Bold.ttf"
"""Name of the file that is written."""
KEPT_FEATURES = ("kern", "ccmp", "locl", "mark", "mkmk")
"""Features that stay: those that SDL_ttf applies without being asked."""


def make_display_font(source: Path, folder: Path) -> Path:
    """Write the font into `folder`; return its path.

    Raises:
        OSError: The source cannot be read, or the font cannot be written.
    """
    font = TTFont(source)
    table = font["GSUB"].table
    (tabular,) = (r.Feature for r in table.FeatureList.FeatureRecord if r.FeatureTag == "tnum")
    figures: dict[str, str] = {}
    for index in tabular.LookupListIndex:
        for subtable in table.LookupList.Lookup[index].SubTable:
            figures |= getattr(subtable, "ExtSubTable", subtable).mapping
    for characters in font["cmap"].tables:
        characters.cmap = {code: figures.get(glyph, glyph) for code, glyph in characters.cmap.items()}
    options = subset.Options(layout_features=list(KEPT_FEATURES), name_IDs=["*"], notdef_outline=True)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[code for characters in font["cmap"].tables for code in characters.cmap])
    subsetter.subset(font)
    path = folder / FILE_NAME
    font.save(path)
    return path


if __name__ == "__main__":
    print(make_display_font(Path(sys.argv[1]), Path(sys.argv[2])))
