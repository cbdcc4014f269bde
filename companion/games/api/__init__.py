"""What games share: moves and corrections, offers, the definition of a game, a base class for its rules."""
