/* What is special to the RP2040, by the names of its datasheet (chapters in brackets). */
#ifndef ADDRESSES_H
#define ADDRESSES_H

/* Blocks [2.2] */
#define CLOCKS_AT 0x40008000
#define RESETS_AT 0x4000C000
#define PSM_AT 0x40010000
#define IO_BANK0_AT 0x40014000
#define PADS_BANK0_AT 0x4001C000
#define XOSC_AT 0x40024000
#define PLL_SYS_AT 0x40028000
#define PLL_USB_AT 0x4002C000
#define UART0_AT 0x40034000
#define TIMER_AT 0x40054000
#define WATCHDOG_AT 0x40058000
#define ROSC_AT 0x40060000
#define PIO0_AT 0x50200000
#define SIO_AT 0xD0000000

/* Registers at another place in their block than in the RP2350 */
#define CLK_USB_CTRL_OFFSET 0x54
#define ROSC_RANDOMBIT_OFFSET 0x1C
#define GPIO_OE_SET_OFFSET 0x24

/* Interrupts [2.3.2] */
#define INTERRUPTS 32
#define USB_INTERRUPT 5
#define UART0_INTERRUPT 20

/* Flash interface: serial controller [4.10] and the pin that selects the flash [2.19] */
#define SSI_CTRLR0 REGISTER(0x18000000)
#define SSI_CTRLR1 REGISTER(0x18000004)
#define SSI_SSIENR REGISTER(0x18000008)
#define SSI_SER REGISTER(0x18000010)
#define SSI_BAUDR REGISTER(0x18000014)
#define SSI_SR REGISTER(0x18000028)
#define SSI_SR_TFNF BIT(1) /* room to send */
#define SSI_SR_RFNE BIT(3) /* something received */
#define SSI_DR0 REGISTER(0x18000060)
#define SSI_SPI_CTRLR0 REGISTER(0x180000F4)
#define IO_QSPI_SS_CTRL REGISTER(0x4001800C)
#define OUTOVER_NORMAL (0ul << 8)
#define OUTOVER_LOW (2ul << 8)
#define OUTOVER_HIGH (3ul << 8)
#define FLASH_AT 0x10000000

/* Functions of the ROM, found by two letters [2.8.3] */
#define ROM_FUNCTIONS (*(const volatile uint16_t *)0x14)
#define ROM_LOOKUP (*(const volatile uint16_t *)0x18)
#define ROM_CODE(first, second) ((uint32_t)(first) | (uint32_t)(second) << 8)

/* System information [2.20] */
#define SYSINFO_CHIP_ID REGISTER(0x40000000)
#define CHIP_REVISION_SHIFT 28 /* 1: B0 and B1, 2: B2 */

/* Subsystem resets [2.14] */
#define RESET_IO_BANK0 BIT(5)
#define RESET_IO_QSPI BIT(6)
#define RESET_PADS_BANK0 BIT(8)
#define RESET_PADS_QSPI BIT(9)
#define RESET_PIO0 BIT(10)
#define RESET_PLL_SYS BIT(12)
#define RESET_PLL_USB BIT(13)
#define RESET_SYSCFG BIT(18)
#define RESET_SYSINFO BIT(19)
#define RESET_TIMER BIT(21)
#define RESET_UART0 BIT(22)
#define RESET_USBCTRL BIT(24)
#define RESET_ALL 0x01FFFFFFul

/* Power-on state machine [2.13]: what the watchdog resets */
#define PSM_ROSC BIT(0)
#define PSM_XOSC BIT(1)
#define PSM_ALL 0x0001FFFFul

/* USB's debug input on GPIO 15, for erratum RP2040-E5 [2.19.2] */
#define FUNCTION_USB_DEBUG 8ul
#define OEOVER_DISABLE (2ul << 12)
#define INOVER_HIGH (3ul << 16)

#define USB_PRODUCT 0x000A /* serial port of a program on an RP2040 */

#define WATCHDOG_COUNTS_PER_US 2 /* erratum RP2040-E1 */

/* A microsecond for the timer and the watchdog [4.7.2] */
#define WATCHDOG_TICK REGISTER(WATCHDOG_AT + 0x2C)
#define WATCHDOG_TICK_ENABLE BIT(9)

static inline void start_ticks(uint32_t crystal_mhz)
{
    WATCHDOG_TICK = WATCHDOG_TICK_ENABLE | crystal_mhz;
}

#endif
