/* A source whose commits are right or wrong in the way that `mode` names. */
#define PLUGIN samples
#include <math.h>

#include "fixture.h"

typedef struct later_sample {
    sonde_sample known;
    uint64_t appended[2];
} later_sample;

static sonde_sample sample(sonde_series_handle series, uint32_t type, sonde_value value) {
    return (sonde_sample){sizeof(sonde_sample), type, series, 1234, value};
}

static void commit_mixed(const sonde_host *host, sonde_series_handle series) {
    static const double ascending[] = {1, 2}, descending[] = {2, 1};
    static const uint64_t counts[] = {3, 4, 5};
    sonde_histogram good = {sizeof good, 2, ascending, counts, 12, 20.5};
    sonde_histogram bad = {sizeof bad, 2, descending, counts, 12, 20.5};
    sonde_histogram wide = {sizeof wide, 65, ascending, counts, 12, 20.5};
    sonde_sample samples[] = {
        sample(series, SONDE_VALUE_UINT64, (sonde_value){.u64 = UINT64_MAX}),
        sample(series, SONDE_VALUE_INT64, (sonde_value){.i64 = -5}),
        sample(series, SONDE_VALUE_DOUBLE, (sonde_value){.f64 = 0.5}),
        sample(series, SONDE_VALUE_HISTOGRAM, (sonde_value){.histogram = &good}),
        sample(series, SONDE_VALUE_DOUBLE, (sonde_value){.f64 = NAN}),
        sample(series, SONDE_VALUE_DOUBLE, (sonde_value){.f64 = INFINITY}),
        sample(series, 99, (sonde_value){.u64 = 1}),
        sample(series, SONDE_VALUE_HISTOGRAM, (sonde_value){.histogram = &bad}),
        sample(series, SONDE_VALUE_HISTOGRAM, (sonde_value){.histogram = &wide}),
        sample(series, SONDE_VALUE_HISTOGRAM, (sonde_value){.histogram = NULL}),
        sample(series, SONDE_VALUE_UINT64, (sonde_value){.u64 = 7}),
    };
    samples[10].struct_size = 16;
    host->commit(host, samples, sizeof samples / sizeof *samples, NULL);
}

static sonde_status collect(void *instance, const sonde_call *call, sonde_error *error) {
    fixture *self = instance;
    const sonde_host *host = self->host;
    sonde_series_handle series = gauge(host, "fixture.value");
    sonde_sample one = sample(series, SONDE_VALUE_UINT64, (sonde_value){.u64 = 1});
    sonde_checkpoint checkpoint = {sizeof checkpoint, 0, {"x", 65537}};
    sonde_commit_status status = SONDE_COMMIT_OK;
    (void)call, (void)error;
    if (strcmp(self->mode, "mixed") == 0) commit_mixed(host, series);
    if (strcmp(self->mode, "many") == 0) status = host->commit(host, &one, 1000001, NULL);
    if (strcmp(self->mode, "negative") == 0) status = host->commit(host, &one, SIZE_MAX, NULL);
    if (strcmp(self->mode, "null") == 0) status = host->commit(host, NULL, 5, NULL);
    if (strcmp(self->mode, "checkpoint") == 0) status = host->commit(host, &one, 1, &checkpoint);
    if (strcmp(self->mode, "short") == 0) {
        one.struct_size = 8;
        status = host->commit(host, &one, 1, NULL);
    }
    if (strcmp(self->mode, "later") == 0) {
        later_sample later[2] = {{one, {9, 9}}, {one, {9, 9}}};
        later[0].known.struct_size = later[1].known.struct_size = sizeof *later;
        later[1].known.value.u64 = 2;
        status = host->commit(host, &later[0].known, 2, NULL);
    }
    say(host, "status %d", status);
    return SONDE_OK;
}

EXPORT_SOURCE(.collect = collect)
