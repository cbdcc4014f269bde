/* boxsim: runs the button box's firmware in a simulated chip. README.md lists the commands. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "avr_eeprom.h"
#include "boxsim.h"
#include "sim_elf.h"

#define CHUNK_US 200 /* in real time: time for which the chip runs between two checks of the clock and the commands */
#define TCCR1B_AT 0x81

static avr_t *avr;
static bool lockstep, was_reset, over;
static double speed = 1.0;
static const char *eeprom_path;
static void (*core_reset)(avr_t *);

static void on_reset(avr_t *chip)
{
    if (core_reset) core_reset(chip);
    was_reset = true;
}

static void no_sleep(avr_t *chip, avr_cycle_count_t how_long)
{
    (void)chip;
    (void)how_long; /* the time passes at once; run_paced() waits */
}

/* Timer 1 starts to count: the box's tick is 0 here. */
static void on_clock(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    (void)param;
    if (value & 7) printf("clock %.4f\n", in_us(avr->cycle));
}

static void after_reset(void)
{
    was_reset = false;
    printf("reset %.4f\n", in_us(avr->cycle));
    line_reset();
    table_reset();
}

static void run_until(avr_cycle_count_t end)
{
    while (avr->cycle < end && !over) {
        int state = avr_run(avr);
        if (was_reset) after_reset();
        if (state == cpu_Done || state == cpu_Crashed) {
            printf("crashed %.4f\n", in_us(avr->cycle));
            over = true;
        }
    }
}

static void power_cycle(void)
{
    /* RAM has random content after power-on; the EEPROM keeps its content. */
    for (int i = avr->ioend + 1; i <= avr->ramend; i++) avr->data[i] = (uint8_t)rand();
    avr_reset(avr);
}

/* An absolute time in microseconds, or +MICROSECONDS from now. */
static avr_cycle_count_t parse_time(const char *text)
{
    double us = strtod(text[0] == '+' ? text + 1 : text, NULL);
    return (avr_cycle_count_t)(us * CYCLES_PER_US) + (text[0] == '+' ? avr->cycle : 0);
}

static void command(char *line)
{
    char word[16] = "", when[32];
    int button, level, used = 0;
    line[strcspn(line, "#\n")] = 0;
    if (sscanf(line, " %15s%n", word, &used) != 1) return;
    char *rest = line + used;
    if (!strcmp(word, "pin") && sscanf(rest, " %31s %d %d", when, &button, &level) == 3 && button >= 0 &&
        button < BUTTONS) {
        table_pin(parse_time(when), button, level != 0);
    } else if (!strcmp(word, "run") && lockstep) {
        run_until(avr->cycle + (avr_cycle_count_t)(atof(rest) * CYCLES_PER_US));
        line_report();
        printf("ran %.4f\n", in_us(avr->cycle));
    } else if (!strcmp(word, "send") && lockstep) {
        unsigned byte;
        for (char *p = rest + strspn(rest, " "); sscanf(p, "%2x", &byte) == 1; p += 2) line_send((uint8_t)byte);
    } else if (!strcmp(word, "lamps")) {
        table_report_lamps();
    } else if (!strcmp(word, "now")) {
        printf("now %.4f\n", in_us(avr->cycle));
    } else if (!strcmp(word, "reset")) {
        avr_reset(avr);
        after_reset();
    } else if (!strcmp(word, "power")) {
        power_cycle();
        after_reset();
    } else if (!strcmp(word, "quit")) {
        over = true;
    } else {
        printf("what %s\n", line);
    }
}

static void eeprom_file(bool load)
{
    if (!eeprom_path) return;
    FILE *file = fopen(eeprom_path, load ? "rb" : "wb");
    if (!file) {
        if (!load || errno != ENOENT) perror(eeprom_path);
        return;
    }
    uint8_t cells[4096];
    avr_eeprom_desc_t all = {.ee = cells, .offset = 0, .size = avr->e2end + 1};
    if (load) {
        if (fread(cells, 1, all.size, file) == all.size) avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &all);
    } else {
        avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &all);
        fwrite(cells, 1, all.size, file);
    }
    fclose(file);
}

static double monotonic_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

/* Runs in real time (or as fast as possible) and handles commands and the pty in between. */
static void run_paced(void)
{
    char pending[65536];
    size_t filled = 0;
    double began = monotonic_us();
    bool listening = true;
    while (!over) {
        struct pollfd in = {.fd = listening ? STDIN_FILENO : -1, .events = POLLIN};
        double ahead = speed > 0 ? in_us(avr->cycle) / speed - (monotonic_us() - began) : 0;
        struct timespec wait = {.tv_nsec = ahead > 0 ? (long)(ahead * 1000) : 0};
        fflush(stdout); /* also while the simulation is behind: a test may wait for a pin */
        if (ppoll(&in, 1, &wait, NULL) > 0) {
            ssize_t count = read(STDIN_FILENO, pending + filled, sizeof pending - 1 - filled);
            if (count <= 0) {
                over = true; /* the parent process has ended */
                break;
            }
            filled += (size_t)count;
            pending[filled] = 0;
            char *line = pending, *end;
            while ((end = strchr(line, '\n'))) {
                *end = 0;
                command(line);
                line = end + 1;
            }
            filled -= (size_t)(line - pending);
            memmove(pending, line, filled);
            fflush(stdout);
        }
        line_poll_pty();
        /* After falling behind, the simulation does not catch up: the simulated time lags instead. */
        if (speed > 0 && ahead < -1e5) began += -ahead;
        run_until(avr->cycle + CHUNK_US * CYCLES_PER_US);
    }
}

static void run_script(const char *path)
{
    char line[65536];
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        exit(1);
    }
    while (fgets(line, sizeof line, file)) command(line);
    fclose(file);
}

static int open_pty(const char *link)
{
    int master, slave;
    char name[128];
    struct termios raw;
    cfmakeraw(&raw);
    if (openpty(&master, &slave, name, NULL, NULL)) {
        perror("openpty");
        exit(1);
    }
    tcgetattr(slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    /* Keep our own end of the slave open: otherwise the master reads errors once the host closes it. */
    fcntl(master, F_SETFL, O_NONBLOCK);
    if (link) {
        unlink(link);
        if (symlink(name, link)) perror(link);
    }
    printf("pty %s\n", name);
    return master;
}

int main(int argc, char **argv)
{
    const char *script = NULL, *link = NULL;
    static const struct option options[] = {
        {"speed", required_argument, NULL, 's'},  {"step", no_argument, NULL, 't'},
        {"eeprom", required_argument, NULL, 'e'},
        {"script", required_argument, NULL, 'f'}, {"link", required_argument, NULL, 'l'},
        {NULL, 0, NULL, 0},
    };
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        switch (option) {
        case 's': speed = atof(optarg); break;
        case 't': lockstep = true; break;
        case 'e': eeprom_path = optarg; break;
        case 'f': script = optarg; break;
        case 'l': link = optarg; break;
        default: return 2;
        }
    }
    if (optind + 1 != argc) {
        fprintf(stderr, "usage: boxsim [--step | --speed X] [--eeprom FILE] [--script FILE] "
                        "[--link PATH] FIRMWARE.elf\n");
        return 2;
    }
    signal(SIGPIPE, SIG_DFL);
    setvbuf(stdout, NULL, _IOFBF, 1 << 16);

    elf_firmware_t firmware = {0};
    avr = avr_make_mcu_by_name("atmega328p");
    if (!avr || elf_read_firmware(argv[optind], &firmware)) {
        fprintf(stderr, "boxsim: cannot load %s\n", argv[optind]);
        return 1;
    }
    firmware.frequency = CYCLES_PER_US * 1000000;
    avr_init(avr);
    avr_load_firmware(avr, &firmware);
    avr->frequency = firmware.frequency;
    avr->sleep = no_sleep;
    core_reset = avr->reset;
    avr->reset = on_reset;

    eeprom_file(true);
    line_attach(avr, lockstep ? -1 : open_pty(link));
    table_attach(avr, lockstep);
    avr_irq_register_notify(avr_iomem_getirq(avr, TCCR1B_AT, NULL, AVR_IOMEM_IRQ_ALL), on_clock, NULL);
    if (script) run_script(script);
    printf("ready\n");
    fflush(stdout);

    if (lockstep) {
        static char line[1 << 20];
        while (!over && fgets(line, sizeof line, stdin)) {
            command(line);
            if (strncmp(line, "pin", 3) && strncmp(line, "send", 4)) fflush(stdout);
        }
    } else {
        run_paced();
    }
    fflush(stdout);
    eeprom_file(false);
    if (link) unlink(link);
    return 0;
}
