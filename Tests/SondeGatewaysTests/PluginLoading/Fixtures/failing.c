/* A source that fails in the way that `mode` names, and counts what it was called for in the file `path`. */
#define PLUGIN failing
#include "fixture.h"

#include <unistd.h>

static void note(fixture *self, const char *call) {
    FILE *out = fopen(self->path, "ae");
    if (out == NULL) return;
    fprintf(out, "%s ", call);
    fclose(out);
}

static sonde_status fail(fixture *self, sonde_error *error) {
    if (strcmp(self->mode, "full") == 0) {
        error->error_class = SONDE_ERROR_RATE_LIMITED;
        error->retry_after_ns = 5000000000;
        strcpy(error->code, "ACME-X001");
        strcpy(error->option_path, "hosts[2]");
        strcpy(error->message, "told to wait");
        strcpy(error->hint, "ask for more");
    }
    if (strcmp(self->mode, "unterminated") == 0) {
        error->error_class = 4000;
        memset(error->code, 'A', sizeof error->code);
        memset(error->message, 0xFF, sizeof error->message);
        memset(error->hint, 'h', sizeof error->hint);
        memset(error->option_path, 'o', sizeof error->option_path);
        error->retry_after_ns = INT64_MIN;
    }
    if (strcmp(self->mode, "control") == 0) strcpy(error->code, "A\nB");
    if (strcmp(self->mode, "status") == 0) return 42;
    if (strcmp(self->mode, "cancel") == 0) return SONDE_CANCELLED;
    return strcmp(self->mode, "fine") == 0 ? SONDE_OK : SONDE_FAILED;
}

static sonde_status create(const sonde_plugin *plugin, const sonde_host *host, void **instance, sonde_error *error) {
    fixture_create(plugin, host, instance, error);
    fixture *self = *instance;
    while (strcmp(self->mode, "create and hang") == 0) pause();
    if (strncmp(self->mode, "create ", 7) != 0) return SONDE_OK;
    self->mode += 7;
    sonde_status status = fail(self, error);
    if (status != SONDE_OK) free(self);
    return status;
}

static sonde_status start(void *instance, sonde_error *error) {
    fixture *self = instance;
    note(self, "start");
    return ++self->calls == 1 ? fail(self, error) : SONDE_OK;
}

static sonde_status collect(void *instance, const sonde_call *call, sonde_error *error) {
    (void)call;
    note(instance, "collect");
    return fail(instance, error);
}

static void destroy(void *instance) {
    note(instance, "destroy");
    while (strcmp(((fixture *)instance)->mode, "destroy and hang") == 0) pause();
    free(instance);
}

#define fixture_create create
#define free destroy
EXPORT_SOURCE(.start = start, .collect = collect)
