"""The USB button box: ten buttons, ten lamps and a microcontroller. firmware_notes/protocol.md defines its protocol."""
