"""The USB button box: ten buttons, ten lamps, a microcontroller. `firmware_notes/protocol.md` is its language."""
