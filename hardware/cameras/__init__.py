"""Cameras, and files in their place: `camera_opener` is the entrance. What reads their frames: `companion.camera`."""
