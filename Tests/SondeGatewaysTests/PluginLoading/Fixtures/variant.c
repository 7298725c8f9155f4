/* A source that is right in everything but what a macro of the command line makes wrong. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "sonde_plugin.h"

#ifndef MAJOR
#define MAJOR SONDE_ABI_MAJOR
#endif
#ifndef RECORD_SIZE
#define RECORD_SIZE sizeof(sonde_abi)
#endif
#ifndef RUNTIME
#define RUNTIME ""
#endif
#ifndef TABLE_SIZE
#define TABLE_SIZE sizeof(sonde_plugin)
#endif
#ifndef KIND
#define KIND SONDE_PLUGIN_SOURCE
#endif
#ifndef DESCRIPTION
#define DESCRIPTION "{\"name\":\"variant\",\"kind\":\"source\",\"version\":\"1\",\"summary\":\"A variant.\"}"
#endif

#define IN_SECTION __attribute__((section("sonde_abi"), used))
#ifdef HALF_RECORD
static const char half[32] IN_SECTION = {64};
#elif !defined(NO_RECORD)
static const sonde_abi first IN_SECTION = {RECORD_SIZE, MAJOR, SONDE_ABI_MINOR, 0, RUNTIME};
#endif
#ifdef SAME_TWICE
static const sonde_abi second IN_SECTION = {RECORD_SIZE, MAJOR, SONDE_ABI_MINOR, 0, RUNTIME};
#endif
#ifdef DIFFERENT_TWICE
static const sonde_abi second IN_SECTION = {RECORD_SIZE, MAJOR, SONDE_ABI_MINOR, 0, "other"};
#endif

/* Tells that code of the object has run. */
__attribute__((constructor)) static void leave_mark(void) { close(open(MARK, O_CREAT | O_WRONLY, 0600)); }

#ifdef UNDEFINED
void sonde_no_such_function(void);
__attribute__((used)) static void call_it(void) { sonde_no_such_function(); }
#endif

static sonde_string describe(const sonde_plugin *plugin) {
    (void)plugin;
#ifdef HUGE_DESCRIPTION
    return (sonde_string){calloc(1, (1 << 20) + 1), (1 << 20) + 1};
#else
    return SONDE_STRING(DESCRIPTION);
#endif
}

static sonde_status create(const sonde_plugin *plugin, const sonde_host *host, void **instance, sonde_error *error) {
    (void)plugin, (void)host, (void)instance, (void)error;
    return SONDE_OK;
}

static sonde_status collect(void *instance, const sonde_call *call, sonde_error *error) {
    (void)instance, (void)call, (void)error;
    return SONDE_OK;
}

#ifndef NO_ENTRY
SONDE_EXPORT const sonde_plugin *sonde_plugin_variant(void) {
    static sonde_plugin plugin = {.struct_size = TABLE_SIZE, .kind = KIND, .describe = describe, .create = create,
                                  .collect = collect, .destroy = free};
#ifdef WITHOUT
    plugin.WITHOUT = NULL;
#endif
#ifdef BOTH
    plugin.run = collect;
#endif
#ifdef NO_TABLE
    return NULL;
#endif
    return &plugin;
}
#endif
