"""A lid with 12 windows in one frame: `reader` is the entrance; `calibration` learns a lid."""
