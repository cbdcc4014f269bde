"""Sizes of letters, in ems in layout units (1 unit: 1 % of the screen's shorter side, see `Canvas.px`)."""

HUGE_EM = 32.0
"""Size of the one word or number that matters most; the stage's one figure may be larger (`Canvas.draw_figure`)."""
BIG_EM = 16.0
"""Size of what is read in passing: a name or number on the stage."""
TITLE_EM = 9.0
"""Size of names, titles, scores and short sentences."""
TEXT_EM = 6.0
"""Size of all other text: the least for anything that must be read to act."""
KEY_LABEL_EM = 5.0
"""Size of the labels of the soft keys."""
TYPE_SCALE = (HUGE_EM, BIG_EM, TITLE_EM, TEXT_EM)
"""The four sizes of text, largest first."""
FAR_TEXT_EM = 7.8
"""Size of text and of the keys' labels in the far layout, where there is room: on a screen of 7 inches its capitals are
5 minutes of arc high at three metres. If it grows, more falls back to `TEXT_EM`."""
FAR_TYPE_SCALE = (HUGE_EM, BIG_EM, TITLE_EM, FAR_TEXT_EM, TEXT_EM)
"""The sizes of text in the far layout, largest first."""
