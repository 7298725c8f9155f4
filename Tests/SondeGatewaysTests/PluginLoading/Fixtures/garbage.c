/* A source that hands its host nothing but nonsense. */
#define PLUGIN garbage
#include "fixture.h"

static sonde_status collect(void *instance, const sonde_call *call, sonde_error *error) {
    const sonde_host *host = ((fixture *)instance)->host;
    const sonde_string bad[] = {{NULL, 7}, {"x", SIZE_MAX}, {"x", (size_t)1 << 62}, {NULL, SIZE_MAX}, {NULL, 0}};
    sonde_string text;
    int64_t number;
    (void)call, (void)error;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        host->log(host, 99, bad[i]);
        host->option_string(host, bad[i], &text);
        host->option_list_item(host, bad[i], SIZE_MAX, &text);
        host->option_map_count(host, bad[i]);
        sonde_attribute pair = {.struct_size = sizeof pair, .name = bad[i], .value = bad[i]};
        sonde_series named = {.struct_size = sizeof named, .kind = SONDE_KIND_GAUGE, .name = bad[i], .unit = bad[i]};
        sonde_series paired = {.struct_size = sizeof paired, .kind = SONDE_KIND_GAUGE, .name = SONDE_STRING("a"),
                               .attributes = &pair, .attribute_count = 1};
        sonde_loss loss = {.struct_size = sizeof loss, .reason = bad[i]};
        if (host->series_open(host, &named) != 0) say(host, "a nameless series was opened");
        if (host->series_open(host, &paired) != 0) say(host, "a nameless attribute was taken");
        host->report_loss(host, &loss);
    }
    sonde_attribute twice[2] = {{sizeof *twice, 0, SONDE_STRING("a"), SONDE_STRING("1")},
                                {sizeof *twice, 0, SONDE_STRING("a"), SONDE_STRING("2")}};
    sonde_series odd[] = {
        {.struct_size = 4, .kind = SONDE_KIND_GAUGE, .name = SONDE_STRING("short")},
        {.struct_size = sizeof *odd, .kind = 77, .name = SONDE_STRING("kind")},
        {.struct_size = sizeof *odd, .kind = SONDE_KIND_COUNTER, .name = SONDE_STRING("bits"), .counter_bits = 7},
        {.struct_size = sizeof *odd, .kind = 3, .name = SONDE_STRING("null"), .attribute_count = 3},
        {.struct_size = sizeof *odd, .kind = 3, .name = SONDE_STRING("many"), .attributes = twice,
         .attribute_count = SIZE_MAX},
        {.struct_size = sizeof *odd, .kind = 3, .name = SONDE_STRING("twice"), .attributes = twice,
         .attribute_count = 2},
    };
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        if (host->series_open(host, &odd[i]) != 0) say(host, "a malformed series was opened");
    if (host->series_open(host, NULL) != 0) say(host, "NULL was opened");
    host->report_loss(host, NULL);
    host->series_close(host, UINT64_MAX);
    host->option_int(host, SONDE_STRING("mode"), NULL);
    host->option_map_item(host, SONDE_STRING("mode"), 0, NULL, NULL);
    if (host->option_int(NULL, SONDE_STRING("mode"), &number) != 0) say(host, "no host answered");
    if (host->request_tick(host, INT64_MIN) != 0) say(host, "an impossible period was taken");
    host->prefer_send(host, 0);
    char *long_line = malloc(100000);
    memset(long_line, 'l', 100000);
    host->log(host, SONDE_LOG_WARNING, (sonde_string){long_line, 100000});
    free(long_line);
    say(host, "survived");
    return SONDE_OK;
}

EXPORT_SOURCE(.collect = collect)
