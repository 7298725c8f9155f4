/* A sink: one line for each point, appended to a file. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sonde_plugin.h"
SONDE_PLUGIN_ABI("");

/* A later agent may hand out larger structs: their own size is the stride. */
#define AT(array, index) ((const void *)((const char *)(array) + (index) * (array)->struct_size))

static sonde_string describe(const sonde_plugin *plugin) {
    return (void)plugin, SONDE_STRING("{\"name\":\"append\",\"kind\":\"sink\",\"version\":\"1.0\",\"delivery\":\"durable\",\"ends\":true,"
        "\"summary\":\"Appends points to a file.\","
        "\"options\":[{\"key\":\"path\",\"type\":\"string\",\"required\":true,\"help\":\"Where to write.\"}],"
        "\"errors\":[{\"code\":\"ACME-A001\",\"meaning\":\"The file cannot be written.\",\"recovery\":\"Check the path.\"}]}");
}

static sonde_status create(const sonde_plugin *plugin, const sonde_host *host, void **instance, sonde_error *error) {
    (void)plugin, (void)error;
    sonde_string path = SONDE_STRING("");
    host->option_string(host, SONDE_STRING("path"), &path);
    *instance = strdup(path.data);
    return SONDE_OK;
}

static void print(FILE *file, const sonde_point *point, const sonde_batch_series *series) {
    fprintf(file, "%" PRId64 " %s", point->time_ns, series->name.data);
    for (size_t i = 0; i < series->attribute_count; i++) {
        const sonde_attribute *attribute = AT(series->attributes, i);
        fprintf(file, " %s=%s", attribute->name.data, attribute->value.data);
    }
    if (point->flags & SONDE_POINT_END) fputs(" ended\n", file);
    else if (point->value_type == SONDE_VALUE_DOUBLE) fprintf(file, " %.17g\n", point->value.f64);
    else if (point->value_type == SONDE_VALUE_INT64) fprintf(file, " %" PRId64 "\n", point->value.i64);
    else if (point->value_type == SONDE_VALUE_UINT64) fprintf(file, " %" PRIu64 "\n", point->value.u64);
    else fprintf(file, " %" PRIu64 " events\n", point->value.histogram->count);
}

static sonde_status deliver(void *instance, const sonde_batch *batch, const sonde_call *call, sonde_delivery *delivery,
                            sonde_error *error) {
    (void)call, (void)delivery;
    FILE *file = fopen(instance, "ae");
    for (size_t i = 0; file != NULL && i < batch->point_count; i++) {
        const sonde_point *point = AT(batch->points, i);
        print(file, point, AT(batch->series, point->series_index));
    }
    if (file != NULL && (ferror(file) | fclose(file)) == 0) return SONDE_OK;
    error->error_class = SONDE_ERROR_RESOURCE;
    strcpy(error->code, "ACME-A001");
    snprintf(error->message, sizeof error->message, "cannot write %s", (const char *)instance);
    return SONDE_FAILED;
}

SONDE_EXPORT const sonde_plugin *sonde_plugin_append(void) {
    static const sonde_plugin plugin = {.struct_size = sizeof plugin, .kind = SONDE_PLUGIN_SINK,
        .describe = describe, .create = create, .deliver = deliver, .destroy = free};
    return &plugin;
}
