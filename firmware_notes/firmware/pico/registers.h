/* Registers of the RP2040 and the RP2350 that are used here, by the names of their datasheets (chapters of the RP2040's in
 * brackets). rp2040/addresses.h and rp2350/addresses.h have what differs.
 */
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define BIT(n) (1ul << (n))

#include "addresses.h"

/* Writing to these addresses of a peripheral's register sets or clears the bits that are 1 [2.1.2]. The processor's own
 * registers (0xD0000000, 0xE0000000) and the USB memory do not have them.
 */
#define SET_BITS(reg) REGISTER((uintptr_t)&(reg) + 0x2000)
#define CLEAR_BITS(reg) REGISTER((uintptr_t)&(reg) + 0x3000)

/* Clocks [2.15] */
#define CLK_REF_CTRL REGISTER(CLOCKS_AT + 0x30)
#define CLK_REF_CTRL_ROSC 0ul
#define CLK_REF_CTRL_XOSC 2ul
#define CLK_REF_SELECTED REGISTER(CLOCKS_AT + 0x38)
#define CLK_SYS_CTRL REGISTER(CLOCKS_AT + 0x3C)
#define CLK_SYS_CTRL_REF 0ul
#define CLK_SYS_CTRL_AUX 1ul /* the auxiliary source; its number 0 is the system PLL */
#define CLK_SYS_SELECTED REGISTER(CLOCKS_AT + 0x44)
#define CLK_PERI_CTRL REGISTER(CLOCKS_AT + 0x48) /* source 0: the system clock */
#define CLK_USB_CTRL REGISTER(CLOCKS_AT + CLK_USB_CTRL_OFFSET) /* source 0: the USB PLL */
#define CLK_ENABLE BIT(11)

/* Subsystem resets [2.14], power-on state machine [2.13]: what the watchdog resets */
#define RESETS_RESET REGISTER(RESETS_AT)
#define RESETS_RESET_DONE REGISTER(RESETS_AT + 0x8)
#define PSM_WDSEL REGISTER(PSM_AT + 0x8)

/* Pins [2.19] */
#define GPIO_CTRL(pin) REGISTER(IO_BANK0_AT + 0x4 + 8 * (pin))
#define FUNCTION_UART 2ul
#define FUNCTION_SIO 5ul /* the processor's own outputs and inputs */
#define FUNCTION_PIO0 6ul
#define PAD(pin) REGISTER(PADS_BANK0_AT + 0x4 + 4 * (pin))
#define PAD_SCHMITT BIT(1)
#define PAD_PULL_DOWN BIT(2)
#define PAD_PULL_UP BIT(3)
#define PAD_DRIVE_4MA BIT(4)
#define PAD_INPUT BIT(6)

/* Connects a pin to a function; the RP2350's pads are cut off until then. */
static inline void connect_pin(unsigned pin, uint32_t function)
{
    GPIO_CTRL(pin) = function;
#ifdef PAD_ISOLATED
    CLEAR_BITS(PAD(pin)) = PAD_ISOLATED;
#endif
}

/* Crystal oscillator [2.16], PLLs [2.18], ring oscillator [2.17] */
#define XOSC_CTRL REGISTER(XOSC_AT)
#define XOSC_CTRL_RANGE_1_15MHZ 0xAA0ul
#define XOSC_CTRL_ENABLE (0xFABul << 12)
#define XOSC_STATUS REGISTER(XOSC_AT + 0x4)
#define XOSC_STATUS_STABLE BIT(31)
#define XOSC_STARTUP REGISTER(XOSC_AT + 0xC)
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
#define ROSC_RANDOMBIT REGISTER(ROSC_AT + ROSC_RANDOMBIT_OFFSET)

/* UART0 [4.2] */
#define UARTDR REGISTER(UART0_AT)
#define UARTDR_BROKEN 0xF00ul /* overrun, break, parity or framing error */
#define UARTFR REGISTER(UART0_AT + 0x18)
#define UARTFR_BUSY BIT(3)
#define UARTFR_RXFE BIT(4) /* nothing received */
#define UARTFR_TXFF BIT(5) /* no room to send */
#define UARTIBRD REGISTER(UART0_AT + 0x24)
#define UARTFBRD REGISTER(UART0_AT + 0x28)
#define UARTLCR_H REGISTER(UART0_AT + 0x2C)
#define UARTLCR_H_8BITS (3ul << 5)
#define UARTCR REGISTER(UART0_AT + 0x30)
#define UARTCR_ENABLE BIT(0)
#define UARTCR_TX BIT(8)
#define UARTCR_RX BIT(9)
#define UARTIMSC REGISTER(UART0_AT + 0x38)
#define UART_INT_RX BIT(4)
#define UART_INT_TX BIT(5)

/* Timer [4.6] and watchdog [4.7] */
#define TIMERAWL REGISTER(TIMER_AT + 0x28)
#define WATCHDOG_CTRL REGISTER(WATCHDOG_AT)
#define WATCHDOG_CTRL_ENABLE BIT(30)
#define WATCHDOG_LOAD REGISTER(WATCHDOG_AT + 0x4)

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
#define USB_PWR_VBUS_DETECT BIT(2)
#define USB_PWR_VBUS_DETECT_OVERRIDE BIT(3)
#define USB_PHY_DIRECT REGISTER(0x5011007C)
#define USB_PHY_DIRECT_OVERRIDE REGISTER(0x50110080)
#define USB_PHY_DIRECT_DP_PULLUP BIT(1)
#define USB_PHY_DIRECT_OVERRIDE_DP_PULLUP BIT(2)
#define USB_INTE REGISTER(0x50110090)
#define USB_INTS REGISTER(0x50110098)
#define USB_INT_SETUP BIT(16)
#define USB_INT_BUS_RESET BIT(12)
#define USB_INT_BUFF_STATUS BIT(4)

/* Programmable inputs and outputs, block 0, state machine 0 [3.7] */
#define PIO_CTRL REGISTER(PIO0_AT)
#define PIO_CTRL_ENABLE BIT(0)
#define PIO_CTRL_RESTART BIT(4)
#define PIO_FSTAT REGISTER(PIO0_AT + 0x4)
#define PIO_FSTAT_TX_FULL BIT(16)
#define PIO_TXF REGISTER(PIO0_AT + 0x10)
#define PIO_INSTR_MEM(place) REGISTER(PIO0_AT + 0x48 + 4 * (place))
#define PIO_CLKDIV REGISTER(PIO0_AT + 0xC8)
#define PIO_EXECCTRL REGISTER(PIO0_AT + 0xCC)
#define PIO_EXECCTRL_WRAP_TOP_SHIFT 12
#define PIO_SHIFTCTRL REGISTER(PIO0_AT + 0xD0)
#define PIO_SHIFTCTRL_AUTOPULL BIT(17)
#define PIO_SHIFTCTRL_PULL_THRESHOLD_SHIFT 25
#define PIO_SHIFTCTRL_JOIN_TX BIT(30) /* both FIFOs for sending: eight words */
#define PIO_INSTR REGISTER(PIO0_AT + 0xD8)
#define PIO_PINCTRL REGISTER(PIO0_AT + 0xDC)
#define PIO_PINCTRL_SET_BASE_SHIFT 5
#define PIO_PINCTRL_SIDESET_BASE_SHIFT 10
#define PIO_PINCTRL_SET_COUNT_SHIFT 26
#define PIO_PINCTRL_SIDESET_COUNT_SHIFT 29

/* The processor's own: pins [2.3.1], interrupts and system timer [2.4] */
#define GPIO_IN REGISTER(SIO_AT + 0x4)
#define GPIO_OUT REGISTER(SIO_AT + 0x10)
#define GPIO_OE_SET REGISTER(SIO_AT + GPIO_OE_SET_OFFSET)
#define SYST_CSR REGISTER(0xE000E010)
#define SYST_CSR_ENABLE BIT(0)
#define SYST_CSR_INTERRUPT BIT(1)
#define SYST_CSR_SYSTEM_CLOCK BIT(2)
#define SYST_RVR REGISTER(0xE000E014)
#define SYST_CVR REGISTER(0xE000E018)
#define NVIC_ISER(interrupt) REGISTER(0xE000E100 + (interrupt) / 32 * 4)
#define NVIC_IPR(interrupt) REGISTER(0xE000E400 + ((interrupt) & ~3u))
#define ICSR REGISTER(0xE000ED04)
#define ICSR_PEND_PENDSV BIT(28)
#define VTOR REGISTER(0xE000ED08)
#define SHPR3 REGISTER(0xE000ED20) /* priorities of the system timer (top byte) and of PendSV (the next) */

#endif
