#include "line.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <stddef.h>

#include "clock.h"
#include "config.h"
#include "frame.h"

#define SLOTS 8 /* the host has at most 8 unacknowledged frames; a frame without room is dropped and is sent again */

static line_frame slots[SLOTS];
static volatile uint8_t slot_in, slot_out; /* count up and wrap around */
static uint8_t filled;
static bool is_damaged;

static uint8_t outgoing[FRAME_MAX_ENCODED];
static volatile uint8_t out_at, out_length;
static bool ever_sent;

ISR(USART_RX_vect)
{
    uint8_t broken = UCSR0A & (_BV(FE0) | _BV(DOR0)); /* framing error, overrun: before the byte is read */
    uint8_t byte = UDR0;
    line_frame *slot = &slots[slot_in % SLOTS];
    if (broken) is_damaged = true;
    if (byte != 0) {
        if ((uint8_t)(slot_in - slot_out) >= SLOTS || filled >= LINE_MAX_FRAME) {
            is_damaged = true;
        } else {
            slot->bytes[filled++] = byte;
        }
        return;
    }
    if (filled && !is_damaged) {
        slot->tick = clock_now_isr();
        slot->length = filled;
        slot_in++;
    }
    filled = 0;
    is_damaged = false;
}

ISR(USART_UDRE_vect)
{
    uint8_t at = out_at;
    UCSR0A = _BV(U2X0) | _BV(TXC0); /* writing a 1 clears TXC */
    UDR0 = outgoing[at++];
    out_at = at;
    if (at == out_length) UCSR0B &= (uint8_t)~_BV(UDRIE0);
}

void line_start(void)
{
    UCSR0A = _BV(U2X0); /* before the divisor: simavr computes its speed when that is written */
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UBRR0 = (uint16_t)((F_CPU + 4 * BAUD_RATE) / (8 * BAUD_RATE) - 1); /* 16: 117647, 2.1 % fast, as on every Uno */
    UCSR0B = _BV(RXCIE0) | _BV(RXEN0) | _BV(TXEN0);
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
    return out_at == out_length ? outgoing : NULL;
}

void line_send(uint8_t length)
{
    out_at = 0;
    out_length = length;
    ever_sent = true;
    /* Several instructions, but no interrupt writes this register in between. */
    UCSR0B |= _BV(UDRIE0);
}

bool line_silent(void)
{
    return !ever_sent || (line_room() && (UCSR0A & _BV(TXC0)));
}
