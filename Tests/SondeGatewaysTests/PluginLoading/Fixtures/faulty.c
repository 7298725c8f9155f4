/* A source, or with -DSINK a sink, with -DCONFINED one for the sandbox, that keeps every rule of `sonde plugins test` but the one that FAULT names. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "sonde_plugin.h"
SONDE_PLUGIN_ABI("");
#ifdef CONFINED
SONDE_PLUGIN_CONFINED;
#endif

#define HAS_FAULT(name) (strcmp(FAULT, name) == 0)

typedef struct faulty {
    const sonde_host *host;
    char path[256];
    int descriptor, started, broken;
    uint64_t readings;
} faulty;

static int live;

static sonde_status fail(sonde_error *error, uint32_t class, const char *code, const char *option, const char *message) {
    error->error_class = class;
    snprintf(error->code, sizeof error->code, "%s", code);
    snprintf(error->option_path, sizeof error->option_path, "%s", option);
    snprintf(error->message, sizeof error->message, "%s", message);
    return SONDE_FAILED;
}

static sonde_string describe(const sonde_plugin *plugin) {
    (void)plugin;
    static char text[4096];
    static int calls;
    calls++;
    int size = snprintf(text, sizeof text,
        "{\"name\":\"%s\",\"kind\":\"%s\",\"version\":\"1.%d\",\"summary\":\"Keeps all rules but one.\","
        "\"options\":[{\"key\":\"path\",\"type\":\"string\",\"default\":\"/dev/null\",\"help\":\"What it opens.\"},"
        "{\"key\":\"depth\",\"type\":\"integer\",\"minimum\":1,\"maximum\":9,\"default\":\"%s\",\"help\":\"How deep.\"}],"
        "\"metrics\":[%s],"
        "\"errors\":[{\"code\":\"ACME-F001\",\"meaning\":\"It cannot be opened.\",\"recovery\":\"Name another.\"}%s]}",
        HAS_FAULT("description") ? "another" : "faulty",
#ifdef SINK
        "sink",
#else
        "source",
#endif
        HAS_FAULT("description-stable") ? calls : 0, HAS_FAULT("options-described") ? "deep" : "3",
#ifdef SINK
        "",
#else
        HAS_FAULT("metric-names") ? "{\"name\":\"acme.read.bytes\",\"kind\":\"gauge\",\"unit\":\"By\",\"meaning\":\"Read.\"},"
            "{\"name\":\"acme.readings\",\"kind\":\"counter\",\"unit\":\"{reading}\",\"meaning\":\"Readings.\"},"
            "{\"name\":\"acme.load\",\"kind\":\"gauge\",\"unit\":\"1\",\"meaning\":\"Load.\"}"
        : HAS_FAULT("metric-units") ? "{\"name\":\"acme.delay\",\"kind\":\"gauge\",\"unit\":\"ms\",\"meaning\":\"Delay.\"},"
            "{\"name\":\"acme.readings\",\"kind\":\"counter\",\"unit\":\"{reading}\",\"meaning\":\"Readings.\"},"
            "{\"name\":\"acme.load\",\"kind\":\"gauge\",\"unit\":\"1\",\"meaning\":\"Load.\"}"
        : "{\"name\":\"acme.readings\",\"kind\":\"counter\",\"unit\":\"{reading}\",\"meaning\":\"Readings.\"},"
            "{\"name\":\"acme.load\",\"kind\":\"gauge\",\"unit\":\"1\",\"meaning\":\"Load.\"}",
#endif
        HAS_FAULT("errors-declared") ? ",{\"code\":\"acme-f2\",\"meaning\":\"Small.\",\"recovery\":\"Write capitals.\"}" : "");
    return (sonde_string){text, (size_t)size};
}

static sonde_status create(const sonde_plugin *plugin, const sonde_host *host, void **instance, sonde_error *error) {
    (void)plugin;
    sonde_string path = SONDE_STRING("/dev/null");
    host->option_string(host, SONDE_STRING("path"), &path);
    if (HAS_FAULT("sample")) return fail(error, SONDE_ERROR_CONFIGURATION, "ACME-F001", "path", "it likes no path");
    if (path.size == 0 || path.size >= sizeof((faulty *)0)->path)
        return fail(error, SONDE_ERROR_CONFIGURATION, "ACME-F001", HAS_FAULT("options-refused") ? "" : "path",
                    "the path is empty or too long");
    faulty *self = *instance = calloc(1, sizeof *self);
    self->host = host;
    self->descriptor = -1;
    memcpy(self->path, path.data, path.size);
    return SONDE_OK;
}

static void *sleep_for_ever(void *unused) {
    for (;;) pause();
    return unused;
}

static void leave_a_thread(void) {
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 64 << 10);
    if (!pthread_create(&thread, &attributes, sleep_for_ever, NULL)) pthread_detach(thread);
    pthread_attr_destroy(&attributes);
}

static int open_file(faulty *self) {
    return open(self->path,
#ifdef SINK
                O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
#else
                O_RDONLY | O_CLOEXEC);
#endif
}

static sonde_status start(void *instance, sonde_error *error) {
    faulty *self = instance;
    if (self->broken) return fail(error, SONDE_ERROR_RESOURCE, "ACME-F001", "", "it has failed before");
    if (self->started && HAS_FAULT("start-twice"))
        return fail(error, SONDE_ERROR_RESOURCE, "ACME-F001", "", "it was started");
    if (!self->started && live > 0 && HAS_FAULT("two-instances"))
        return fail(error, SONDE_ERROR_TRANSIENT, "ACME-F001", "", "there is one");
    if (self->descriptor >= 0) close(self->descriptor);
    self->descriptor = open_file(self);
    if (self->descriptor < 0 && !HAS_FAULT("unreachable")) {
        self->broken = HAS_FAULT("start-after-failure");
        return fail(error, SONDE_ERROR_RESOURCE, "ACME-F001", "", "it cannot be opened");
    }
    if (!self->started) live++;
    self->started = 1;
    if (HAS_FAULT("no-leak: memory")) memset(malloc(4096), 1, 4096);
    if (HAS_FAULT("no-leak: descriptors")) (void)!dup(self->descriptor);
    if (HAS_FAULT("no-leak: threads")) leave_a_thread();
    return SONDE_OK;
}

static void *speak_late(void *host) {
    usleep(100000);
    ((const sonde_host *)host)->log(host, SONDE_LOG_INFO, SONDE_STRING("is anybody there?"));
    return NULL;
}

static void destroy(void *instance) {
    faulty *self = instance;
    static int has_spoken;
    if (!self->started && HAS_FAULT("create-destroy")) abort();
    if (self->started && HAS_FAULT("silent-after-stop") && !has_spoken) {
        pthread_t thread;
        has_spoken = 1;
        if (!pthread_create(&thread, NULL, speak_late, (void *)self->host)) pthread_detach(thread);
    }
    if (self->started) live--;
    if (self->descriptor >= 0) close(self->descriptor);
    free(self);
}

/* What both do in every call. */
static sonde_status begin(faulty *self, const sonde_call *call, sonde_error *error) {
    struct pollfd cancel = {.fd = call->cancel_fd, .events = POLLIN};
    if (HAS_FAULT("works")) return fail(error, 0, "ACME-F001", "", "it never works");
    if (HAS_FAULT("cancel") && poll(&cancel, 1, 0) == 1) usleep(1500000);
    if (HAS_FAULT("late-deadline") && call->deadline_ns < self->host->monotonic_time_ns(self->host)) abort();
    if (HAS_FAULT("older-host")) {
        sonde_error trouble = {.struct_size = sizeof trouble, .error_class = SONDE_ERROR_TRANSIENT, .code = "ACME-F001",
                               .message = "half of it is gone"};
        self->host->report_trouble(self->host, &trouble, SONDE_TIME_UNKNOWN);
    }
#ifdef CONFINED
    /* All that a sandbox lets it open. */
    int file = HAS_FAULT("confinement") ? open_file(self) : eventfd(0, EFD_CLOEXEC);
#else
    int file = open_file(self);
#endif
    if (file < 0 && !HAS_FAULT("unreachable"))
        return fail(error, SONDE_ERROR_RESOURCE, HAS_FAULT("errors-typed") ? "ACME-F999" : "ACME-F001", "",
                    "it cannot be opened");
    if (file >= 0) close(file);
    return SONDE_OK;
}

#ifdef SINK
static sonde_status deliver(void *instance, const sonde_batch *batch, const sonde_call *call, sonde_delivery *delivery,
                            sonde_error *error) {
    (void)delivery;
    if (begin(instance, call, error) != SONDE_OK) return SONDE_FAILED;
    if (batch->point_count == 0 && HAS_FAULT("empty-batch"))
        return fail(error, SONDE_ERROR_PERMANENT_DATA, "ACME-F001", "", "there is nothing");
    if (batch->attempt > 0 && HAS_FAULT("same-batch-twice"))
        return fail(error, SONDE_ERROR_PERMANENT_DATA, "ACME-F001", "", "it was here");
    for (size_t i = 0; i < batch->point_count; i++) {
        const sonde_point *point = (const void *)((const char *)batch->points + i * batch->points->struct_size);
        if (point->value_type == SONDE_VALUE_HISTOGRAM && HAS_FAULT("every-value"))
            return fail(error, SONDE_ERROR_PERMANENT_DATA, "ACME-F001", "", "what is a histogram?");
    }
    for (size_t i = 0; i < batch->series_count; i++) {
        const sonde_batch_series *series = (const void *)((const char *)batch->series + i * batch->series->struct_size);
        for (size_t k = 0; k < series->attribute_count; k++) {
            const sonde_attribute *pair =
                (const void *)((const char *)series->attributes + k * series->attributes->struct_size);
            if (pair->value.size > 256 && HAS_FAULT("hostile-labels")) abort();
        }
    }
    return SONDE_OK;
}
#else
static sonde_series_handle open_series(faulty *self, uint32_t kind, sonde_string name, sonde_string unit) {
    sonde_series series = {.struct_size = sizeof series, .kind = kind, .name = name, .unit = unit};
    sonde_series_handle handle = self->host->series_open(self->host, &series);
    return handle == 0 && HAS_FAULT("refused-series") ? 4711 : handle;
}

static sonde_status collect(void *instance, const sonde_call *call, sonde_error *error) {
    faulty *self = instance;
    struct pollfd cancel = {.fd = call->cancel_fd, .events = POLLIN};
    if (begin(self, call, error) != SONDE_OK) return SONDE_FAILED;
    self->readings++;
    sonde_series_handle counter =
        open_series(self, SONDE_KIND_COUNTER, SONDE_STRING("acme.readings"), SONDE_STRING("{reading}"));
    sonde_series_handle gauge = open_series(self, SONDE_KIND_GAUGE, SONDE_STRING("acme.load"),
                                            HAS_FAULT("series-described") ? SONDE_STRING("s") : SONDE_STRING("1"));
    uint64_t count = HAS_FAULT("counters") ? 1000 - self->readings : self->readings;
    sonde_sample samples[] = {
        {sizeof(sonde_sample), SONDE_VALUE_UINT64, counter, SONDE_TIME_UNKNOWN, {.u64 = count}},
        {sizeof(sonde_sample), SONDE_VALUE_DOUBLE, gauge, SONDE_TIME_UNKNOWN,
         {.f64 = HAS_FAULT("values") ? __builtin_nan("") : 0.5}},
        {sizeof(sonde_sample), SONDE_VALUE_DOUBLE, gauge, SONDE_TIME_UNKNOWN, {.f64 = 0.6}},
    };
    size_t size = HAS_FAULT("series-once") ? 3 : 2;
    sonde_commit_status status = self->host->commit(self->host, samples, size, NULL);
    while (status == SONDE_COMMIT_BUSY && poll(&cancel, 1, HAS_FAULT("busy") ? 1 : 100) == 0)
        status = self->host->commit(self->host, samples, size, NULL);
    if (status == SONDE_COMMIT_STOPPING && HAS_FAULT("stopping")) self->host->commit(self->host, samples, size, NULL);
    return SONDE_OK;
}
#endif

SONDE_EXPORT const sonde_plugin *sonde_plugin_faulty(void) {
    static const sonde_plugin plugin = {.struct_size = sizeof plugin,
        .describe = describe, .create = create, .start = start, .destroy = destroy,
#ifdef SINK
        .kind = SONDE_PLUGIN_SINK, .deliver = deliver};
#else
        .kind = SONDE_PLUGIN_SOURCE, .collect = collect};
#endif
    return &plugin;
}
