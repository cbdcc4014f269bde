#include "bootloader.h"

#include "registers.h"

#define DELAY_MS 10

void start_bootloader(void)
{
    typedef void *(*rom_lookup)(uint32_t code, uint32_t kind);
    typedef int (*rom_reboot)(uint32_t how, uint32_t delay_ms, uint32_t disabled_interfaces, uint32_t activity_pin);
    rom_lookup look_up = (rom_lookup)(uintptr_t)ROM_LOOKUP;
    rom_reboot reboot = (rom_reboot)look_up(ROM_CODE('R', 'B'), ROM_ARM_SECURE);
    reboot(ROM_REBOOT_TO_BOOTSEL | ROM_REBOOT_NO_RETURN, DELAY_MS, 0, 0);
}
