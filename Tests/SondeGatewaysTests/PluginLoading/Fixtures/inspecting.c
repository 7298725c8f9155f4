/* Reads files that begin with "mine": writes what it got, whole. Its mode is the rest of the file. */
#define PLUGIN inspecting
#include <unistd.h>

#include "fixture.h"

static void write_text(const sonde_inspection *file, const char *text, size_t size) {
    file->write(file->context, text, size);
}

static sonde_status collect(void *instance, const sonde_call *call, sonde_error *error) {
    (void)instance, (void)call, (void)error;
    return SONDE_OK;
}

static sonde_status inspect(void *instance, const sonde_inspection *file, const sonde_call *call, sonde_error *error) {
    char rest[4096];
    (void)instance, (void)call;
    if (file->head.size < 4 || memcmp(file->head.data, "mine", 4) != 0) {
        snprintf(error->code, sizeof error->code, "ACME-I001");
        snprintf(error->message, sizeof error->message, "it does not begin with mine");
        error->error_class = SONDE_ERROR_CORRUPT_INPUT;
        return SONDE_UNSUITED;
    }
    write_text(file, file->format.data, file->format.size);
    write_text(file, " ", 1);
    write_text(file, file->head.data, file->head.size);
    ssize_t size = read(file->fd, rest, sizeof rest);
    if (size > 0) write_text(file, rest, (size_t)size);
    if (size == 4 && memcmp(rest, "torn", 4) == 0) {
        snprintf(error->code, sizeof error->code, "ACME-I002");
        snprintf(error->message, sizeof error->message, "%s is torn", file->path.data);
        error->error_class = SONDE_ERROR_CORRUPT_INPUT;
        return SONDE_FAILED;
    }
    return size == 4 && memcmp(rest, "stop", 4) == 0 ? SONDE_CANCELLED : SONDE_OK;
}

EXPORT_SOURCE(.collect = collect, .inspect = inspect)
