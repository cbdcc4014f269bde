#include "serial_number.h"

#include "registers.h"

#define READ_UNIQUE_ID 0x4B
#define DUMMY_BYTES 4
#define FRAMES_OF_8_BITS (7ul << 16)

uint8_t serial_number[SERIAL_NUMBER_BYTES];

static uint8_t exchange(uint8_t byte)
{
    while (!(SSI_SR & SSI_SR_TFNF)) {
    }
    SSI_DR0 = byte;
    while (!(SSI_SR & SSI_SR_RFNE)) {
    }
    return (uint8_t)SSI_DR0;
}

void serial_number_read(void)
{
    SSI_SSIENR = 0;
    SSI_BAUDR = 8;
    SSI_CTRLR0 = FRAMES_OF_8_BITS;
    SSI_SER = 1;
    SSI_SSIENR = 1;
    /* The controller would deselect the flash whenever it has nothing to send. */
    IO_QSPI_SS_CTRL = OUTOVER_LOW;
    exchange(READ_UNIQUE_ID);
    for (unsigned i = 0; i < DUMMY_BYTES; i++) exchange(0);
    for (unsigned i = 0; i < SERIAL_NUMBER_BYTES; i++) serial_number[i] = exchange(0);
    IO_QSPI_SS_CTRL = OUTOVER_HIGH;
    SSI_SSIENR = 0;
    IO_QSPI_SS_CTRL = OUTOVER_NORMAL;
}
