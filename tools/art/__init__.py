"""The objects of the stage, drawn by `tools/draw_art.py` as bodies of signed distances under one light."""
