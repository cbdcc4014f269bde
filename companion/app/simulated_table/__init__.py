"""The simulated table beside the display, which mouse and fingers move."""
