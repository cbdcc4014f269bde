/* The tick: microseconds since boot, modulo 2^32, from the free-running timer 1. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

void clock_start(void);

/* The current tick. Call it only in interrupts or while interrupts are off. */
uint32_t clock_now_isr(void);

/* The same for a count of timer 1 that was read less than half a timer period (16 ms) ago. */
uint32_t clock_at_isr(uint16_t count);

/* The current tick. */
uint32_t clock_now(void);

#endif
