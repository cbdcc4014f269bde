/* Ten lamps on two shift registers, dimmed by binary code modulation: 32 brightnesses, 107 times a second. */
#ifndef LAMPS_H
#define LAMPS_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"

enum { LAMP_OFF, LAMP_ON, LAMP_SLOW, LAMP_FAST, LAMP_BREATHING, LAMP_EFFECTS };

void lamps_start(void);

/* One effect a lamp. False, and nothing changed, if one of them is unknown. */
bool lamps_set(const uint8_t effects[BUTTONS]);

/* In the main loop: works out the brightnesses as time goes on. */
void lamps_poll(uint32_t now);

/* In the sampling interrupt, once a sample. */
void lamps_sample_isr(void);

#endif
