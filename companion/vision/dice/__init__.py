"""Pip dice in one frame: `reader` is the entrance. When dice lie still: `companion.vision.table`."""
