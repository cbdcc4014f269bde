"""The eyes: the camera's frames through vision into signals, in a thread of their own, and up again whatever fails.

Nothing is imported here: what brings OpenCV is loaded behind the first picture.
"""
