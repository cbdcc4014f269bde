/* The serial line: whole frames in, whole frames out, both by interrupt. A UART of 115200 8N1, or a chip's own USB. */
#ifndef LINE_H
#define LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "chip.h"

#if LAMP_COLOURS
#define LINE_MAX_FRAME 40 /* the longest frame of a host is COLOURS with 35 bytes */
#else
#define LINE_MAX_FRAME 24 /* the longest is LAMPS with 15 bytes */
#endif

typedef struct {
    uint32_t tick; /* when its closing 0x00 was received */
    uint8_t length;
    uint8_t bytes[LINE_MAX_FRAME]; /* still encoded, without the 0x00 */
} line_frame;

void line_start(void);

/* The oldest frame received, NULL if there is none; it stays until line_done(). */
line_frame *line_received(void);
void line_done(void);

/* A buffer for a frame to send, NULL while one is being sent. line_send() starts sending it. */
uint8_t *line_room(void);
void line_send(uint8_t length);

/* Whether the last bit of the last frame was sent, so that a frame sent now leaves at once. */
bool line_silent(void);

#endif
