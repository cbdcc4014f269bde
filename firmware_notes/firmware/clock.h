/* The tick: microseconds since boot, modulo 2^32, from the free-running timer 1. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

void clock_start(void);

/* For interrupts and wherever interrupts are off. */
uint32_t clock_now_isr(void);

uint32_t clock_now(void);

#endif
