#include "chip.h"

#include "pixels.h"
#include "registers.h"
#include "serial_number.h"
#include "usb.h"

#define CRYSTAL_MHZ 12
/* 64 ms until the crystal is stable: Raspberry Pi's needs one, those of some other boards longer. In units of 256 periods. */
#define CRYSTAL_START (64000ul * CRYSTAL_MHZ / 256)

#define IN_USE                                                                                                        \
    (RESET_IO_BANK0 | RESET_PADS_BANK0 | RESET_PIO0 | RESET_PLL_SYS | RESET_PLL_USB | RESET_SYSINFO | RESET_TIMER |   \
     RESET_UART0 | RESET_USBCTRL)

static void release_reset(uint32_t blocks)
{
    CLEAR_BITS(RESETS_RESET) = blocks;
    while (~RESETS_RESET_DONE & blocks) {
    }
}

/* Starts a PLL at 12 MHz * multiplier / divider1 / divider2. */
static void start_pll(uintptr_t pll, uint32_t multiplier, uint32_t divider1, uint32_t divider2)
{
    PLL_CS(pll) = 1; /* the crystal's clock as it is */
    PLL_FBDIV_INT(pll) = multiplier;
    CLEAR_BITS(PLL_PWR(pll)) = PLL_PWR_PD | PLL_PWR_VCOPD;
    while (!(PLL_CS(pll) & PLL_CS_LOCK)) {
    }
    PLL_PRIM(pll) = divider1 << PLL_PRIM_POSTDIV1_SHIFT | divider2 << PLL_PRIM_POSTDIV2_SHIFT;
    CLEAR_BITS(PLL_PWR(pll)) = PLL_PWR_POSTDIVPD;
}

void chip_start(void)
{
    /* The ROM uses the ring oscillator; a debugger may have left something else, which must not stop under the processor. */
    CLEAR_BITS(CLK_SYS_CTRL) = CLK_SYS_CTRL_AUX;
    while (!(CLK_SYS_SELECTED & BIT(CLK_SYS_CTRL_REF))) {
    }
    CLK_REF_CTRL = CLK_REF_CTRL_ROSC;
    while (!(CLK_REF_SELECTED & BIT(CLK_REF_CTRL_ROSC))) {
    }
    /* All but the flash interface. */
    SET_BITS(RESETS_RESET) = RESET_ALL & ~(RESET_IO_QSPI | RESET_PADS_QSPI | RESET_SYSCFG);

    XOSC_STARTUP = CRYSTAL_START;
    XOSC_CTRL = XOSC_CTRL_RANGE_1_15MHZ | XOSC_CTRL_ENABLE;
    while (!(XOSC_STATUS & XOSC_STATUS_STABLE)) {
    }
    CLK_REF_CTRL = CLK_REF_CTRL_XOSC;
    while (!(CLK_REF_SELECTED & BIT(CLK_REF_CTRL_XOSC))) {
    }

    release_reset(RESET_PLL_SYS | RESET_PLL_USB);
    start_pll(PLL_SYS_AT, 125, 6, 2); /* 1500 MHz / 12 = 125 MHz */
    start_pll(PLL_USB_AT, 100, 5, 5); /* 1200 MHz / 25 = 48 MHz */
    CLK_SYS_CTRL = 0;                 /* choose the auxiliary source first, then switch to it */
    CLK_SYS_CTRL = CLK_SYS_CTRL_AUX;
    while (!(CLK_SYS_SELECTED & BIT(CLK_SYS_CTRL_AUX))) {
    }
    CLK_PERI_CTRL = CLK_ENABLE;
    CLK_USB_CTRL = CLK_ENABLE;
    start_ticks(CRYSTAL_MHZ);
    release_reset(IN_USE);
    serial_number_read();
}

void chip_sleep(void)
{
    usb_poll();
    pixels_poll();
    __asm__ volatile("wfi");
}

void chip_enable_interrupt(unsigned interrupt, unsigned priority)
{
    unsigned shift = 8 * (interrupt & 3) + 6;
    NVIC_IPR(interrupt) = (NVIC_IPR(interrupt) & ~(3ul << shift)) | (uint32_t)priority << shift;
    NVIC_ISER(interrupt) = BIT(interrupt & 31);
}
