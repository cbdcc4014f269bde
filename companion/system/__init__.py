"""The operating system below the program: clock, services, logging, files. Drivers of parts: `hardware/`.

What Linux, macOS and Windows have under different names: `companion.os_compat`.
"""
