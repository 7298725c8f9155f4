/* A source: what network drivers count, as `ethtool -S` shows it. */
#include <errno.h>
#include <fnmatch.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <sonde_plugin.h>
SONDE_PLUGIN_ABI("");

/* The kernel fills what the driver has at that moment, which may be more than it said a call before: when its queues change
 * in between. So there is room for twice as many as are accepted. */
#define MOST_STATISTICS 4096u
#define ROOM (2 * MOST_STATISTICS)

static const char description[] =
    "{\"name\":\"ethtool\",\"kind\":\"source\",\"version\":\"1.0.0\",\"sees\":[\"kernel\"],"
    "\"summary\":\"What network drivers count, as ethtool -S shows it.\","
    "\"options\":["
    "{\"key\":\"interfaces\",\"type\":\"list\",\"help\":\"The interfaces; every one that has statistics when left out.\"},"
    "{\"key\":\"match\",\"type\":\"list\","
    "\"default\":\"['*drop*', '*discard*', '*miss*', '*err*', '*no_buf*', '*fifo*', '*timeout*']\","
    "\"help\":\"Shell patterns: the statistics that are read.\"}],"
    "\"metrics\":[{\"name\":\"ethtool.statistic\",\"kind\":\"counter\",\"unit\":\"{event}\","
    "\"meaning\":\"A statistic of the driver, by the driver's own name.\","
    "\"attributes\":[\"network.interface.name\",\"ethtool.statistic.name\"]}],"
    "\"errors\":["
    "{\"code\":\"ETHTOOL-001\",\"meaning\":\"No socket can be made, or the interfaces cannot be listed.\","
    "\"recovery\":\"Raise the limit of open files.\"},"
    "{\"code\":\"ETHTOOL-002\",\"meaning\":\"An interface that is named is not there, or its driver has no statistics.\","
    "\"recovery\":\"Check the name with 'ethtool -S NAME'.\"},"
    "{\"code\":\"ETHTOOL-003\",\"meaning\":\"There is no memory.\",\"recovery\":\"Free memory.\"},"
    "{\"code\":\"ETHTOOL-004\",\"meaning\":\"An interface's name is longer than 15 bytes.\",\"recovery\":\"Correct it.\"}]}";

typedef struct handles {
    sonde_series_handle *items;
    size_t count;
    size_t room;
} handles;

typedef struct ethtool {
    const sonde_host *host;
    int socket;
    struct ethtool_gstrings *names;
    struct ethtool_stats *values;
    sonde_sample *samples; /* as many as there are current handles */
    handles open;          /* the series of the collection before, ascending */
    handles current;       /* and of this one */
} ethtool;

static sonde_status failed(sonde_error *error, uint32_t class, const char *code, const char *what, int reason) {
    error->error_class = class;
    snprintf(error->code, sizeof error->code, "%s", code);
    snprintf(error->message, sizeof error->message, "%s: %s", what, strerror(reason));
    return SONDE_FAILED;
}

static sonde_string describe(const sonde_plugin *plugin) {
    (void)plugin;
    return SONDE_STRING(description);
}

static sonde_string text(const char *data) { return (sonde_string){data, strlen(data)}; }

static void destroy(void *instance) {
    ethtool *self = instance;
    if (self->socket >= 0) close(self->socket);
    free(self->names);
    free(self->values);
    free(self->samples);
    free(self->open.items);
    free(self->current.items);
    free(self);
}

static sonde_status create(const sonde_plugin *plugin, const sonde_host *host, void **instance, sonde_error *error) {
    (void)plugin;
    sonde_string name;
    for (size_t i = 0; host->option_list_item(host, SONDE_STRING("interfaces"), i, &name); i++) {
        if (name.size > 0 && name.size < IFNAMSIZ) continue;
        snprintf(error->option_path, sizeof error->option_path, "interfaces[%zu]", i);
        return failed(error, SONDE_ERROR_CONFIGURATION, "ETHTOOL-004", "the name cannot be an interface's", EINVAL);
    }
    ethtool *self = calloc(1, sizeof *self);
    if (self == NULL) return failed(error, SONDE_ERROR_RESOURCE, "ETHTOOL-003", "no instance", ENOMEM);
    self->host = host;
    self->socket = -1;
    *instance = self;
    return SONDE_OK;
}

static sonde_status start(void *instance, sonde_error *error) {
    ethtool *self = instance;
    if (self->names == NULL) self->names = calloc(1, sizeof *self->names + (size_t)ROOM * ETH_GSTRING_LEN);
    if (self->values == NULL) self->values = calloc(1, sizeof *self->values + ROOM * sizeof(uint64_t));
    if (self->names == NULL || self->values == NULL)
        return failed(error, SONDE_ERROR_RESOURCE, "ETHTOOL-003", "no room for statistics", ENOMEM);
    if (self->socket < 0) self->socket = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (self->socket >= 0) return SONDE_OK;
    return failed(error, SONDE_ERROR_RESOURCE, "ETHTOOL-001", "cannot make a socket", errno);
}

/* Asks the driver of an interface; 0 or the number of the error. */
static int ask(const ethtool *self, const char *interface, void *request) {
    struct ifreq message = {.ifr_data = request};
    memcpy(message.ifr_name, interface, strnlen(interface, IFNAMSIZ - 1));
    return ioctl(self->socket, SIOCETHTOOL, &message) == 0 ? 0 : errno;
}

/* Reads names and values of an interface into the buffers; 0 or the number of the error. */
static int read_statistics(ethtool *self, const char *interface) {
    struct {
        struct ethtool_sset_info head;
        uint32_t count;
    } info = {.head = {.cmd = ETHTOOL_GSSET_INFO, .sset_mask = 1ull << ETH_SS_STATS}};
    int problem = ask(self, interface, &info);
    if (problem != 0) return problem;
    if (info.head.sset_mask == 0 || info.count == 0) return EOPNOTSUPP;
    if (info.count > MOST_STATISTICS) return E2BIG;
    *self->names = (struct ethtool_gstrings){.cmd = ETHTOOL_GSTRINGS, .string_set = ETH_SS_STATS, .len = info.count};
    problem = ask(self, interface, self->names);
    if (problem != 0) return problem;
    *self->values = (struct ethtool_stats){.cmd = ETHTOOL_GSTATS, .n_stats = info.count};
    problem = ask(self, interface, self->values);
    if (problem != 0) return problem;
    /* The queues have changed between the calls: names and values may not belong together. The next time again. */
    return self->names->len == info.count && self->values->n_stats == info.count ? 0 : EAGAIN;
}

static int is_wanted(const ethtool *self, const char *name) {
    sonde_string pattern;
    for (size_t i = 0; self->host->option_list_item(self->host, SONDE_STRING("match"), i, &pattern); i++)
        if (fnmatch(pattern.data, name, 0) == 0) return 1;
    return 0;
}

/* Whether an earlier statistic of the driver has the same name: some drivers give one to two. */
static int is_repeated(const ethtool *self, uint32_t index) {
    const uint8_t *name = self->names->data + (size_t)index * ETH_GSTRING_LEN;
    for (uint32_t i = 0; i < index; i++)
        if (memcmp(self->names->data + (size_t)i * ETH_GSTRING_LEN, name, ETH_GSTRING_LEN) == 0) return 1;
    return 0;
}

static int make_room(ethtool *self) {
    handles *current = &self->current;
    if (current->count < current->room) return 1;
    size_t room = current->room == 0 ? 256 : current->room * 2;
    sonde_series_handle *items = realloc(current->items, room * sizeof *items);
    if (items != NULL) current->items = items;
    sonde_sample *samples = realloc(self->samples, room * sizeof *samples);
    if (samples != NULL) self->samples = samples;
    if (items == NULL || samples == NULL) return 0;
    current->room = room;
    return 1;
}

static void add(ethtool *self, const char *interface, const char *name, uint64_t value) {
    sonde_attribute attributes[] = {
        {sizeof *attributes, 0, SONDE_STRING("network.interface.name"), text(interface)},
        {sizeof *attributes, 0, SONDE_STRING("ethtool.statistic.name"), text(name)},
    };
    sonde_series series = {.struct_size = sizeof series, .kind = SONDE_KIND_COUNTER,
                           .name = SONDE_STRING("ethtool.statistic"), .unit = SONDE_STRING("{event}"),
                           .attributes = attributes, .attribute_count = 2};
    sonde_series_handle handle = self->host->series_open(self->host, &series);
    if (handle == 0 || !make_room(self)) return;
    self->samples[self->current.count] = (sonde_sample){sizeof *self->samples, SONDE_VALUE_UINT64, handle,
                                                        SONDE_TIME_UNKNOWN, {.u64 = value}};
    self->current.items[self->current.count++] = handle;
}

/* Takes the statistics of one interface; 0 or the number of the error. */
static int take(ethtool *self, const char *interface) {
    int problem = read_statistics(self, interface);
    if (problem != 0) return problem;
    for (uint32_t i = 0; i < self->names->len; i++) {
        /* A name that fills its place has no NUL. */
        char name[ETH_GSTRING_LEN + 1] = "";
        memcpy(name, self->names->data + (size_t)i * ETH_GSTRING_LEN, ETH_GSTRING_LEN);
        if (name[0] != 0 && is_wanted(self, name) && !is_repeated(self, i)) add(self, interface, name, self->values->data[i]);
    }
    return 0;
}

/* An interface that is named and fails is trouble, and the others are read all the same. */
static void take_named(ethtool *self, size_t index, const char *interface) {
    const sonde_host *host = self->host;
    int problem = take(self, interface);
    if (problem == EAGAIN || !SONDE_HAS(host, sonde_host, clear_trouble)) return;
    sonde_error error = {.struct_size = sizeof error, .retry_after_ns = SONDE_RETRY_AFTER_NONE};
    failed(&error, SONDE_ERROR_CONFIGURATION, "ETHTOOL-002", interface, problem);
    snprintf(error.option_path, sizeof error.option_path, "interfaces[%zu]", index);
    if (problem != 0) host->report_trouble(host, &error, SONDE_TIME_UNKNOWN);
    else host->clear_trouble(host, SONDE_STRING("ETHTOOL-002"), text(error.option_path));
}

static int ascending(const void *left, const void *right) {
    sonde_series_handle a = *(const sonde_series_handle *)left, b = *(const sonde_series_handle *)right;
    return (a > b) - (a < b);
}

/* Closes the series of interfaces and queues that are gone, and remembers those that are there. */
static void close_gone(ethtool *self) {
    if (self->current.count > 0) qsort(self->current.items, self->current.count, sizeof *self->current.items, ascending);
    for (size_t i = 0, j = 0; i < self->open.count; i++) {
        while (j < self->current.count && self->current.items[j] < self->open.items[i]) j++;
        if (j < self->current.count && self->current.items[j] == self->open.items[i]) continue;
        self->host->series_close(self->host, self->open.items[i]);
    }
    handles before = self->open;
    self->open = self->current;
    self->current = before;
}

static sonde_status collect(void *instance, const sonde_call *call, sonde_error *error) {
    (void)call;
    ethtool *self = instance;
    /* Samples and current handles grow together, and the two lists of handles change places: give both the same room. */
    if (self->current.room < self->open.room) {
        sonde_series_handle *items = realloc(self->current.items, self->open.room * sizeof *items);
        if (items == NULL) return failed(error, SONDE_ERROR_RESOURCE, "ETHTOOL-003", "no room for series", ENOMEM);
        self->current.items = items;
        self->current.room = self->open.room;
    }
    self->current.count = 0;
    sonde_string name;
    if (self->host->option_list_count(self->host, SONDE_STRING("interfaces")) > 0) {
        for (size_t i = 0; self->host->option_list_item(self->host, SONDE_STRING("interfaces"), i, &name); i++)
            take_named(self, i, name.data);
    } else {
        struct if_nameindex *all = if_nameindex();
        if (all == NULL) return failed(error, SONDE_ERROR_RESOURCE, "ETHTOOL-001", "cannot list interfaces", errno);
        for (size_t i = 0; all[i].if_index != 0; i++) (void)take(self, all[i].if_name);
        if_freenameindex(all);
    }
    /* Before the handles are sorted: each sample has its own. */
    self->host->commit(self->host, self->samples, self->current.count, NULL);
    close_gone(self);
    return SONDE_OK;
}

SONDE_EXPORT const sonde_plugin *sonde_plugin_ethtool(void) {
    static const sonde_plugin plugin = {.struct_size = sizeof plugin, .kind = SONDE_PLUGIN_SOURCE, .describe = describe,
        .create = create, .start = start, .collect = collect, .destroy = destroy};
    return &plugin;
}
