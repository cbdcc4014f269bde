/* Ten lamps, dimmed by binary code modulation: 32 brightnesses, 107 times a second.
 * Put out while the host is silent: link_poll in link.c. */
#ifndef LAMPS_H
#define LAMPS_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"

#define LAMP_FULL 31 /* the largest brightness */

enum { LAMP_OFF, LAMP_ON, LAMP_SLOW, LAMP_FAST, LAMP_BREATHING, LAMP_EFFECTS };

void lamps_start(void);

/* Sets one effect per lamp. Returns false and changes nothing if one of them is unknown. */
bool lamps_set(const uint8_t effects[BUTTONS]);

#if LAMP_COLOURS
/* Sets red, green and blue of each lamp, 0 to 255. Effects dim them; plain lamps have none. */
void lamps_set_colours(const uint8_t wanted[3 * BUTTONS]);
#endif

/* Called in the main loop: computes the brightnesses at `now`. */
void lamps_poll(uint32_t now);

/* Called in the sampling interrupt, once per sample. */
void lamps_sample_isr(void);

#endif
