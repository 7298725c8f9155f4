/* Preloaded: moves the wall clock of a program by the nanoseconds that stand in the file FAULT_CLOCK, at any time. The
 * kernel says of this clock that a time daemon keeps it, so that the program follows every step.
 *
 * libfaketime would do the same, but under it the Swift runtime does not find the program's arguments. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *offset;

__attribute__((constructor)) static void attach(void) {
    const char *path = getenv("FAULT_CLOCK");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *mapped = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) offset = mapped;
    if (file >= 0) close(file);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int code = (int)syscall(SYS_clock_gettime, clock, time);
    if (code != 0 || !offset || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE)) return code;
    int64_t now = (int64_t)time->tv_sec * 1000000000 + time->tv_nsec + *offset;
    time->tv_sec = now / 1000000000;
    time->tv_nsec = now % 1000000000;
    return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void)zone;
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *stored) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (stored) *stored = now.tv_sec;
    return now.tv_sec;
}

int adjtimex(struct timex *state) {
    *state = (struct timex){.status = STA_PLL};
    return TIME_OK;
}
