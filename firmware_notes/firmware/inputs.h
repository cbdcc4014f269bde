/* The buttons, sampled by timer 0 every SAMPLE_US. A change is decided CONFIRM_SAMPLES after its first edge, whose tick it
 * keeps; the button is locked until DEBOUNCE_SAMPLES after that edge.
 */
#ifndef INPUTS_H
#define INPUTS_H

#include <stdint.h>

void inputs_start(void);

/* The levels as last reported, one bit per button, 1 = down. */
uint16_t inputs_levels(void);

/* Microseconds since timer 0 asked for the last sample, below SAMPLE_US. */
uint8_t inputs_sample_age_us(void);

/* Number of samples, modulo 256: shows the watchdog that the interrupt is running. */
uint8_t inputs_samples(void);

#endif
