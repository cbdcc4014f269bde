"""The virtual table beside the display: its camera picture for people, their mouse, and what the keys are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt
import pygame

from companion.display.text import font
from companion.shown import Key, Shown
from hardware.keyboard import NAMES
from hardware.virtual.mouse import Mouse

INK, DIM, GROUND = (235, 235, 235), (150, 155, 165), (18, 20, 24)
LINE = 1.35
"""Line height, in letter sizes."""
