/* What the fixtures share: a plugin named PLUGIN whose collect or deliver is in the fixture itself. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sonde_plugin.h"

typedef struct fixture {
    const sonde_host *host;
    const char *mode;
    char path[256];
    int calls;
} fixture;

__attribute__((unused)) static sonde_status fixture_create(const sonde_plugin *plugin, const sonde_host *host,
                                                           void **instance, sonde_error *error) {
    (void)plugin, (void)error;
    sonde_string text = SONDE_STRING("");
    fixture *self = calloc(1, sizeof *self);
    self->host = host;
    self->mode = host->option_string(host, SONDE_STRING("mode"), &text) ? text.data : "";
    if (host->option_string(host, SONDE_STRING("path"), &text)) snprintf(self->path, sizeof self->path, "%s", text.data);
    *instance = self;
    return SONDE_OK;
}

__attribute__((unused, format(printf, 2, 3))) static void say(const sonde_host *host, const char *format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    host->log(host, SONDE_LOG_INFO, (sonde_string){line, (size_t)size});
}

__attribute__((unused)) static sonde_series_handle gauge(const sonde_host *host, const char *name) {
    sonde_series series = {.struct_size = sizeof series, .kind = SONDE_KIND_GAUGE, .name = {name, strlen(name)}};
    return host->series_open(host, &series);
}

#define TEXT_(name) #name
#define TEXT(name) TEXT_(name)
#define JOIN_(left, right) left##right
#define JOIN(left, right) JOIN_(left, right)
#define DESCRIPTION(word) \
    "{\"name\":\"" TEXT(PLUGIN) "\",\"kind\":\"" word "\",\"version\":\"1\",\"summary\":\"A fixture.\"}"

#define EXPORT(word, number, ...)                                                                              \
    SONDE_PLUGIN_ABI("");                                                                                      \
    static sonde_string describe(const sonde_plugin *plugin) {                                                 \
        (void)plugin;                                                                                          \
        return SONDE_STRING(DESCRIPTION(word));                                                                \
    }                                                                                                          \
    SONDE_EXPORT const sonde_plugin *JOIN(sonde_plugin_, PLUGIN)(void) {                                       \
        static const sonde_plugin plugin = {.struct_size = sizeof plugin, .kind = number,                      \
            .describe = describe, .create = fixture_create, .destroy = free, __VA_ARGS__};                     \
        return &plugin;                                                                                        \
    }
#define EXPORT_SOURCE(...) EXPORT("source", SONDE_PLUGIN_SOURCE, __VA_ARGS__)
#define EXPORT_SINK(...) EXPORT("sink", SONDE_PLUGIN_SINK, __VA_ARGS__)

#endif
