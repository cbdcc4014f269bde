#include "clock.h"

#include "registers.h"

static uint32_t started_at;

void clock_start(void)
{
    started_at = TIMERAWL; /* the tick is 0 here */
}

uint32_t clock_now_isr(void)
{
    return TIMERAWL - started_at;
}

uint32_t clock_now(void)
{
    return clock_now_isr();
}

uint32_t clock_at(clock_count count)
{
    return count;
}
