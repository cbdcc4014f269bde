/* Frames: COBS(payload, CRC) and a byte 0x00. No hardware in here: the tests compile it for the PC as well. */
#ifndef FRAME_H
#define FRAME_H

#include <stdint.h>

#define FRAME_PAYLOAD_MOST 50                      /* type, seq, 48 bytes of body */
#define FRAME_ENCODED_MOST (FRAME_PAYLOAD_MOST + 4) /* CRC, COBS's first byte, 0x00 */

/* CRC-16/CCITT-FALSE over one more byte; begin with 0xFFFF. */
uint16_t frame_crc(uint16_t crc, uint8_t byte);

/* Writes the frame with its closing 0x00 to `out` (length + 4 bytes) and returns its length. */
uint8_t frame_encode(const uint8_t *payload, uint8_t length, uint8_t *out);

/* Decodes what stood before a 0x00, in place. Returns the payload's length, 0 if the frame is damaged. */
uint8_t frame_decode(uint8_t *bytes, uint8_t length);

#endif
