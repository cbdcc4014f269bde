/* The conversation with the host: handshake, sequence numbers, acknowledgements, resending. protocol.md has the rules. */
#ifndef LINK_H
#define LINK_H

#include <stdint.h>

void link_start(uint32_t boot_id);

/* In the main loop: takes one frame if there is one, sends one if there is need and room. */
void link_poll(uint32_t now);

#endif
