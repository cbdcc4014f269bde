/* The chip's own USB: a serial port (CDC ACM) that needs no driver on Linux, Windows and macOS.
 * Closed at 1200 baud it starts the drive for new firmware: bootloader.h. */
#ifndef USB_H
#define USB_H

#include <stdbool.h>
#include <stdint.h>

void usb_start(void);

/* Called in the main loop. */
void usb_poll(void);

/* Whether a program on the host has the port open (DTR). */
bool usb_is_open(void);

/* Whether the host has taken the last frame, and another one may be sent. */
bool usb_has_room(void);
void usb_send(const uint8_t *bytes, uint8_t length);

#endif
