/* Pins of the Nano, Uno and Pro Mini. firmware_notes/README.md shows the same wiring; change both.
 *
 * Buttons connect their pin to ground and are pulled up inside the chip: a 0 on the pin is a press. The lamps are on
 * two shift registers at the SPI pins, because a 328P has 18 free pins beside its serial line and 20 are needed.
 */
#ifndef BOARD_H
#define BOARD_H

#include <avr/io.h>
#include <stdbool.h>
#include <stdint.h>

#include "config.h"

#ifndef __AVR_ATmega328P__
#error "board.h describes boards with an ATmega328P (5 V, 16 MHz)"
#endif

#define LAMP_PORT PORTB
#define LAMP_DDR DDRB
#define LAMP_SS PB2 /* also the latch: the SPI's SS must be an output, or the SPI may fall back to slave */
#define LAMP_LATCH PB2
#define LAMP_MOSI PB3
#define LAMP_SCK PB5
#define LAMP_DARK PB1 /* the registers' output enable, active low */

extern bool board_lamps_prepared; /* the registers hold something */

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

static inline void board_lamps_init(void)
{
    LAMP_PORT |= _BV(LAMP_DARK);
    LAMP_DDR |= _BV(LAMP_SS) | _BV(LAMP_LATCH) | _BV(LAMP_MOSI) | _BV(LAMP_SCK) | _BV(LAMP_DARK);
    SPSR = _BV(SPI2X);
    SPCR = _BV(SPE) | _BV(MSTR); /* F_CPU / 2: a byte in one microsecond */
}

/* Shifts out the first of two bytes: bit n of `lamps` is lamp n. */
static inline void board_lamps_prepare(uint16_t lamps)
{
    SPDR = (uint8_t)(lamps >> 8);
}

static inline void board_lamps_prepare_rest(uint16_t lamps)
{
    SPDR = (uint8_t)lamps;
    board_lamps_prepared = true;
}

/* Shows the lamps that were shifted out. */
static inline void board_lamps_show(void)
{
    LAMP_PORT |= _BV(LAMP_LATCH);
    LAMP_PORT &= (uint8_t)~_BV(LAMP_LATCH);
    if (board_lamps_prepared) LAMP_PORT &= (uint8_t)~_BV(LAMP_DARK); /* not before the registers hold something */
}

#endif
