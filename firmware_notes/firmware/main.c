/* A button box: ten buttons, ten lamps, a serial line. Interrupts sample and stamp; everything else runs here. */
#include "boot_id.h"
#include "chip.h"
#include "clock.h"
#include "lamps.h"
#include "line.h"
#include "link.h"
#include "sampling.h"
#include "watchdog.h"

int main(void)
{
    chip_start();
    lamps_start();
    watchdog_start();
    link_start(boot_next());
    line_start();
    clock_start();
    sampling_start();
    chip_enable_interrupts();
    for (;;) {
        uint32_t now = clock_now();
        link_poll(now);
        lamps_poll(now);
        watchdog_poll();
        chip_sleep(); /* until the next sample at the latest */
    }
}
