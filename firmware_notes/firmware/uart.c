#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <stddef.h>

#include "board.h"
#include "clock.h"
#include "config.h"
#include "frame.h"

#define SLOTS 8 /* the host has at most 8 unacknowledged frames; a frame without room is dropped and is sent again */

static uart_frame slots[SLOTS];
static volatile uint8_t slot_in, slot_out; /* count up and wrap around */
static uint8_t filled;
static bool is_damaged;

static uint8_t outgoing[FRAME_MAX_ENCODED];
static volatile uint8_t out_at, out_length;
static bool ever_sent;

ISR(UART_RX_vect)
{
    uint8_t broken = UART_STATUS & (_BV(4) | _BV(3)); /* framing error, overrun: before the byte is read */
    uint8_t byte = UART_UDR;
    uart_frame *slot = &slots[slot_in % SLOTS];
    if (broken) is_damaged = true;
    if (byte != 0) {
        if ((uint8_t)(slot_in - slot_out) >= SLOTS || filled >= UART_MAX_FRAME) {
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

ISR(UART_UDRE_vect)
{
    uint8_t at = out_at;
    UART_STATUS = _BV(UART_U2X) | _BV(UART_TXC); /* writing a 1 clears TXC */
    UART_UDR = outgoing[at++];
    out_at = at;
    if (at == out_length) UART_CONTROL &= (uint8_t)~_BV(UART_UDRIE);
}

void uart_start(void)
{
    UART_STATUS = _BV(UART_U2X); /* before the divisor: simavr computes its speed when that is written */
    UART_FORMAT = UART_8BITS;
    UART_UBRR = (uint16_t)((F_CPU + 4 * BAUD_RATE) / (8 * BAUD_RATE) - 1); /* 16: 117647, 2.1 % fast, as on every Uno */
    UART_CONTROL = _BV(UART_RXCIE) | _BV(UART_RXEN) | _BV(UART_TXEN);
}

uart_frame *uart_received(void)
{
    return slot_in == slot_out ? NULL : &slots[slot_out % SLOTS];
}

void uart_done(void)
{
    slot_out++;
}

uint8_t *uart_room(void)
{
    return out_at == out_length ? outgoing : NULL;
}

void uart_send(uint8_t length)
{
    out_at = 0;
    out_length = length;
    ever_sent = true;
    /* Several instructions, but no interrupt writes this register in between. */
    UART_CONTROL |= _BV(UART_UDRIE);
}

bool uart_silent(void)
{
    return !ever_sent || (uart_room() && (UART_STATUS & _BV(UART_TXC)));
}
