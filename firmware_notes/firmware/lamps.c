#include "lamps.h"

#include <avr/io.h>
#include <avr/pgmspace.h>
#include <string.h>
#include <util/atomic.h>

#include "board.h"

/* Bit p of a lamp's brightness is shown for UNIT << p samples: 6 * 31 samples of 50 us make a round of 9.3 ms.
 * While a plane is shown the next one is shifted out, a byte at a time, and no one waits for the SPI. It takes a
 * microsecond a byte; the three samples between them are for simavr, whose SPI takes 100 us.
 */
#define PLANES 5
#define UNIT 6
#define FULL 31

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
static bool loaded;

void lamps_start(void)
{
    LAMP_PORT |= _BV(LAMP_DARK);
    LAMP_DDR |= _BV(LAMP_SS) | _BV(LAMP_LATCH) | _BV(LAMP_MOSI) | _BV(LAMP_SCK) | _BV(LAMP_DARK);
    SPSR = _BV(SPI2X);
    SPCR = _BV(SPE) | _BV(MSTR); /* F_CPU / 2: a byte in one microsecond */
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
        return FULL;
    case LAMP_SLOW:
        return step % SLOW_STEPS < SLOW_STEPS / 2 ? FULL : 0;
    case LAMP_FAST:
        return step % FAST_STEPS < FAST_STEPS / 2 ? FULL : 0;
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
        LAMP_PORT |= _BV(LAMP_LATCH); /* what was shifted out last is shown from here */
        LAMP_PORT &= (uint8_t)~_BV(LAMP_LATCH);
        if (loaded) LAMP_PORT &= (uint8_t)~_BV(LAMP_DARK); /* not before the registers hold something */
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
        SPDR = (uint8_t)(planes[plane] >> 8);
    } else if (age == UNIT / 2) {
        SPDR = (uint8_t)planes[plane];
        loaded = true;
    }
}
