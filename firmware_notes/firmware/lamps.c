#include "lamps.h"

#include <string.h>

#include "board.h"
#include "chip.h"
#if LAMP_COLOURS
#include "pixels.h"
#endif

/* Bit p of a lamp's brightness is shown for UNIT << p samples: 300 us * 31 make a round of 9.3 ms. While a plane is shown
 * the next one is made ready, in two steps: an ATmega shifts it out, a byte at a time, and no one waits for the SPI. It
 * takes a microsecond a byte; the samples between them are for simavr, whose SPI takes 100 us.
 */
#define PLANES 5
#define UNIT (300 / SAMPLE_US)

#define STEP_US 5000UL
#define STEPS 800 /* 4 s: all effects fit into it */
#define SLOW_STEPS 200
#define FAST_STEPS 50

/* Half a breath in 32 steps; the eye sees brightness roughly as the square root of light. */
static const uint8_t breath[32] PROGMEM = {1,  1,  1,  1,  2,  2,  2,  3,  3,  4,  4,  5,  6,  6,  7,  8,
                                           9,  10, 11, 12, 13, 15, 16, 17, 19, 20, 22, 23, 25, 27, 29, 31};

static uint8_t wanted[BUTTONS];
static uint32_t last_step;
static uint16_t step;

static uint16_t next_planes[PLANES], planes[PLANES];
static volatile bool fresh;
static uint8_t plane, samples_left = 1, age = UNIT; /* age: samples since the last latch */

void lamps_start(void)
{
    board_lamps_init();
#if LAMP_COLOURS
    pixels_start();
#endif
}

bool lamps_set(const uint8_t effects[BUTTONS])
{
    for (uint8_t i = 0; i < BUTTONS; i++)
        if (effects[i] >= LAMP_EFFECTS) return false;
    memcpy(wanted, effects, BUTTONS);
    return true;
}

static uint8_t brightness(uint8_t effect)
{
    switch (effect) {
    case LAMP_ON:
        return LAMP_FULL;
    case LAMP_SLOW:
        return step % SLOW_STEPS < SLOW_STEPS / 2 ? LAMP_FULL : 0;
    case LAMP_FAST:
        return step % FAST_STEPS < FAST_STEPS / 2 ? LAMP_FULL : 0;
    case LAMP_BREATHING: {
        uint16_t half = step < STEPS / 2 ? step : (uint16_t)(STEPS - 1 - step);
        return pgm_read_byte(&breath[half * 32u / (STEPS / 2)]);
    }
    default:
        return 0;
    }
}

void lamps_poll(uint32_t now)
{
    if (now - last_step < STEP_US) return;
    last_step += STEP_US;
    if (++step == STEPS) step = 0;

    uint8_t by_effect[LAMP_EFFECTS];
    for (uint8_t effect = 0; effect < LAMP_EFFECTS; effect++) by_effect[effect] = brightness(effect);
    uint16_t made[PLANES] = {0};
#if LAMP_COLOURS
    uint8_t levels[BUTTONS];
    for (uint8_t i = 0; i < BUTTONS; i++) levels[i] = by_effect[wanted[i]];
    pixels_show(levels);
#endif
    for (uint8_t i = 0; i < BUTTONS; i++) {
        uint8_t level = by_effect[wanted[i]];
        for (uint8_t p = 0; p < PLANES; p++)
            if (level & (1u << p)) made[p] |= (uint16_t)(1u << i);
    }
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        memcpy(next_planes, made, sizeof made);
        fresh = true;
    }
}

void lamps_sample_isr(void)
{
    age++;
    if (--samples_left == 0) {
        board_lamps_show(); /* the plane that was made ready last is shown from here */
        samples_left = (uint8_t)(UNIT << plane);
        if (++plane == PLANES) {
            plane = 0;
            if (fresh) {
                /* Only between rounds: a brightness made of two halves would flash. */
                memcpy(planes, next_planes, sizeof planes);
                fresh = false;
            }
        }
        age = 0;
        board_lamps_prepare(planes[plane]);
    } else if (age == UNIT / 2) {
        board_lamps_prepare_rest(planes[plane]);
    }
}
