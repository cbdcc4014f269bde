"""The settings file, and JSON files of what people taught.

House rules and preferences that people chose: `companion.lobby`. Limits of the vision:
`companion.vision.confidence_limits`.
"""
