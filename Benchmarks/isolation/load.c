/*
 * A source that does next to nothing, or commits many samples, and measures what the host takes for it.
 *
 * `samples: 0` reports only the time at which each collection began; `deed: crash | hang | flood` is done in every third one.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sonde_plugin.h"
SONDE_PLUGIN_ABI("");

enum { MOST = 10000 };

typedef struct load {
    const sonde_host *host;
    int64_t samples;
    char deed[16];
    int collections;
    sonde_series_handle handles[MOST];
    sonde_sample room[MOST];
} load;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static sonde_string describe(const sonde_plugin *plugin) {
    (void)plugin;
    return SONDE_STRING("{\"name\":\"load\",\"kind\":\"source\",\"version\":\"1.0\",\"summary\":\"Measures its host.\","
        "\"options\":[{\"key\":\"samples\",\"type\":\"integer\",\"min\":0,\"max\":10000,\"default\":\"0\",\"help\":\"How many it commits.\"},"
        "{\"key\":\"begins\",\"type\":\"bool\",\"default\":\"false\",\"help\":\"Whether it reports when it is called.\"},"
        "{\"key\":\"deed\",\"type\":\"string\",\"default\":\"\",\"help\":\"What it does in every third collection.\"}],"
        "\"metrics\":[{\"name\":\"bench.began\",\"kind\":\"gauge\",\"unit\":\"ns\",\"meaning\":\"When the collection began.\"},"
        "{\"name\":\"bench.commit\",\"kind\":\"gauge\",\"unit\":\"ns\",\"meaning\":\"How long the last commit took.\"},"
        "{\"name\":\"bench.value\",\"kind\":\"gauge\",\"unit\":\"1\",\"meaning\":\"A value.\"}]}");
}

static sonde_series_handle open_series(load *self, const char *name, const char *unit, const char *number) {
    sonde_attribute attribute = {.struct_size = sizeof attribute, .name = SONDE_STRING("number"),
                                 .value = {number, strlen(number)}};
    sonde_series series = {.struct_size = sizeof series, .kind = SONDE_KIND_GAUGE, .name = {name, strlen(name)},
                           .unit = {unit, strlen(unit)}, .attributes = &attribute, .attribute_count = *number ? 1 : 0};
    return self->host->series_open(self->host, &series);
}

static sonde_status create(const sonde_plugin *plugin, const sonde_host *host, void **instance, sonde_error *error) {
    (void)plugin, (void)error;
    load *self = *instance = calloc(1, sizeof *self);
    sonde_string deed = {0};
    self->host = host;
    host->option_int(host, SONDE_STRING("samples"), &self->samples);
    if (host->option_string(host, SONDE_STRING("deed"), &deed)) snprintf(self->deed, sizeof self->deed, "%s", deed.data);
    return SONDE_OK;
}

static void report(load *self, const char *name, int64_t value) {
    sonde_sample sample = {.struct_size = sizeof sample, .value_type = SONDE_VALUE_INT64,
                           .series = open_series(self, name, "ns", ""), .value.i64 = value};
    self->host->commit(self->host, &sample, 1, NULL);
}

static void act(load *self) {
    if (!strcmp(self->deed, "crash")) abort();
    if (!strcmp(self->deed, "hang")) for (;;) poll(NULL, 0, -1);
    for (int i = 0; !strcmp(self->deed, "flood") && i < 20000; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", i);
        open_series(self, "bench.value", "1", number);
    }
}

static void commit_many(load *self) {
    char number[16];
    for (int64_t i = 0; i < self->samples; i++) {
        snprintf(number, sizeof number, "%d", (int)i);
        if (!self->handles[i]) self->handles[i] = open_series(self, "bench.value", "1", number);
        self->room[i] = (sonde_sample){.struct_size = sizeof *self->room, .value_type = SONDE_VALUE_INT64,
                                       .series = self->handles[i], .value.i64 = i + self->collections};
    }
    int64_t began = now();
    self->host->commit(self->host, self->room, (size_t)self->samples, NULL);
    report(self, "bench.commit", now() - began);
}

static sonde_status collect(void *instance, const sonde_call *call, sonde_error *error) {
    (void)call, (void)error;
    load *self = instance;
    int64_t began = now();
    int reports = 0;
    if (*self->deed && ++self->collections % 3 == 0) act(self);
    self->host->option_bool(self->host, SONDE_STRING("begins"), &reports);
    if (reports) report(self, "bench.began", began);
    if (self->samples) commit_many(self);
    return SONDE_OK;
}

SONDE_EXPORT const sonde_plugin *sonde_plugin_load(void) {
    static const sonde_plugin plugin = {.struct_size = sizeof plugin, .kind = SONDE_PLUGIN_SOURCE,
        .describe = describe, .create = create, .collect = collect, .destroy = free};
    return &plugin;
}
