#include "usb_errata.h"

#include "clock.h"
#include "registers.h"

/* Erratum RP2040-E5, of chips before B2: after a bus reset the controller waits for 800 us without traffic, which a hub with
 * other devices may never have. As Raspberry Pi recommends it is shown a quiet bus for a millisecond, through the debug
 * input of GPIO 15, which must have no other use.
 */
#define QUIET_PIN 15
#define QUIET_US 1000
#define FIRST_REVISION_WITHOUT_E5 2

static volatile enum { BUS_USED, BUS_RESET, BUS_SHOWN_QUIET } bus;
static uint32_t quiet_since, pin_before, pad_before;

static void show_quiet_bus(void)
{
    pin_before = GPIO_CTRL(QUIET_PIN);
    pad_before = PAD(QUIET_PIN);
    PAD(QUIET_PIN) = pad_before | PAD_PULL_UP | PAD_PULL_DOWN;
    GPIO_CTRL(QUIET_PIN) = FUNCTION_USB_DEBUG | OEOVER_DISABLE | INOVER_HIGH;
    SET_BITS(USB_PHY_DIRECT) = USB_PHY_DIRECT_DP_PULLUP;
    SET_BITS(USB_PHY_DIRECT_OVERRIDE) = USB_PHY_DIRECT_OVERRIDE_DP_PULLUP;
    USB_MUXING = USB_MUXING_TO_DIGITAL_PAD | USB_MUXING_SOFTCON;
}

static void show_real_bus(void)
{
    USB_MUXING = USB_MUXING_TO_PHY | USB_MUXING_SOFTCON;
    CLEAR_BITS(USB_PHY_DIRECT_OVERRIDE) = USB_PHY_DIRECT_OVERRIDE_DP_PULLUP;
    GPIO_CTRL(QUIET_PIN) = pin_before;
    PAD(QUIET_PIN) = pad_before;
}

void usb_errata_poll(void)
{
    if (bus == BUS_RESET && (USB_SIE_STATUS & USB_SIE_STATUS_LINE_STATE)) {
        show_quiet_bus();
        quiet_since = clock_now();
        bus = BUS_SHOWN_QUIET;
    } else if (bus == BUS_SHOWN_QUIET && clock_now() - quiet_since >= QUIET_US &&
               (USB_SIE_STATUS & USB_SIE_STATUS_CONNECTED)) {
        show_real_bus();
        bus = BUS_USED;
    }
}

void usb_errata_handle_bus_reset(void)
{
    if (bus == BUS_USED && SYSINFO_CHIP_ID >> CHIP_REVISION_SHIFT < FIRST_REVISION_WITHOUT_E5) bus = BUS_RESET;
}
