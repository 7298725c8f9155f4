/* A source and a sink that do one thing wrong each, the one that the option `case` names: a field of a struct that is otherwise
 * right (SPOIL), or something done (ACT). The table is misbehaving.h, which MisbehavingPluginTests reads too. */
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sonde_plugin.h"
SONDE_PLUGIN_ABI("");

typedef sonde_series SERIES_type;
typedef sonde_attribute ATTRIBUTE_type;
typedef sonde_sample SAMPLE_type;
typedef sonde_histogram HISTOGRAM_type;
typedef sonde_checkpoint CHECKPOINT_type;
typedef sonde_loss LOSS_type;
typedef sonde_error TROUBLE_type;
typedef sonde_error ERROR_type;
typedef sonde_delivery DELIVERY_type;

enum target { SERIES = 1, ATTRIBUTE, SAMPLE, HISTOGRAM, CHECKPOINT, LOSS, TROUBLE, ERROR, DELIVERY, ACTION };
enum action {
    series_null, series_other_kind, series_other_unit, series_flood, handle_zero, handle_unknown, handle_closed,
    value_nan, value_infinite, value_negative, value_histogram_of_gauge, value_number_of_histogram, value_unknown_type,
    time_before_1970, time_far_ahead, histogram_null, histogram_descends, histogram_bound_nan, histogram_repeats,
    commit_null, commit_many, commit_endless, commit_elsewhere, loss_null, loss_reasons, trouble_null,
    trouble_flood, clear_malformed, reject_unknown, prefer_late, log_flood, log_huge, error_huge, error_silent, samples_nan_flood,
    status_42, status_negative, status_unsuited, status_cancelled, collect_hangs, create_status, create_cancelled, create_silent,
    create_hangs, create_opens, create_commits, create_loads, destroy_hangs, start_status, start_cancelled, start_silent,
    crash_create, crash_start, crash_collect, crash_destroy, crash_elsewhere, abort_collect, trap_collect, stack_collect,
    exit_collect, sink_commits, sink_rejects_all, sink_rejects_unknown, sink_status
};

typedef struct misdeed {
    enum target target;
    size_t offset, width;
    uint64_t value;
} misdeed;

#define SPOIL(target, member, value) \
    {target, offsetof(target##_type, member), sizeof(((target##_type *)0)->member), (uint64_t)(value)},
#define ACT(action) {ACTION, 0, 0, action},
#define SOURCE(deed, code, words) deed
#define HANG SOURCE
#define FLOOD SOURCE
#define SINK SOURCE
#define CHECK SOURCE
#define CHECK_CRASH SOURCE
#define CRASH SOURCE
static const misdeed cases[] = {
#include "misbehaving.h"
};

typedef struct instance {
    const sonde_host *host;
    misdeed deed;
    int calls;
} instance;

static int does(const instance *self, enum action action) {
    return self->deed.target == ACTION && self->deed.value == action;
}

static void spoil(const instance *self, enum target target, void *record) {
    if (self->deed.target == target)
        memcpy((char *)record + self->deed.offset, &self->deed.value, self->deed.width);
}

__attribute__((noinline)) static int deeper(volatile char *above) {
    volatile char here[4096];
    here[0] = above[0];
    return deeper(here) + here[0];
}

static void crash(void) { *(volatile char *)8 = 1; }

static void hang(void) {
    for (;;) poll(NULL, 0, -1);
}

static sonde_string describe(const sonde_plugin *plugin) {
#define DESCRIPTION(name, kind) \
    "{\"name\":\"" name "\",\"kind\":\"" kind "\",\"version\":\"1\",\"summary\":\"Does one thing wrong.\",\"options\":" \
    "[{\"key\":\"case\",\"type\":\"integer\",\"required\":true,\"help\":\"Which.\"}]"
#define METRIC(name, kind) "{\"name\":\"acme." name "\",\"kind\":\"" kind "\",\"meaning\":\"Things.\"}"
    if (plugin->deliver) return SONDE_STRING(DESCRIPTION("misbehaving_sink", "sink") "}");
    return SONDE_STRING(DESCRIPTION("misbehaving", "source") ",\"metrics\":[" METRIC("count", "counter") ","
        METRIC("gauge", "gauge") "," METRIC("spread", "histogram") "]}");
}

static sonde_status create(const sonde_plugin *plugin, const sonde_host *host, void **out, sonde_error *error) {
    (void)plugin, (void)error;
    int64_t number = 0;
    host->option_int(host, SONDE_STRING("case"), &number);
    instance *self = calloc(1, sizeof *self);
    self->host = host;
    self->deed = cases[number];
    *out = self;
    if (does(self, crash_create)) crash();
    if (does(self, create_hangs)) hang();
    if (does(self, create_opens)) host->series_open(host, &(sonde_series){.struct_size = sizeof(sonde_series), .kind = SONDE_KIND_GAUGE, .name = SONDE_STRING("c")});
    if (does(self, create_commits)) host->commit(host, NULL, 0, NULL);
    if (does(self, create_loads)) host->load_checkpoint(host);
    if (does(self, create_status)) return 42;
    if (does(self, create_cancelled)) return SONDE_CANCELLED;
    if (does(self, create_silent)) return SONDE_FAILED;
    return SONDE_OK;
}

static sonde_status start(void *context, sonde_error *error) {
    instance *self = context;
    (void)error;
    if (does(self, crash_start)) crash();
    if (does(self, start_status)) return 42;
    if (does(self, start_cancelled)) return SONDE_CANCELLED;
    if (does(self, start_silent)) return SONDE_FAILED;
    return SONDE_OK;
}

static void destroy(void *context) {
    if (does(context, destroy_hangs)) hang();
    if (does(context, crash_destroy)) crash();
    free(context);
}

static void *commit_apart(void *context) {
    instance *self = context;
    sonde_sample sample = {.struct_size = sizeof sample};
    if (does(self, crash_elsewhere)) crash();
    self->host->commit(self->host, &sample, 1, NULL);
    return NULL;
}

/* Everything with structs that are right but for one field. */
static void report_structs(instance *self) {
    static const double bounds[] = {1, 2};
    static const uint64_t counts[] = {3, 4, 5};
    const sonde_host *host = self->host;
    sonde_attribute pairs[2] = {{.struct_size = sizeof *pairs, .name = SONDE_STRING("a"), .value = SONDE_STRING("1")},
                                {.struct_size = sizeof *pairs, .name = SONDE_STRING("b"), .value = SONDE_STRING("2")}};
    spoil(self, ATTRIBUTE, pairs);
    sonde_series series = {.struct_size = sizeof series, .kind = SONDE_KIND_COUNTER, .name = SONDE_STRING("acme.count"),
        .unit = SONDE_STRING("{thing}"), .attributes = pairs, .attribute_count = 2, .counter_bits = 64};
    spoil(self, SERIES, &series);
    sonde_series spread = {.struct_size = sizeof spread, .kind = SONDE_KIND_HISTOGRAM, .name = SONDE_STRING("acme.spread")};
    sonde_histogram histogram = {.struct_size = sizeof histogram, .bound_count = 2, .bounds = bounds, .counts = counts,
        .count = 12, .sum = 20.5};
    spoil(self, HISTOGRAM, &histogram);
    sonde_sample samples[2] = {
        {.struct_size = sizeof *samples, .value_type = SONDE_VALUE_UINT64, .series = host->series_open(host, &series),
            .value = {.u64 = 7}},
        {.struct_size = sizeof *samples, .value_type = SONDE_VALUE_HISTOGRAM, .series = host->series_open(host, &spread),
            .value = {.histogram = &histogram}}};
    spoil(self, SAMPLE, samples + 1);
    sonde_checkpoint checkpoint = {.struct_size = sizeof checkpoint, .data = {"here", 4}};
    spoil(self, CHECKPOINT, &checkpoint);
    int refused = self->deed.target == SERIES || self->deed.target == ATTRIBUTE;
    host->commit(host, refused ? samples + 1 : samples, refused ? 1 : 2, &checkpoint);
    if (self->deed.target == LOSS) {
        sonde_loss loss = {.struct_size = sizeof loss, .reason = SONDE_STRING("dropped"), .count = 1};
        spoil(self, LOSS, &loss);
        host->report_loss(host, &loss);
    }
    if (self->deed.target == TROUBLE) {
        sonde_error trouble = {.struct_size = sizeof trouble, .error_class = SONDE_ERROR_TRANSIENT, .code = "ACME-X001",
            .message = "a part does not work"};
        spoil(self, TROUBLE, &trouble);
        host->report_trouble(host, &trouble, 0);
    }
}

static sonde_series_handle open_one(const sonde_host *host, const char *name, uint32_t kind, const char *unit) {
    sonde_series series = {.struct_size = sizeof series, .kind = kind, .name = {name, strlen(name)},
        .unit = {unit, strlen(unit)}};
    return host->series_open(host, &series);
}

static void commit_one(const sonde_host *host, sonde_sample sample) {
    sample.struct_size = sizeof sample;
    host->commit(host, &sample, 1, NULL);
}

static void commit_histogram(const sonde_host *host, const double *bounds) {
    static const uint64_t counts[] = {1, 1, 1};
    sonde_histogram histogram = {.struct_size = sizeof histogram, .bound_count = 2, .bounds = bounds, .counts = counts,
        .count = 3, .sum = 1};
    commit_one(host, (sonde_sample){.value_type = SONDE_VALUE_HISTOGRAM, .value.histogram = &histogram,
        .series = open_one(host, "acme.spread", SONDE_KIND_HISTOGRAM, "")});
}

static void act_on_values(instance *self) {
    const sonde_host *host = self->host;
    sonde_series_handle gauge = open_one(host, "acme.gauge", SONDE_KIND_GAUGE, "");
    sonde_sample number = {.value_type = SONDE_VALUE_DOUBLE, .series = gauge, .value.f64 = 1};
    switch (self->deed.value) {
    case handle_zero: number.series = 0; break;
    case handle_unknown: number.series = UINT64_MAX; break;
    case handle_closed: host->series_close(host, gauge); break;
    case value_nan: number.value.f64 = NAN; break;
    case value_infinite: number.value.f64 = -INFINITY; break;
    case value_negative:
        number.series = open_one(host, "acme.count", SONDE_KIND_COUNTER, "");
        number.value_type = SONDE_VALUE_INT64;
        number.value.i64 = INT64_MIN;
        break;
    case value_histogram_of_gauge: {
        static const double bounds[] = {1, 2};
        static const uint64_t counts[] = {1, 1, 1};
        sonde_histogram histogram = {.struct_size = sizeof histogram, .bound_count = 2, .bounds = bounds, .counts = counts,
            .count = 3};
        commit_one(host, (sonde_sample){.value_type = SONDE_VALUE_HISTOGRAM, .series = gauge, .value.histogram = &histogram});
        return;
    }
    case value_number_of_histogram: number.series = open_one(host, "acme.spread", SONDE_KIND_HISTOGRAM, ""); break;
    case value_unknown_type: number.value_type = 77; break;
    case time_before_1970: number.time_ns = -1; break;
    case time_far_ahead: number.time_ns = INT64_MAX; break;
    case histogram_null: number.value_type = SONDE_VALUE_HISTOGRAM; number.value.histogram = NULL; break;
    default: return;
    }
    commit_one(host, number);
}

static void act(instance *self, sonde_error *error) {
    const sonde_host *host = self->host;
    char text[64];
    switch (self->deed.value) {
    case series_null: host->series_open(host, NULL); break;
    case series_other_kind:
        open_one(host, "acme.gauge", SONDE_KIND_GAUGE, "");
        open_one(host, "acme.gauge", SONDE_KIND_COUNTER, "");
        break;
    case series_other_unit:
        open_one(host, "acme.gauge", SONDE_KIND_GAUGE, "s");
        open_one(host, "acme.gauge", SONDE_KIND_GAUGE, "By");
        break;
    case series_flood:
        for (int i = 0; i < 5000; i++) {
            snprintf(text, sizeof text, "%d", i);
            sonde_attribute pair = {.struct_size = sizeof pair, .name = SONDE_STRING("n"), .value = {text, strlen(text)}};
            sonde_series series = {.struct_size = sizeof series, .kind = SONDE_KIND_GAUGE, .name = SONDE_STRING("acme.gauge"),
                .attributes = &pair, .attribute_count = 1};
            host->series_open(host, &series);
        }
        break;
    case histogram_descends: commit_histogram(host, (double[]){2, 1}); break;
    case histogram_bound_nan: commit_histogram(host, (double[]){1, NAN}); break;
    case histogram_repeats: commit_histogram(host, (double[]){1, 1}); break;
    case commit_null: host->commit(host, NULL, 5, NULL); break;
    case commit_many: host->commit(host, (const sonde_sample *)host, 1000001, NULL); break;
    case commit_endless: host->commit(host, (const sonde_sample *)host, SIZE_MAX, NULL); break;
    case crash_elsewhere:
    case commit_elsewhere: {
        pthread_t thread;
        pthread_create(&thread, NULL, commit_apart, self);
        pthread_join(thread, NULL);
        break;
    }
    case loss_null: host->report_loss(host, NULL); break;
    case loss_reasons:
        for (int i = 0; i < 1000; i++) {
            snprintf(text, sizeof text, "reason_%d", i);
            sonde_loss loss = {.struct_size = sizeof loss, .reason = {text, strlen(text)}, .count = 1};
            host->report_loss(host, &loss);
        }
        break;
    case trouble_null: host->report_trouble(host, NULL, 0); break;
    case trouble_flood:
        for (int i = 0; i < 1000; i++) {
            sonde_error trouble = {.struct_size = sizeof trouble, .error_class = SONDE_ERROR_TRANSIENT, .code = "ACME-X001",
                .message = "a part does not work"};
            snprintf(trouble.option_path, sizeof trouble.option_path, "parts[%d]", i);
            host->report_trouble(host, &trouble, 0);
        }
        break;
    case clear_malformed: host->clear_trouble(host, (sonde_string){NULL, 7}, SONDE_STRING("")); break;
    case reject_unknown: host->reject_point(host, 7, SONDE_STRING("odd")); break;
    case prefer_late: host->prefer_send(host, SONDE_SEND_SNAPSHOTS); break;
    case log_flood:
        for (int i = 0; i < 100000; i++) host->log(host, SONDE_LOG_WARNING, SONDE_STRING("SND-FLOOD again and again"));
        break;
    case log_huge: {
        char *line = malloc(1 << 20);
        memset(line, 'l', 1 << 20);
        memcpy(line, "SND-HUGE ", 9);
        if (self->calls == 1) host->log(host, SONDE_LOG_WARNING, (sonde_string){line, 1 << 20});
        free(line);
        break;
    }
    case error_huge: memset(error->message, 'm', sizeof error->message); break;
    case samples_nan_flood: {
        static sonde_sample samples[10000];
        sonde_series_handle gauge = open_one(host, "acme.gauge", SONDE_KIND_GAUGE, "");
        for (int i = 0; i < 10000; i++)
            samples[i] = (sonde_sample){.struct_size = sizeof *samples, .value_type = SONDE_VALUE_DOUBLE, .series = gauge,
                .value.f64 = NAN};
        host->commit(host, samples, 10000, NULL);
        break;
    }
    case collect_hangs: hang(); break;
    case crash_collect: crash(); break;
    case abort_collect: abort();
    case trap_collect: __builtin_trap();
    case stack_collect: { volatile char top = 1; self->calls += deeper(&top); break; }
    case exit_collect: exit(0);
    default: act_on_values(self);
    }
}

static sonde_status collect(void *context, const sonde_call *call, sonde_error *error) {
    instance *self = context;
    (void)call;
    self->calls++;
    if (self->deed.target == ERROR) {
        error->error_class = SONDE_ERROR_TRANSIENT;
        strcpy(error->code, "ACME-X001");
        strcpy(error->message, "it failed");
        spoil(self, ERROR, error);
        return SONDE_FAILED;
    }
    if (self->deed.target != ACTION) report_structs(self); else act(self, error);
    if (does(self, status_42)) return 42;
    if (does(self, status_negative)) return INT_MIN;
    if (does(self, status_unsuited)) return SONDE_UNSUITED;
    if (does(self, status_cancelled)) return SONDE_CANCELLED;
    if (does(self, error_huge) || does(self, error_silent)) return SONDE_FAILED;
    return SONDE_OK;
}

static sonde_status deliver(void *context, const sonde_batch *batch, const sonde_call *call, sonde_delivery *delivery,
                            sonde_error *error) {
    instance *self = context;
    const sonde_host *host = self->host;
    (void)call, (void)error;
    if (does(self, sink_status)) return 42;
    if (does(self, sink_commits)) {
        sonde_sample sample = {.struct_size = sizeof sample};
        host->commit(host, &sample, 1, NULL);
    }
    if (does(self, sink_rejects_unknown)) host->reject_point(host, batch->point_count, SONDE_STRING("odd"));
    if (does(self, sink_rejects_all)) memset((char *)delivery + 8, 0xff, sizeof *delivery - 8);
    if (does(self, prefer_late)) host->prefer_send(host, 0);
    return SONDE_OK;
}

SONDE_EXPORT const sonde_plugin *sonde_plugin_misbehaving(void) {
    static const sonde_plugin plugin = {.struct_size = sizeof plugin, .kind = SONDE_PLUGIN_SOURCE, .describe = describe,
        .create = create, .start = start, .collect = collect, .destroy = destroy};
    return &plugin;
}

SONDE_EXPORT const sonde_plugin *sonde_plugin_misbehaving_sink(void) {
    static const sonde_plugin plugin = {.struct_size = sizeof plugin, .kind = SONDE_PLUGIN_SINK, .describe = describe,
        .create = create, .start = start, .deliver = deliver, .destroy = destroy};
    return &plugin;
}
