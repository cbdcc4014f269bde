"""The operating system below the program: clock, services, logging, files. Drivers of parts: `hardware/`."""
