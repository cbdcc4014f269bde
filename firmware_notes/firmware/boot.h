/* The boot's number: differs at every boot, kept in EEPROM. */
#ifndef BOOT_H
#define BOOT_H

#include <stdint.h>

/* Counts this boot. Takes up to 14 ms. */
uint32_t boot_count(void);

#endif
