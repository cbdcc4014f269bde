/* A simulated button box: shared by the three sources. All times are cycles of 16 MHz since power-on. */
#ifndef BOXSIM_H
#define BOXSIM_H

#include <stdbool.h>
#include <stdint.h>

#include "avr_uart.h"
#include "sim_avr.h"

#define CYCLES_PER_US 16
#define BUTTONS 10

/* Line: the serial line, byte by byte with the times at which they are on the wire (line.c). */
void line_attach(avr_t *avr, int pty);
void line_reset(void);           /* the chip was reset */
void line_send(uint8_t byte);    /* towards the box, as soon as the wire is free */
void line_poll_pty(void);        /* reads the bytes that the host wrote */
void line_report(void);          /* lockstep: prints and forgets the frames that were sent */

/* Table: buttons and lamps (table.c). */
void table_attach(avr_t *avr, bool quiet);
void table_reset(void);
void table_pin(avr_cycle_count_t when, int button, int level); /* level 1: pressed */
void table_report_lamps(void);

/* Converts cycles to microseconds. */
double in_us(avr_cycle_count_t cycles);

#endif
