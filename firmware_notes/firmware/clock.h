/* The tick: microseconds since boot, modulo 2^32, from the free-running timer 1. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

void clock_start(void);

/* For interrupts and wherever interrupts are off. */
uint32_t clock_now_isr(void);

/* The same for a count of timer 1 that was read a moment ago, less than half of its round. */
uint32_t clock_at_isr(uint16_t count);

uint32_t clock_now(void);

#endif
