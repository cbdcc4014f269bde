"""Frames in, readings out; no devices, no game knowledge."""
