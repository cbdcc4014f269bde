/* The ROM's USB drive, which takes new firmware. */
#ifndef BOOTLOADER_H
#define BOOTLOADER_H

/* Does not return. */
void start_bootloader(void);

#endif
