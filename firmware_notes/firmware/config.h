/* What the box is: numbers that the protocol and the sources share. Times in microseconds unless the name says so. */
#ifndef CONFIG_H
#define CONFIG_H

#include <stdint.h>

#ifndef PROTOCOL_VERSION /* the tests build a firmware of another version */
#define PROTOCOL_VERSION 1
#endif
#define FIRMWARE_MAJOR 1
#define FIRMWARE_MINOR 0
#define FIRMWARE_PATCH 0

#define BUTTONS 10
#define ALL_BUTTONS 0x03FFu

#define BAUD_RATE 115200UL
#define TICK_HZ 1000000UL

#define SAMPLE_US 50u        /* from one look at the pins to the next */
#define LOCK_OUT_SAMPLES 400 /* 20 ms: arcade switches bounce for 1 to 10 ms */
#define QUEUE_LENGTH 128     /* a power of two, at most 128; 2 s of all ten buttons hammered */

#define WINDOW 8               /* reliable frames under way */
#define RESEND_FIRST_US 60000UL /* without a useful ACK; doubles with every resend ... */
#define RESEND_MOST_US 480000UL /* ... up to this */
#define LEVELS_EVERY_US 500000UL
#define SAME_HOST_US 3000000UL /* a HELLO with the session's nonce this soon after the host's last frame repeats it */

#endif
