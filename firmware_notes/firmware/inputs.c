#include "inputs.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "board.h"
#include "clock.h"
#include "config.h"
#include "lamps.h"
#include "queue.h"

/* Keeps the interrupt short where nothing happens: it saves fewer registers. */
#define NOINLINE __attribute__((noinline))

/* All lockouts are equally long, so they end in the order in which they began: only the oldest is checked. */
typedef struct {
    uint16_t buttons;
    uint16_t until; /* in samples */
} lockout;

/* Buttons whose change is not decided yet, in the order of their first edges, which is that of the decisions too. */
typedef struct {
    uint32_t tick;
    uint16_t buttons;
    uint16_t until; /* in samples */
} candidate;

static candidate candidates[BUTTONS];
static uint8_t oldest_candidate, candidate_count;
static uint16_t undecided_buttons;
static uint8_t contact_samples[BUTTONS]; /* since the first edge, in the new state */

static lockout lockouts[BUTTONS]; /* a button is in at most one lockout, so ten are enough */
static uint8_t oldest_lockout, lockout_count;
static uint16_t locked_buttons;
static volatile uint16_t reported, samples;

static void report_changes(uint16_t changed, uint32_t tick)
{
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
    lockouts[place].until = (uint16_t)(samples + DEBOUNCE_SAMPLES - CONFIRM_SAMPLES);
    lockout_count++;
    locked_buttons |= changed;
}

/* The first edge of a change keeps its tick; the contact must then stay for MIN_CONTACT_SAMPLES to count. */
static NOINLINE void add_candidate(uint16_t changed, uint16_t count)
{
    uint8_t place = (uint8_t)(oldest_candidate + candidate_count);
    if (place >= BUTTONS) place = (uint8_t)(place - BUTTONS);
    candidates[place].tick = clock_at_isr(count);
    candidates[place].buttons = changed;
    candidates[place].until = (uint16_t)(samples + CONFIRM_SAMPLES);
    candidate_count++;
    undecided_buttons |= changed;
    uint16_t bit = 1;
    for (uint8_t button = 0; button < BUTTONS; button++, bit <<= 1)
        if (changed & bit) contact_samples[button] = 1;
}

static void decide_oldest_candidate(void)
{
    const candidate *oldest = &candidates[oldest_candidate];
    uint16_t confirmed = 0, bit = 1;
    for (uint8_t button = 0; button < BUTTONS; button++, bit <<= 1)
        if ((oldest->buttons & bit) && contact_samples[button] >= MIN_CONTACT_SAMPLES) confirmed |= bit;
    undecided_buttons &= (uint16_t)~oldest->buttons;
    candidate_count--;
    if (++oldest_candidate == BUTTONS) oldest_candidate = 0;
    if (confirmed) report_changes(confirmed, oldest->tick);
}

static NOINLINE void count_contacts(uint16_t changed)
{
    uint16_t bit = 1;
    for (uint8_t button = 0; button < BUTTONS; button++, bit <<= 1)
        if (changed & bit) contact_samples[button]++;
    if (candidates[oldest_candidate].until == samples) decide_oldest_candidate();
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
    if (candidate_count) count_contacts((down ^ reported) & undecided_buttons);
    uint16_t changed = (uint16_t)((down ^ reported) & ~locked_buttons & ~undecided_buttons & ALL_BUTTONS);
    if (changed) add_candidate(changed, count);
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
