"""The referee: where events from the table meet the rules of a game."""
