#include "bootloader.h"

#include "registers.h"

void start_bootloader(void)
{
    typedef void *(*rom_lookup)(const uint16_t *functions, uint32_t code);
    typedef void (*rom_reset_to_usb_boot)(uint32_t activity_pins, uint32_t disabled_interfaces);
    rom_lookup look_up = (rom_lookup)(uintptr_t)ROM_LOOKUP;
    rom_reset_to_usb_boot reset_to_usb_boot =
        (rom_reset_to_usb_boot)look_up((const uint16_t *)(uintptr_t)ROM_FUNCTIONS, ROM_CODE('U', 'B'));
    reset_to_usb_boot(0, 0);
}
