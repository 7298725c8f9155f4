/* A source: the load average of the last minute. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sonde_plugin.h"
SONDE_PLUGIN_ABI("");

typedef struct loadavg {
    const sonde_host *host;
    const char *path;
    sonde_series_handle series;
} loadavg;

static sonde_string describe(const sonde_plugin *plugin) {
    (void)plugin;
    return SONDE_STRING("{\"name\":\"loadavg\",\"kind\":\"source\",\"version\":\"1.0\","
        "\"summary\":\"The load average.\","
        "\"options\":[{\"key\":\"path\",\"type\":\"string\",\"default\":\"/proc/loadavg\",\"help\":\"Where to read.\"}],"
        "\"metrics\":[{\"name\":\"acme.load\",\"kind\":\"gauge\",\"unit\":\"1\",\"meaning\":\"Runnable tasks.\"}],"
        "\"errors\":[{\"code\":\"ACME-L001\",\"meaning\":\"The file is unreadable.\",\"recovery\":\"Check the path.\"}]}");
}

static sonde_status create(const sonde_plugin *plugin, const sonde_host *host, void **instance, sonde_error *error) {
    (void)plugin, (void)error;
    sonde_string path = SONDE_STRING("/proc/loadavg");
    loadavg *self = malloc(sizeof *self);
    host->option_string(host, SONDE_STRING("path"), &path);
    *self = (loadavg){host, path.data, 0};
    *instance = self;
    return SONDE_OK;
}

static sonde_status collect(void *instance, const sonde_call *call, sonde_error *error) {
    (void)call;
    loadavg *self = instance;
    double load = 0;
    FILE *file = fopen(self->path, "re");
    if (file == NULL || fscanf(file, "%lf", &load) != 1) {
        error->error_class = SONDE_ERROR_CONFIGURATION;
        strcpy(error->code, "ACME-L001");
        strcpy(error->option_path, "path");
        snprintf(error->message, sizeof error->message, "cannot read %s", self->path);
        if (file != NULL) fclose(file);
        return SONDE_FAILED;
    }
    fclose(file);
    sonde_series series = {.struct_size = sizeof series, .kind = SONDE_KIND_GAUGE,
                           .name = SONDE_STRING("acme.load"), .unit = SONDE_STRING("1")};
    self->series = self->host->series_open(self->host, &series);
    sonde_sample sample = {sizeof sample, SONDE_VALUE_DOUBLE, self->series, SONDE_TIME_UNKNOWN, {.f64 = load}};
    self->host->commit(self->host, &sample, 1, NULL);
    return SONDE_OK;
}

SONDE_EXPORT const sonde_plugin *sonde_plugin_loadavg(void) {
    static const sonde_plugin plugin = {.struct_size = sizeof plugin, .kind = SONDE_PLUGIN_SOURCE,
        .describe = describe, .create = create, .collect = collect, .destroy = free};
    return &plugin;
}
