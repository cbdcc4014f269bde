"""Whether a camera sees its table well: `monitor` in play, `checks` for one view."""
