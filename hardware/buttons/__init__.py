"""Sources of presses, and their lamps: pins, button box, controllers, the table of keys; `press_merger` joins them."""
