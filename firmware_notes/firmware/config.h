/* Constants shared by the sources. protocol.md defines those that the host sees; times of a press: debounce.h. */
#ifndef CONFIG_H
#define CONFIG_H

#include <stdint.h>

#include "chip.h"

#ifndef PROTOCOL_VERSION /* the tests build a firmware of another version */
#define PROTOCOL_VERSION 1
#endif
#define FIRMWARE_MAJOR 1
#define FIRMWARE_MINOR 2
#define FIRMWARE_PATCH 0

#define BUTTONS 10
#define ALL_BUTTONS 0x03FFu

#define BAUD_RATE 115200UL
#define TICK_HZ 1000000UL

#define QUEUE_LENGTH 128 /* events; a power of two, at most 128: enough for 2 s of fast presses of all ten buttons */

#define WINDOW 8               /* unacknowledged reliable frames */
#define FIRST_RESEND_US 60000UL /* time without a useful ACK; doubles with every resend ... */
#define MAX_RESEND_US 480000UL /* ... up to this limit */
#define LEVELS_INTERVAL_US 500000UL
/* A HELLO with the session's nonce within this time of the host's last frame is a repetition. */
#define SAME_HOST_US 3000000UL
/* Without a frame for this long the host is gone, or asleep: nobody would switch the lamps off. It sends one every 0.5 s. */
#define LAMPS_OFF_US 5000000UL
/* Without a host for this long, events are forgotten: an old tick could be taken for one of the clock's next turn. */
#define FORGET_US 1800000000UL

#endif
