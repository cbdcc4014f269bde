/* UART0, 115200 8N1, on GPIO 0 and 1. */
#ifndef UART_H
#define UART_H

#include <stdbool.h>
#include <stdint.h>

void uart_start(void);

/* Whether the last frame was handed to the UART, and another one may be sent. */
bool uart_has_room(void);
void uart_send(const uint8_t *bytes, uint8_t length);

/* Whether the last bit was sent. */
bool uart_is_silent(void);

#endif
