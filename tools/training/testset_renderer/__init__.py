"""Held-back test sets: image sequences, pictures of dice and throws, for measuring only; nothing is trained on them.

All that is seen in them (dice, pips, tables, clutter, hands, lids, rooms, cameras) is drawn here and nowhere else. With
the scenes for training (train_dice, train_digits) they share the physics, `ray_tracer`, and no content, so that figures
on these sets measure generalisation. One command makes them from seeds: ``python -m testset_renderer.make OUT``.
"""
