"""Pure rules, one room a game. Games are frozen values: no I/O, no clock, no randomness inside."""
