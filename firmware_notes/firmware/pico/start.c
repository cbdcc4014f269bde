/* From the ROM (RP2040: its second stage, boot2.c) to main(): copies the firmware to the RAM. */
#include <stdint.h>

#include "handlers.h"
#include "registers.h"

extern uint32_t stack_top, image_begin, image_end, image_in_flash, bss_begin, bss_end;
int main(void);

void start(void) __attribute__((noreturn, section(".start")));
static void hang(void) __attribute__((noreturn));

typedef union {
    void (*handler)(void);
    const void *address;
} vector;

#define UNUSED {.handler = hang}
#define INTERRUPT(number) (16 + (number))
#define VECTORS_ALIGNMENT (INTERRUPTS <= 48 ? 256 : 512) /* the table's size, rounded up to a power of two */

/* What boot2.c or the ROM starts; everything else is in the RAM. */
__attribute__((used, section(".first_vectors"))) static const vector first_vectors[] = {{.address = &stack_top},
                                                                                        {.handler = start}};

__attribute__((used, section(".vectors"), aligned(VECTORS_ALIGNMENT))) static const vector vectors[INTERRUPT(INTERRUPTS)] = {
    [0] = {.address = &stack_top},
    [1] = {.handler = start},
    [2 ... 13] = UNUSED,
    [14] = {.handler = handle_pendsv},
    [15] = {.handler = handle_system_timer},
    [INTERRUPT(0)... INTERRUPT(USB_INTERRUPT - 1)] = UNUSED,
    [INTERRUPT(USB_INTERRUPT)] = {.handler = handle_usb},
    [INTERRUPT(USB_INTERRUPT + 1)... INTERRUPT(UART0_INTERRUPT - 1)] = UNUSED,
    [INTERRUPT(UART0_INTERRUPT)] = {.handler = handle_uart},
    [INTERRUPT(UART0_INTERRUPT + 1)... INTERRUPT(INTERRUPTS - 1)] = UNUSED,
};

/* A fault, or an interrupt that nothing asked for: the watchdog resets the chip. */
static void hang(void)
{
    for (;;) {
    }
}

/* Runs in the flash. Volatile, so that the compiler does not call memcpy, which is not in the RAM yet. */
void start(void)
{
    const volatile uint32_t *from = &image_in_flash;
    for (volatile uint32_t *to = &image_begin; to != &image_end;) *to++ = *from++;
    for (volatile uint32_t *to = &bss_begin; to != &bss_end;) *to++ = 0;
    VTOR = (uintptr_t)vectors;
    void (*volatile run)(void) = (void (*)(void))main; /* too far for a direct call */
    run();
    for (;;) {
    }
}
