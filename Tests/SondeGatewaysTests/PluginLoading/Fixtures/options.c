/* A source that says what its options are. */
#define PLUGIN options
#include "fixture.h"

static sonde_status collect(void *instance, const sonde_call *call, sonde_error *error) {
    const sonde_host *host = ((fixture *)instance)->host;
    sonde_string text = {0}, key = {0};
    int32_t flag = -1;
    int64_t number = -1;
    double real = -1;
    (void)call, (void)error;
    say(host, "id %s", host->instance_id.data);
    if (host->option_string(host, SONDE_STRING("text"), &text)) say(host, "text %s (%zu)", text.data, text.size);
    if (host->option_string(host, SONDE_STRING("auth.token"), &text)) say(host, "token %s", text.data);
    if (host->option_bool(host, SONDE_STRING("flag"), &flag)) say(host, "flag %d", flag);
    if (host->option_int(host, SONDE_STRING("count"), &number)) say(host, "count %lld", (long long)number);
    if (host->option_double(host, SONDE_STRING("ratio"), &real)) say(host, "ratio %g", real);
    if (host->option_duration_ns(host, SONDE_STRING("wait"), &number)) say(host, "wait %lld", (long long)number);
    if (host->option_size_bytes(host, SONDE_STRING("room"), &number)) say(host, "room %lld", (long long)number);
    for (size_t i = 0; i < host->option_list_count(host, SONDE_STRING("hosts")); i++)
        if (host->option_list_item(host, SONDE_STRING("hosts"), i, &text)) say(host, "host %s", text.data);
    for (size_t i = 0; i < host->option_map_count(host, SONDE_STRING("headers")); i++)
        if (host->option_map_item(host, SONDE_STRING("headers"), i, &key, &text))
            say(host, "header %s=%s", key.data, text.data);
    for (size_t i = 0; i < host->option_list_count(host, SONDE_STRING("targets")); i++) {
        char path[32], port[32] = "unset";
        sonde_string token = SONDE_STRING("unset");
        snprintf(path, sizeof path, "targets[%zu].host", i);
        host->option_string(host, (sonde_string){path, strlen(path)}, &text);
        snprintf(path, sizeof path, "targets[%zu].port", i);
        if (host->option_int(host, (sonde_string){path, strlen(path)}, &number))
            snprintf(port, sizeof port, "%lld", (long long)number);
        snprintf(path, sizeof path, "targets[%zu].token", i);
        host->option_string(host, (sonde_string){path, strlen(path)}, &token);
        say(host, "target %s port %s token %s", text.data, port, token.data);
    }
    say(host, "item of a mapping %d", host->option_list_item(host, SONDE_STRING("targets"), 0, &text));
    say(host, "past the end %d", host->option_list_item(host, SONDE_STRING("hosts"), 99, &text));
    say(host, "unset %d", host->option_string(host, SONDE_STRING("unset"), &text));
    say(host, "other type %d", host->option_int(host, SONDE_STRING("text"), &number));
    return SONDE_OK;
}

EXPORT_SOURCE(.collect = collect)
