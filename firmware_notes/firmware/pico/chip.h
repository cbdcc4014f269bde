/* The RP2040's and RP2350's part of the sources that all chips share. */
#ifndef CHIP_H
#define CHIP_H

#include <stdint.h>

#define SYSTEM_CLOCK_HZ 125000000ul /* also of the RP2350, which could be faster: the same times */

typedef uint32_t clock_count; /* a tick */

#define SAMPLE_US 25u          /* time between two samples of the pins */
/* In the new state, of CONFIRM_SAMPLES (debounce.h): 0.375 ms; glitches last for tens of microseconds. */
#define MIN_CONTACT_SAMPLES 15

#define LAMP_COLOURS 1

/* Tables need no special memory here: everything is in RAM. */
#define PROGMEM
#define pgm_read_byte(address) (*(address))

static inline uint32_t chip_disable_interrupts(void)
{
    uint32_t before;
    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(before) : : "memory");
    return before;
}

static inline void chip_restore_interrupts(const uint32_t *before)
{
    __asm__ volatile("msr primask, %0" : : "r"(*before) : "memory");
}

static inline void chip_enable_interrupts(void)
{
    __asm__ volatile("cpsie i" : : : "memory");
}

/* A block without interrupts, as in avr-libc. */
#define ATOMIC_BLOCK(mode)                                                                                           \
    for (uint32_t atomic_before __attribute__((cleanup(chip_restore_interrupts))) = chip_disable_interrupts(),       \
                                atomic_once = 1;                                                                     \
         atomic_once; atomic_once = 0)

/* Starts the clocks, called once before anything else. */
void chip_start(void);

/* Waits for an interrupt, until the next sample at the latest. */
void chip_sleep(void);

/* Sets an interrupt's priority, 0 (highest) to 3, and enables it. */
void chip_enable_interrupt(unsigned interrupt, unsigned priority);

/* Priorities: taking a sample delays everything else, and processing it delays nothing. */
enum { SAMPLE_PRIORITY = 0, LINE_PRIORITY = 2, PROCESS_PRIORITY = 3 };

#endif
