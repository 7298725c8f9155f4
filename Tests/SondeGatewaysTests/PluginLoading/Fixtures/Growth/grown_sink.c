/* A sink that reads everything of a batch, as its own header has it. */
#include <stdio.h>
#include <stdlib.h>

#include "sonde_plugin.h"

SONDE_PLUGIN_ABI("");

typedef struct sink {
    const sonde_host *host;
} sink;

/* The element at an index of an array whose elements may be shorter or longer than they are here. */
#define ELEMENT(first, index) \
    ((const void *)((const char *)(first) + (size_t)(index) * (first)->struct_size))

static sonde_string describe(const sonde_plugin *plugin) {
    (void)plugin;
    return SONDE_STRING("{\"name\":\"grown_sink\",\"kind\":\"sink\",\"version\":\"1\",\"summary\":\"Of another version.\",\"ends\":true}");
}

static sonde_status create(const sonde_plugin *plugin, const sonde_host *host, void **instance, sonde_error *error) {
    (void)plugin, (void)error;
    sink *self = calloc(1, sizeof *self);
    self->host = host;
    *instance = self;
    return SONDE_OK;
}

static void say(const sonde_host *host, const char *line, int size) {
    host->log(host, SONDE_LOG_INFO, (sonde_string){line, (size_t)size});
}

static void say_point(const sonde_host *host, const sonde_batch *batch, size_t index) {
    char line[512];
    const sonde_point *point = ELEMENT(batch->points, index);
    const sonde_batch_series *series = ELEMENT(batch->series, point->series_index);
    int size = snprintf(line, sizeof line, "%s from %s", series->name.data, series->source_id.data);
    for (size_t i = 0; i < series->attribute_count; i++) {
        const sonde_attribute *pair = ELEMENT(series->attributes, i);
        size += snprintf(line + size, sizeof line - (size_t)size, " %s=%s", pair->name.data, pair->value.data);
    }
    if (point->flags & SONDE_POINT_END) size += snprintf(line + size, sizeof line - (size_t)size, " ended");
    else if (point->value_type == SONDE_VALUE_HISTOGRAM)
        size += snprintf(line + size, sizeof line - (size_t)size, " n=%llu", (unsigned long long)point->value.histogram->count);
    else size += snprintf(line + size, sizeof line - (size_t)size, " %llu", (unsigned long long)point->value.u64);
#ifndef SONDE_EARLIER
    if (SONDE_HAS(series, sonde_batch_series, meaning)) {
        size += snprintf(line + size, sizeof line - (size_t)size, " (%s)", series->meaning.data);
    }
#endif
    say(host, line, size);
}

static sonde_status deliver(void *instance, const sonde_batch *batch, const sonde_call *call, sonde_delivery *delivery,
                            sonde_error *error) {
    const sonde_host *host = ((sink *)instance)->host;
    char line[256];
    (void)error;
    say(host, line, snprintf(line, sizeof line, "%s of %s %s%s", batch->sink_id.data, batch->resource->host_name.data,
        batch->resource->agent_version.data, call->flags & SONDE_CALL_FINAL ? ", final" : ""));
    for (size_t i = 0; i < batch->resource->label_count; i++) {
        const sonde_attribute *pair = ELEMENT(batch->resource->labels, i);
        say(host, line, snprintf(line, sizeof line, "label %s=%s", pair->name.data, pair->value.data));
    }
    for (size_t i = 0; i < batch->point_count; i++) say_point(host, batch, i);
    for (size_t i = 0; i < batch->document_count; i++) {
        const sonde_document *document = ELEMENT(batch->documents, i);
        say(host, line, snprintf(line, sizeof line, "document %s", document->schema.data));
    }
#ifndef SONDE_EARLIER
    if (SONDE_HAS(host, sonde_host, reject_point)) host->reject_point(host, 0, SONDE_STRING("too_old"));
#endif
    delivery->rejected_points = 1;
    return SONDE_OK;
}

SONDE_EXPORT const sonde_plugin *sonde_plugin_grown_sink(void) {
    static const sonde_plugin plugin = {.struct_size = sizeof plugin, .kind = SONDE_PLUGIN_SINK, .describe = describe,
        .create = create, .deliver = deliver, .destroy = free};
    return &plugin;
}
