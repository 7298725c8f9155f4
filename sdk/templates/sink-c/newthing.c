/* Appends one line for each point to a file; put in its place how you deliver. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sonde_plugin.h>
SONDE_PLUGIN_ABI("");

/* A later agent may hand out larger structs: their own size is the stride. */
#define AT(array, index) ((const void *)((const char *)(array) + (index) * (array)->struct_size))

static const char description[] =
    "{\"name\":\"newthing\",\"kind\":\"sink\",\"version\":\"0.1.0\",\"delivery\":\"durable\","
    "\"summary\":\"Appends points to a file.\","
    "\"options\":[{\"key\":\"path\",\"type\":\"string\",\"required\":true,\"help\":\"The file that is appended to.\"}],"
    "\"errors\":["
    "{\"code\":\"NEWTHING-001\",\"meaning\":\"The file cannot be opened.\",\"recovery\":\"Check 'path' and its permissions.\"},"
    "{\"code\":\"NEWTHING-002\",\"meaning\":\"The file cannot be written.\",\"recovery\":\"Look for a full or failing disk.\"},"
    "{\"code\":\"NEWTHING-003\",\"meaning\":\"There is no memory.\",\"recovery\":\"Free memory.\"}]}";

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

/* Checks the options and opens nothing: `sonde check` calls this. The instance is the path alone. */
static sonde_status create(const sonde_plugin *plugin, const sonde_host *host, void **instance, sonde_error *error) {
    (void)plugin;
    sonde_string path = SONDE_STRING("");
    host->option_string(host, SONDE_STRING("path"), &path);
    if (path.data[0] != '/')
        return failed(error, SONDE_ERROR_CONFIGURATION, "NEWTHING-001", path.data, "is not an absolute path");
    *instance = strdup(path.data);
    if (*instance == NULL) return failed(error, SONDE_ERROR_RESOURCE, "NEWTHING-003", path.data, strerror(ENOMEM));
    return SONDE_OK;
}

static void print(FILE *file, const sonde_point *point, const sonde_batch_series *series) {
    fprintf(file, "%" PRId64 " %s", point->time_ns, series->name.data);
    for (size_t i = 0; i < series->attribute_count; i++) {
        const sonde_attribute *attribute = AT(series->attributes, i);
        fprintf(file, " %s=%s", attribute->name.data, attribute->value.data);
    }
    switch (point->value_type) {
    case SONDE_VALUE_DOUBLE: fprintf(file, " %.17g\n", point->value.f64); break;
    case SONDE_VALUE_INT64: fprintf(file, " %" PRId64 "\n", point->value.i64); break;
    case SONDE_VALUE_UINT64: fprintf(file, " %" PRIu64 "\n", point->value.u64); break;
    case SONDE_VALUE_HISTOGRAM: fprintf(file, " %" PRIu64 " values\n", point->value.histogram->count); break;
    default: fputs(" of an unknown type\n", file);
    }
}

/* Delivers a batch whole: after SONDE_FAILED the agent offers the same batch again. */
static sonde_status deliver(void *instance, const sonde_batch *batch, const sonde_call *call, sonde_delivery *delivery,
                            sonde_error *error) {
    (void)call, (void)delivery;
    FILE *file = fopen(instance, "ae");
    if (file == NULL) return failed(error, SONDE_ERROR_CONFIGURATION, "NEWTHING-001", instance, strerror(errno));
    for (size_t i = 0; i < batch->point_count; i++) {
        const sonde_point *point = AT(batch->points, i);
        print(file, point, AT(batch->series, point->series_index));
    }
    int broken = ferror(file);
    if (fclose(file) == 0 && !broken) return SONDE_OK;
    return failed(error, SONDE_ERROR_RESOURCE, "NEWTHING-002", instance, strerror(errno));
}

SONDE_EXPORT const sonde_plugin *sonde_plugin_newthing(void) {
    static const sonde_plugin plugin = {.struct_size = sizeof plugin, .kind = SONDE_PLUGIN_SINK,
        .describe = describe, .create = create, .deliver = deliver, .destroy = free};
    return &plugin;
}
