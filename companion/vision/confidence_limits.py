"""Limits of confidence: from which a reading is played, below which the companion asks or is silent.

A confidence is 0 to 1: the share of such readings that are right (docs/design/camera-asks.md). The limits inside the
dice reader, on its networks' probabilities, are those of tools/training/train_dice/limits.txt.

>>> MAX_DOUBTFUL_CONFIDENCE < MIN_KNOWN_COUNT_CONFIDENCE < MAX_ASKED_CONFIDENCE < MIN_PLAY_CONFIDENCE
True
"""

MIN_PLAY_CONFIDENCE = 0.9
"""Least confidence, 0 to 1, of a reading that is played without asking. Of dice that are read so at least 99.5 % are
right, of whole photographs, which may have more dice, somewhat fewer (docs/measurements.md). Larger: the companion asks
more often."""

MIN_KNOWN_COUNT_CONFIDENCE = 0.7
"""As `MIN_PLAY_CONFIDENCE`, where a game knows how many dice were thrown and as many were read: then hardly any reading
is wrong (docs/measurements.md), because most errors are dice left out. Larger: the companion asks more often."""

MIN_PRESENCE_CONFIDENCE = 0.8
"""Least confidence that a cup or a die with symbols is there at all: below it is neither played nor asked about.
Larger: uncertain objects are overlooked."""

MAX_ASKED_CONFIDENCE = MIN_PLAY_CONFIDENCE - 0.01
"""Greatest confidence of a reading that looks certain but must be asked about. Never `MIN_PLAY_CONFIDENCE` or more."""

MAX_DOUBTFUL_CONFIDENCE = 0.5
"""Greatest confidence of what is in doubt for another reason than how it looks (a tilted die, readings that disagree,
another number of dice in play than in sight): the companion asks. Less than both limits from which readings are
played."""

MAX_TOUCHED_CONFIDENCE = 0.85
"""Largest confidence of a lid's window where something is near, or glare may hide a digit. If it grows to
`MIN_PLAY_CONFIDENCE`, the companion no longer asks."""

MAX_GUESSED_NUMBER_CONFIDENCE = 0.8
"""Largest confidence of a token's number that only the other tokens' numbers suggest. If it grows to
`MIN_PLAY_CONFIDENCE`, guesses are played."""

MAX_UNCERTAIN_LID_CONFIDENCE = 0.75
"""Largest confidence of all windows while it is uncertain which is which, or the numbers are mirrored. If it grows to
`MIN_PLAY_CONFIDENCE`, the companion no longer asks."""

MAX_CONTRADICTED_COLOUR_CONFIDENCE = 0.6
"""Greatest confidence of a die with symbols about whose colour net and ink disagree: the companion asks."""
