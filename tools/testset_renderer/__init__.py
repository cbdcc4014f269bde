"""Held-back test sets: image sequences, pictures of dice and throws, for measuring only; nothing is trained on them.

A separate ray caster in linear light, with area lamps, a Bayer sensor and rigid-body throws: it shares nothing with the
generators of the training sets (train_dice, train_digits), so that figures on these sets measure generalisation. One
command makes them from seeds: ``python -m testset_renderer.make OUT``.
"""
