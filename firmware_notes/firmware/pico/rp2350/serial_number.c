#include "serial_number.h"

#include "registers.h"

uint8_t serial_number[SERIAL_NUMBER_BYTES];

/* The highest byte first, as Raspberry Pi's tools show it. */
void serial_number_read(void)
{
    for (unsigned word = 0; word < SERIAL_NUMBER_BYTES / 4; word++) {
        uint32_t bytes = OTP_CHIPID(SERIAL_NUMBER_BYTES / 4 - 1 - word);
        for (unsigned i = 0; i < 4; i++) serial_number[4 * word + i] = (uint8_t)(bytes >> (24 - 8 * i));
    }
}
