#include "request.h"

#include <stdlib.h>
#include <string.h>

static bool set(struct remote_request *request, const char *word, const char *value) {
    const struct {
        const char *word;
        const char **text;
    } texts[] = {
        {"url", &request->url},       {"etag", &request->etag},   {"ca_file", &request->ca_file},
        {"bearer", &request->bearer}, {"proxy", &request->proxy}, {"key", &request->key},
        {"agent", &request->agent},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (strcmp(word, texts[i].word) != 0) continue;
        *texts[i].text = value;
        return true;
    }
    if (strcmp(word, "timeout_ms") == 0) return (request->timeout_ms = strtol(value, 0, 10)) > 0;
    if (strcmp(word, "limit") == 0) return (request->limit = strtoul(value, 0, 10)) > 0;
    return false;
}

bool remote_request_read(struct remote_request *request, char *text) {
    *request = (struct remote_request){"", "", "", "", "", "", "", 0, 0};
    char *rest = text;
    while (*rest) {
        char *line = rest, *last = strchr(rest, '\n');
        if (!last) return false;
        *last = 0;
        rest = last + 1;
        char *space = strchr(line, ' ');
        if (!space) return false;
        *space = 0;
        if (!set(request, line, space + 1)) return false;
    }
    return *request->url && *request->key && request->timeout_ms > 0 && request->limit > 0;
}
