/* A source that misbehaves in the way that `mode` names. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sonde_plugin.h"
SONDE_PLUGIN_ABI("");

static sonde_string describe(const sonde_plugin *plugin) {
    (void)plugin;
    return SONDE_STRING("{\"name\":\"troubled\",\"kind\":\"source\",\"version\":\"1.0\",\"summary\":\"Fails.\","
        "\"options\":[{\"key\":\"mode\",\"type\":\"choice\",\"values\":[\"hangs\",\"fails\",\"overruns\",\"crashes\"],\"required\":true,"
        "\"help\":\"How.\"}],"
        "\"errors\":[{\"code\":\"ACME-T001\",\"meaning\":\"It failed.\",\"recovery\":\"None.\"}]}");
}

static sonde_status create(const sonde_plugin *plugin, const sonde_host *host, void **instance, sonde_error *error) {
    (void)plugin, (void)error;
    sonde_string mode = SONDE_STRING("");
    host->option_string(host, SONDE_STRING("mode"), &mode);
    *instance = strdup(mode.data);
    return SONDE_OK;
}

static sonde_status collect(void *instance, const sonde_call *call, sonde_error *error) {
    (void)call;
    /* Deaf to cancel_fd. */
    while (strcmp(instance, "hangs") == 0) poll(NULL, 0, -1);
    if (strcmp(instance, "overruns") == 0) poll(NULL, 0, 350);
    if (strcmp(instance, "crashes") == 0) {
        volatile char *nowhere = NULL;
        puts("a line of the plugin's own");
        fflush(stdout);
        *nowhere = 1;
    }
    if (strcmp(instance, "fails") != 0) return SONDE_OK;
    error->error_class = SONDE_ERROR_TRANSIENT;
    strcpy(error->code, "ACME-T001");
    strcpy(error->message, "the device is on fire");
    return SONDE_FAILED;
}

SONDE_EXPORT const sonde_plugin *sonde_plugin_troubled(void) {
    static const sonde_plugin plugin = {.struct_size = sizeof plugin, .kind = SONDE_PLUGIN_SOURCE,
        .describe = describe, .create = create, .collect = collect, .destroy = free};
    return &plugin;
}
