/* Resets the chip when the main loop or the sampling interrupt has not run for a quarter of a second. */
#ifndef WATCHDOG_H
#define WATCHDOG_H

void watchdog_start(void);
void watchdog_poll(void);

#endif
