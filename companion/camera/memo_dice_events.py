"""What the watcher of a row of dice and cups saw, as signals."""

from __future__ import annotations

from companion.events import CupLifted, CupPlaced, DieShown
from companion.vision.memo_dice.classifier import encode_jpeg
from companion.vision.memo_dice.events import CupLiftedEvent, CupPutEvent, DieShownEvent, MemoEvent


def row_signal(event: MemoEvent) -> DieShown | CupPlaced | CupLifted:
    """A watcher's event as a signal, with the frame's own stamp."""
    match event:
        case DieShownEvent():
            others = tuple(int(paint) for paint in event.alternatives)
            picture = encode_jpeg(event.face_image)
            return DieShown(event.place, int(event.colour), event.confidence, event.at, others, picture)
        case CupPutEvent():
            return CupPlaced(event.place, int(event.colour), event.confidence, event.at)
        case CupLiftedEvent():
            return CupLifted(event.place, event.confidence, event.at)
