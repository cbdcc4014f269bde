/* The buttons, sampled by timer 0 every SAMPLE_US. The first edge counts at once; then the button is locked for
 * DEBOUNCE_SAMPLES.
 */
#ifndef INPUTS_H
#define INPUTS_H

#include <stdint.h>

void inputs_start(void);

/* The levels as last reported, one bit per button, 1 = down. */
uint16_t inputs_levels(void);

/* Number of samples, modulo 256: shows the watchdog that the interrupt is running. */
uint8_t inputs_samples(void);

#endif
