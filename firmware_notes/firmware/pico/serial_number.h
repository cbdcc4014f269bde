/* A number that every box has for itself: of the flash chip (RP2040) or of the chip (RP2350). */
#ifndef SERIAL_NUMBER_H
#define SERIAL_NUMBER_H

#include <stdint.h>

#define SERIAL_NUMBER_BYTES 8

extern uint8_t serial_number[SERIAL_NUMBER_BYTES];

/* Reads it, once, before interrupts are on. An RP2040's flash cannot be read as memory afterwards. */
void serial_number_read(void);

#endif
