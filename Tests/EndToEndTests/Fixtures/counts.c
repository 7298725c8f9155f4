/* A source that counts 100,000 calls each millisecond in counters of 32 bits: one wraps after a second and a half, one starts
 * again every two seconds. A gauge has the count that neither happens to, and a histogram its milliseconds. */
#include <stdlib.h>
#include <time.h>

#include "sonde_plugin.h"
SONDE_PLUGIN_ABI("");

enum { CALLS_PER_MS = 100000, MS_TO_WRAP = 1500, MS_TO_RESTART = 2000 };

typedef struct counts {
    const sonde_host *host;
    int64_t first_ms, ahead_ms;
} counts;

static sonde_string describe(const sonde_plugin *plugin) {
    (void)plugin;
    return SONDE_STRING("{\"name\":\"counts\",\"kind\":\"source\",\"version\":\"1.0\",\"summary\":\"Counts.\","
        "\"options\":[{\"key\":\"ahead\",\"type\":\"bool\",\"default\":\"false\",\"help\":\"Whether its clock is an hour ahead.\"}],"
        "\"metrics\":[{\"name\":\"acme.wrap\",\"kind\":\"counter\",\"unit\":\"{call}\",\"meaning\":\"Wraps.\"},"
        "{\"name\":\"acme.restart\",\"kind\":\"counter\",\"unit\":\"By\",\"meaning\":\"Starts again.\"},"
        "{\"name\":\"acme.truth\",\"kind\":\"gauge\",\"unit\":\"{call}\",\"meaning\":\"Does neither.\"},"
        "{\"name\":\"acme.latency\",\"kind\":\"histogram\",\"unit\":\"s\",\"meaning\":\"Milliseconds.\"}]}");
}

static int64_t now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return time.tv_sec * INT64_C(1000) + time.tv_nsec / 1000000;
}

static sonde_status create(const sonde_plugin *plugin, const sonde_host *host, void **instance, sonde_error *error) {
    (void)plugin, (void)error;
    int32_t ahead = 0;
    counts *self = *instance = calloc(1, sizeof *self);
    host->option_bool(host, SONDE_STRING("ahead"), &ahead);
    *self = (counts){.host = host, .first_ms = now_ms(), .ahead_ms = ahead ? 3600000 : 0};
    return SONDE_OK;
}

static sonde_status collect(void *instance, const sonde_call *call, sonde_error *error) {
    (void)call, (void)error;
    counts *self = instance;
    const sonde_host *host = self->host;
    int64_t now = now_ms(), passed = now - self->first_ms;
    sonde_series series[] = {
        {.kind = SONDE_KIND_COUNTER, .name = SONDE_STRING("acme.wrap"), .unit = SONDE_STRING("{call}"), .counter_bits = 32},
        {.kind = SONDE_KIND_COUNTER, .name = SONDE_STRING("acme.restart"), .unit = SONDE_STRING("By"), .counter_bits = 32},
        {.kind = SONDE_KIND_GAUGE, .name = SONDE_STRING("acme.truth"), .unit = SONDE_STRING("{call}")},
        {.kind = SONDE_KIND_HISTOGRAM, .name = SONDE_STRING("acme.latency"), .unit = SONDE_STRING("s")},
    };
    double bounds[] = {0.5, 1, 2.5};
    uint64_t buckets[] = {(uint64_t)(passed < 500 ? passed : 500), 0, 0, 0};
    if (passed > 500) buckets[2] = (uint64_t)passed - 500;
    sonde_histogram histogram = {.struct_size = sizeof histogram, .bound_count = 3, .bounds = bounds, .counts = buckets,
                                 .count = buckets[0] + buckets[2], .sum = (double)passed / 1000};
    sonde_sample samples[] = {
        {.value_type = SONDE_VALUE_UINT64, .value.u64 = (uint32_t)((passed - MS_TO_WRAP) * CALLS_PER_MS)},
        {.value_type = SONDE_VALUE_UINT64, .value.u64 = (uint64_t)(passed % MS_TO_RESTART * CALLS_PER_MS)},
        {.value_type = SONDE_VALUE_UINT64, .value.u64 = (uint64_t)(passed * CALLS_PER_MS)},
        {.value_type = SONDE_VALUE_HISTOGRAM, .value.histogram = &histogram},
    };
    enum { COUNT = sizeof samples / sizeof *samples };
    for (int i = 0; i < COUNT; i++) {
        series[i].struct_size = sizeof series[i];
        samples[i].struct_size = sizeof samples[i];
        samples[i].series = host->series_open(host, &series[i]);
        samples[i].time_ns = (now + self->ahead_ms) * 1000000;
    }
    host->commit(host, samples, COUNT, NULL);
    return SONDE_OK;
}

SONDE_EXPORT const sonde_plugin *sonde_plugin_counts(void) {
    static const sonde_plugin plugin = {.struct_size = sizeof plugin, .kind = SONDE_PLUGIN_SOURCE,
        .describe = describe, .create = create, .collect = collect, .destroy = free};
    return &plugin;
}
