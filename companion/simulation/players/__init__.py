"""Virtual players: act like people at a simulated table, informed only by the screen."""
