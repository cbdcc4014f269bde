#include "inputs.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "board.h"
#include "clock.h"
#include "config.h"
#include "lamps.h"
#include "queue.h"

/* All lockouts are equally long, so they end in the order in which they began: only the oldest is checked. */
typedef struct {
    uint16_t buttons;
    uint16_t until; /* in samples */
} lockout;

static lockout lockouts[BUTTONS]; /* a button is in at most one lockout, so ten are enough */
static uint8_t oldest_lockout, lockout_count;
static uint16_t locked_buttons;
static volatile uint16_t reported, samples;

static void report_changes(uint16_t changed, uint16_t count)
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

    uint8_t place = (uint8_t)(oldest_lockout + lockout_count);
    if (place >= BUTTONS) place = (uint8_t)(place - BUTTONS);
    lockouts[place].buttons = changed;
    lockouts[place].until = (uint16_t)(samples + DEBOUNCE_SAMPLES);
    lockout_count++;
    locked_buttons |= changed;
}

ISR(TIMER0_COMPA_vect)
{
    uint16_t down = board_buttons(); /* first: no delay after the timer */
    uint16_t count = TCNT1;          /* after reading the pins: a stamp is never earlier than its edge */
    uint16_t now = (uint16_t)(samples + 1);
    samples = now;
    if (lockout_count && lockouts[oldest_lockout].until == now) {
        locked_buttons &= (uint16_t)~lockouts[oldest_lockout].buttons;
        lockout_count--;
        if (++oldest_lockout == BUTTONS) oldest_lockout = 0;
    }
    uint16_t changed = (uint16_t)((down ^ reported) & ~locked_buttons & ALL_BUTTONS);
    if (changed) report_changes(changed, count);
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
