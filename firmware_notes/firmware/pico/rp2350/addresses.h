/* What is special to the RP2350, by the names of its datasheet (chapters in brackets). tests/firmware/test_rp2350.py compares
 * it, and what registers.h makes of it, with Raspberry Pi's tables.
 */
#ifndef ADDRESSES_H
#define ADDRESSES_H

/* Blocks [2.2] */
#define CLOCKS_AT 0x40010000
#define PSM_AT 0x40018000
#define RESETS_AT 0x40020000
#define IO_BANK0_AT 0x40028000
#define PADS_BANK0_AT 0x40038000
#define XOSC_AT 0x40048000
#define PLL_SYS_AT 0x40050000
#define PLL_USB_AT 0x40058000
#define UART0_AT 0x40070000
#define TIMER_AT 0x400B0000
#define WATCHDOG_AT 0x400D8000
#define ROSC_AT 0x400E8000
#define TICKS_AT 0x40108000
#define OTP_DATA_AT 0x40130000
#define PIO0_AT 0x50200000
#define SIO_AT 0xD0000000

/* Registers at another place in their block than in the RP2040 */
#define CLK_USB_CTRL_OFFSET 0x60
#define ROSC_RANDOMBIT_OFFSET 0x20
#define GPIO_OE_SET_OFFSET 0x38

/* Interrupts [3.2] */
#define INTERRUPTS 52
#define USB_INTERRUPT 14
#define UART0_INTERRUPT 33

/* Function of the ROM that finds the others by two letters [5.4] */
#define ROM_LOOKUP (*(const volatile uint16_t *)0x16)
#define ROM_CODE(first, second) ((uint32_t)(first) | (uint32_t)(second) << 8)
#define ROM_ARM_SECURE 0x4ul
#define ROM_REBOOT_TO_BOOTSEL 0x2ul
#define ROM_REBOOT_NO_RETURN 0x100ul

/* One-time programmable memory, two rows of 16 bits in a word: the chip's random number is in rows 0 to 3 [13] */
#define OTP_CHIPID(word) REGISTER(OTP_DATA_AT + 4 * (word))

/* A pad is cut off from its pin until this bit is cleared [9.7] */
#define PAD_ISOLATED BIT(8)

/* Subsystem resets [7.5] */
#define RESET_IO_BANK0 BIT(6)
#define RESET_IO_QSPI BIT(7)
#define RESET_PADS_BANK0 BIT(9)
#define RESET_PADS_QSPI BIT(10)
#define RESET_PIO0 BIT(11)
#define RESET_PLL_SYS BIT(14)
#define RESET_PLL_USB BIT(15)
#define RESET_SYSCFG BIT(20)
#define RESET_SYSINFO BIT(21)
#define RESET_TIMER BIT(23)
#define RESET_UART0 BIT(26)
#define RESET_USBCTRL BIT(28)
#define RESET_ALL 0x1FFFFFFFul

/* Power-on state machine [7.4]: what the watchdog resets */
#define PSM_ROSC BIT(2)
#define PSM_XOSC BIT(3)
#define PSM_ALL 0x01FFFFFFul

#define USB_PRODUCT 0x0009 /* serial port of a program on an RP2350 */

#define WATCHDOG_COUNTS_PER_US 1

/* A microsecond for the timer and the watchdog [8.5] */
#define TICKS_TIMER0_CTRL REGISTER(TICKS_AT + 0x18)
#define TICKS_TIMER0_CYCLES REGISTER(TICKS_AT + 0x1C)
#define TICKS_WATCHDOG_CTRL REGISTER(TICKS_AT + 0x30)
#define TICKS_WATCHDOG_CYCLES REGISTER(TICKS_AT + 0x34)
#define TICKS_ENABLE BIT(0)

static inline void start_ticks(uint32_t crystal_mhz)
{
    TICKS_TIMER0_CYCLES = crystal_mhz;
    TICKS_TIMER0_CTRL = TICKS_ENABLE;
    TICKS_WATCHDOG_CYCLES = crystal_mhz;
    TICKS_WATCHDOG_CTRL = TICKS_ENABLE;
}

#endif
