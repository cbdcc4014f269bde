#include "inputs.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "board.h"
#include "clock.h"
#include "config.h"
#include "lamps.h"
#include "queue.h"

/* Lock-outs all last equally long and so end in the order in which they began: only the oldest is looked at. */
typedef struct {
    uint16_t buttons;
    uint16_t until; /* in samples */
} lock_out;

static lock_out locks[BUTTONS]; /* a button is in one at most, so that ten are enough */
static uint8_t oldest_lock, lock_count;
static uint16_t locked;
static volatile uint16_t reported, samples;

static void take(uint16_t changed, uint16_t count)
{
    uint32_t tick = clock_at_isr(count);
    uint16_t levels = reported;
    for (uint8_t button = 0; button < BUTTONS; button++) {
        uint16_t bit = (uint16_t)(1u << button);
        if (changed & bit) {
            levels ^= bit;
            queue_push_isr(button, tick, levels);
        }
    }
    reported = levels;

    uint8_t place = (uint8_t)(oldest_lock + lock_count);
    if (place >= BUTTONS) place = (uint8_t)(place - BUTTONS);
    locks[place].buttons = changed;
    locks[place].until = (uint16_t)(samples + LOCK_OUT_SAMPLES);
    lock_count++;
    locked |= changed;
}

ISR(TIMER0_COMPA_vect)
{
    uint16_t down = board_buttons(); /* first: nothing may come between the timer and this */
    uint16_t count = TCNT1;          /* after the pins: a stamp is never earlier than its edge */
    uint16_t now = (uint16_t)(samples + 1);
    samples = now;
    if (lock_count && locks[oldest_lock].until == now) {
        locked &= (uint16_t)~locks[oldest_lock].buttons;
        lock_count--;
        if (++oldest_lock == BUTTONS) oldest_lock = 0;
    }
    uint16_t changed = (uint16_t)((down ^ reported) & ~locked & ALL_BUTTONS);
    if (changed) take(changed, count);
    lamps_sample_isr();
}

void inputs_start(void)
{
    board_buttons_init();
    TCCR0A = _BV(WGM01); /* back to 0 on compare */
    OCR0A = (uint8_t)(F_CPU / 8 / 1000000UL * SAMPLE_US - 1);
    TIMSK0 = _BV(OCIE0A);
    TCCR0B = _BV(CS01); /* by eight */
}

uint16_t inputs_levels(void)
{
    uint16_t levels;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        levels = reported;
    }
    return levels;
}

uint8_t inputs_samples(void)
{
    return (uint8_t)samples;
}
