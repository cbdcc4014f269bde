"""Camera frames through vision into events, in a thread of its own that recovers from any failure.

Nothing is imported here: OpenCV is loaded after the first screen has been drawn.
"""
