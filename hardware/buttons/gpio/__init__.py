"""Arcade buttons and lamps at the pins of a Raspberry Pi 3, 4 or 5, through gpiozero and lgpio."""
