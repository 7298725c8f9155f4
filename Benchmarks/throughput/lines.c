/* A source for the throughput benchmark: follows a file of lines `name,attribute=value number seconds`.
 *
 * Commits groups of samples with the offset behind the last line of the group as the checkpoint, and goes on there
 * after a restart. A line that is none of these is reported as a loss. */
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sonde_plugin.h"
SONDE_PLUGIN_ABI("");

enum { most_per_commit = 5000, most_series = 1 << 17, place_count = 1 << 18, chunk = 1 << 18, longest_key = 256 };

typedef struct known_series {
    uint64_t hash;
    sonde_series_handle handle;
    uint32_t key, size; /* in keys */
} known_series;

typedef struct lines {
    const sonde_host *host;
    int file;
    int64_t per_commit;
    uint64_t offset;   /* behind the last line that was committed */
    uint64_t read;     /* behind the last line that was parsed */
    uint64_t malformed;
    size_t series_count, sample_count;
    size_t next; /* the series that is expected: lines come in the order in which they came before */
    known_series *series; /* in the order in which they came first; untouched ones take no memory */
    char *keys;
    size_t keys_size;
    uint32_t places[place_count]; /* one more than the index of a series, by its hash; 0: none */
    char buffer[chunk];
    sonde_sample samples[most_per_commit];
} lines;

static sonde_string describe(const sonde_plugin *plugin) {
    (void)plugin;
    return SONDE_STRING("{\"name\":\"lines\",\"kind\":\"source\",\"version\":\"1.0\",\"summary\":\"Follows a file of lines.\","
        "\"options\":[{\"key\":\"path\",\"type\":\"string\",\"required\":true,\"help\":\"The file.\"},"
        "{\"key\":\"per_commit\",\"type\":\"integer\",\"default\":\"1000\",\"help\":\"Lines in one commit.\"}],"
        "\"metrics\":[{\"name\":\"bench.bytes\",\"kind\":\"gauge\",\"unit\":\"By\",\"meaning\":\"The number of a line.\"}]}");
}

static sonde_status create(const sonde_plugin *plugin, const sonde_host *host, void **instance, sonde_error *error) {
    (void)plugin, (void)error;
    lines *self = *instance = calloc(1, sizeof *self);
    if (!self) abort();
    self->series = calloc(most_series, sizeof *self->series);
    self->keys = calloc(most_series, longest_key);
    if (!self->series || !self->keys) abort();
    self->host = host;
    self->file = -1;
    host->option_int(host, SONDE_STRING("per_commit"), &self->per_commit);
    if (self->per_commit < 1 || self->per_commit > most_per_commit) self->per_commit = most_per_commit;
    return SONDE_OK;
}

static void destroy(void *instance) {
    lines *self = instance;
    if (self->file >= 0) close(self->file);
    free(self->series);
    free(self->keys);
    free(self);
}

static sonde_status start(void *instance, sonde_error *error) {
    lines *self = instance;
    sonde_string path = SONDE_STRING("");
    self->host->option_string(self->host, SONDE_STRING("path"), &path);
    if (self->file < 0) self->file = open(path.data, O_RDONLY | O_CLOEXEC);
    if (self->file < 0) {
        error->error_class = SONDE_ERROR_RESOURCE;
        strcpy(error->code, "LINES-OPEN");
        strcpy(error->message, "the file cannot be opened");
        return SONDE_FAILED;
    }
    sonde_bytes kept = self->host->load_checkpoint(self->host);
    if (kept.data && kept.size == sizeof self->offset) memcpy(&self->offset, kept.data, sizeof self->offset);
    return SONDE_OK;
}

/* `name,attribute=value` as a series of the host; 0 when it is malformed or there is no room. */
static sonde_series_handle open_series(lines *self, const char *key, size_t size) {
    const char *comma = memchr(key, ',', size);
    const char *equals = comma ? memchr(comma, '=', size - (size_t)(comma - key)) : NULL;
    if (!equals) return 0;
    sonde_attribute attribute = {.struct_size = sizeof attribute,
        .name = {comma + 1, (size_t)(equals - comma - 1)}, .value = {equals + 1, (size_t)(key + size - equals - 1)}};
    sonde_series series = {.struct_size = sizeof series, .kind = SONDE_KIND_GAUGE,
        .name = {key, (size_t)(comma - key)}, .unit = SONDE_STRING("By"), .attributes = &attribute, .attribute_count = 1};
    return self->host->series_open(self->host, &series);
}

static int is_key(const lines *self, const known_series *known, const char *key, size_t size) {
    return known->size == size && memcmp(self->keys + known->key, key, size) == 0;
}

static sonde_series_handle add_series(lines *self, const char *key, size_t size, uint64_t hash) {
    if (self->series_count >= most_series) return 0;
    known_series *known = &self->series[self->series_count];
    *known = (known_series){.hash = hash, .handle = open_series(self, key, size), .key = (uint32_t)self->keys_size, .size = (uint32_t)size};
    if (known->handle == 0) return 0;
    memcpy(self->keys + self->keys_size, key, size);
    self->keys_size += size;
    self->next = ++self->series_count;
    return known->handle;
}

static sonde_series_handle series_of(lines *self, const char *key, size_t size) {
    if (size == 0 || size > longest_key) return 0;
    if (self->next >= self->series_count) self->next = 0;
    if (self->next < self->series_count && is_key(self, &self->series[self->next], key, size))
        return self->series[self->next++].handle;
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t index = 0; index < size; index++) hash = (hash ^ (uint8_t)key[index]) * 0x100000001B3u;
    for (size_t place = hash % place_count;; place = (place + 1) % place_count) {
        size_t index = self->places[place];
        if (index == 0) {
            sonde_series_handle handle = add_series(self, key, size, hash);
            if (handle != 0) self->places[place] = (uint32_t)self->series_count;
            return handle;
        }
        const known_series *known = &self->series[index - 1];
        if (known->hash != hash || !is_key(self, known, key, size)) continue;
        self->next = index;
        return known->handle;
    }
}

/* Digits up to `end` that fit in 64 bits. */
static int number(const char *text, const char *end, uint64_t *value) {
    *value = 0;
    for (const char *at = text; at < end; at++) {
        unsigned digit = (unsigned)(*at - '0');
        if (digit > 9 || __builtin_mul_overflow(*value, 10u, value) || __builtin_add_overflow(*value, digit, value))
            return 0;
    }
    return end > text;
}

static int parse(lines *self, const char *line, const char *end, sonde_sample *sample) {
    const char *first = memchr(line, ' ', (size_t)(end - line));
    const char *second = first ? memchr(first + 1, ' ', (size_t)(end - first - 1)) : NULL;
    uint64_t value, seconds;
    if (!second || !number(first + 1, second, &value) || !number(second + 1, end, &seconds)) return 0;
    if (seconds > INT64_MAX / 1000000000) return 0;
    sonde_series_handle handle = series_of(self, line, (size_t)(first - line));
    *sample = (sonde_sample){.struct_size = sizeof *sample, .value_type = SONDE_VALUE_UINT64, .series = handle,
        .time_ns = (int64_t)seconds * 1000000000, .value.u64 = value};
    return handle != 0;
}

/* Hands over what was parsed, waiting while there is no room; 0 when the call is to end. */
static int commit(lines *self, const sonde_call *call) {
    sonde_checkpoint position = {.struct_size = sizeof position, .data = {&self->read, sizeof self->read}};
    while (self->read > self->offset) {
        switch (self->host->commit(self->host, self->samples, self->sample_count, &position)) {
        case SONDE_COMMIT_OK:
            self->offset = self->read;
            self->sample_count = 0;
            break;
        case SONDE_COMMIT_BUSY: {
            struct pollfd cancel = {.fd = call->cancel_fd, .events = POLLIN};
            if (poll(&cancel, 1, 100) != 0) return 0;
            break;
        }
        default: return 0;
        }
    }
    return 1;
}

/* Reads and commits one chunk; how many bytes of whole lines it had, or -1 when the call is to end. */
static ssize_t read_chunk(lines *self, const sonde_call *call) {
    ssize_t size = pread(self->file, self->buffer, chunk, (off_t)self->read);
    const char *line = self->buffer, *stop = self->buffer + (size > 0 ? size : 0);
    const char *end;
    while ((end = memchr(line, '\n', (size_t)(stop - line)))) {
        if (parse(self, line, end, &self->samples[self->sample_count])) self->sample_count++;
        else self->malformed++;
        self->read += (uint64_t)(end + 1 - line);
        line = end + 1;
        if (self->sample_count == (size_t)self->per_commit && !commit(self, call)) return -1;
    }
    return line - self->buffer;
}

static sonde_status run(void *instance, const sonde_call *call, sonde_error *error) {
    (void)error;
    lines *self = instance;
    self->read = self->offset;
    self->sample_count = 0;
    struct pollfd cancel = {.fd = call->cancel_fd, .events = POLLIN};
    for (;;) {
        ssize_t taken = read_chunk(self, call);
        if (taken < 0) return SONDE_OK;
        if (taken == 0 && !commit(self, call)) return SONDE_OK;
        if (poll(&cancel, 1, taken == 0 ? 100 : 0) != 0) break;
        if (self->malformed > 0) {
            sonde_loss loss = {.struct_size = sizeof loss, .reason = SONDE_STRING("malformed"), .count = self->malformed};
            self->host->report_loss(self->host, &loss);
            self->malformed = 0;
        }
    }
    commit(self, call);
    return SONDE_OK;
}

SONDE_EXPORT const sonde_plugin *sonde_plugin_lines(void) {
    static const sonde_plugin plugin = {.struct_size = sizeof plugin, .kind = SONDE_PLUGIN_SOURCE,
        .describe = describe, .create = create, .start = start, .run = run, .destroy = destroy};
    return &plugin;
}
