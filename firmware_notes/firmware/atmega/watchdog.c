#include "watchdog.h"

#include <avr/io.h>
#include <avr/wdt.h>
#include <stdint.h>

#include "debounce.h"

void watchdog_early(void) __attribute__((naked, used, section(".init3")));

/* Before main: after a watchdog reset the watchdog continues with 16 ms, too short for the start of main. */
void watchdog_early(void)
{
    MCUSR = 0;
    wdt_disable();
}

void watchdog_start(void)
{
    wdt_enable(WDTO_250MS);
}

void watchdog_poll(void)
{
    static uint8_t seen;
    uint8_t samples = debounce_samples();
    if (samples == seen) return;
    seen = samples;
    wdt_reset();
}
