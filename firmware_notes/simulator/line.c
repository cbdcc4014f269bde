/* The serial line. simavr delivers a byte when the chip writes it and accepts one at any time. Here each byte gets
 * its time on a wire that carries one byte at a time, and arrives at the other side when its last bit would.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "boxsim.h"

/* A byte in flight; `at` is the start of its start bit. */
typedef struct {
    avr_cycle_count_t at;
    uint8_t byte;
} wire_byte;

typedef struct {
    wire_byte *items;
    size_t first, end, room;
} wire;

static avr_t *chip;
static int pty = -1; /* -1: lockstep, bytes are printed on stdout */
static avr_uart_t *uart;
static avr_irq_t *input;
static wire to_box, from_box, reported;
static avr_cycle_count_t to_box_free, from_box_free;

static avr_cycle_count_t byte_cycles(void)
{
    /* simavr counts eleven bits a byte where 8N1 has ten: its line is a tenth slower than the real one. */
    return uart && uart->cycles_per_byte ? uart->cycles_per_byte : 1496;
}

static void wire_put(wire *w, avr_cycle_count_t at, uint8_t byte)
{
    if (w->first == w->end) w->first = w->end = 0;
    if (w->end == w->room) {
        w->room = w->room ? 2 * w->room : 4096;
        w->items = realloc(w->items, w->room * sizeof *w->items);
        if (!w->items) abort();
    }
    w->items[w->end++] = (wire_byte){at, byte};
}

/* The chip's own delay of a byte's time after INPUT stands for the time on the wire. */
static avr_cycle_count_t feed(avr_t *avr, avr_cycle_count_t when, void *param)
{
    (void)when;
    (void)param;
    if (to_box.first == to_box.end) return 0;
    wire_byte *next = &to_box.items[to_box.first];
    if (next->at <= avr->cycle) {
        to_box.first++;
        avr_raise_irq(input, next->byte);
        if (pty < 0 && next->byte == 0) printf("heard %.4f\n", in_us(avr->cycle + byte_cycles()));
    }
    return to_box.first == to_box.end ? 0 : to_box.items[to_box.first].at;
}

static avr_cycle_count_t deliver(avr_t *avr, avr_cycle_count_t when, void *param)
{
    (void)when;
    (void)param;
    uint8_t buffer[64];
    size_t count = 0;
    while (from_box.first != from_box.end && count < sizeof buffer) {
        wire_byte *next = &from_box.items[from_box.first];
        if (next->at + byte_cycles() > avr->cycle) break;
        from_box.first++;
        if (pty < 0) wire_put(&reported, next->at, next->byte);
        else buffer[count++] = next->byte;
    }
    /* A pty that is full or that nobody reads drops bytes, like a USB chip without a host. */
    if (count && write(pty, buffer, count) < 0 && errno != EAGAIN && errno != EIO) perror("boxsim: pty");
    return from_box.first == from_box.end ? 0 : from_box.items[from_box.first].at + byte_cycles();
}

static void on_output(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    (void)param;
    avr_cycle_count_t at = chip->cycle > from_box_free ? chip->cycle : from_box_free;
    from_box_free = at + byte_cycles();
    bool idle = from_box.first == from_box.end;
    wire_put(&from_box, at, (uint8_t)value);
    if (idle) avr_cycle_timer_register(chip, from_box_free - chip->cycle, deliver, NULL);
}

void line_send(uint8_t byte)
{
    avr_cycle_count_t at = chip->cycle > to_box_free ? chip->cycle : to_box_free;
    to_box_free = at + byte_cycles() + 4; /* slightly slower than the chip's own rate, so that its buffer stays empty */
    bool idle = to_box.first == to_box.end;
    wire_put(&to_box, at, byte);
    if (idle) avr_cycle_timer_register(chip, at - chip->cycle, feed, NULL);
}

void line_poll_pty(void)
{
    uint8_t buffer[256];
    /* At most a USB chip's buffer ahead: the rest waits in the kernel. */
    if (pty < 0 || to_box.end - to_box.first > 256) return;
    ssize_t count = read(pty, buffer, sizeof buffer);
    for (ssize_t i = 0; i < count; i++) line_send(buffer[i]);
}

void line_report(void)
{
    /* Complete frames only: a partial frame is printed when its 0x00 has arrived. */
    size_t begin = reported.first;
    for (size_t at = begin; at != reported.end; at++) {
        if (reported.items[at].byte) continue;
        printf("said %.4f ", in_us(reported.items[begin].at));
        for (; begin <= at; begin++) printf("%02x", reported.items[begin].byte);
        printf("\n");
    }
    reported.first = begin;
}

#define UART '0'

void line_attach(avr_t *avr, int master)
{
    chip = avr;
    pty = master;
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, "uart") && ((avr_uart_t *)io)->name == UART) uart = (avr_uart_t *)io;
    if (!uart) {
        fprintf(stderr, "boxsim: the chip has no UART\n");
        exit(1);
    }
    uint32_t flags = 0; /* neither echo lines nor sleep when polled */
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS(UART), &flags);
    input = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ(UART), UART_IRQ_INPUT);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ(UART), UART_IRQ_OUTPUT), on_output, NULL);
}

void line_reset(void)
{
    /* Bytes on the wire are lost. */
    to_box.first = to_box.end = from_box.first = from_box.end = 0;
    to_box_free = from_box_free = chip->cycle;
}
