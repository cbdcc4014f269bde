/* The boot number: differs at every boot, stored in EEPROM. */
#ifndef BOOT_H
#define BOOT_H

#include <stdint.h>

/* Returns the number of this boot and stores it. Takes up to 14 ms. */
uint32_t boot_count(void);

#endif
