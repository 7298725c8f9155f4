/* A source that uses everything of the contract that a source can, as its own header has it. */
#include <stdlib.h>
#include <string.h>

#include "sonde_plugin.h"

SONDE_PLUGIN_ABI("");

#ifdef SONDE_EARLIER
#define DECLARED ""
#else
#define DECLARED ",\"errors\":[{\"code\":\"ACME-G001\",\"meaning\":\"M.\",\"recovery\":\"R.\"}," \
                 "{\"code\":\"ACME-G002\",\"meaning\":\"M.\",\"recovery\":\"R.\"}]"
#endif

typedef struct source {
    const sonde_host *host;
} source;

static sonde_string describe(const sonde_plugin *plugin) {
    (void)plugin;
    return SONDE_STRING("{\"name\":\"grown_source\",\"kind\":\"source\",\"version\":\"1\",\"summary\":\"Of another version.\"" DECLARED "}");
}

static sonde_status create(const sonde_plugin *plugin, const sonde_host *host, void **instance, sonde_error *error) {
    (void)plugin, (void)error;
    source *self = calloc(1, sizeof *self);
    self->host = host;
    *instance = self;
    return SONDE_OK;
}

static sonde_status collect(void *instance, const sonde_call *call, sonde_error *error) {
    static const double bounds[] = {1, 2};
    static const uint64_t counts[] = {3, 4, 5};
    const sonde_host *host = ((source *)instance)->host;
    (void)error;
    sonde_attribute pairs[2] = {
        {.struct_size = sizeof *pairs, .name = SONDE_STRING("first"), .value = SONDE_STRING("a")},
        {.struct_size = sizeof *pairs, .name = SONDE_STRING("second"), .value = SONDE_STRING("b")}};
    sonde_series series = {.struct_size = sizeof series, .kind = SONDE_KIND_COUNTER, .name = SONDE_STRING("grown.count"),
        .unit = SONDE_STRING("By"), .attributes = pairs, .attribute_count = 2, .counter_bits = 64};
#ifndef SONDE_EARLIER
    series.meaning = SONDE_STRING("Counted.");
    sonde_error trouble = {.struct_size = sizeof trouble, .error_class = SONDE_ERROR_TRANSIENT, .code = "ACME-G001",
        .message = "half of it failed"};
    if (SONDE_HAS(host, sonde_host, report_trouble)) {
        host->report_trouble(host, &trouble, SONDE_TIME_UNKNOWN);
        memcpy(trouble.code, "ACME-G002", 10);
        host->report_trouble(host, &trouble, SONDE_TIME_UNKNOWN);
        host->clear_trouble(host, SONDE_STRING("ACME-G001"), SONDE_STRING(""));
    }
#endif
    sonde_series other = {.struct_size = sizeof other, .kind = SONDE_KIND_HISTOGRAM, .name = SONDE_STRING("grown.spread")};
    sonde_histogram histogram = {.struct_size = sizeof histogram, .bound_count = 2, .bounds = bounds, .counts = counts,
        .count = 12, .sum = 20.5};
    sonde_checkpoint checkpoint = {.struct_size = sizeof checkpoint, .data = {"here", 4}};
    sonde_loss loss = {.struct_size = sizeof loss, .reason = SONDE_STRING("dropped"), .count = 7};
    sonde_sample samples[2] = {
        {.struct_size = sizeof *samples, .value_type = SONDE_VALUE_UINT64, .series = host->series_open(host, &series),
            .time_ns = call->time_ns, .value = {.u64 = 41}},
        {.struct_size = sizeof *samples, .value_type = SONDE_VALUE_HISTOGRAM, .series = host->series_open(host, &other),
            .value = {.histogram = &histogram}}};
    host->report_loss(host, &loss);
#ifdef SONDE_LATER
    /* A member that this host does not have must be seen to be missing. */
    if (SONDE_HAS(host, sonde_host, later)) host->log(host, SONDE_LOG_ERROR, SONDE_STRING("the host has grown"));
#endif
    return host->commit(host, samples, 2, &checkpoint) == SONDE_COMMIT_OK ? SONDE_OK : SONDE_CANCELLED;
}

SONDE_EXPORT const sonde_plugin *sonde_plugin_grown_source(void) {
    static const sonde_plugin plugin = {.struct_size = sizeof plugin, .kind = SONDE_PLUGIN_SOURCE, .describe = describe,
        .create = create, .collect = collect, .destroy = free};
    return &plugin;
}
