"""Gamepads, arcade encoders, Buzz! controllers and presenters: devices of the kernel's input system as buttons."""
