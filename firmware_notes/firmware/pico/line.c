/* The line to the host: the chip's own USB while a program there has the port open, the UART otherwise. */
#include "line.h"

#include <stddef.h>
#include <string.h>

#include "assembler.h"
#include "frame.h"
#include "uart.h"
#include "usb.h"

#define SLOTS 8 /* the host has at most 8 unacknowledged frames; a frame without room is dropped and is sent again */

static line_frame slots[SLOTS];
static volatile uint8_t slot_in, slot_out; /* count up and wrap around */
static uint8_t outgoing[FRAME_MAX_ENCODED];

/* Called by the interrupts of UART and USB, which do not interrupt each other. */
void assemble(assembler *from, uint8_t byte, uint32_t tick)
{
    if (byte != 0) {
        if (from->filled >= LINE_MAX_FRAME) {
            from->is_damaged = true;
        } else {
            from->bytes[from->filled++] = byte;
        }
        return;
    }
    if (from->filled && !from->is_damaged && (uint8_t)(slot_in - slot_out) < SLOTS) {
        line_frame *slot = &slots[slot_in % SLOTS];
        slot->tick = tick;
        slot->length = from->filled;
        memcpy(slot->bytes, from->bytes, from->filled);
        __asm__ volatile("" : : : "memory"); /* complete before it is announced */
        slot_in++;
    }
    from->filled = 0;
    from->is_damaged = false;
}

void line_start(void)
{
    uart_start();
    usb_start();
}

line_frame *line_received(void)
{
    return slot_in == slot_out ? NULL : &slots[slot_out % SLOTS];
}

void line_done(void)
{
    slot_out++;
}

uint8_t *line_room(void)
{
    return (usb_is_open() ? usb_has_room() : uart_has_room()) ? outgoing : NULL;
}

void line_send(uint8_t length)
{
    if (usb_is_open()) {
        usb_send(outgoing, length);
    } else {
        uart_send(outgoing, length);
    }
}

bool line_silent(void)
{
    return usb_is_open() ? usb_has_room() : uart_is_silent();
}
