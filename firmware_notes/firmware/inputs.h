/* The buttons, sampled by timer 0 every SAMPLE_US. The first edge counts at once; then the button is locked out. */
#ifndef INPUTS_H
#define INPUTS_H

#include <stdint.h>

void inputs_start(void);

/* Levels as they were reported, one bit a button, 1 = down. */
uint16_t inputs_levels(void);

/* Samples taken, modulo 256: the watchdog's sign that the interrupt lives. */
uint8_t inputs_samples(void);

#endif
