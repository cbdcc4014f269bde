/* Events on their way to the host. An entry stays until the host has acknowledged it.
 *
 * The sampling interrupt adds at the tail, the main loop removes at the head. Both indices are single bytes that count
 * up and wrap around, so that neither side has to block the other.
 */
#ifndef QUEUE_H
#define QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#define QUEUE_LOST 15 /* in place of the button: not an event but a gap of `id` lost events */

typedef struct {
    uint32_t tick;
    uint16_t id;
    uint16_t state; /* bits 0 to 9: levels after the event; bits 12 to 15: the button */
} queue_entry;

/* Called in the interrupt. If the queue is full, the event is lost and counted. */
void queue_push_isr(uint8_t button, uint32_t tick, uint16_t levels);

/* Adds the count of lost events to the queue, if there is one and there is room. */
void queue_note_loss(void);

uint8_t queue_count(void);
const queue_entry *queue_peek(uint8_t place); /* place < queue_count(); 0 is the oldest */
void queue_drop(uint8_t number);              /* number <= queue_count() */

#endif
