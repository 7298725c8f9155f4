/* A source in plain C: counts its own collections, and says so when it is made. */
#include <stdlib.h>

#include "sonde_plugin.h"
SONDE_PLUGIN_ABI("");

typedef struct tally { const sonde_host *host; uint64_t count; } tally;

static sonde_string describe(const sonde_plugin *plugin) {
    (void)plugin;
    return SONDE_STRING("{\"name\":\"tally\",\"kind\":\"source\",\"version\":\"1.0\",\"summary\":\"Counts.\","
        "\"metrics\":[{\"name\":\"acme.tally\",\"kind\":\"counter\",\"unit\":\"{call}\",\"meaning\":\"Collections.\"}]}");
}

static sonde_status create(const sonde_plugin *plugin, const sonde_host *host, void **instance, sonde_error *error) {
    (void)plugin, (void)error;
    tally *self = *instance = calloc(1, sizeof *self);
    self->host = host;
    host->log(host, SONDE_LOG_INFO, SONDE_STRING("an instance was made"));
    return SONDE_OK;
}

static sonde_status collect(void *instance, const sonde_call *call, sonde_error *error) {
    (void)call, (void)error;
    tally *self = instance;
    sonde_series series = {.struct_size = sizeof series, .kind = SONDE_KIND_COUNTER,
                           .name = SONDE_STRING("acme.tally"), .unit = SONDE_STRING("{call}")};
    sonde_sample sample = {.struct_size = sizeof sample, .value_type = SONDE_VALUE_UINT64,
                           .series = self->host->series_open(self->host, &series), .value.u64 = ++self->count};
    self->host->commit(self->host, &sample, 1, NULL);
    return SONDE_OK;
}

SONDE_EXPORT const sonde_plugin *sonde_plugin_tally(void) {
    static const sonde_plugin plugin = {.struct_size = sizeof plugin, .kind = SONDE_PLUGIN_SOURCE,
        .describe = describe, .create = create, .collect = collect, .destroy = free};
    return &plugin;
}
