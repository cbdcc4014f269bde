/* The second stage of the boot: the first 256 bytes of the flash, which the ROM copies to the end of the RAM and runs if
 * their checksum is right [datasheet 2.8.1.3]. It lets the processor read the flash like memory, and starts the firmware.
 *
 * The flash is read with command 03h, which every chip has. It is read once, see start.c, while the processor still uses the
 * slow ring oscillator.
 */
#include "registers.h"

#define FIRMWARE_AT (FLASH_AT + 0x100)

#define READ_COMMAND (0x03ul << 24)
#define EIGHT_BIT_COMMAND (2ul << 8)
#define ADDRESS_24_BITS (6ul << 2) /* in units of four */
#define FRAMES_OF_32_BITS (31ul << 16)
#define READ_AFTER_COMMAND (3ul << 8)

void boot2(void) __attribute__((naked, noreturn, section(".boot2")));

void boot2(void)
{
    SSI_SSIENR = 0;
    SSI_BAUDR = 2; /* half of about 6 MHz, 12 at most; the slowest chips allow 33 */
    SSI_CTRLR0 = FRAMES_OF_32_BITS | READ_AFTER_COMMAND;
    SSI_CTRLR1 = 0;
    SSI_SPI_CTRLR0 = READ_COMMAND | EIGHT_BIT_COMMAND | ADDRESS_24_BITS;
    SSI_SSIENR = 1;
    VTOR = FIRMWARE_AT;
    __asm__ volatile("ldr r1, [%0, #4]\n\tldr r0, [%0]\n\tmsr msp, r0\n\tbx r1" : : "l"(FIRMWARE_AT) : "r0", "r1");
    __builtin_unreachable();
}
