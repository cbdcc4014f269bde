"""Held-back sets: sittings, pictures of dice and throws, to measure by; nothing is trained on them.

A ray caster of its own, in linear light, with area lamps, a Bayer sensor and rigid-body throws: nothing in common with
the generators of the training (train_dice, train_digits), so that figures on these sets say something about
generalisation. One command makes them from seeds: ``python -m testset_renderer.make OUT``.
"""
