/* The buttons are read every SAMPLE_US by an interrupt of each chip (sampling.c in its folder), which passes each sample to
 * debounce_sample().
 */
#ifndef SAMPLING_H
#define SAMPLING_H

#include <stdint.h>

/* Begins to sample. */
void sampling_start(void);

/* Microseconds since the last sample was due, below SAMPLE_US. */
uint8_t sampling_age_us(void);

#endif
