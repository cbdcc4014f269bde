/* Lamps with colours: a chain of WS2812 (NeoPixel) beside the plain lamps, PIXELS_PER_LAMP for each button, button 0 first. */
#ifndef PIXELS_H
#define PIXELS_H

#include <stdint.h>

#include "config.h"

void pixels_start(void);

/* Called at every step of the lamps, with their brightnesses of 0 to LAMP_FULL. */
void pixels_show(const uint8_t brightness[BUTTONS]);

/* Called in the main loop: hands waiting pixels to the PIO. */
void pixels_poll(void);

#endif
