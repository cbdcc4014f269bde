/* A button box: ten buttons, ten lamps, a serial line. Interrupts sample and stamp; everything else runs here. */
#include <avr/interrupt.h>
#include <avr/sleep.h>

#include "boot.h"
#include "clock.h"
#include "inputs.h"
#include "lamps.h"
#include "link.h"
#include "uart.h"
#include "watchdog.h"

int main(void)
{
    lamps_start();
    watchdog_start();
    link_start(boot_next());
    uart_start();
    clock_start();
    inputs_start();
    set_sleep_mode(SLEEP_MODE_IDLE);
    sei();
    for (;;) {
        uint32_t now = clock_now();
        link_poll(now);
        lamps_poll(now);
        watchdog_poll();
        sleep_mode(); /* until the next sample at the latest, 50 us */
    }
}
