"""Messages for problems of a camera's view that say what to do, without any image processing."""

from companion.i18n import N_, _
from companion.vision.reading import BoundingBox, ProblemKind, ViewProblem

LENS_COVERED_MESSAGE = N_("The camera sees nothing: take the cap off the lens, or switch on a lamp")
"""For a view that is wholly dark."""

PROBLEM_MESSAGES = {
    ProblemKind.DARK: N_("It is too dark to read the table: switch on a lamp"),
    ProblemKind.BRIGHT: N_("The picture is too bright: turn the lamp away, or close the curtain"),
    ProblemKind.FLICKERING: N_("The lamp flickers in the picture: use another lamp, or daylight"),
    ProblemKind.BLURRED: N_("The picture is blurred: wipe the lens, or turn its ring if it has one"),
    ProblemKind.MIRRORED: N_("The picture is mirrored: switch that off where the camera is set up"),
    ProblemKind.FAR: N_("The camera is too far away: bring it nearer, until the table fills the picture"),
    ProblemKind.TILTED: N_("The camera sees the lid at an angle: hang it right above, looking straight down"),
    ProblemKind.GLARE: N_("A lamp is reflected by the lid: move the lamp or the camera a little"),
    ProblemKind.UNKNOWN_LID: N_("The camera does not know this lid: cover all windows once, or enter tokens by hand"),
    ProblemKind.NO_DICE: N_("No dice are in view yet: throw them where the camera sees them"),
}
"""The message of each kind that has only one."""

CUT_OFF_MESSAGES = {
    ("left",): N_("The lid is cut off at the left: push it to the right, or move the camera"),
    ("right",): N_("The lid is cut off at the right: push it to the left, or move the camera"),
    ("top",): N_("The lid is cut off at the top: push it down, or move the camera"),
    ("bottom",): N_("The lid is cut off at the bottom: push it up, or move the camera"),
    ("left", "top"): N_("The lid is cut off at the left and top: push it to the right and down"),
    ("left", "bottom"): N_("The lid is cut off at the left and bottom: push it to the right and up"),
    ("right", "top"): N_("The lid is cut off at the right and top: push it to the left and down"),
    ("right", "bottom"): N_("The lid is cut off at the right and bottom: push it to the left and up"),
}
"""Messages for a lid that is cut off, by the sides of the frame, two of them at a corner."""

TOO_NEAR_MESSAGE = N_("The lid does not fit into the picture: hang the camera higher")
"""For a lid that is cut off at opposite sides."""


def make_problem(kind: ProblemKind, box: BoundingBox) -> ViewProblem:
    """Make a problem of a kind that has only one message, with that message in the players' language.

    >>> make_problem(ProblemKind.DARK, (0, 0, 640, 480)).kind
    <ProblemKind.DARK: 'too dark'>

    Args:
        kind: any kind but `ProblemKind.CUT_OFF`, for which there is `make_cut_off_problem`.
        box: where it is: left, top, right, bottom in pixels of the frame.

    Raises:
        KeyError: `kind` is `ProblemKind.CUT_OFF`.
    """
    return ViewProblem(kind, _(PROBLEM_MESSAGES[kind]), box)


def make_cut_off_problem(sides: tuple[str, ...], box: BoundingBox) -> ViewProblem:
    """Make the problem of a lid that is cut off by the frame's border, with a message in the players' language.

    >>> make_cut_off_problem(("left",), (0, 100, 200, 300)).kind
    <ProblemKind.CUT_OFF: 'lid cut off'>

    Args:
        sides: the sides of the frame that cut it off, of "left", "right", "top", "bottom", in this order; for a
            combination without a message of its own the message says that the camera is too near.
        box: where the lid is: left, top, right, bottom in pixels of the frame.
    """
    return ViewProblem(ProblemKind.CUT_OFF, _(CUT_OFF_MESSAGES.get(sides, TOO_NEAR_MESSAGE)), box)
