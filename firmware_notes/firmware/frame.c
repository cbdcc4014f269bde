#include "frame.h"

uint16_t frame_crc(uint16_t crc, uint8_t byte)
{
    /* The polynomial 0x1021 a byte at a time, without a table. */
    crc = (uint16_t)((crc >> 8) | (crc << 8));
    crc ^= byte;
    crc ^= (uint16_t)((crc & 0xFF) >> 4);
    crc ^= (uint16_t)(crc << 12);
    crc ^= (uint16_t)((crc & 0xFF) << 5);
    return crc;
}

uint8_t frame_encode(const uint8_t *payload, uint8_t length, uint8_t *out)
{
    uint16_t crc = 0xFFFF;
    uint8_t code_at = 0, write = 1;
    for (uint8_t read = 0; read < length + 2; read++) {
        uint8_t byte;
        if (read < length) {
            byte = payload[read];
            crc = frame_crc(crc, byte);
        } else {
            byte = (uint8_t)(read == length ? crc : crc >> 8);
        }
        if (byte == 0) {
            out[code_at] = (uint8_t)(write - code_at);
            code_at = write++;
        } else {
            out[write++] = byte;
        }
    }
    out[code_at] = (uint8_t)(write - code_at); /* always below 255: frames are short */
    out[write++] = 0;
    return write;
}

uint8_t frame_decode(uint8_t *bytes, uint8_t length)
{
    uint8_t read = 0, write = 0;
    while (read < length) {
        uint8_t code = bytes[read++];
        if (code == 0 || code - 1 > length - read) return 0;
        for (uint8_t i = 1; i < code; i++) {
            if (bytes[read] == 0) return 0;
            bytes[write++] = bytes[read++];
        }
        if (read < length) bytes[write++] = 0;
    }
    if (write < 4) return 0; /* type, seq, CRC */
    uint8_t payload = (uint8_t)(write - 2);
    uint16_t crc = 0xFFFF;
    for (uint8_t i = 0; i < payload; i++) crc = frame_crc(crc, bytes[i]);
    uint16_t sent = (uint16_t)(bytes[payload] | (uint16_t)((uint16_t)bytes[payload + 1] << 8));
    return crc == sent ? payload : 0;
}
