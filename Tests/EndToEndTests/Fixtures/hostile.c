/* Five hundred plugins in one object, h000 to h499: from h000 to h199 all is well but what a test changes in the file, from
 * h200 on each offers something else that is wrong, from h230 on a description of descriptions.h, which the test writes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sonde_plugin.h"
SONDE_PLUGIN_ABI("");

typedef struct entry {
    sonde_plugin table;
    int number;
    char text[8192];
} entry;

static sonde_status create(const sonde_plugin *plugin, const sonde_host *host, void **instance, sonde_error *error) {
    (void)plugin, (void)host, (void)error;
    *instance = malloc(1);
    return SONDE_OK;
}

static sonde_status collect(void *instance, const sonde_call *call, sonde_error *error) {
    (void)instance, (void)call, (void)error;
    return SONDE_OK;
}

static sonde_status deliver(void *instance, const sonde_batch *batch, const sonde_call *call, sonde_delivery *delivery,
                            sonde_error *error) {
    (void)instance, (void)batch, (void)call, (void)delivery, (void)error;
    return SONDE_OK;
}

__attribute__((noinline)) static int deeper(volatile char *above) {
    volatile char here[4096];
    here[0] = above[0];
    return deeper(here) + here[0];
}

/* Descriptions that break a rule each; %s is the name. */
static const char *const malformed[] = {
    "", "{", "[]", "null", "{}", "\"%s\"", "{\"name\":\"%s\"}", "{\"name\":\"%s\",\"kind\":\"source\"}",
    "{\"name\":\"%s\",\"kind\":\"pump\",\"version\":\"1\",\"summary\":\"x\"}",
    "{\"name\":7,\"kind\":\"source\",\"version\":\"1\",\"summary\":\"x\"}",
    "{\"name\":\"%s\",\"kind\":\"source\",\"version\":\"\",\"summary\":\"x\"}",
    "{\"name\":\"%s\",\"kind\":\"source\",\"version\":\"1\",\"summary\":null}",
    "{\"name\":\"%s\",\"kind\":\"source\",\"version\":\"1\",\"summary\":\"x\",\"ends\":true}",
    "{\"name\":\"%s\",\"kind\":\"source\",\"version\":\"1\",\"summary\":\"x\",\"delivery\":\"live\"}",
    "{\"name\":\"%s\",\"kind\":\"source\",\"version\":\"1\",\"summary\":\"x\",\"sees\":[\"stars\"]}",
    "{\"name\":\"%s\",\"kind\":\"source\",\"version\":\"1\",\"summary\":\"x\",\"sees\":\"wire\"}",
    "{\"name\":\"%s\",\"kind\":\"source\",\"version\":\"1\",\"summary\":\"x\",\"series_limit\":0}",
    "{\"name\":\"%s\",\"kind\":\"source\",\"version\":\"1\",\"summary\":\"x\",\"series_limit\":1e99}",
    "{\"name\":\"%s\",\"kind\":\"source\",\"version\":\"1\",\"summary\":\"x\",\"options\":{}}",
    "{\"name\":\"%s\",\"kind\":\"source\",\"version\":\"1\",\"summary\":\"x\",\"options\":[{\"key\":\"A\",\"type\":\"string\",\"help\":\"\"}]}",
    "{\"name\":\"%s\",\"kind\":\"source\",\"version\":\"1\",\"summary\":\"x\",\"options\":[{\"key\":\"a\",\"type\":\"what\",\"help\":\"\"}]}",
    "{\"name\":\"%s\",\"kind\":\"source\",\"version\":\"1\",\"summary\":\"x\",\"options\":[{\"key\":\"a\",\"type\":\"choice\",\"help\":\"\"}]}",
    "{\"name\":\"%s\",\"kind\":\"source\",\"version\":\"1\",\"summary\":\"x\",\"options\":[{\"key\":\"a\",\"type\":\"integer\",\"minimum\":2,\"maximum\":1,\"help\":\"\"}]}",
    "{\"name\":\"%s\",\"kind\":\"source\",\"version\":\"1\",\"summary\":\"x\",\"metrics\":[{\"name\":\"\",\"kind\":\"gauge\",\"meaning\":\"\"}]}",
    "{\"name\":\"%s\",\"kind\":\"source\",\"version\":\"1\",\"summary\":\"x\",\"metrics\":[{\"name\":\"m\",\"kind\":\"dial\",\"meaning\":\"\"}]}",
    "{\"name\":\"%s\",\"kind\":\"source\",\"version\":\"1\",\"summary\":\"x\",\"errors\":[{\"code\":\"X\"}]}",
    "{\"name\":\"%s\",\"kind\":\"source\",\"version\":\"1\",\"summary\":\"x\"} and more",
    "{\"name\":\"%s\",\"kind\":\"source\",\"version\":\"1\",\"summary\":\"x\",\"more\":[[[[[[[[[[1]]]]]]]]]]}",
    "{\"name\":\"%s\",\"kind\":\"sink\",\"version\":\"1\",\"summary\":\"x\"}",
    "{\"name\":\"other\",\"kind\":\"source\",\"version\":\"1\",\"summary\":\"x\"}",
};
enum { MALFORMED = sizeof malformed / sizeof *malformed };

static const sonde_string generated[] = {
#include "descriptions.h"
};
enum { GENERATED = sizeof generated / sizeof *generated };

static sonde_string describe(const sonde_plugin *plugin) {
    entry *self = (entry *)plugin;
    const char *form = "{\"name\":\"%s\",\"kind\":\"source\",\"version\":\"1\",\"summary\":\"Fine.\"}";
    char name[8];
    snprintf(name, sizeof name, "h%03d", self->number);
    int wrong = self->number - 200;
    if (wrong >= 30 && wrong - 30 < GENERATED) return generated[wrong - 30];
    switch (wrong) {
    case 0: abort();
    case 1: *(volatile char *)16 = 1; break;
    case 2: return (sonde_string){(const char *)16, 100};
    case 3: return (sonde_string){NULL, 100};
    case 4: return (sonde_string){"", SIZE_MAX};
    case 5: { volatile char top = 1; return (sonde_string){"x", (size_t)deeper(&top)}; }
    case 6: __builtin_trap();
    case 7: for (;;) pause();
    default: break;
    }
    if (wrong >= 8) form = malformed[(wrong - 8) % MALFORMED];
    snprintf(self->text, sizeof self->text, form, name);
    return (sonde_string){self->text, strlen(self->text)};
}

/* Of what a table itself can say. */
static void spoil(sonde_plugin *table, int number) {
    switch (number) {
    case 180: table->struct_size = 0; break;
    case 181: table->struct_size = 1; break;
    case 182: table->struct_size = SONDE_SIZE_1_0_PLUGIN - 8; break;
    case 183: table->kind = 0; break;
    case 184: table->kind = 3; break;
    case 185: table->kind = UINT32_MAX; break;
    case 186: table->kind = SONDE_PLUGIN_SINK; break;
    case 187: table->describe = NULL; break;
    case 188: table->create = NULL; break;
    case 189: table->destroy = NULL; break;
    case 190: table->collect = NULL; break;
    case 191: table->run = collect; break;
    case 192: table->describe = (sonde_string (*)(const sonde_plugin *))16; break;
    case 193: table->kind = SONDE_PLUGIN_SINK, table->deliver = deliver; break;
    default: break;
    }
}

static const sonde_plugin *entry_of(int number) {
    static entry entries[500];
    entry *self = &entries[number];
    self->number = number;
    self->table = (sonde_plugin){.struct_size = sizeof self->table, .kind = SONDE_PLUGIN_SOURCE, .describe = describe,
        .create = create, .collect = collect, .destroy = free};
    spoil(&self->table, number);
    if (number == 194) return NULL;
    if (number == 195) return (const sonde_plugin *)((char *)&self->table + 1);
    if (number == 196) return (const sonde_plugin *)8;
    if (number == 197) abort();
    if (number == 198) _exit(3);
    return &self->table;
}

#define E(n) SONDE_EXPORT const sonde_plugin *sonde_plugin_h##n(void) { return entry_of(1##n - 1000); }
#define T(n) E(n##0) E(n##1) E(n##2) E(n##3) E(n##4) E(n##5) E(n##6) E(n##7) E(n##8) E(n##9)
#define H(n) T(n##0) T(n##1) T(n##2) T(n##3) T(n##4) T(n##5) T(n##6) T(n##7) T(n##8) T(n##9)
H(0) H(1) H(2) H(3) H(4)
