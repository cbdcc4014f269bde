#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdbool.h>

#include "board.h"
#include "chip.h"
#include "config.h"
#include "debounce.h"
#include "lamps.h"
#include "sampling.h"

#define SAMPLES_WAITING 8 /* a power of two; at most three are used: ten buttons are decided in 128 us */

typedef struct {
    uint16_t down;
    clock_count count;
} sample;

static sample waiting[SAMPLES_WAITING];
static uint8_t sample_in, sample_out; /* count up and wrap around */
static bool is_processing;

bool board_lamps_prepared;

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
        debounce_sample(oldest->down, oldest->count);
        cli();
    } while (sample_out != sample_in);
    is_processing = false;
}

void sampling_start(void)
{
    board_buttons_init();
    TCCR0A = _BV(WGM01); /* back to 0 on compare */
    OCR0A = (uint8_t)(F_CPU / 8 / 1000000UL * SAMPLE_US - 1);
    TIMSK0 = _BV(OCIE0A);
    TCCR0B = _BV(CS01); /* by eight */
}

uint8_t sampling_age_us(void)
{
    return TCNT0 / 2;
}
