"""Scenes of the games that files describe: one for all games with dice, one for all games of entered points."""
