/* The flash chip's own number, different in every one: the box's identity. */
#ifndef FLASH_ID_H
#define FLASH_ID_H

#include <stdint.h>

#define FLASH_ID_BYTES 8

extern uint8_t flash_id[FLASH_ID_BYTES];

/* Reads it, once, before interrupts are on. The flash cannot be read as memory afterwards. */
void flash_id_read(void);

#endif
