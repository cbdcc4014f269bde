/* Changes of the buttons, from samples taken every SAMPLE_US (sampling.h). A change is decided CONFIRM_SAMPLES after its
 * first edge, whose tick it keeps; the button is locked until DEBOUNCE_SAMPLES after that edge.
 */
#ifndef DEBOUNCE_H
#define DEBOUNCE_H

#include <stdint.h>

#include "chip.h"

#define DEBOUNCE_SAMPLES (20000u / SAMPLE_US) /* 20 ms lockout: arcade switches bounce for 1 to 10 ms */
/* A change is decided 5 ms after its first edge: a bouncing switch is open for long parts of the first milliseconds. */
#define CONFIRM_SAMPLES (5000u / SAMPLE_US)

/* Processes one sample, in the order in which they were taken: one bit per button, 1 = down, and when that was read. Called by
 * the sampling interrupt, which may interrupt it to take the next sample.
 */
void debounce_sample(uint16_t down, clock_count count);

/* The levels as last reported, one bit per button, 1 = down. */
uint16_t debounce_levels(void);

/* Number of samples, modulo 256: shows the watchdog that the interrupt is running. */
uint8_t debounce_samples(void);

#endif
