#include "boot_id.h"

#include <avr/eeprom.h>

/* At the end: a brown-out damages the first cells of the EEPROM. The last eight held firmware 1.0's count from 0. */
#define BOOT_ID_AT ((uint8_t *)(E2END - 15))

static void store(uint32_t id)
{
    /* High bytes first: if the power fails between two of them, the number jumps ahead, never back. */
    for (uint8_t i = 4; i-- > 0;) eeprom_update_byte(BOOT_ID_AT + i, (uint8_t)(id >> (8 * i)));
    eeprom_busy_wait();
}

uint32_t boot_next(void)
{
    uint32_t id = 0;
    for (uint8_t i = 4; i-- > 0;) id = (id << 8) | eeprom_read_byte(BOOT_ID_AT + i);
    if (id != BOOT_ID_UNSET) store(++id);
    return id;
}

uint32_t boot_draw(uint16_t nonce, uint32_t tick)
{
    uint32_t id = ((uint32_t)nonce << 16) + tick;
    if (id == BOOT_ID_UNSET) id = 0;
    store(id);
    return id;
}
