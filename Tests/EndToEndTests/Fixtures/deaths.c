/* A source that reports its process, and in the third collection of that does what its option says. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sonde_plugin.h"
SONDE_PLUGIN_ABI("");

typedef struct deaths {
    const sonde_host *host;
    char deed[32];
    int collections;
} deaths;

static sonde_string describe(const sonde_plugin *plugin) {
    (void)plugin;
    return SONDE_STRING("{\"name\":\"deaths\",\"kind\":\"source\",\"version\":\"1.0\",\"summary\":\"Dies.\","
        "\"options\":[{\"key\":\"deed\",\"type\":\"string\",\"default\":\"none\",\"help\":\"What it does.\"}],"
        "\"metrics\":[{\"name\":\"acme.process\",\"kind\":\"gauge\",\"unit\":\"\",\"meaning\":\"Its process.\"}]}");
}

static sonde_status create(const sonde_plugin *plugin, const sonde_host *host, void **instance, sonde_error *error) {
    (void)plugin, (void)error;
    sonde_string deed = {0};
    deaths *self = *instance = calloc(1, sizeof *self);
    self->host = host;
    if (host->option_string(host, SONDE_STRING("deed"), &deed)) snprintf(self->deed, sizeof self->deed, "%s", deed.data);
    return SONDE_OK;
}

static int overflow(int depth) {
    volatile char room[4096];
    room[0] = (char)depth;
    if (depth < 0) return 0;
    return overflow(depth + 1) + room[0];
}

/* A child that no process knows of: in a session of its own, its parent gone. */
static void leave_a_daemon(void) {
    if (fork()) return;
    setsid();
    if (fork()) _exit(0);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    for (;;) pause();
}

static void flood(const sonde_host *host) {
    char number[32];
    for (int i = 0; i < 2000; i++) {
        int size = snprintf(number, sizeof number, "%d", i);
        sonde_attribute attribute = {.struct_size = sizeof attribute, .name = SONDE_STRING("number"),
                                     .value = {number, (size_t)size}};
        sonde_series series = {.struct_size = sizeof series, .kind = SONDE_KIND_GAUGE, .attributes = &attribute,
                               .attribute_count = 1, .name = SONDE_STRING("acme.process"), .unit = SONDE_STRING("")};
        host->series_open(host, &series);
    }
}

/* Takes and uses memory; slowly, when it is to be seen doing so. */
static void use_memory(size_t bytes, useconds_t pause) {
    for (size_t taken = 0; taken < bytes; taken += 1 << 20) {
        char *piece = malloc(1 << 20);
        if (!piece) abort();
        memset(piece, 1, 1 << 20);
        usleep(pause);
    }
}

/* How many descriptors it can open. */
static int descriptors(void) {
    int count = 0;
    while (open("/dev/null", O_RDONLY) >= 0) count++;
    return count;
}

/* A process that forks without end, as its children do; `apart`: each in a session of its own. What a test can bear. */
static void bomb(int apart) {
    int *count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (count == MAP_FAILED || fork()) return;
    while (__atomic_add_fetch(count, 1, __ATOMIC_RELAXED) < 5000) {
        if (fork() == 0 && apart) setsid();
    }
    for (;;) pause();
}

static void act(deaths *self) {
    const char *deed = self->deed;
    if (!strcmp(deed, "segfault")) *(volatile int *)8 = 1;
    if (!strcmp(deed, "abort")) abort();
    if (!strcmp(deed, "exit")) exit(0);
    if (!strcmp(deed, "quick-exit")) _exit(3);
    if (!strcmp(deed, "overflow")) overflow(0);
    if (!strcmp(deed, "kill")) kill(getpid(), SIGKILL);
    if (!strcmp(deed, "close")) close(3);
    if (!strcmp(deed, "garbage")) (void)!write(3, "this is no frame", 16);
    if (!strcmp(deed, "flood")) flood(self->host);
    if (!strcmp(deed, "daemon")) leave_a_daemon();
    if (!strcmp(deed, "print")) for (int i = 0; i < 20000; i++) printf("a line that is for nobody\n");
    if (!strcmp(deed, "share")) {
        use_memory(20 << 20, 0);
        if (fork() == 0) for (;;) pause();
    }
    if (!strcmp(deed, "grow")) use_memory((size_t)1 << 30, 20000);
    if (!strcmp(deed, "grow-apart") && fork() == 0) use_memory((size_t)1 << 30, 20000);
    if (!strcmp(deed, "burst")) use_memory((size_t)1 << 40, 0);
    if (!strcmp(deed, "full")) use_memory(30 << 20, 0), abort();
    if (!strcmp(deed, "descriptors") && descriptors() < 50) abort();
    if (!strcmp(deed, "bomb")) bomb(0);
    if (!strcmp(deed, "bomb-apart")) bomb(1);
    if (!strcmp(deed, "spin") && fork() == 0) for (;;) continue;
    if (!strcmp(deed, "hang")) {
        signal(SIGTERM, SIG_IGN);
        for (;;) pause();
    }
}

static sonde_status collect(void *instance, const sonde_call *call, sonde_error *error) {
    (void)call, (void)error;
    deaths *self = instance;
    if (++self->collections == 3) act(self);
    sonde_series series = {.struct_size = sizeof series, .kind = SONDE_KIND_GAUGE, .name = SONDE_STRING("acme.process"),
                           .unit = SONDE_STRING("")};
    sonde_sample sample = {.struct_size = sizeof sample, .value_type = SONDE_VALUE_UINT64,
                           .series = self->host->series_open(self->host, &series), .value.u64 = (uint64_t)getpid()};
    self->host->commit(self->host, &sample, 1, NULL);
    return SONDE_OK;
}

SONDE_EXPORT const sonde_plugin *sonde_plugin_deaths(void) {
    static const sonde_plugin plugin = {.struct_size = sizeof plugin, .kind = SONDE_PLUGIN_SOURCE,
        .describe = describe, .create = create, .collect = collect, .destroy = free};
    return &plugin;
}
