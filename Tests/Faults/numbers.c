/* A source for fault tests: commits the numbers 1, 2, 3, …, each once, with its position as the checkpoint.
 *
 * After every commit that was taken it stores the last number in `ledger`, outside of the agent's state: what stands
 * there, the agent has acknowledged. The file is mapped, so that faults injected into write calls do not hit it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sonde_plugin.h"
SONDE_PLUGIN_ABI("");

enum { most_per_commit = 5000, most_series = 64 };

typedef struct numbers {
    const sonde_host *host;
    int64_t per_tick, per_commit, series;
    uint64_t last;
    volatile uint64_t *ledger;
    sonde_sample samples[most_per_commit];
} numbers;

static sonde_string describe(const sonde_plugin *plugin) {
    (void)plugin;
    return SONDE_STRING("{\"name\":\"numbers\",\"kind\":\"source\",\"version\":\"1.0\",\"summary\":\"Counts up.\","
        "\"options\":[{\"key\":\"per_tick\",\"type\":\"integer\",\"default\":\"100\",\"help\":\"Numbers in one collection.\"},"
        "{\"key\":\"per_commit\",\"type\":\"integer\",\"default\":\"1000\",\"help\":\"Numbers in one commit.\"},"
        "{\"key\":\"series\",\"type\":\"integer\",\"default\":\"1\",\"help\":\"Over how many series they are dealt out.\"},"
        "{\"key\":\"ledger\",\"type\":\"string\",\"required\":true,\"help\":\"Where the last number taken is written.\"}],"
        "\"metrics\":[{\"name\":\"fault.number\",\"kind\":\"gauge\",\"unit\":\"1\",\"meaning\":\"The number.\"}]}");
}

static sonde_status create(const sonde_plugin *plugin, const sonde_host *host, void **instance, sonde_error *error) {
    (void)plugin, (void)error;
    numbers *self = *instance = calloc(1, sizeof *self);
    self->host = host;
    host->option_int(host, SONDE_STRING("per_tick"), &self->per_tick);
    host->option_int(host, SONDE_STRING("per_commit"), &self->per_commit);
    host->option_int(host, SONDE_STRING("series"), &self->series);
    if (self->series < 1 || self->series > most_series) self->series = 1;
    if (self->per_commit < 1 || self->per_commit > most_per_commit) self->per_commit = most_per_commit;
    return SONDE_OK;
}

/* Too few descriptors are a case of its own: the agent is to say so and to try again. */
static sonde_status unopened(sonde_error *error) {
    error->error_class = SONDE_ERROR_TRANSIENT;
    snprintf(error->code, sizeof error->code, "TEST-001");
    snprintf(error->message, sizeof error->message, "the ledger could not be opened: %s", strerror(errno));
    return SONDE_FAILED;
}

static sonde_status start(void *instance, sonde_error *error) {
    numbers *self = instance;
    sonde_string path = SONDE_STRING("");
    self->host->option_string(self->host, SONDE_STRING("ledger"), &path);
    if (!self->ledger) {
        int file = open(path.data, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
        if (file < 0) return unopened(error);
        if (ftruncate(file, sizeof *self->ledger) != 0) abort();
        void *mapped = mmap(NULL, sizeof *self->ledger, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (mapped == MAP_FAILED) abort();
        self->ledger = mapped;
        close(file);
    }
    sonde_bytes kept = self->host->load_checkpoint(self->host);
    if (kept.data && kept.size == sizeof self->last) memcpy(&self->last, kept.data, sizeof self->last);
    return SONDE_OK;
}

/* Opens one series, or as many as were asked for, which differ in their attribute `lane`. */
static void open_series(numbers *self, sonde_series_handle *handles) {
    for (int64_t lane = 0; lane < self->series; lane++) {
        char text[8];
        int size = snprintf(text, sizeof text, "%d", (int)lane);
        sonde_attribute name = {.struct_size = sizeof name, .name = SONDE_STRING("lane"), .value = {text, (size_t)size}};
        sonde_series series = {.struct_size = sizeof series, .kind = SONDE_KIND_GAUGE,
                               .name = SONDE_STRING("fault.number"), .unit = SONDE_STRING("1"),
                               .attributes = &name, .attribute_count = self->series > 1};
        handles[lane] = self->host->series_open(self->host, &series);
    }
}

static sonde_status collect(void *instance, const sonde_call *call, sonde_error *error) {
    (void)call, (void)error;
    numbers *self = instance;
    sonde_series_handle handles[most_series];
    open_series(self, handles);
    for (int64_t left = self->per_tick; left > 0; left -= self->per_commit) {
        size_t count = (size_t)(left < self->per_commit ? left : self->per_commit);
        uint64_t last = self->last;
        for (size_t index = 0; index < count; index++) {
            last++;
            self->samples[index] = (sonde_sample){.struct_size = sizeof(sonde_sample), .value_type = SONDE_VALUE_UINT64,
                .series = handles[last % (uint64_t)self->series], .value.u64 = last};
        }
        sonde_checkpoint position = {.struct_size = sizeof position, .data = {&last, sizeof last}};
        if (self->host->commit(self->host, self->samples, count, &position) != SONDE_COMMIT_OK) break;
        self->last = last;
        *self->ledger = last;
    }
    return SONDE_OK;
}

SONDE_EXPORT const sonde_plugin *sonde_plugin_numbers(void) {
    static const sonde_plugin plugin = {.struct_size = sizeof plugin, .kind = SONDE_PLUGIN_SOURCE,
        .describe = describe, .create = create, .start = start, .collect = collect, .destroy = free};
    return &plugin;
}
