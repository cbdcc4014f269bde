/* The buttons, sampled every SAMPLE_US. A change is decided CONFIRM_SAMPLES after its first edge, whose tick it
 * keeps; the button is locked until DEBOUNCE_SAMPLES after that edge.
 */
#ifndef INPUTS_H
#define INPUTS_H

#include <stdint.h>

#include "chip.h"

/* Begins to sample; each chip has its own interrupt for it. */
void inputs_start(void);

/* Processes one sample, in the order in which they were taken: one bit per button, 1 = down, and when that was read. Called by
 * the sampling interrupt, which may interrupt it to take the next sample.
 */
void inputs_process(uint16_t down, clock_count count);

/* The levels as last reported, one bit per button, 1 = down. */
uint16_t inputs_levels(void);

/* Microseconds since the last sample was due, below SAMPLE_US. */
uint8_t inputs_sample_age_us(void);

/* Number of samples, modulo 256: shows the watchdog that the interrupt is running. */
uint8_t inputs_samples(void);

#endif
