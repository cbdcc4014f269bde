/* The serial line, 115200 8N1: whole frames in, whole frames out, both by interrupt. */
#ifndef UART_H
#define UART_H

#include <stdbool.h>
#include <stdint.h>

#define UART_MAX_FRAME 24 /* the longest frame of a host with protocol 1 is LAMPS with 15 bytes */

typedef struct {
    uint32_t tick; /* when its closing 0x00 was received */
    uint8_t length;
    uint8_t bytes[UART_MAX_FRAME]; /* still encoded, without the 0x00 */
} uart_frame;

void uart_start(void);

/* The oldest frame received, NULL if there is none; it stays until uart_done(). */
uart_frame *uart_received(void);
void uart_done(void);

/* A buffer for a frame to send, NULL while one is being sent. uart_send() starts sending it. */
uint8_t *uart_room(void);
void uart_send(uint8_t length);

/* Whether the last bit of the last frame was sent, so that a frame sent now leaves at once. */
bool uart_silent(void);

#endif
