#include "message.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define AT(array, index) ((const void *)((const char *)(array) + (index) * (array)->struct_size))

/* Text that stops growing at its bound; `size` above it says that it did. */
typedef struct text {
    char *data;
    size_t size;
} text;

static void put(text *out, char byte) {
    if (out->size < MESSAGE_SIZE) out->data[out->size] = byte;
    out->size++;
}

__attribute__((format(printf, 2, 3))) static void print(text *out, const char *format, ...) {
    char buffer[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    for (const char *byte = buffer; *byte != 0; byte++) put(out, *byte);
}

/* A word of the header or the name of a parameter: visible ASCII without what has a meaning in structured data. */
static void word(text *out, sonde_string string, size_t most) {
    size_t size = string.size < most ? string.size : most;
    for (size_t i = 0; i < size; i++) {
        char byte = string.data[i];
        put(out, byte > ' ' && byte < 127 && strchr("=]\"", byte) == NULL ? byte : '_');
    }
    if (size == 0) put(out, '-');
}

static void parameter(text *out, sonde_string name, sonde_string value) {
    put(out, ' ');
    word(out, name, 32);
    print(out, "=\"");
    for (size_t i = 0; i < value.size; i++) {
        unsigned char byte = (unsigned char)value.data[i];
        if (byte == '"' || byte == '\\' || byte == ']') put(out, '\\');
        /* Some receivers end a message at a control character. */
        put(out, byte < ' ' || byte == 127 ? '?' : (char)byte);
    }
    put(out, '"');
}

static void time_of(text *out, int64_t time_ns) {
    time_t seconds = (time_t)(time_ns / 1000000000);
    struct tm parts;
    if (gmtime_r(&seconds, &parts) == NULL || parts.tm_year + 1900 > 9999) {
        put(out, '-');
        return;
    }
    print(out, "%04d-%02d-%02dT%02d:%02d:%02d.%06dZ", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour,
          parts.tm_min, parts.tm_sec, (int)(time_ns % 1000000000 / 1000));
}

static void value_of(text *out, const sonde_point *point) {
    switch (point->value_type) {
    case SONDE_VALUE_DOUBLE: print(out, "%.17g", point->value.f64); break;
    case SONDE_VALUE_INT64: print(out, "%" PRId64, point->value.i64); break;
    case SONDE_VALUE_UINT64: print(out, "%" PRIu64, point->value.u64); break;
    case SONDE_VALUE_HISTOGRAM: print(out, "%" PRIu64, point->value.histogram->count); break;
    default: put(out, '-');
    }
}

static sonde_string kind_of(const sonde_batch_series *series) {
    switch (series->kind) {
    case SONDE_KIND_COUNTER: return SONDE_STRING("counter");
    case SONDE_KIND_UPDOWN: return SONDE_STRING("updown");
    case SONDE_KIND_GAUGE: return SONDE_STRING("gauge");
    case SONDE_KIND_HISTOGRAM: return SONDE_STRING("histogram");
    case SONDE_KIND_INFO: return SONDE_STRING("info");
    default: return SONDE_STRING("unknown");
    }
}

static void pairs(text *out, const sonde_attribute *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const sonde_attribute *pair = AT(list, i);
        parameter(out, pair->name, pair->value);
    }
}

size_t write_message(char message[MESSAGE_SIZE], unsigned priority, const sonde_batch *batch, const sonde_point *point,
                     const sonde_batch_series *series) {
    text out = {message, 0};
    print(&out, "<%u>1 ", priority);
    time_of(&out, point->time_ns);
    put(&out, ' ');
    word(&out, batch->resource->host_name, 255);
    /* 32473 is the number that RFC 5612 keeps for examples; put your organization's in its place. */
    print(&out, " sonde - metric [metric@32473");
    parameter(&out, SONDE_STRING("name"), series->name);
    parameter(&out, SONDE_STRING("kind"), kind_of(series));
    if (series->unit.size > 0) parameter(&out, SONDE_STRING("unit"), series->unit);
    print(&out, " value=\"");
    value_of(&out, point);
    put(&out, '"');
    if (point->value_type == SONDE_VALUE_HISTOGRAM) print(&out, " sum=\"%.17g\"", point->value.histogram->sum);
    put(&out, ']');
    if (series->attribute_count > 0) {
        print(&out, "[attributes@32473");
        pairs(&out, series->attributes, series->attribute_count);
        put(&out, ']');
    }
    if (batch->resource->label_count + series->label_count > 0) {
        print(&out, "[labels@32473");
        pairs(&out, batch->resource->labels, batch->resource->label_count);
        pairs(&out, series->labels, series->label_count);
        put(&out, ']');
    }
    return out.size <= MESSAGE_SIZE ? out.size : 0;
}
