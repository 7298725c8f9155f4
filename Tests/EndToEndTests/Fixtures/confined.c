/* A source that is confined, reports its process, and in its stream attempts what its option says. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sonde_plugin.h"
SONDE_PLUGIN_ABI("");
SONDE_PLUGIN_CONFINED;

typedef struct confined {
    const sonde_host *host;
    char attempt[32];
    int opened;
} confined;

static sonde_string describe(const sonde_plugin *plugin) {
    (void)plugin;
    return SONDE_STRING("{\"name\":\"confined\",\"kind\":\"source\",\"version\":\"1.0\",\"summary\":\"Attempts.\","
        "\"options\":[{\"key\":\"attempt\",\"type\":\"string\",\"default\":\"nothing\",\"help\":\"What it attempts.\"}],"
        "\"metrics\":[{\"name\":\"acme.process\",\"kind\":\"gauge\",\"unit\":\"\",\"meaning\":\"Its process.\"}]}");
}

static sonde_status create(const sonde_plugin *plugin, const sonde_host *host, void **instance, sonde_error *error) {
    (void)plugin, (void)error;
    sonde_string attempt = {0};
    confined *self = *instance = calloc(1, sizeof *self);
    self->host = host;
    if (host->option_string(host, SONDE_STRING("attempt"), &attempt))
        snprintf(self->attempt, sizeof self->attempt, "%s", attempt.data);
    return SONDE_OK;
}

static void *idle(void *argument) {
    (void)argument;
    pause();
    return NULL;
}

static sonde_status start(void *instance, sonde_error *error) {
    (void)error;
    confined *self = instance;
    self->opened = open("/etc/hostname", O_RDONLY | O_CLOEXEC);
    pthread_t thread;
    if (!strcmp(self->attempt, "early-thread")) pthread_create(&thread, NULL, idle, NULL);
    return SONDE_OK;
}

/* Pieces that the C library takes from a heap, whose end it gives back. */
static void *work(void *argument) {
    enum { pieces = 128, size = 64 << 10 };
    char *piece[pieces];
    int done = 0;
    for (int index = 0; index < pieces; index++) {
        piece[index] = malloc(size);
        if (piece[index]) memset(piece[index], 1, size), done++;
    }
    for (int index = pieces; index-- > 0;) free(piece[index]);
    *(int *)argument = done == pieces;
    return NULL;
}

/* What a source needs for its work. */
static void work_on_what_is_open(const confined *self) {
    char bytes[16];
    struct stat status;
    int done = 0;
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, &done) || pthread_join(thread, NULL) || !done) abort();
    if (fstat(self->opened, &status) || read(self->opened, bytes, sizeof bytes) < 0) abort();
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes || eventfd(0, 0) < 0) abort();
    if (prctl(PR_SET_NAME, "renamed")) abort();
}

static void attempt(const confined *self) {
    const char *what = self->attempt;
    char *const words[] = {"/bin/true", NULL};
    if (!strcmp(what, "nothing")) work_on_what_is_open(self);
    if (!strcmp(what, "open")) open("/etc/hostname", O_RDONLY);
    if (!strcmp(what, "stat")) stat("/etc/hostname", &(struct stat){0});
    if (!strcmp(what, "remove")) unlink("/etc/sonde-there-is-none");
    if (!strcmp(what, "socket")) socket(AF_INET, SOCK_STREAM, 0);
    if (!strcmp(what, "capture")) socket(AF_PACKET, SOCK_RAW, 0);
    if (!strcmp(what, "exec")) execv(words[0], words);
    /* Not by fork(3): newer C libraries hold back all signals around it, and nothing can name what was refused. */
    if (!strcmp(what, "fork")) syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (!strcmp(what, "trace")) ptrace(PTRACE_TRACEME, 0, 0, 0);
    if (!strcmp(what, "signal")) kill(getppid(), SIGTERM);
    if (!strcmp(what, "code")) mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!strcmp(what, "undumpable")) prctl(PR_SET_DUMPABLE, 0);
}

static sonde_status run(void *instance, const sonde_call *call, sonde_error *error) {
    (void)error;
    confined *self = instance;
    attempt(self);
    sonde_series series = {.struct_size = sizeof series, .kind = SONDE_KIND_GAUGE, .name = SONDE_STRING("acme.process"),
                           .unit = SONDE_STRING("")};
    sonde_sample sample = {.struct_size = sizeof sample, .value_type = SONDE_VALUE_UINT64,
                           .series = self->host->series_open(self->host, &series), .value.u64 = (uint64_t)getpid()};
    struct pollfd cancel = {call->cancel_fd, POLLIN, 0};
    do {
        self->host->commit(self->host, &sample, 1, NULL);
    } while (poll(&cancel, 1, (int)(call->interval_ns / 1000000)) == 0);
    return SONDE_CANCELLED;
}

SONDE_EXPORT const sonde_plugin *sonde_plugin_confined(void) {
    static const sonde_plugin plugin = {.struct_size = sizeof plugin, .kind = SONDE_PLUGIN_SOURCE,
        .describe = describe, .create = create, .start = start, .run = run, .destroy = free};
    return &plugin;
}
