/* Runs in the guest of test_linux_usb.py: `guest attach HOST PORT` lets the kernel's vhci driver have the simulated box, and
 * `guest talk SECONDS` opens its serial port, says hello and prints what it hears, a frame on each line.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define PORT "/dev/ttyACM0"
#define IMPORT_REPLY 320
#define DEVICE_ID (1 << 16 | 7) /* bus 1, device 7, as in usbip.mjs */
#define FULL_SPEED 2

static int attach(const char *host, const char *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(port))};
    unsigned char request[40] = {0x01, 0x11, 0x80, 0x03, 0, 0, 0, 0, '1', '-', '1'}, reply[IMPORT_REPLY];
    int line = socket(AF_INET, SOCK_STREAM, 0);
    if (!inet_aton(host, &address.sin_addr) || connect(line, (struct sockaddr *)&address, sizeof address) ||
        write(line, request, sizeof request) != sizeof request ||
        recv(line, reply, sizeof reply, MSG_WAITALL) != sizeof reply) {
        perror("attach");
        return 1;
    }
    FILE *file = fopen("/sys/devices/platform/vhci_hcd.0/attach", "w");
    if (!file || fprintf(file, "0 %d %d %d", line, DEVICE_ID, FULL_SPEED) < 0 || fclose(file)) {
        perror("vhci_hcd");
        return 1;
    }
    return 0;
}

static int talk(int seconds)
{
    static const unsigned char hello[] = {0, 0x02, 0x90, 0x06, 0x01, 0x17, 0x2a, 0x7a, 0x1f, 0}; /* of protocol.md */
    struct termios settings;
    int port = -1;
    for (int tries = 0; tries < 300 && (port = open(PORT, O_RDWR | O_NOCTTY)) < 0; tries++) usleep(100000);
    if (port < 0 || tcgetattr(port, &settings)) {
        perror(PORT);
        return 1;
    }
    cfmakeraw(&settings);
    cfsetspeed(&settings, B115200);
    tcsetattr(port, TCSANOW, &settings);
    if (write(port, hello, sizeof hello) != sizeof hello) perror("hello");
    for (time_t end = time(NULL) + seconds; time(NULL) < end;) {
        unsigned char bytes[256];
        struct pollfd ready = {.fd = port, .events = POLLIN};
        ssize_t count = poll(&ready, 1, 500) > 0 ? read(port, bytes, sizeof bytes) : 0;
        for (ssize_t i = 0; i < count; i++) printf(bytes[i] ? "%02x" : "%02x\n", bytes[i]);
    }
    close(port);
    puts("closed");
    return 0;
}

int main(int count, char **words)
{
    if (count == 4 && !strcmp(words[1], "attach")) return attach(words[2], words[3]);
    if (count == 3 && !strcmp(words[1], "talk")) return talk(atoi(words[2]));
    return 2;
}
