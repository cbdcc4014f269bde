"""From light to a JPEG: lens, exposure, Bayer sensor, noise, and the usual image processing of cameras."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from ray_tracer.camera import Array

Rng = np.random.Generator


@dataclass(frozen=True)
class Sensor:
    """Properties of a camera.

    `blur` is the spread of a point in pixels; `noise` the deviation of a mid-grey pixel as a share of white; `gains`
    the white balance (BGR); `curve` the contrast of the tone curve; `denoise` 0 to 1.
    """

    exposure: float
    gains: tuple[float, float, float]
    blur: float
    noise: float
    vignette: float
    curve: float
    saturation: float
    sharpen: float
    denoise: float
    fringe: float
    bayer: bool
    quality: int
    gray: bool = False


def develop(light: Array, sensor: Sensor, rng: Rng) -> np.ndarray:
    """Develop linear light (h, w, 3) to a picture (h, w, 3) uint8, exposed for the middle of its brightness."""
    h, w = light.shape[:2]
    image = cv2.GaussianBlur(light, (0, 0), sensor.blur) if sensor.blur > 0.3 else light.copy()
    if sensor.fringe:
        for channel, sign in ((0, 1), (2, -1)):
            k = 1 + sign * sensor.fringe
            turn = np.array([[k, 0, (1 - k) * w / 2], [0, k, (1 - k) * h / 2]])
            image[..., channel] = cv2.warpAffine(image[..., channel], turn, (w, h), borderMode=cv2.BORDER_REFLECT)
    y, x = np.mgrid[-1 : 1 : h * 1j, -1 : 1 : w * 1j]
    image *= (1 - sensor.vignette * (x * x + y * y) / 2)[..., None]
    gray = image @ np.array([0.11, 0.59, 0.3], np.float32)
    middle = 0.6 * float(np.mean(gray)) + 0.4 * float(np.percentile(gray, 90))
    bright = float(np.percentile(gray[::2, ::2], 99.9))  # cameras keep bright things on a dark ground from burning out
    image *= min(sensor.exposure * 0.75 / max(middle, 1e-4), 1.25 / max(bright, 1e-4))
    # Shot noise grows with the root of the light, read noise does not.
    shot = sensor.noise * np.sqrt(np.maximum(image, 0) * 1.2 + 0.04)
    if sensor.bayer:
        mosaic = np.empty((h, w), np.float32)
        for row in (0, 1):
            for column in (0, 1):
                channel = ((0, 1), (1, 2))[row][column]
                mosaic[row::2, column::2] = image[row::2, column::2, channel]
        spread = shot.mean(-1) * 1.3
        mosaic += rng.standard_normal((h, w), dtype=np.float32) * spread
        raw = np.clip(mosaic * 40_000 + 2000, 0, 65_535).astype(np.uint16)
        image = (cv2.cvtColor(raw, cv2.COLOR_BayerRG2BGR).astype(np.float32) - 2000) / 40_000
    else:
        image = image + rng.standard_normal(image.shape, dtype=np.float32) * shot
    image = np.clip(image * np.array(sensor.gains, np.float32), 0, 1.6)
    image = np.clip(1.02 * image / (1 + 0.25 * image**2) ** 0.5, 0, 1)  # highlights roll off
    image = np.where(image <= 0.0031308, 12.92 * image, 1.055 * np.maximum(image, 1e-6) ** (1 / 2.4) - 0.055)
    bent = image * image * (3 - 2 * image)
    image = image + sensor.curve * (bent - image)
    luma = (image @ np.array([0.114, 0.587, 0.299], np.float32))[..., None]
    image = luma + (0 if sensor.gray else sensor.saturation) * (image - luma)
    out = (np.clip(image, 0, 1) * 255 + 0.5).astype(np.uint8)
    if sensor.denoise > 0.25:
        out = cv2.bilateralFilter(out, 5, 40 * sensor.denoise, 1.6)
    if sensor.sharpen > 0.05:
        soft = cv2.GaussianBlur(out, (0, 0), 1.1)
        out = cv2.addWeighted(out, 1 + sensor.sharpen, soft, -sensor.sharpen, 0)
    return out


def write_jpeg(path: str, image: np.ndarray, quality: int) -> None:
    """Save as JPEG."""
    cv2.imwrite(path, image, [cv2.IMWRITE_JPEG_QUALITY, quality])
