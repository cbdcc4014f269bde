/* Interrupt handlers, by their places in the table of start.c. */
#ifndef HANDLERS_H
#define HANDLERS_H

void handle_system_timer(void); /* takes a sample */
void handle_pendsv(void);       /* processes samples */
void handle_usb(void);
void handle_uart(void);

#endif
