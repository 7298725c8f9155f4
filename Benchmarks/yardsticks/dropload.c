/* Makes the events that the source drops counts, as cheaply as they can be had, and says how long they took.
 *   dropload frames DEVICE PROCESSOR COUNT [PER SECOND]  frames of a protocol that nobody speaks, each of which is dropped
 *   dropload states PROCESSOR COUNT                      changes of a socket between LISTEN and CLOSE
 * Runs on one processor. Prints how many there were, and of batches of 1,000 the nanoseconds for one: the least, the first quartile and the
 * median. Root. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 1000, MOST_BATCHES = 1 << 20 };
static double times[MOST_BATCHES];

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void stay_on(int processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    if (sched_setaffinity(0, sizeof set, &set)) fail("sched_setaffinity");
}

static int open_device(const char *name) {
    const int out = socket(AF_PACKET, SOCK_RAW, 0), bypass = 1;
    if (out < 0) fail("socket");
    struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_ifindex = (int)if_nametoindex(name)};
    if (bind(out, (struct sockaddr *)&address, sizeof address)) fail(name);
    setsockopt(out, SOL_PACKET, PACKET_QDISC_BYPASS, &bypass, sizeof bypass);
    return out;
}

static long send_frames(int out, long count) {
    static unsigned char frame[60] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, 0, 0, 0, 0, 1, 0x88, 0xb5};
    static struct iovec piece = {frame, sizeof frame};
    static struct mmsghdr messages[BATCH];
    for (int place = 0; place < BATCH; place++) messages[place].msg_hdr = (struct msghdr){.msg_iov = &piece, .msg_iovlen = 1};
    long sent = 0;
    while (sent < count) {
        const int done = sendmmsg(out, messages, (unsigned)(count - sent), 0);
        if (done > 0) sent += done;
    }
    return sent;
}

static long change_states(int listener, long count) {
    for (long change = 0; change < count; change += 2)
        if (listen(listener, 1) || shutdown(listener, SHUT_RD)) fail("listen");
    return count;
}

static int ascending(const void *left, const void *right) {
    const double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

int main(int count, char **words) {
    if (count < 4) return 64;
    const int frames = !strcmp(words[1], "frames");
    stay_on(atoi(words[frames ? 3 : 2]));
    const long wanted = atol(words[frames ? 4 : 3]);
    const double rate = frames && count > 5 ? atof(words[5]) : 0;
    const int device = frames ? open_device(words[2]) : socket(AF_INET, SOCK_STREAM, 0);
    long sent = 0, batches = 0;
    const double begin = now();
    while (sent < wanted && batches < MOST_BATCHES) {
        while (rate > 0 && (now() - begin) * rate < (double)sent) nanosleep(&(struct timespec){0, 100000}, NULL);
        const double start = now();
        sent += frames ? send_frames(device, BATCH) : change_states(device, BATCH);
        times[batches++] = (now() - start) / BATCH * 1e9;
    }
    const double end = now() - begin;
    qsort(times, (size_t)batches, sizeof *times, ascending);
    printf("%ld %.1f %.1f %.1f %.3f\n", sent, times[0], times[batches / 4], times[batches / 2], end);
    return 0;
}
