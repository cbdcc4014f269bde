#include "queue.h"

#include "chip.h"
#include "config.h"

#define AT(index) ((uint8_t)(index) & (QUEUE_LENGTH - 1))

static queue_entry entries[QUEUE_LENGTH];
static volatile uint8_t head, tail;
static volatile uint16_t lost;
static uint16_t next_id;

uint8_t queue_count(void)
{
    return (uint8_t)(tail - head);
}

static void put(uint8_t button, uint16_t id, uint32_t tick, uint16_t levels)
{
    queue_entry *entry = &entries[AT(tail)];
    entry->tick = tick;
    entry->id = id;
    entry->state = (uint16_t)(levels | (uint16_t)((uint16_t)button << 12));
    tail++;
}

void queue_push_isr(uint8_t button, uint32_t tick, uint16_t levels)
{
    /* After a loss the gap must enter first, so that it is at its place among the events. */
    if (lost || queue_count() == QUEUE_LENGTH) {
        if (lost != UINT16_MAX) lost++;
        return;
    }
    put(button, next_id++, tick, levels);
}

void queue_note_loss(void)
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        if (lost && queue_count() < QUEUE_LENGTH) {
            put(QUEUE_LOST, lost, 0, 0);
            lost = 0;
        }
    }
}

const queue_entry *queue_peek(uint8_t place)
{
    return &entries[AT(head + place)];
}

void queue_drop(uint8_t number)
{
    head = (uint8_t)(head + number);
}
