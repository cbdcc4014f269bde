/* The boot id: differs at every boot of every box, stored in EEPROM. */
#ifndef BOOT_ID_H
#define BOOT_ID_H

#include <stdint.h>

#define BOOT_ID_UNSET 0xFFFFFFFFu /* what an empty EEPROM reads as */

/* Returns the id of this boot, the last one plus one, and stores it; BOOT_ID_UNSET in a new box. Takes up to 14 ms. */
uint32_t boot_next(void);

/* Draws the first id of a new box from what no other box shares: the random nonce of its first HELLO and the tick at
 * which that arrived. Stores and returns it. Takes up to 14 ms. */
uint32_t boot_draw(uint16_t nonce, uint32_t tick);

#endif
