/* Pins of the Raspberry Pi Pico and Pico 2. firmware_notes/README.md shows the same wiring; change both.
 *
 * Buttons, on the left side of the board, connect their pin to ground and are pulled up inside the chip: a 0 on the pin is
 * a press. Lamps, on the right side, are lit by a 1. GPIO 15 stays free for the erratum in
 * rp2040/usb_errata.c.
 */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

#include "config.h"
#include "registers.h"

#define UART_TX_PIN 0
#define UART_RX_PIN 1
#define FIRST_BUTTON_PIN 2 /* GPIO 2 to 7 are seats 1 to 6, GPIO 8 to 11 are OK, NO, PLUS, MINUS */
#define FIRST_LAMP_PIN 16  /* GPIO 16 to 22: seats 1 to 6 and OK */
#define LAMPS_IN_FIRST_ROW 7
#define SECOND_LAMP_PIN 26 /* GPIO 26 to 28: NO, PLUS, MINUS; 23 to 25 are not on the board's edge */
#define LAMP_PINS 0x1C7F0000ul
#define PIXEL_PIN 12      /* GPIO 12: data of the lamps with colours */
#define PIXELS_PER_LAMP 1 /* more for a ring of them at each button */

#define PAD_BUTTON (PAD_INPUT | PAD_PULL_UP | PAD_SCHMITT)

static inline void board_buttons_init(void)
{
    for (unsigned pin = FIRST_BUTTON_PIN; pin < FIRST_BUTTON_PIN + BUTTONS; pin++) {
        PAD(pin) = PAD_BUTTON;
        connect_pin(pin, FUNCTION_SIO);
    }
}

/* One bit per button, 1 = down. */
static inline uint16_t board_buttons(void)
{
    return (uint16_t)(~GPIO_IN >> FIRST_BUTTON_PIN) & ALL_BUTTONS;
}

static inline void board_lamps_init(void)
{
    GPIO_OUT = 0;
    GPIO_OE_SET = LAMP_PINS;
    for (unsigned pin = FIRST_LAMP_PIN; pin <= SECOND_LAMP_PIN + 2; pin++)
        if (LAMP_PINS & BIT(pin)) connect_pin(pin, FUNCTION_SIO);
}

extern uint32_t board_lamp_outputs;

/* Bit n of `lamps` is lamp n. */
static inline void board_lamps_prepare(uint16_t lamps)
{
    uint32_t first_row = lamps & (BIT(LAMPS_IN_FIRST_ROW) - 1);
    uint32_t second_row = lamps >> LAMPS_IN_FIRST_ROW;
    board_lamp_outputs = first_row << FIRST_LAMP_PIN | second_row << SECOND_LAMP_PIN;
}

static inline void board_lamps_prepare_rest(uint16_t lamps)
{
    (void)lamps;
}

static inline void board_lamps_show(void)
{
    GPIO_OUT = board_lamp_outputs;
}

#endif
