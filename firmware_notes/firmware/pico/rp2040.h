/* Registers of the RP2040 that are used here, by the names of its datasheet (chapters in brackets). */
#ifndef RP2040_H
#define RP2040_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define BIT(n) (1ul << (n))

/* Writing to these addresses of a peripheral's register sets or clears the bits that are 1 [2.1.2]. The processor's own
 * registers (0xD0000000, 0xE0000000) and the USB memory do not have them.
 */
#define SET_BITS(reg) REGISTER((uintptr_t)&(reg) + 0x2000)
#define CLEAR_BITS(reg) REGISTER((uintptr_t)&(reg) + 0x3000)

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

/* Clocks [2.15] */
#define CLK_REF_CTRL REGISTER(0x40008030)
#define CLK_REF_CTRL_ROSC 0ul
#define CLK_REF_CTRL_XOSC 2ul
#define CLK_REF_SELECTED REGISTER(0x40008038)
#define CLK_SYS_CTRL REGISTER(0x4000803C)
#define CLK_SYS_CTRL_REF 0ul
#define CLK_SYS_CTRL_AUX 1ul /* the auxiliary source; its number 0 is the system PLL */
#define CLK_SYS_SELECTED REGISTER(0x40008044)
#define CLK_PERI_CTRL REGISTER(0x40008048) /* source 0: the system clock */
#define CLK_USB_CTRL REGISTER(0x40008054)  /* source 0: the USB PLL */
#define CLK_ENABLE BIT(11)

/* Subsystem resets [2.14] */
#define RESETS_RESET REGISTER(0x4000C000)
#define RESETS_RESET_DONE REGISTER(0x4000C008)
#define RESET_IO_BANK0 BIT(5)
#define RESET_IO_QSPI BIT(6)
#define RESET_PADS_BANK0 BIT(8)
#define RESET_PADS_QSPI BIT(9)
#define RESET_PLL_SYS BIT(12)
#define RESET_PLL_USB BIT(13)
#define RESET_SYSCFG BIT(18)
#define RESET_SYSINFO BIT(19)
#define RESET_TIMER BIT(21)
#define RESET_UART0 BIT(22)
#define RESET_USBCTRL BIT(24)
#define RESET_ALL 0x01FFFFFFul

/* Power-on state machine [2.13]: what the watchdog resets */
#define PSM_WDSEL REGISTER(0x40010008)
#define PSM_ROSC BIT(0)
#define PSM_XOSC BIT(1)
#define PSM_ALL 0x0001FFFFul

/* Pins [2.19] */
#define GPIO_CTRL(pin) REGISTER(0x40014004 + 8 * (pin))
#define FUNCTION_UART 2ul
#define FUNCTION_SIO 5ul /* the processor's own outputs and inputs */
#define FUNCTION_USB_DEBUG 8ul
#define OEOVER_DISABLE (2ul << 12)
#define INOVER_HIGH (3ul << 16)
#define PAD(pin) REGISTER(0x4001C004 + 4 * (pin))
#define PAD_SCHMITT BIT(1)
#define PAD_PULL_DOWN BIT(2)
#define PAD_PULL_UP BIT(3)
#define PAD_DRIVE_4MA BIT(4)
#define PAD_INPUT BIT(6)

/* Crystal oscillator [2.16], PLLs [2.18], ring oscillator [2.17] */
#define XOSC_CTRL REGISTER(0x40024000)
#define XOSC_CTRL_RANGE_1_15MHZ 0xAA0ul
#define XOSC_CTRL_ENABLE (0xFABul << 12)
#define XOSC_STATUS REGISTER(0x40024004)
#define XOSC_STATUS_STABLE BIT(31)
#define XOSC_STARTUP REGISTER(0x4002400C)
#define PLL_SYS_AT 0x40028000
#define PLL_USB_AT 0x4002C000
#define PLL_CS(pll) REGISTER((pll) + 0x0)
#define PLL_CS_LOCK BIT(31)
#define PLL_PWR(pll) REGISTER((pll) + 0x4)
#define PLL_PWR_PD BIT(0)
#define PLL_PWR_POSTDIVPD BIT(3)
#define PLL_PWR_VCOPD BIT(5)
#define PLL_FBDIV_INT(pll) REGISTER((pll) + 0x8)
#define PLL_PRIM(pll) REGISTER((pll) + 0xC)
#define PLL_PRIM_POSTDIV1_SHIFT 16
#define PLL_PRIM_POSTDIV2_SHIFT 12
#define ROSC_RANDOMBIT REGISTER(0x4006001C)

/* UART0 [4.2] */
#define UARTDR REGISTER(0x40034000)
#define UARTDR_BROKEN 0xF00ul /* overrun, break, parity or framing error */
#define UARTFR REGISTER(0x40034018)
#define UARTFR_BUSY BIT(3)
#define UARTFR_RXFE BIT(4) /* nothing received */
#define UARTFR_TXFF BIT(5) /* no room to send */
#define UARTIBRD REGISTER(0x40034024)
#define UARTFBRD REGISTER(0x40034028)
#define UARTLCR_H REGISTER(0x4003402C)
#define UARTLCR_H_8BITS (3ul << 5)
#define UARTCR REGISTER(0x40034030)
#define UARTCR_ENABLE BIT(0)
#define UARTCR_TX BIT(8)
#define UARTCR_RX BIT(9)
#define UARTIMSC REGISTER(0x40034038)
#define UART_INT_RX BIT(4)
#define UART_INT_TX BIT(5)

/* Timer [4.6], watchdog and tick generator [4.7] */
#define TIMERAWL REGISTER(0x40054028)
#define WATCHDOG_CTRL REGISTER(0x40058000)
#define WATCHDOG_CTRL_ENABLE BIT(30)
#define WATCHDOG_LOAD REGISTER(0x40058004)
#define WATCHDOG_TICK REGISTER(0x4005802C)
#define WATCHDOG_TICK_ENABLE BIT(9)

/* USB [4.1] */
#define USB_MEMORY_AT 0x50100000
#define USB_SETUP_PACKET(word) REGISTER(USB_MEMORY_AT + 4 * (word))
#define USB_ENDPOINT_CONTROL(endpoint, out) REGISTER(USB_MEMORY_AT + 8 * (endpoint) + 4 * (out)) /* from endpoint 1 */
#define USB_ENDPOINT_ENABLE BIT(31)
#define USB_ENDPOINT_INTERRUPT BIT(29)
#define USB_ENDPOINT_BULK (2ul << 26)
#define USB_ENDPOINT_INTERRUPT_TYPE (3ul << 26)
#define USB_BUFFER_CONTROL(endpoint, out) REGISTER(USB_MEMORY_AT + 0x80 + 8 * (endpoint) + 4 * (out))
#define USB_BUFFER_FULL BIT(15)
#define USB_BUFFER_DATA1 BIT(13)
#define USB_BUFFER_STALL BIT(11)
#define USB_BUFFER_AVAILABLE BIT(10) /* to the controller */
#define USB_BUFFER_LENGTH 0x3FFul
#define USB_ADDR_ENDP REGISTER(0x50110000)
#define USB_MAIN_CTRL REGISTER(0x50110040)
#define USB_MAIN_CTRL_ENABLE BIT(0)
#define USB_SIE_CTRL REGISTER(0x5011004C)
#define USB_SIE_CTRL_EP0_INTERRUPT BIT(29)
#define USB_SIE_CTRL_PULLUP BIT(16)
#define USB_SIE_STATUS REGISTER(0x50110050)
#define USB_SIE_STATUS_BUS_RESET BIT(19)
#define USB_SIE_STATUS_SETUP BIT(17)
#define USB_SIE_STATUS_CONNECTED BIT(16)
#define USB_SIE_STATUS_LINE_STATE (3ul << 2) /* 0: the host pulls both wires low (bus reset) */
#define USB_BUFF_STATUS REGISTER(0x50110058)
#define USB_EP_STALL_ARM REGISTER(0x50110068)
#define USB_MUXING REGISTER(0x50110074)
#define USB_MUXING_TO_PHY BIT(0)
#define USB_MUXING_TO_DIGITAL_PAD BIT(2)
#define USB_MUXING_SOFTCON BIT(3)
#define USB_PWR REGISTER(0x50110078)
#define USB_PWR_VBUS_DETECT BIT(3)
#define USB_PWR_VBUS_DETECT_OVERRIDE BIT(2)
#define USB_PHY_DIRECT REGISTER(0x5011007C)
#define USB_PHY_DIRECT_OVERRIDE REGISTER(0x50110080)
#define USB_PHY_DIRECT_DP_PULLUP BIT(1)
#define USB_PHY_DIRECT_OVERRIDE_DP_PULLUP BIT(2)
#define USB_INTE REGISTER(0x50110090)
#define USB_INTS REGISTER(0x50110098)
#define USB_INT_SETUP BIT(16)
#define USB_INT_BUS_RESET BIT(12)
#define USB_INT_BUFF_STATUS BIT(4)

/* The processor's own: pins [2.3.1], interrupts and system timer [2.4] */
#define GPIO_IN REGISTER(0xD0000004)
#define GPIO_OUT REGISTER(0xD0000010)
#define GPIO_OE_SET REGISTER(0xD0000024)
#define SYST_CSR REGISTER(0xE000E010)
#define SYST_CSR_ENABLE BIT(0)
#define SYST_CSR_INTERRUPT BIT(1)
#define SYST_CSR_SYSTEM_CLOCK BIT(2)
#define SYST_RVR REGISTER(0xE000E014)
#define SYST_CVR REGISTER(0xE000E018)
#define NVIC_ISER REGISTER(0xE000E100)
#define NVIC_IPR(interrupt) REGISTER(0xE000E400 + ((interrupt) & ~3u))
#define ICSR REGISTER(0xE000ED04)
#define ICSR_PEND_PENDSV BIT(28)
#define VTOR REGISTER(0xE000ED08)
#define SHPR3 REGISTER(0xE000ED20) /* priorities of the system timer (top byte) and of PendSV (the next) */
#define USB_INTERRUPT 5
#define UART0_INTERRUPT 20

#endif
