#include "boot.h"

#include <avr/eeprom.h>

/* At the end: the EEPROM's first cells are those that a brown-out spoils. */
#define BOOT_COUNT_AT ((uint8_t *)(E2END - 7))

uint32_t boot_count(void)
{
    uint32_t count = 0;
    for (uint8_t i = 4; i-- > 0;) count = (count << 8) | eeprom_read_byte(BOOT_COUNT_AT + i);
    count++; /* an empty EEPROM reads as 0xFFFFFFFF: the first boot is 0 */
    /* High bytes first: power that fails between two of them makes the count leap, never go back. */
    for (uint8_t i = 4; i-- > 0;) eeprom_update_byte(BOOT_COUNT_AT + i, (uint8_t)(count >> (8 * i)));
    eeprom_busy_wait();
    return count;
}
