/* The tick: microseconds since boot, modulo 2^32, from a free-running timer. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

#include "chip.h"

void clock_start(void);

/* The current tick. Call it only in interrupts or while interrupts are off. */
uint32_t clock_now_isr(void);

/* The current tick. */
uint32_t clock_now(void);

/* The tick at which the timer had this count, which was read less than 32 ms ago. */
uint32_t clock_at(clock_count count);

#endif
