"""Say how well the camera sees the table: in a word, and whether its picture would show what is wrong."""

from companion.display.toolkit import BACKGROUND, BAD, GOOD, INK, MUTED, TEXT_EM, WARN, Canvas, Colour, Rect, Typeface
from companion.events import CameraState
from companion.i18n import N_, _
from companion.screen_state import CameraView
from companion.vision.reading import ProblemKind

STATE_LABELS: dict[CameraState, tuple[str, str, Colour]] = {
    CameraState.OFF: (N_("Camera off"), "minus", MUTED),
    CameraState.SEARCHING: (N_("Searching"), "dots", MUTED),
    CameraState.STEADY: (N_("View clear"), "ok", GOOD),
    CameraState.ROLLING: (N_("Dice rolling"), "dots", INK),
    CameraState.HAND: (N_("Hand in view"), "dots", INK),
    CameraState.UNSURE: (N_("Unsure"), "bang", WARN),
    CameraState.BLIND: (N_("No view"), "bang", BAD),
    CameraState.LOST: (N_("Unplugged"), "no", BAD),
}
"""Label, icon and colour of each state of the camera."""
PROBLEM_LABELS: dict[ProblemKind, str] = {
    ProblemKind.DARK: N_("Too dark"),
    ProblemKind.BRIGHT: N_("Too bright"),
    ProblemKind.FLICKERING: N_("Lamp flickers"),
    ProblemKind.BLURRED: N_("Blurred"),
    ProblemKind.MIRRORED: N_("Mirrored"),
    ProblemKind.CUT_OFF: N_("Lid cut off"),
    ProblemKind.FAR: N_("Too far away"),
    ProblemKind.TILTED: N_("Tilted"),
    ProblemKind.GLARE: N_("Glare"),
    ProblemKind.UNKNOWN_LID: N_("Lid unknown"),
    ProblemKind.NO_DICE: N_("No dice seen"),
}
"""Label of each problem of the view."""
PROBLEMS_WITHOUT_PLACE = frozenset({ProblemKind.DARK, ProblemKind.BRIGHT, ProblemKind.MIRRORED})
"""Problems of the whole view: their message says all, and a black picture would only hide the game."""
STATES_ABOVE_PROBLEMS = frozenset({CameraState.BLIND, CameraState.LOST})
"""States that are shown even if the view has a problem."""


def draw_camera_mark(canvas: Canvas, rect: Rect, camera_view: CameraView) -> None:
    """Draw how well the camera sees the table: an eye in the colour of its state, with a sign if something is wrong.

    Args:
        camera_view: the camera's state.
    """
    _label, icon, colour = describe_camera(camera_view)
    has_sign = icon in {"bang", "no", "minus"}
    # The sign reaches beyond the eye by 3 tenths of its size.
    size = min(rect.w * 10 // 13 if has_sign else rect.w, rect.h * 9 // 10)
    centre = (rect.right - size * 4 // 5, rect.centery) if has_sign else rect.center
    canvas.draw_icon("eye", centre, size, colour)
    if has_sign:
        sign = size * 3 // 5
        disc = canvas.draw_disc((centre[0] + size // 2, centre[1] + size // 4), sign, colour, BACKGROUND)
        canvas.draw_icon(icon, disc.center, sign * 2 // 3, BACKGROUND)


def describe_camera(camera_view: CameraView) -> tuple[str, str, Colour]:
    """Return the camera's state, or the problem of its view, in a word.

    Args:
        camera_view: the camera's state.

    Returns:
        Its label (not translated), the name of its icon, and its colour.
    """
    if camera_view.problem is not None and camera_view.state not in STATES_ABOVE_PROBLEMS:
        return PROBLEM_LABELS[camera_view.problem.kind], "bang", WARN
    return STATE_LABELS[camera_view.state]


def has_visible_obstacle(camera_view: CameraView) -> bool:
    """Return whether the picture would show what keeps the camera from reading the table.

    That no dice are in view yet is no obstacle: before a throw it is normal, and the status line says so. Nor does the
    picture show more than the status line says where all of it is too dark or too bright, mirrored, or covered.

    Args:
        camera_view: the camera's state, its picture, and the problem of its view.
    """
    if camera_view.picture is None or camera_view.state is CameraState.BLIND:
        return False
    obstacle = _find_obstacle(camera_view)
    if obstacle is None:
        return camera_view.state is CameraState.UNSURE
    return obstacle not in PROBLEMS_WITHOUT_PLACE


def can_read_table(camera_view: CameraView) -> bool:
    """Return whether the camera can read what is laid or thrown next.

    Args:
        camera_view: the camera's state, and the problem of its view: that no dice are in view yet is none.
    """
    is_out = camera_view.state in {CameraState.OFF, CameraState.BLIND, CameraState.LOST}
    return not is_out and _find_obstacle(camera_view) is None


def _find_obstacle(camera_view: CameraView) -> ProblemKind | None:
    """Return the problem that keeps the camera from reading the table; that no dice are in view yet is none."""
    kind = camera_view.problem.kind if camera_view.problem is not None else None
    return None if kind is ProblemKind.NO_DICE else kind


def draw_camera_label(canvas: Canvas, rect: Rect, camera_view: CameraView) -> None:
    """Draw the camera's state, or the problem of its view, in a word in the middle of a line.

    Args:
        camera_view: the camera's state, and the problem of its view.
    """
    label, _icon, colour = describe_camera(camera_view)
    canvas.draw_text(rect, _(label), TEXT_EM, colour, face=Typeface.DISPLAY, align=0.5)
