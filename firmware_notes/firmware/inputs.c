#include "inputs.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdbool.h>
#include <util/atomic.h>

#include "board.h"
#include "clock.h"
#include "config.h"
#include "lamps.h"
#include "queue.h"

/* Keeps the interrupt short where nothing happens: it saves fewer registers. */
#define NOINLINE __attribute__((noinline))

#define SAMPLES_WAITING 8 /* a power of two; at most three are used: ten buttons are decided in 128 us */

typedef struct {
    uint16_t down;
    uint16_t count; /* of timer 1 */
} sample;

static sample waiting[SAMPLES_WAITING];
static uint8_t sample_in, sample_out; /* count up and wrap around */
static bool is_processing;

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
/* Number of samples since the first edge in the new state, up to 7: a bit of each button's number in each word, so that
 * all buttons are counted at once.
 */
static uint16_t contact_ones, contact_twos, contact_fours;
#if MIN_CONTACT_SAMPLES != 7
#error "Three bits count up to seven samples"
#endif

static lockout lockouts[BUTTONS]; /* a button is in at most one lockout, so ten are enough */
static uint8_t oldest_lockout, lockout_count;
static uint16_t locked_buttons;
static volatile uint16_t reported, samples;

static void report_changes(uint16_t changed, uint32_t tick)
{
    uint16_t levels = reported, bit = 1;
    for (uint8_t button = 0; button < BUTTONS; button++, bit <<= 1) {
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
    candidates[place].tick = clock_at(count);
    candidates[place].buttons = changed;
    candidates[place].until = (uint16_t)(samples + CONFIRM_SAMPLES);
    candidate_count++;
    undecided_buttons |= changed;
    contact_ones |= changed;
    contact_twos &= (uint16_t)~changed;
    contact_fours &= (uint16_t)~changed;
}

static void decide_oldest_candidate(void)
{
    const candidate *oldest = &candidates[oldest_candidate];
    uint16_t confirmed = oldest->buttons & contact_ones & contact_twos & contact_fours;
    undecided_buttons &= (uint16_t)~oldest->buttons;
    candidate_count--;
    if (++oldest_candidate == BUTTONS) oldest_candidate = 0;
    if (confirmed) report_changes(confirmed, oldest->tick);
}

static NOINLINE void count_contacts(uint16_t changed)
{
    uint16_t more = changed & (uint16_t)~(contact_ones & contact_twos & contact_fours);
    contact_fours ^= more & contact_ones & contact_twos;
    contact_twos ^= more & contact_ones;
    contact_ones ^= more;
    if (candidates[oldest_candidate].until == samples) decide_oldest_candidate();
}

static void process_sample(uint16_t down, uint16_t count)
{
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
}

/* Deciding several changes takes longer than SAMPLE_US, and a late sample is a late stamp, or misses a short contact. So
 * samples are processed with interrupts on, and this interrupt interrupts itself: the inner one only stores its sample,
 * which the outer one processes next.
 */
ISR(TIMER0_COMPA_vect)
{
    uint16_t down = board_buttons(); /* first: no delay after the timer */
    uint16_t count = TCNT1;          /* after reading the pins: a stamp is never earlier than its edge */
    waiting[sample_in++ % SAMPLES_WAITING] = (sample){down, count};
    lamps_sample_isr();
    if (is_processing) return;
    is_processing = true;
    do {
        const sample *oldest = &waiting[sample_out++ % SAMPLES_WAITING];
        sei();
        process_sample(oldest->down, oldest->count);
        cli();
    } while (sample_out != sample_in);
    is_processing = false;
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

uint8_t inputs_sample_age_us(void)
{
    return TCNT0 / 2;
}

uint8_t inputs_samples(void)
{
    return (uint8_t)samples;
}
