/* A sink that writes down what it sees in each batch. */
#define PLUGIN capture
#include "fixture.h"
#include <poll.h>

static void write_value(FILE *out, const sonde_point *point) {
    const sonde_histogram *histogram = point->value.histogram;
    switch (point->value_type) {
    case SONDE_VALUE_DOUBLE: fprintf(out, "%g", point->value.f64); break;
    case SONDE_VALUE_INT64: fprintf(out, "%lld", (long long)point->value.i64); break;
    case SONDE_VALUE_UINT64: fprintf(out, "%llu", (unsigned long long)point->value.u64); break;
    default:
        for (uint32_t i = 0; i < histogram->bound_count; i++)
            fprintf(out, "<=%g:%llu ", histogram->bounds[i], (unsigned long long)histogram->counts[i]);
        fprintf(out, ">:%llu n=%llu sum=%g", (unsigned long long)histogram->counts[histogram->bound_count],
                (unsigned long long)histogram->count, histogram->sum);
    }
}

static void write_pairs(FILE *out, const char *what, const sonde_attribute *pairs, size_t count) {
    for (size_t i = 0; i < count; i++) fprintf(out, " %s %s=%s", what, pairs[i].name.data, pairs[i].value.data);
}

static sonde_status deliver(void *instance, const sonde_batch *batch, const sonde_call *call, sonde_delivery *delivery,
                            sonde_error *error) {
    fixture *self = instance;
    FILE *out = fopen(self->path, "ae");
    (void)error;
    fprintf(out, "batch %s/%s/%llu-%llu sink=%s host=%s attempt=%u%s\n", batch->agent_id.data, batch->epoch.data,
            (unsigned long long)batch->first_sequence, (unsigned long long)batch->last_sequence, batch->sink_id.data,
            batch->resource->host_name.data, batch->attempt, call->flags & SONDE_CALL_FINAL ? " final" : "");
    for (size_t i = 0; i < batch->point_count; i++) {
        const sonde_point *point = &batch->points[i];
        const sonde_batch_series *series = &batch->series[point->series_index];
        fprintf(out, "%llu %s [%s] from %s kind %u", (unsigned long long)series->id, series->name.data,
                series->unit.data, series->source_id.data, series->kind);
        write_pairs(out, "attribute", series->attributes, series->attribute_count);
        write_pairs(out, "label", series->labels, series->label_count);
        fprintf(out, " @%lld+%lld ", (long long)point->start_time_ns, (long long)point->time_ns);
        write_value(out, point);
        fprintf(out, "\n");
    }
    for (size_t i = 0; i < batch->document_count; i++)
        fprintf(out, "document %s %s\n", batch->documents[i].schema.data, batch->documents[i].json.data);
    fclose(out);
    if (strcmp(self->mode, "reject") == 0) {
        delivery->rejected_points = UINT64_MAX;
        strcpy(delivery->message, "too old");
    }
    if (strcmp(self->mode, "cancel") != 0) return SONDE_OK;
    /* To a process of its own the news may come after the call. */
    struct pollfd cancel = {.fd = call->cancel_fd, .events = POLLIN};
    return poll(&cancel, 1, 5000) == 1 ? SONDE_CANCELLED : SONDE_OK;
}

static sonde_status create(const sonde_plugin *plugin, const sonde_host *host, void **instance, sonde_error *error) {
    host->prefer_send(host, SONDE_SEND_METRICS | SONDE_SEND_SNAPSHOTS | 0x80);
    return fixture_create(plugin, host, instance, error);
}

static sonde_status start(void *instance, sonde_error *error) {
    fixture *self = instance;
    (void)error;
    self->host->prefer_send(self->host, SONDE_SEND_METRICS);
    return SONDE_OK;
}

#define fixture_create create
EXPORT_SINK(.start = start, .deliver = deliver)
