#include "uart.h"

#include <string.h>

#include "assembler.h"
#include "board.h"
#include "chip.h"
#include "clock.h"
#include "config.h"
#include "frame.h"
#include "handlers.h"
#include "registers.h"
#include "usb.h"

#define DIVISOR_64THS ((SYSTEM_CLOCK_HZ * 8 / BAUD_RATE + 1) / 2) /* of the clock, 16 periods a bit: 67 + 52/64 */

static assembler received;
static uint8_t outgoing[FRAME_MAX_ENCODED];
static volatile uint8_t out_at, out_length;

/* The UART holds one byte beside the one that it sends. */
static void send_some(void)
{
    while (out_at != out_length && !(UARTFR & UARTFR_TXFF)) UARTDR = outgoing[out_at++];
    UARTIMSC = out_at == out_length ? UART_INT_RX : UART_INT_RX | UART_INT_TX;
}

void handle_uart(void)
{
    while (!(UARTFR & UARTFR_RXFE)) {
        uint32_t data = UARTDR;
        if (usb_is_open()) {
            received.filled = 0; /* one host at a time */
            continue;
        }
        if (data & UARTDR_BROKEN) received.is_damaged = true;
        assemble(&received, (uint8_t)data, clock_now_isr());
    }
    send_some();
}

void uart_start(void)
{
    PAD(UART_RX_PIN) = PAD_INPUT | PAD_PULL_UP | PAD_SCHMITT; /* quiet while nothing is connected */
    connect_pin(UART_TX_PIN, FUNCTION_UART);
    connect_pin(UART_RX_PIN, FUNCTION_UART);
    UARTIBRD = DIVISOR_64THS / 64;
    UARTFBRD = DIVISOR_64THS % 64;
    UARTLCR_H = UARTLCR_H_8BITS; /* without FIFOs: each byte is stamped as it comes */
    UARTCR = UARTCR_ENABLE | UARTCR_TX | UARTCR_RX;
    UARTIMSC = UART_INT_RX;
    chip_enable_interrupt(UART0_INTERRUPT, LINE_PRIORITY);
}

bool uart_has_room(void)
{
    return out_at == out_length;
}

void uart_send(const uint8_t *bytes, uint8_t length)
{
    memcpy(outgoing, bytes, length);
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        out_at = 0;
        out_length = length;
        send_some();
    }
}

bool uart_is_silent(void)
{
    return uart_has_room() && !(UARTFR & UARTFR_BUSY);
}
