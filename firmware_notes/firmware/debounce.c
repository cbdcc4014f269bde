#include "debounce.h"

#include "chip.h"
#include "clock.h"
#include "config.h"
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
/* Number of samples since the first edge in the new state, up to MIN_CONTACT_SAMPLES: a bit of each button's number in
 * each word, so that all buttons are counted at once.
 */
static uint16_t contact_ones, contact_twos, contact_fours;
#if MIN_CONTACT_SAMPLES == 7
#define ENOUGH_CONTACT (contact_ones & contact_twos & contact_fours)
#elif MIN_CONTACT_SAMPLES == 15
static uint16_t contact_eights;
#define ENOUGH_CONTACT (contact_ones & contact_twos & contact_fours & contact_eights)
#else
#error "Three bits count up to 7 samples, four up to 15"
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
static NOINLINE void add_candidate(uint16_t changed, clock_count count)
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
#if MIN_CONTACT_SAMPLES == 15
    contact_eights &= (uint16_t)~changed;
#endif
}

static void decide_oldest_candidate(void)
{
    const candidate *oldest = &candidates[oldest_candidate];
    uint16_t confirmed = oldest->buttons & ENOUGH_CONTACT;
    undecided_buttons &= (uint16_t)~oldest->buttons;
    candidate_count--;
    if (++oldest_candidate == BUTTONS) oldest_candidate = 0;
    if (confirmed) report_changes(confirmed, oldest->tick);
}

static NOINLINE void count_contacts(uint16_t changed)
{
    uint16_t more = changed & (uint16_t)~ENOUGH_CONTACT;
#if MIN_CONTACT_SAMPLES == 15
    contact_eights ^= more & contact_ones & contact_twos & contact_fours;
#endif
    contact_fours ^= more & contact_ones & contact_twos;
    contact_twos ^= more & contact_ones;
    contact_ones ^= more;
    if (candidates[oldest_candidate].until == samples) decide_oldest_candidate();
}

void debounce_sample(uint16_t down, clock_count count)
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

uint16_t debounce_levels(void)
{
    uint16_t levels;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        levels = reported;
    }
    return levels;
}

uint8_t debounce_samples(void)
{
    return (uint8_t)samples;
}
