/* The ATmega's part of the sources that all chips share. */
#ifndef CHIP_H
#define CHIP_H

#include <avr/interrupt.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#include <stdint.h>
#include <util/atomic.h>

typedef uint16_t clock_count; /* of timer 1, half a microsecond each */

#define SAMPLE_US 50u         /* time between two samples of the pins */
/* In the new state, of CONFIRM_SAMPLES (debounce.h): 0.35 ms; glitches last for tens of microseconds. */
#define MIN_CONTACT_SAMPLES 7

#define LAMP_COLOURS 0

/* Called once, before anything else. */
static inline void chip_start(void)
{
    set_sleep_mode(SLEEP_MODE_IDLE);
}

static inline void chip_enable_interrupts(void)
{
    sei();
}

/* Waits for an interrupt, until the next sample at the latest. */
static inline void chip_sleep(void)
{
    sleep_mode();
}

#endif
