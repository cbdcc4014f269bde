#include "boot.h"

#include <avr/eeprom.h>

/* At the end: a brown-out damages the first cells of the EEPROM. */
#define BOOT_COUNT_AT ((uint8_t *)(E2END - 7))

uint32_t boot_count(void)
{
    uint32_t count = 0;
    for (uint8_t i = 4; i-- > 0;) count = (count << 8) | eeprom_read_byte(BOOT_COUNT_AT + i);
    count++; /* an empty EEPROM reads as 0xFFFFFFFF: the first boot is 0 */
    /* High bytes first: if the power fails between two of them, the count jumps ahead, never back. */
    for (uint8_t i = 4; i-- > 0;) eeprom_update_byte(BOOT_COUNT_AT + i, (uint8_t)(count >> (8 * i)));
    eeprom_busy_wait();
    return count;
}
