/* Pins of the supported boards. firmware_notes/README.md shows the same wiring; change both.
 *
 * Buttons connect their pin to ground and are pulled up inside the chip: a 0 on the pin is a press. The lamps are on
 * two shift registers at the SPI pins, because a 328P has 18 free pins beside its serial line and 20 are needed.
 */
#ifndef BOARD_H
#define BOARD_H

#include <avr/io.h>
#include <stdint.h>

#include "config.h"

#if defined(__AVR_ATmega328P__) /* Nano, Uno, Pro Mini (5 V, 16 MHz) */

#define LAMP_PORT PORTB
#define LAMP_DDR DDRB
#define LAMP_SS PB2 /* also the latch: the SPI's SS must be an output, or the SPI may fall back to slave */
#define LAMP_LATCH PB2
#define LAMP_MOSI PB3
#define LAMP_SCK PB5
#define LAMP_DARK PB1 /* the registers' output enable, active low */

#define UART_RX_vect USART_RX_vect
#define UART_UDRE_vect USART_UDRE_vect
#define UART_UDR UDR0
#define UART_UBRR UBRR0
#define UART_STATUS UCSR0A
#define UART_CONTROL UCSR0B
#define UART_FORMAT UCSR0C

static inline void board_buttons_init(void)
{
    PORTD |= 0xFC;
    PORTC |= 0x0F;
}

/* One bit per button, 1 = down: D2 to D7 are seats 1 to 6, A0 to A3 are OK, NO, PLUS, MINUS. */
static inline uint16_t board_buttons(void)
{
    uint8_t seats = (uint8_t)~PIND;
    uint8_t console = (uint8_t)~PINC;
    return (uint16_t)((uint8_t)(seats >> 2) | ((uint16_t)(console & 0x0F) << 6));
}

#elif defined(__AVR_ATmega32U4__) /* Pro Micro, Leonardo, on UART1 behind a USB serial adapter */

#define LAMP_PORT PORTB
#define LAMP_DDR DDRB
#define LAMP_SS PB0
#define LAMP_LATCH PB6
#define LAMP_MOSI PB2
#define LAMP_SCK PB1
#define LAMP_DARK PB5

#define UART_RX_vect USART1_RX_vect
#define UART_UDRE_vect USART1_UDRE_vect
#define UART_UDR UDR1
#define UART_UBRR UBRR1
#define UART_STATUS UCSR1A
#define UART_CONTROL UCSR1B
#define UART_FORMAT UCSR1C

static inline void board_buttons_init(void)
{
    /* PF4 to PF7 belong to JTAG unless it is switched off, by two writes within four cycles. */
    uint8_t mcucr = MCUCR | _BV(JTD);
    MCUCR = mcucr;
    MCUCR = mcucr;
    PORTC |= _BV(PC6);
    PORTD |= _BV(PD0) | _BV(PD1) | _BV(PD4) | _BV(PD7);
    PORTE |= _BV(PE6);
    PORTF |= 0xF0;
}

/* One bit per button, 1 = down: D2 to D7 are seats 1 to 6, A0 to A3 are OK, NO, PLUS, MINUS. */
static inline uint16_t board_buttons(void)
{
    uint8_t d = PIND, c = PINC, e = PINE, f = PINF;
    uint16_t down = 0;
    if (!(d & _BV(PD1))) down |= 1u << 0; /* D2 */
    if (!(d & _BV(PD0))) down |= 1u << 1; /* D3 */
    if (!(d & _BV(PD4))) down |= 1u << 2; /* D4 */
    if (!(c & _BV(PC6))) down |= 1u << 3; /* D5 */
    if (!(d & _BV(PD7))) down |= 1u << 4; /* D6 */
    if (!(e & _BV(PE6))) down |= 1u << 5; /* D7 */
    if (!(f & _BV(PF7))) down |= 1u << 6; /* A0 */
    if (!(f & _BV(PF6))) down |= 1u << 7; /* A1 */
    if (!(f & _BV(PF5))) down |= 1u << 8; /* A2 */
    if (!(f & _BV(PF4))) down |= 1u << 9; /* A3 */
    return down;
}

#else
#error "board.h supports the ATmega328P and the ATmega32U4"
#endif

/* Bits that have the same place in UART0 and UART1; avr-libc names them per UART. */
#define UART_RXC 7
#define UART_TXC 6
#define UART_U2X 1
#define UART_RXCIE 7
#define UART_UDRIE 5
#define UART_RXEN 4
#define UART_TXEN 3
#define UART_8BITS 0x06

#endif
