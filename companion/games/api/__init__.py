"""Types that all games share: moves, corrections, offers, the definition of a game, a base class for its rules."""
