#include <stdint.h>

#include "board.h"
#include "chip.h"
#include "clock.h"
#include "config.h"
#include "debounce.h"
#include "handlers.h"
#include "lamps.h"
#include "sampling.h"

#define SAMPLES_WAITING 8 /* a power of two */

typedef struct {
    uint16_t down;
    clock_count count;
} sample;

static volatile sample waiting[SAMPLES_WAITING];
static volatile uint8_t sample_in; /* counts up and wraps around */
static uint8_t sample_out;
static volatile uint32_t last_sample_at;

uint32_t board_lamp_outputs;

void handle_system_timer(void)
{
    uint16_t down = board_buttons(); /* first: no delay after the timer */
    uint32_t tick = clock_now_isr(); /* after reading the pins: a stamp is never earlier than its edge */
    volatile sample *next = &waiting[sample_in % SAMPLES_WAITING];
    next->down = down;
    next->count = tick;
    sample_in++;
    last_sample_at = tick;
    lamps_sample_isr();
    ICSR = ICSR_PEND_PENDSV;
}

/* Processing waits for everything else, and the next sample interrupts it. */
void handle_pendsv(void)
{
    while (sample_out != sample_in) {
        const volatile sample *oldest = &waiting[sample_out++ % SAMPLES_WAITING];
        debounce_sample(oldest->down, oldest->count);
    }
}

void sampling_start(void)
{
    board_buttons_init();
    SHPR3 = (uint32_t)SAMPLE_PRIORITY << 30 | (uint32_t)PROCESS_PRIORITY << 22;
    SYST_RVR = SYSTEM_CLOCK_HZ / 1000000 * SAMPLE_US - 1;
    SYST_CVR = 0;
    SYST_CSR = SYST_CSR_ENABLE | SYST_CSR_INTERRUPT | SYST_CSR_SYSTEM_CLOCK;
}

uint8_t sampling_age_us(void)
{
    return (uint8_t)(clock_now() - last_sample_at);
}
