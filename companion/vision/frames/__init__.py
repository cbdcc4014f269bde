"""Frames before anything is read in them: loading, motion, light. Where cameras give them: `hardware.cameras`."""
