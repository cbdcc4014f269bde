/* What a chip's USB needs beside the standard: erratum RP2040-E5, nothing for the RP2350. */
#ifndef USB_ERRATA_H
#define USB_ERRATA_H

void usb_errata_handle_bus_reset(void);

/* Called in the main loop. */
void usb_errata_poll(void);

#endif
