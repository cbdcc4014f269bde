"""Ray tracing of still scenes in linear light: solids, area lamps, a pinhole camera and a Bayer sensor.

Physics alone. The dice, tables, rooms and cameras that are drawn with it are in `testset_renderer`, and others in
`train_dice`; neither imports the other.
"""
