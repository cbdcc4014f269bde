#include "usb_errata.h"

void usb_errata_handle_bus_reset(void)
{
}

void usb_errata_poll(void)
{
}
