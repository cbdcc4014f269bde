#include "pixels.h"

#include <stdbool.h>
#include <string.h>

#include "board.h"
#include "chip.h"
#include "lamps.h"
#include "registers.h"

/* A pixel draws up to 60 mA. So that ten of them and the chip stay well below the 250 mA that the box asks of USB, a channel
 * is lit for a third of the time at most; it is bright enough to hurt the eye in full.
 */
#define BRIGHTEST (255 / 3 / PIXELS_PER_LAMP)
#define PIXELS (BUTTONS * PIXELS_PER_LAMP)
#define REFRESH_STEPS 20 /* of 5 ms: a pixel that a disturbance has set wrong is right again after 100 ms */

/* A bit takes ten cycles of 125 ns: 250 ns high for a 0, 875 ns for a 1. Each instruction drives the pin beside its work. */
#define MHZ 8
#define LOW(instruction, delay) ((instruction) | (delay) << 8)
#define HIGH(instruction, delay) ((instruction) | 1u << 12 | (delay) << 8)
#define OUT_X_1 0x6021u
#define JMP_NOT_X(to) (0x0020u | (to))
#define JMP(to) (0x0000u | (to))
#define NOP 0xA042u
#define SET_PINDIRS_1 0xE081u
static const uint16_t program[] = {LOW(OUT_X_1, 2), HIGH(JMP_NOT_X(3), 1), HIGH(JMP(0), 4), LOW(NOP, 4)};
#define PROGRAM_LENGTH 4
#define BITS_PER_PIXEL 24u

static uint8_t colours[3 * BUTTONS];
static uint32_t words[BUTTONS];
static uint16_t next = PIXELS;
static uint8_t steps_to_refresh;

void pixels_start(void)
{
    memset(colours, 0xFF, sizeof colours); /* white until the host says otherwise */
    for (unsigned i = 0; i < PROGRAM_LENGTH; i++) PIO_INSTR_MEM(i) = program[i];
    PIO_CLKDIV = SYSTEM_CLOCK_HZ / 1000000 * 256 / MHZ << 8;
    PIO_EXECCTRL = (PROGRAM_LENGTH - 1ul) << PIO_EXECCTRL_WRAP_TOP_SHIFT;
    PIO_SHIFTCTRL = PIO_SHIFTCTRL_AUTOPULL | BITS_PER_PIXEL << PIO_SHIFTCTRL_PULL_THRESHOLD_SHIFT | PIO_SHIFTCTRL_JOIN_TX;
    PIO_PINCTRL = 1ul << PIO_PINCTRL_SIDESET_COUNT_SHIFT | 1ul << PIO_PINCTRL_SET_COUNT_SHIFT |
                  (uint32_t)PIXEL_PIN << PIO_PINCTRL_SIDESET_BASE_SHIFT | (uint32_t)PIXEL_PIN << PIO_PINCTRL_SET_BASE_SHIFT;
    PIO_INSTR = SET_PINDIRS_1;
    connect_pin(PIXEL_PIN, FUNCTION_PIO0);
    PIO_CTRL = PIO_CTRL_RESTART;
    PIO_CTRL = PIO_CTRL_ENABLE;
}

void lamps_set_colours(const uint8_t wanted[3 * BUTTONS])
{
    memcpy(colours, wanted, sizeof colours);
}

void pixels_show(const uint8_t brightness[BUTTONS])
{
    if (next <= PIXELS) { /* a step of silence after each round, which tells the chain that it has ended */
        next += next == PIXELS;
        return;
    }
    bool is_changed = steps_to_refresh-- == 0;
    for (unsigned i = 0; i < BUTTONS; i++) {
        uint32_t channels[3], scale = brightness[i] * (uint32_t)BRIGHTEST;
        for (unsigned c = 0; c < 3; c++) channels[c] = colours[3 * i + c] * scale / (LAMP_FULL * 255ul);
        uint32_t word = channels[1] << 24 | channels[0] << 16 | channels[2] << 8; /* green, red, blue */
        is_changed |= word != words[i];
        words[i] = word;
    }
    if (!is_changed) return;
    next = 0;
    steps_to_refresh = REFRESH_STEPS;
}

/* The PIO holds eight pixels, which take 240 us, longer than the main loop ever does: the chain never waits within a round. */
void pixels_poll(void)
{
    while (next < PIXELS && !(PIO_FSTAT & PIO_FSTAT_TX_FULL)) PIO_TXF = words[next++ / PIXELS_PER_LAMP];
}
