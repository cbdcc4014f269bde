/* Buttons and lamps: a cycle timer sets the pins, callbacks follow the two shift registers. */
#include <stdio.h>
#include <stdlib.h>

#include "avr_ioport.h"
#include "avr_spi.h"
#include "boxsim.h"

typedef struct {
    char port;
    int bit;
} pin;

static const pin pins[BUTTONS] = {{'D', 2}, {'D', 3}, {'D', 4}, {'D', 5}, {'D', 6},
                                  {'D', 7}, {'C', 0}, {'C', 1}, {'C', 2}, {'C', 3}};

typedef struct {
    avr_cycle_count_t when;
    uint64_t order; /* at the same time, the first request is applied first */
    int button, level;
} change;

static avr_t *chip;
static bool quiet;
static int pressed[BUTTONS];

static change *heap;
static size_t heap_count, heap_room;
static uint64_t asked;

static uint16_t shifted, latched, shown;
static bool dark = true;
static avr_cycle_count_t shown_since, lamps_since, lit_for[BUTTONS];

double in_us(avr_cycle_count_t cycles)
{
    return (double)cycles / CYCLES_PER_US;
}

/* --- buttons --- */

static bool before(const change *a, const change *b)
{
    return a->when != b->when ? a->when < b->when : a->order < b->order;
}

static void heap_push(change item)
{
    if (heap_count == heap_room) {
        heap_room = heap_room ? 2 * heap_room : 1024;
        heap = realloc(heap, heap_room * sizeof *heap);
        if (!heap) abort();
    }
    size_t at = heap_count++;
    while (at && before(&item, &heap[(at - 1) / 2])) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = item;
}

static change heap_pop(void)
{
    change top = heap[0], last = heap[--heap_count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= heap_count) break;
        if (child + 1 < heap_count && before(&heap[child + 1], &heap[child])) child++;
        if (!before(&heap[child], &last)) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return top;
}

/* Sets the level of a pin in three places: the pull-up that simavr puts on the pin at every write to the port, the pin's
 * own line, and the register (which a reset clears without telling the line).
 */
static void set_pin(int button)
{
    const pin *p = &pins[button];
    static uint8_t mask[8], value[8];
    int index = p->port - 'A';
    mask[index] |= (uint8_t)(1 << p->bit);
    if (pressed[button]) value[index] &= (uint8_t) ~(1 << p->bit);
    else value[index] |= (uint8_t)(1 << p->bit);
    avr_ioport_external_t external = {.name = (unsigned char)p->port, .mask = mask[index], .value = value[index]};
    avr_ioctl(chip, AVR_IOCTL_IOPORT_SET_EXTERNAL(p->port), &external);
    avr_raise_irq(avr_io_getirq(chip, AVR_IOCTL_IOPORT_GETIRQ(p->port), p->bit), !pressed[button]);
    uint8_t *reg = &chip->data[0x20 + 3 * index]; /* PINA would be at 0x20, PINB at 0x23 ... */
    if (pressed[button]) *reg &= (uint8_t) ~(1 << p->bit);
    else *reg |= (uint8_t)(1 << p->bit);
}

static avr_cycle_count_t apply(avr_t *avr, avr_cycle_count_t when, void *param)
{
    (void)when;
    (void)param;
    while (heap_count && heap[0].when <= avr->cycle) {
        change now = heap_pop();
        pressed[now.button] = now.level;
        set_pin(now.button);
        if (!quiet) printf("pin %.4f %d %d\n", in_us(avr->cycle), now.button, now.level);
    }
    return heap_count ? heap[0].when : 0;
}

static void schedule(void)
{
    if (!heap_count) return;
    avr_cycle_count_t when = heap[0].when;
    avr_cycle_timer_register(chip, when > chip->cycle ? when - chip->cycle : 0, apply, NULL);
}

void table_pin(avr_cycle_count_t when, int button, int level)
{
    heap_push((change){when, asked++, button, level});
    if (heap[0].order == asked - 1) schedule();
}

/* --- lamps --- */

static void show(void)
{
    uint16_t now = dark ? 0 : latched;
    for (int i = 0; i < BUTTONS; i++)
        if (shown & (1 << i)) lit_for[i] += chip->cycle - shown_since;
    shown_since = chip->cycle;
    shown = now;
}

static void on_shift(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    (void)param;
    shifted = (uint16_t)(shifted << 8 | (value & 0xFF));
}

static void on_latch(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)param;
    if (!value || irq->value) return; /* only the rising edge */
    latched = shifted;
    show();
}

static void on_dark(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    (void)param;
    dark = value;
    show();
}

void table_report_lamps(void)
{
    show();
    avr_cycle_count_t span = chip->cycle - lamps_since;
    printf("lamps %.4f", in_us(chip->cycle));
    for (int i = 0; i < BUTTONS; i++) {
        printf(" %d", span ? (int)((1000 * lit_for[i] + span / 2) / span) : 0);
        lit_for[i] = 0;
    }
    printf("\n");
    lamps_since = chip->cycle;
}

void table_attach(avr_t *avr, bool hush)
{
    chip = avr;
    quiet = hush;
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_SPI_GETIRQ(0), SPI_IRQ_OUTPUT), on_shift, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 2), on_latch, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 1), on_dark, NULL);
    table_reset();
}

void table_reset(void)
{
    for (int i = 0; i < BUTTONS; i++) set_pin(i);
    dark = true; /* a resistor keeps the registers dark while the chip does not drive the pin */
    show();
    schedule();
}
