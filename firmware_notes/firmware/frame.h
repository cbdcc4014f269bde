/* Frames: COBS(payload, CRC) and a byte 0x00. Independent of the hardware. */
#ifndef FRAME_H
#define FRAME_H

#include <stdint.h>

#define FRAME_MAX_PAYLOAD 50                      /* type, seq, 48 bytes of body */
#define FRAME_MAX_ENCODED (FRAME_MAX_PAYLOAD + 4) /* CRC, COBS's first byte, 0x00 */

/* CRC-16/CCITT-FALSE over one more byte; begin with 0xFFFF. */
uint16_t frame_crc(uint16_t crc, uint8_t byte);

/* Writes the frame with its closing 0x00 to `out` (length + 4 bytes) and returns its length. */
uint8_t frame_encode(const uint8_t *payload, uint8_t length, uint8_t *out);

/* Decodes the bytes before a 0x00, in place. Returns the payload's length, 0 if the frame is damaged. */
uint8_t frame_decode(uint8_t *bytes, uint8_t length);

#endif
