#include "watchdog.h"

#include <stdint.h>

#include "debounce.h"
#include "registers.h"

#define PERIOD (WATCHDOG_COUNTS_PER_US * 250000ul)

void watchdog_start(void)
{
    WATCHDOG_CTRL = 0;
    PSM_WDSEL = PSM_ALL & ~(PSM_ROSC | PSM_XOSC); /* a reset restarts everything but the oscillators */
    WATCHDOG_LOAD = PERIOD;
    WATCHDOG_CTRL = WATCHDOG_CTRL_ENABLE;
}

void watchdog_poll(void)
{
    static uint8_t seen;
    uint8_t samples = debounce_samples();
    if (samples == seen) return;
    seen = samples;
    WATCHDOG_LOAD = PERIOD;
}
