/* A sink that logs once for each kind of series that a point came, and once that an END point came. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sonde_plugin.h"

SONDE_PLUGIN_ABI("");

static const char *const kinds[] = {"system.network.io", "sonde.kernel.sockstat", "second"};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct sink {
    const sonde_host *host;
    int said[KINDS][2];
} sink;

static sonde_string describe(const sonde_plugin *plugin) {
    (void)plugin;
    return SONDE_STRING("{\"name\":\"endings\",\"kind\":\"sink\",\"version\":\"1\",\"summary\":\"Ends.\",\"ends\":true}");
}

static sonde_status create(const sonde_plugin *plugin, const sonde_host *host, void **instance, sonde_error *error) {
    (void)plugin, (void)error;
    sink *self = calloc(1, sizeof *self);
    self->host = host;
    *instance = self;
    return SONDE_OK;
}

static sonde_status deliver(void *instance, const sonde_batch *batch, const sonde_call *call, sonde_delivery *delivery,
                            sonde_error *error) {
    sink *self = instance;
    (void)call, (void)delivery, (void)error;
    for (size_t i = 0; i < batch->point_count; i++) {
        const sonde_batch_series *series = &batch->series[batch->points[i].series_index];
        int ended = (batch->points[i].flags & SONDE_POINT_END) != 0;
        for (int kind = 0; kind < KINDS; kind++) {
            if (strncmp(series->name.data, kinds[kind], strlen(kinds[kind])) != 0 &&
                strcmp(series->source_id.data, kinds[kind]) != 0)
                continue;
            if (self->said[kind][ended]) continue;
            self->said[kind][ended] = 1;
            char line[128];
            int size = snprintf(line, sizeof line, "%s of %s", ended ? "the end" : "a point", kinds[kind]);
            self->host->log(self->host, SONDE_LOG_INFO, (sonde_string){line, (size_t)size});
        }
    }
    return SONDE_OK;
}

SONDE_EXPORT const sonde_plugin *sonde_plugin_endings(void) {
    static const sonde_plugin plugin = {.struct_size = sizeof plugin, .kind = SONDE_PLUGIN_SINK, .describe = describe,
        .create = create, .deliver = deliver, .destroy = free};
    return &plugin;
}
