"""The games' rules, one package a game. A game is a frozen value: no files, no clock, no randomness inside."""
