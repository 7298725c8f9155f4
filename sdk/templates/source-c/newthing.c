/* Reads one number from a file at every interval; put in its place what you measure. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sonde_plugin.h>
SONDE_PLUGIN_ABI("");

static const char description[] =
    "{\"name\":\"newthing\",\"kind\":\"source\",\"version\":\"0.1.0\","
    "\"summary\":\"How long the host has been up.\","
    "\"options\":[{\"key\":\"path\",\"type\":\"string\",\"default\":\"/proc/uptime\",\"help\":\"The file that is read.\"}],"
    "\"metrics\":[{\"name\":\"newthing.uptime\",\"kind\":\"gauge\",\"unit\":\"s\",\"meaning\":\"Seconds since the boot.\"}],"
    "\"errors\":["
    "{\"code\":\"NEWTHING-001\",\"meaning\":\"The file cannot be read.\",\"recovery\":\"Check 'path' and its permissions.\"},"
    "{\"code\":\"NEWTHING-002\",\"meaning\":\"The file holds no number.\",\"recovery\":\"Name another file.\"},"
    "{\"code\":\"NEWTHING-003\",\"meaning\":\"There is no memory.\",\"recovery\":\"Free memory.\"}]}";

typedef struct source {
    const sonde_host *host;
    const char *path; /* the host's, until destroy returns */
} source;

static sonde_status failed(sonde_error *error, uint32_t class, const char *code, const char *path, const char *reason) {
    error->error_class = class;
    snprintf(error->code, sizeof error->code, "%s", code);
    snprintf(error->option_path, sizeof error->option_path, "path");
    snprintf(error->message, sizeof error->message, "%.400s: %s", path, reason);
    return SONDE_FAILED;
}

static sonde_string describe(const sonde_plugin *plugin) {
    (void)plugin;
    return SONDE_STRING(description);
}

/* Checks the options and opens nothing: `sonde check` calls this. */
static sonde_status create(const sonde_plugin *plugin, const sonde_host *host, void **instance, sonde_error *error) {
    (void)plugin;
    sonde_string path = SONDE_STRING("/proc/uptime");
    host->option_string(host, SONDE_STRING("path"), &path);
    if (path.data[0] != '/')
        return failed(error, SONDE_ERROR_CONFIGURATION, "NEWTHING-001", path.data, "is not an absolute path");
    source *self = malloc(sizeof *self);
    if (self == NULL) return failed(error, SONDE_ERROR_RESOURCE, "NEWTHING-003", path.data, strerror(ENOMEM));
    *self = (source){host, path.data};
    *instance = self;
    return SONDE_OK;
}

static sonde_status collect(void *instance, const sonde_call *call, sonde_error *error) {
    (void)call;
    source *self = instance;
    FILE *file = fopen(self->path, "re");
    if (file == NULL) return failed(error, SONDE_ERROR_CONFIGURATION, "NEWTHING-001", self->path, strerror(errno));
    double value = NAN;
    int found = fscanf(file, "%lf", &value);
    fclose(file);
    if (found != 1 || !isfinite(value))
        return failed(error, SONDE_ERROR_CORRUPT_INPUT, "NEWTHING-002", self->path, "holds no number");

    sonde_series series = {.struct_size = sizeof series, .kind = SONDE_KIND_GAUGE,
                           .name = SONDE_STRING("newthing.uptime"), .unit = SONDE_STRING("s")};
    sonde_sample sample = {.struct_size = sizeof sample, .value_type = SONDE_VALUE_DOUBLE,
                           .series = self->host->series_open(self->host, &series), /* the same handle every time */
                           .time_ns = SONDE_TIME_UNKNOWN, .value = {.f64 = value}};
    self->host->commit(self->host, &sample, 1, NULL);
    return SONDE_OK;
}

SONDE_EXPORT const sonde_plugin *sonde_plugin_newthing(void) {
    static const sonde_plugin plugin = {.struct_size = sizeof plugin, .kind = SONDE_PLUGIN_SOURCE,
        .describe = describe, .create = create, .collect = collect, .destroy = free};
    return &plugin;
}
