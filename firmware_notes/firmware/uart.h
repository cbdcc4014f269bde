/* The serial line, 115200 8N1: whole frames in, whole frames out, both by interrupt. */
#ifndef UART_H
#define UART_H

#include <stdbool.h>
#include <stdint.h>

#define UART_FRAME_MOST 24 /* the longest frame that a host of protocol 1 sends is LAMPS with 15 bytes */

typedef struct {
    uint32_t tick; /* when its closing 0x00 was received */
    uint8_t length;
    uint8_t bytes[UART_FRAME_MOST]; /* still encoded, without the 0x00 */
} uart_frame;

void uart_start(void);

/* The oldest frame received, NULL if there is none; it stays until uart_done(). */
uart_frame *uart_received(void);
void uart_done(void);

/* Room for a frame to send, NULL while one is being sent. uart_send() starts it. */
uint8_t *uart_room(void);
void uart_send(uint8_t length);

/* The last bit of the last frame is out: what is sent now leaves at once. */
bool uart_silent(void);

#endif
