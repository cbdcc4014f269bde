#include "boot_id.h"

#include "registers.h"
#include "serial_number.h"

/* Nothing is stored: each boot draws its id when the first host says hello, from what differs between boxes (the serial
 * number) and between boots (the host's random nonce, the tick at which it came, the ring oscillator's jitter).
 */
uint32_t boot_next(void)
{
    return BOOT_ID_UNSET;
}

static uint32_t mix(uint32_t hash, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++, word >>= 8) hash = (hash ^ (word & 0xFF)) * 16777619u; /* FNV-1a */
    return hash;
}

uint32_t boot_draw(uint16_t nonce, uint32_t tick)
{
    uint32_t jitter = 0, id = 2166136261u;
    for (unsigned i = 0; i < 32; i++) {
        for (uint32_t now = TIMERAWL; TIMERAWL == now;) { /* a bit each microsecond: the oscillator has 6 MHz */
        }
        jitter = jitter << 1 | (ROSC_RANDOMBIT & 1);
    }
    for (unsigned i = 0; i < SERIAL_NUMBER_BYTES; i++) id = mix(id, serial_number[i]);
    id = mix(mix(mix(id, jitter), nonce), tick);
    return id == BOOT_ID_UNSET ? 0 : id;
}
