#include "link.h"

#include <stdbool.h>
#include <stddef.h>

#include "boot_id.h"
#include "clock.h"
#include "config.h"
#include "debounce.h"
#include "frame.h"
#include "lamps.h"
#include "line.h"
#include "queue.h"
#include "sampling.h"

enum {
    ACK = 0x01,
    EVENT = 0x10,
    LOST = 0x11,
    LAMPS = 0x20,
    COLOURS = 0x21,
    PING = 0x82,
    PONG = 0x83,
    HELLO = 0x90,
    WELCOME = 0x91,
    LEVELS = 0x92,
    HANG = 0xF0, /* only in the tests' build */
};

#define CAPABILITIES (0x0003u | LAMP_COLOURS << 2) /* lamps, dimmable, with colours */
/* From the last sample to a PONG: time to build it (measured: under 150), and half of the time between two samples, so that
 * no sample delays it. A change that is decided just then still may.
 */
#define PONG_LEAD_US (6 * SAMPLE_US + SAMPLE_US / 2)

static uint32_t boot;

static bool is_lit;            /* the host has set lamps since they were last switched off here */
static bool is_open;           /* a host with our protocol version was welcomed */
static uint16_t nonce;      /* of the current session */
static uint32_t last_frame_at; /* time of the last undamaged frame from the host */

static uint8_t first_seq; /* of the oldest entry in the queue */
static uint8_t in_flight; /* entries sent and not acknowledged */
static uint32_t sent_at, resend_us;
static uint8_t expected; /* the host's next seq */

static bool ack_due, welcome_due, pong_due;
static uint16_t welcome_nonce;
static uint32_t pong_token, ping_tick;
static uint32_t levels_at;

static uint8_t payload[FRAME_MAX_PAYLOAD], filled;

static void add8(uint8_t value)
{
    payload[filled++] = value;
}

static void add16(uint16_t value)
{
    add8((uint8_t)value);
    add8((uint8_t)(value >> 8));
}

static void add32(uint32_t value)
{
    add16((uint16_t)value);
    add16((uint16_t)(value >> 16));
}

static void begin(uint8_t type, uint8_t seq)
{
    filled = 0;
    add8(type);
    add8(seq);
}

static uint16_t get16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] | (uint16_t)((uint16_t)bytes[1] << 8));
}

static uint32_t get32(const uint8_t *bytes)
{
    return get16(bytes) | ((uint32_t)get16(bytes + 2) << 16);
}

void link_start(uint32_t boot_id)
{
    boot = boot_id;
}

/* --- receiving --- */

static void handle_hello(const uint8_t *body, uint32_t tick, uint32_t now)
{
    uint16_t hello_nonce = get16(body + 1);
    if (boot == BOOT_ID_UNSET) boot = boot_draw(hello_nonce, tick);
    welcome_due = true;
    welcome_nonce = hello_nonce;
    if (body[0] != PROTOCOL_VERSION) {
        is_open = false; /* the host reads our version and does not use us; events wait for a host with our version */
        return;
    }
    /* Only the first of several repeated HELLOs may reset the sequence numbers: they are in use since then. */
    if (is_open && hello_nonce == nonce && now - last_frame_at < SAME_HOST_US) return;
    is_open = true;
    nonce = hello_nonce;
    first_seq = 0;
    in_flight = 0;
    resend_us = FIRST_RESEND_US;
    expected = 0;
    ack_due = false;
    pong_due = false;
    levels_at = now;
}

static void handle_ack(uint8_t next, uint32_t now)
{
    uint8_t number = (uint8_t)(next - first_seq);
    if (number == 0 || number > in_flight) return;
    queue_drop(number);
    first_seq = next;
    in_flight = (uint8_t)(in_flight - number);
    resend_us = FIRST_RESEND_US;
    sent_at = now;
}

static bool accept(uint8_t seq)
{
    ack_due = true;
    if (seq != expected) return false;
    expected++;
    return true;
}

static void handle_frame(line_frame *frame, uint32_t now)
{
    uint8_t length = frame_decode(frame->bytes, frame->length);
    if (length < 2) return;
    uint8_t type = frame->bytes[0], seq = frame->bytes[1];
    const uint8_t *body = frame->bytes + 2;
    length = (uint8_t)(length - 2);

    if (type == HELLO && length >= 3) { /* later versions may add bytes */
        handle_hello(body, frame->tick, now);
    } else if (type == PING && length == 4) {
        pong_due = true;
        pong_token = get32(body);
        ping_tick = frame->tick;
    } else if (type == ACK && length == 1) {
        if (is_open) handle_ack(body[0], now);
    } else if (type == LAMPS && length == BUTTONS) {
        if (is_open && accept(seq)) is_lit |= lamps_set(body); /* an unknown effect changes nothing */
#if LAMP_COLOURS
    } else if (type == COLOURS && length == 3 * BUTTONS) {
        if (is_open && accept(seq)) lamps_set_colours(body);
#endif
#ifdef WITH_HANG
    } else if (type == HANG) {
        for (;;) {
        }
#endif
    } else {
        return;
    }
    last_frame_at = now;
}

/* --- sending --- */

static void make_welcome(void)
{
    begin(WELCOME, 0);
    add8(PROTOCOL_VERSION);
    add16(welcome_nonce);
    add8(FIRMWARE_MAJOR);
    add8(FIRMWARE_MINOR);
    add8(FIRMWARE_PATCH);
    add32(boot);
    add16(CAPABILITIES);
    add8(BUTTONS);
    add8(QUEUE_LENGTH);
    add32(TICK_HZ);
}

static void make_entry(const queue_entry *entry, uint8_t seq)
{
    uint8_t button = (uint8_t)(entry->state >> 12);
    uint16_t levels = entry->state & ALL_BUTTONS;
    if (button == QUEUE_LOST) {
        begin(LOST, seq);
        add16(entry->id);
        return;
    }
    begin(EVENT, seq);
    add16(entry->id);
    add8(button);
    add8((uint8_t)((levels >> button) & 1));
    add32(entry->tick);
    add16(levels);
}

static bool make_next(uint32_t now)
{
    if (welcome_due) {
        welcome_due = false;
        make_welcome();
        return true;
    }
    if (ack_due) {
        ack_due = false;
        begin(ACK, 0);
        add8(expected);
        return true;
    }
    if (!is_open) return false;
    queue_note_loss();
    uint8_t waiting = queue_count();
    if (in_flight && now - sent_at >= resend_us) {
        in_flight = 0; /* go back and send all of them again */
        resend_us = resend_us >= MAX_RESEND_US / 2 ? MAX_RESEND_US : resend_us * 2;
    }
    if (in_flight < waiting && in_flight < WINDOW) {
        make_entry(queue_peek(in_flight), (uint8_t)(first_seq + in_flight));
        if (in_flight++ == 0) sent_at = now;
        return true;
    }
    /* Levels agree with the events only when no event is waiting; until then the events keep the link alive. */
    if (waiting == 0 && now - levels_at >= LEVELS_INTERVAL_US) {
        levels_at = now;
        begin(LEVELS, 0);
        add16(debounce_levels());
        add32(now);
        return true;
    }
    return false;
}

/* The PONG contains the tick at which it is sent: it is built for a tick a little ahead, and waits for it. */
static void send_pong(uint8_t *out)
{
    uint32_t sent_tick = clock_now() - sampling_age_us() + PONG_LEAD_US;
    begin(PONG, 0);
    add32(pong_token);
    add32(ping_tick);
    add32(sent_tick);
    uint8_t length = frame_encode(payload, filled, out);
    while ((int32_t)(clock_now() - sent_tick) < 0) {
    }
    line_send(length);
    pong_due = false;
}

void link_poll(uint32_t now)
{
    line_frame *frame = line_received();
    if (frame) {
        handle_frame(frame, now);
        line_done();
    }
    if (is_lit && now - last_frame_at >= LAMPS_OFF_US) {
        static const uint8_t dark[BUTTONS];
        lamps_set(dark);
        is_lit = false;
    }
    if (now - last_frame_at >= FORGET_US) {
        is_open = false;
        queue_drop(queue_count());
    }
    uint8_t *out = line_room();
    if (!out) return;
    if (pong_due && !welcome_due) {
        if (line_silent()) send_pong(out);
        return;
    }
    uint8_t lead = 0;
    if (welcome_due) out[lead++] = 0; /* ends any partial frame that the host received before */
    if (make_next(now)) line_send((uint8_t)(frame_encode(payload, filled, out + lead) + lead));
}
