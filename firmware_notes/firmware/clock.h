/* The tick: microseconds since boot, modulo 2^32, from the free-running timer 1. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

void clock_start(void);

/* The current tick. Call it only in interrupts or while interrupts are off. */
uint32_t clock_now_isr(void);

/* The current tick. */
uint32_t clock_now(void);

/* The tick at which timer 1 had this count, which was read less than a timer period (32 ms) ago. */
uint32_t clock_at(uint16_t count);

#endif
