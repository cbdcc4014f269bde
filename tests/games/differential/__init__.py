"""Differential games: random games through the real rules against scorers written from the rulebooks alone."""
