#include "clock.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#if F_CPU != 16000000UL
#error "The tick is timer 1 divided by eight, halved: a microsecond only at 16 MHz"
#endif

#define OVERFLOW_US 0x8000UL /* 65536 counts of half a microsecond */

static volatile uint32_t ticks_at_overflow;

ISR(TIMER1_OVF_vect)
{
    ticks_at_overflow += OVERFLOW_US;
}

void clock_start(void)
{
    TCCR1A = 0;
    TCNT1 = 0;
    TIMSK1 = _BV(TOIE1);
    TCCR1B = _BV(CS11); /* divided by eight: 2 MHz. The tick is 0 here. */
}

uint32_t clock_now_isr(void)
{
    uint16_t count = TCNT1;
    uint32_t ticks = ticks_at_overflow;
    /* An overflow that was not handled yet applies only if the count was read after it. */
    if ((TIFR1 & _BV(TOV1)) && count < 0x8000u) ticks += OVERFLOW_US;
    return ticks + (count >> 1);
}

uint32_t clock_now(void)
{
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        now = clock_now_isr();
    }
    return now;
}

uint32_t clock_at(clock_count count)
{
    uint32_t now = clock_now();
    return now - (((uint16_t)now - (count >> 1)) & (OVERFLOW_US - 1));
}
