/* The conversation with the host: handshake, sequence numbers, acknowledgements, resending. See protocol.md. */
#ifndef LINK_H
#define LINK_H

#include <stdint.h>

void link_start(uint32_t boot_id);

/* Called in the main loop: handles one received frame, and sends one if there is something to send and room. */
void link_poll(uint32_t now);

#endif
