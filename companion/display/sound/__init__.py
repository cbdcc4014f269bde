"""Choose, play and speak what the screen says. The files: `display/sounds`, made by `tools/make_sounds.py`."""
