/* Received bytes become frames here, for each line separately. */
#ifndef ASSEMBLER_H
#define ASSEMBLER_H

#include <stdbool.h>
#include <stdint.h>

#include "line.h"

typedef struct {
    uint8_t filled;
    bool is_damaged;
    uint8_t bytes[LINE_MAX_FRAME];
} assembler;

/* Adds a received byte; the frame is complete with a 0x00, which was received at `tick`. */
void assemble(assembler *from, uint8_t byte, uint32_t tick);

#endif
