#include "usb.h"

#include <stddef.h>
#include <string.h>

#include "assembler.h"
#include "bootloader.h"
#include "chip.h"
#include "clock.h"
#include "config.h"
#include "handlers.h"
#include "registers.h"
#include "serial_number.h"
#include "usb_errata.h"

/* --- descriptors (USB 2.0, chapter 9; CDC 1.2 with PSTN 1.2) --- */

#define PACKET 64 /* the largest of full speed */
#define NOTIFICATIONS 1
#define DATA 2
#define IN(endpoint) (0x80 | (endpoint))
#define LOW(word) (uint8_t)(word)
#define HIGH(word) (uint8_t)((word) >> 8)

#define VENDOR 0x2E8A /* Raspberry Pi */
#define RELEASE (FIRMWARE_MAJOR << 8 | FIRMWARE_MINOR << 4 | FIRMWARE_PATCH)

enum { DEVICE = 1, CONFIGURATION = 2, STRING = 3, INTERFACE = 4, ENDPOINT = 5, ASSOCIATION = 11, CS_INTERFACE = 0x24 };
enum { LANGUAGE_STRING, MAKER_STRING, PRODUCT_STRING, SERIAL_STRING };

static const uint8_t device_descriptor[] = {
    18, DEVICE, 0x00, 0x02,          /* USB 2.0 */
    0xEF, 0x02, 0x01,                /* interfaces belong together, see ASSOCIATION */
    PACKET, LOW(VENDOR), HIGH(VENDOR), LOW(USB_PRODUCT), HIGH(USB_PRODUCT), LOW(RELEASE), HIGH(RELEASE),
    MAKER_STRING, PRODUCT_STRING, SERIAL_STRING,
    1, /* configuration */
};

#define CONFIGURATION_LENGTH 75
#define BUS_POWERED 0x80
#define MILLIAMPERES 250

static const uint8_t configuration_descriptor[] = {
    9, CONFIGURATION, CONFIGURATION_LENGTH, 0, 2, 1, 0, BUS_POWERED, MILLIAMPERES / 2,
    8, ASSOCIATION, 0, 2, 0x02, 0x02, 0x00, 0,
    9, INTERFACE, 0, 0, 1, 0x02, 0x02, 0x00, 0,       /* communication, abstract control model */
    5, CS_INTERFACE, 0x00, 0x20, 0x01,                /* CDC 1.2 */
    5, CS_INTERFACE, 0x01, 0x00, 1,                   /* no call management */
    4, CS_INTERFACE, 0x02, 0x02,                      /* has line coding and control lines */
    5, CS_INTERFACE, 0x06, 0, 1,                      /* interfaces 0 and 1 are one */
    7, ENDPOINT, IN(NOTIFICATIONS), 0x03, 16, 0, 255, /* never used: nothing to notify */
    9, INTERFACE, 1, 0, 2, 0x0A, 0x00, 0x00, 0,       /* data */
    7, ENDPOINT, DATA, 0x02, PACKET, 0, 0,
    7, ENDPOINT, IN(DATA), 0x02, PACKET, 0, 0,
};
_Static_assert(sizeof configuration_descriptor == CONFIGURATION_LENGTH, "its own length is in it");
_Static_assert(CONFIGURATION_LENGTH % PACKET, "a packet that is not full ends each answer");

/* --- the controller --- */

/* Buffers in the USB memory; that of endpoint 0 has a fixed place. */
#define EP0_BUFFER 0x100
#define DATA_OUT_BUFFER 0x180
#define DATA_IN_BUFFER 0x1C0
#define NOTIFICATION_BUFFER 0x200
#define MEMORY(offset) ((volatile uint32_t *)(USB_MEMORY_AT + (offset)))

enum { TO_HOST, FROM_HOST };
#define STATUS_BIT(endpoint, direction) BIT(2 * (endpoint) + (direction))

static bool next_is_data1[DATA + 1][2];

static volatile bool is_configured, is_open, is_sending;
static assembler received;

/* The control transfer under way. */
static const uint8_t *reply;
static uint16_t reply_left;
static uint8_t new_address;
static bool expects_line_coding;

/* A program that sets 1200 baud and closes the port asks for the ROM's drive, as with an Arduino: new firmware without
 * opening the box.
 */
#define BOOTLOADER_BAUD 1200
static volatile bool wants_bootloader;

static uint8_t line_coding[7] = {LOW(BAUD_RATE), HIGH(BAUD_RATE), LOW(BAUD_RATE >> 16), 0, 0, 0, 8};
static uint8_t scratch[2 + 2 * 24]; /* a string descriptor or an answer of one or two bytes */

/* Gives an endpoint's buffer to the controller. */
static void arm(unsigned endpoint, unsigned direction, uint32_t flags)
{
    if (next_is_data1[endpoint][direction]) flags |= USB_BUFFER_DATA1;
    next_is_data1[endpoint][direction] = !next_is_data1[endpoint][direction];
    USB_BUFFER_CONTROL(endpoint, direction) = flags;
    /* The USB clock is slower: it must see everything else first [4.1.2.5.1]. */
    __asm__ volatile("b 1f\n1: b 1f\n1: b 1f\n1: b 1f\n1: b 1f\n1: b 1f\n1:");
    USB_BUFFER_CONTROL(endpoint, direction) = flags | USB_BUFFER_AVAILABLE;
}

static void arm_in(unsigned endpoint, uint32_t buffer, const uint8_t *bytes, unsigned length)
{
    for (unsigned at = 0; at < length; at += 4) {
        uint32_t word = 0;
        for (unsigned i = 0; i < 4 && at + i < length; i++) word |= (uint32_t)bytes[at + i] << (8 * i);
        MEMORY(buffer)[at / 4] = word;
    }
    arm(endpoint, TO_HOST, USB_BUFFER_FULL | length);
}

static uint8_t memory_byte(uint32_t offset)
{
    return (uint8_t)(*MEMORY(offset & ~3u) >> (8 * (offset & 3)));
}

/* --- control transfers --- */

static void send_reply(void)
{
    unsigned length = reply_left < PACKET ? reply_left : PACKET;
    arm_in(0, EP0_BUFFER, reply, length);
    reply += length;
    reply_left = (uint16_t)(reply_left - length);
}

static void answer(const uint8_t *bytes, uint16_t length, uint16_t wanted)
{
    reply = bytes;
    reply_left = length < wanted ? length : wanted;
    send_reply();
}

/* The empty packet that ends a transfer from the host. */
static void confirm(void)
{
    arm(0, TO_HOST, USB_BUFFER_FULL);
}

static void refuse(void)
{
    USB_EP_STALL_ARM = STATUS_BIT(0, TO_HOST) | STATUS_BIT(0, FROM_HOST);
    USB_BUFFER_CONTROL(0, TO_HOST) = USB_BUFFER_STALL;
    USB_BUFFER_CONTROL(0, FROM_HOST) = USB_BUFFER_STALL;
}

static void answer_text(const char *text, uint16_t wanted)
{
    uint8_t length = 2;
    for (; *text; text++) {
        scratch[length++] = (uint8_t)*text;
        scratch[length++] = 0;
    }
    scratch[0] = length;
    scratch[1] = STRING;
    answer(scratch, length, wanted);
}

static void answer_descriptor(uint8_t type, uint8_t number, uint16_t wanted)
{
    static const uint8_t languages[] = {4, STRING, 0x09, 0x04}; /* English */
    if (type == DEVICE) {
        answer(device_descriptor, sizeof device_descriptor, wanted);
    } else if (type == CONFIGURATION && number == 0) {
        answer(configuration_descriptor, sizeof configuration_descriptor, wanted);
    } else if (type == STRING && number == LANGUAGE_STRING) {
        answer(languages, sizeof languages, wanted);
    } else if (type == STRING && number == MAKER_STRING) {
        answer_text("companion", wanted);
    } else if (type == STRING && number == PRODUCT_STRING) {
        answer_text("button box", wanted);
    } else if (type == STRING && number == SERIAL_STRING) {
        char serial[2 * SERIAL_NUMBER_BYTES + 1] = {0};
        for (unsigned i = 0; i < 2 * SERIAL_NUMBER_BYTES; i++)
            serial[i] = "0123456789ABCDEF"[serial_number[i / 2] >> (i & 1 ? 0 : 4) & 0xF];
        answer_text(serial, wanted);
    } else {
        refuse(); /* as it should be for a device without high speed (type 6) */
    }
}

static void listen(void)
{
    arm(DATA, FROM_HOST, PACKET);
}

static void configure(bool on)
{
    is_configured = on;
    is_open = is_sending = false;
    memset(&received, 0, sizeof received);
    memset(next_is_data1[DATA], 0, sizeof next_is_data1[DATA]);
    USB_BUFFER_CONTROL(DATA, TO_HOST) = 0;
    USB_BUFFER_CONTROL(DATA, FROM_HOST) = 0;
    if (on) listen();
}

/* After a stall is cleared an endpoint begins with DATA0 again. */
static void clear_halt(uint8_t endpoint)
{
    unsigned direction = endpoint & 0x80 ? TO_HOST : FROM_HOST;
    if ((endpoint & 0x0F) != DATA) return;
    next_is_data1[DATA][direction] = false;
    if (direction == FROM_HOST && is_configured) listen();
}

/* bmRequestType and bRequest */
enum {
    GET_STATUS_DEVICE = 0x8000,
    GET_STATUS_INTERFACE = 0x8100,
    GET_STATUS_ENDPOINT = 0x8200,
    CLEAR_FEATURE_ENDPOINT = 0x0201,
    SET_ADDRESS = 0x0005,
    GET_DESCRIPTOR = 0x8006,
    GET_CONFIGURATION = 0x8008,
    SET_CONFIGURATION = 0x0009,
    GET_INTERFACE = 0x810A,
    SET_INTERFACE = 0x010B,
    SET_LINE_CODING = 0x2120,
    GET_LINE_CODING = 0xA121,
    SET_CONTROL_LINE_STATE = 0x2122,
    SEND_BREAK = 0x2123,
};
#define DTR 1

static uint32_t get_baud(void)
{
    return line_coding[0] | (uint32_t)line_coding[1] << 8 | (uint32_t)line_coding[2] << 16;
}

static void handle_setup(void)
{
    uint32_t first = USB_SETUP_PACKET(0), second = USB_SETUP_PACKET(1);
    uint16_t request = (uint16_t)((first & 0xFF) << 8 | (first >> 8 & 0xFF)), value = (uint16_t)(first >> 16);
    uint16_t index = (uint16_t)second, length = (uint16_t)(second >> 16);
    next_is_data1[0][TO_HOST] = next_is_data1[0][FROM_HOST] = true; /* SETUP itself is DATA0 */
    reply = NULL;
    reply_left = 0;
    expects_line_coding = false;
    new_address = 0;
    switch (request) {
    case GET_DESCRIPTOR:
        answer_descriptor(HIGH(value), LOW(value), length);
        break;
    case SET_ADDRESS:
        new_address = LOW(value) & 0x7F; /* used when this is confirmed */
        confirm();
        break;
    case SET_CONFIGURATION:
        if (value > 1) {
            refuse();
            break;
        }
        configure(value == 1);
        confirm();
        break;
    case GET_CONFIGURATION:
        scratch[0] = is_configured;
        answer(scratch, 1, length);
        break;
    case GET_STATUS_DEVICE:
    case GET_STATUS_INTERFACE:
    case GET_STATUS_ENDPOINT:
        scratch[0] = scratch[1] = 0;
        answer(scratch, 2, length);
        break;
    case GET_INTERFACE:
        scratch[0] = 0;
        answer(scratch, 1, length);
        break;
    case CLEAR_FEATURE_ENDPOINT:
        clear_halt(LOW(index));
        confirm();
        break;
    case GET_LINE_CODING:
        answer(line_coding, sizeof line_coding, length);
        break;
    case SET_LINE_CODING:
        expects_line_coding = true;
        arm(0, FROM_HOST, PACKET);
        break;
    case SET_CONTROL_LINE_STATE:
        if (is_open && !(value & DTR) && get_baud() == BOOTLOADER_BAUD) wants_bootloader = true;
        is_open = is_configured && (value & DTR);
        memset(&received, 0, sizeof received);
        confirm();
        break;
    case SET_INTERFACE:
    case SEND_BREAK:
        confirm();
        break;
    default:
        refuse();
    }
}

static void handle_control_sent(void)
{
    if (new_address) {
        USB_ADDR_ENDP = new_address;
        new_address = 0;
    } else if (reply_left) {
        send_reply();
    } else if (reply) {
        reply = NULL;
        next_is_data1[0][FROM_HOST] = true;
        arm(0, FROM_HOST, PACKET); /* the host's empty packet that ends the transfer */
    }
}

static void handle_control_received(void)
{
    unsigned length = USB_BUFFER_CONTROL(0, FROM_HOST) & USB_BUFFER_LENGTH;
    if (!expects_line_coding) return;
    expects_line_coding = false;
    for (unsigned i = 0; i < sizeof line_coding && i < length; i++) line_coding[i] = memory_byte(EP0_BUFFER + i);
    confirm();
}

/* --- data --- */

static void handle_data_received(uint32_t tick)
{
    unsigned length = USB_BUFFER_CONTROL(DATA, FROM_HOST) & USB_BUFFER_LENGTH;
    for (unsigned i = 0; i < length; i++) assemble(&received, memory_byte(DATA_OUT_BUFFER + i), tick);
    listen();
}

bool usb_is_open(void)
{
    return is_open;
}

bool usb_has_room(void)
{
    return !is_sending;
}

void usb_send(const uint8_t *bytes, uint8_t length)
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        if (is_open) {
            is_sending = true;
            arm_in(DATA, DATA_IN_BUFFER, bytes, length);
        }
    }
}

/* --- the bus --- */

void usb_poll(void)
{
    if (wants_bootloader) start_bootloader();
    usb_errata_poll();
}

static void handle_bus_reset(void)
{
    USB_ADDR_ENDP = 0;
    configure(false);
    usb_errata_handle_bus_reset();
}

void handle_usb(void)
{
    uint32_t tick = clock_now_isr(), causes = USB_INTS;
    if (causes & USB_INT_BUS_RESET) {
        USB_SIE_STATUS = USB_SIE_STATUS_BUS_RESET; /* writing a 1 clears it, here and below */
        handle_bus_reset();
    }
    if (causes & USB_INT_BUFF_STATUS) {
        uint32_t done = USB_BUFF_STATUS;
        USB_BUFF_STATUS = done;
        if (done & STATUS_BIT(0, TO_HOST)) handle_control_sent();
        if (done & STATUS_BIT(0, FROM_HOST)) handle_control_received();
        if (done & STATUS_BIT(DATA, FROM_HOST)) handle_data_received(tick);
        if (done & STATUS_BIT(DATA, TO_HOST)) is_sending = false;
    }
    if (causes & USB_INT_SETUP) {
        USB_SIE_STATUS = USB_SIE_STATUS_SETUP;
        handle_setup();
    }
}

void usb_start(void)
{
    for (unsigned word = 0; word < 0x1000 / 4; word++) MEMORY(0)[word] = 0;
    USB_ENDPOINT_CONTROL(NOTIFICATIONS, TO_HOST) = USB_ENDPOINT_ENABLE | USB_ENDPOINT_INTERRUPT_TYPE | NOTIFICATION_BUFFER;
    USB_ENDPOINT_CONTROL(DATA, TO_HOST) =
        USB_ENDPOINT_ENABLE | USB_ENDPOINT_INTERRUPT | USB_ENDPOINT_BULK | DATA_IN_BUFFER;
    USB_ENDPOINT_CONTROL(DATA, FROM_HOST) =
        USB_ENDPOINT_ENABLE | USB_ENDPOINT_INTERRUPT | USB_ENDPOINT_BULK | DATA_OUT_BUFFER;
    USB_MUXING = USB_MUXING_TO_PHY | USB_MUXING_SOFTCON;
    USB_PWR = USB_PWR_VBUS_DETECT | USB_PWR_VBUS_DETECT_OVERRIDE; /* a Pico has no wire that tells */
    USB_MAIN_CTRL = USB_MAIN_CTRL_ENABLE; /* ends the isolation of the RP2350's PHY, too */
    USB_SIE_CTRL = USB_SIE_CTRL_EP0_INTERRUPT;
    USB_INTE = USB_INT_BUFF_STATUS | USB_INT_BUS_RESET | USB_INT_SETUP;
    chip_enable_interrupt(USB_INTERRUPT, LINE_PRIORITY);
    SET_BITS(USB_SIE_CTRL) = USB_SIE_CTRL_PULLUP; /* the host sees the box from here */
}
