#define _GNU_SOURCE
#include "CRemoteFetch.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "request.h"

enum { REQUEST_LIMIT = 64 << 10, ETAG_LIMIT = 256 };

struct curl {
    CURLcode (*global_init)(long);
    CURL *(*init)(void);
    CURLcode (*set)(CURL *, CURLoption, ...);
    CURLcode (*perform)(CURL *);
    CURLcode (*get)(CURL *, CURLINFO, ...);
    struct curl_slist *(*append)(struct curl_slist *, const char *);
    const char *(*describe)(CURLcode);
};

/* What has come so far; the body is never larger than the limit. */
struct response {
    char *body;
    size_t size;
    size_t limit;
    char etag[ETAG_LIMIT];
    bool is_too_large;
};

static const char *const libraries[] = {"libcurl.so.4", 0};

static bool link_curl(struct curl *curl) {
    void *handle = remote_library(libraries);
    if (!handle) return false;
    *(void **)&curl->global_init = dlsym(handle, "curl_global_init");
    *(void **)&curl->init = dlsym(handle, "curl_easy_init");
    *(void **)&curl->set = dlsym(handle, "curl_easy_setopt");
    *(void **)&curl->perform = dlsym(handle, "curl_easy_perform");
    *(void **)&curl->get = dlsym(handle, "curl_easy_getinfo");
    *(void **)&curl->append = dlsym(handle, "curl_slist_append");
    *(void **)&curl->describe = dlsym(handle, "curl_easy_strerror");
    return curl->global_init && curl->init && curl->set && curl->perform && curl->get && curl->append && curl->describe;
}

/* One line of the answer; what could end it is written as a space. */
static void say(const char *word, const char *value) {
    fputs(word, stdout);
    putchar(' ');
    for (; *value; value++) putchar((unsigned char)*value < ' ' || *value == 0x7f ? ' ' : *value);
    putchar('\n');
}

static void say_number(const char *word, unsigned long long number) { printf("%s %llu\n", word, number); }

static void __attribute__((noreturn)) end(const char *result, const char *message) {
    say("result", result);
    say("message", message);
    putchar('\n');
    fflush(stdout);
    _exit(0);
}

static size_t take_body(char *data, size_t size, size_t count, void *context) {
    struct response *response = context;
    (void)size;
    if (count > response->limit - response->size) {
        response->is_too_large = true;
        return 0;
    }
    memcpy(response->body + response->size, data, count);
    response->size += count;
    return count;
}

/* Of the headers only the ETag: a strong or weak one, as it is, if it is short and visible. */
static size_t take_header(char *data, size_t size, size_t count, void *context) {
    static const char name[] = "etag:";
    struct response *response = context;
    (void)size;
    if (count >= sizeof name && strncasecmp(data, name, sizeof name - 1) == 0) {
        const char *value = data + sizeof name - 1, *last = data + count;
        while (value < last && (*value == ' ' || *value == '\t')) value++;
        while (last > value && (unsigned char)last[-1] <= ' ') last--;
        size_t length = (size_t)(last - value);
        if (length < ETAG_LIMIT) {
            for (size_t i = 0; i < length; i++) {
                if ((unsigned char)value[i] <= ' ' || value[i] == 0x7f) return count;
            }
            memcpy(response->etag, value, length);
            response->etag[length] = 0;
        }
    }
    return count;
}

static char *read_all(size_t limit) {
    char *text = malloc(limit + 1);
    size_t size = 0;
    while (text && size < limit) {
        ssize_t count = read(STDIN_FILENO, text + size, limit - size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        size += (size_t)count;
    }
    if (text) text[size] = 0;
    return text;
}

/* In words of its own where libcurl's would mislead. */
static void __attribute__((noreturn)) end_failed(const struct curl *curl, CURLcode code, const char *detail) {
    const char *message = *detail ? detail : curl->describe(code);
    switch (code) {
    case CURLE_PEER_FAILED_VERIFICATION: end("untrusted", message);
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR: end("untrusted", message);
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL: end("wrong", message);
    default: end("unreachable", message);
    }
}

static void __attribute__((noreturn)) end_status(long status) {
    char message[64];
    snprintf(message, sizeof message, "the server answers %ld", status);
    switch (status) {
    case 401:
    case 403:
    case 407: end("denied", message);
    case 408:
    case 425:
    case 429: end("unreachable", message);
    default: end(status >= 500 && status != 501 && status != 505 ? "unreachable" : "wrong", message);
    }
}

static void set_up(const struct curl *curl, CURL *easy, const struct remote_request *request, char *errors) {
    curl->set(easy, CURLOPT_ERRORBUFFER, errors);
    curl->set(easy, CURLOPT_URL, request->url);
    curl->set(easy, CURLOPT_NOSIGNAL, 1L);
    curl->set(easy, CURLOPT_PROTOCOLS_STR, strncmp(request->url, "http://", 7) == 0 ? "http" : "https");
    curl->set(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl->set(easy, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    curl->set(easy, CURLOPT_PROXY, request->proxy);
    curl->set(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    curl->set(easy, CURLOPT_SSL_VERIFYPEER, 1L);
    curl->set(easy, CURLOPT_SSL_VERIFYHOST, 2L);
    if (*request->ca_file) curl->set(easy, CURLOPT_CAINFO, request->ca_file);
    curl->set(easy, CURLOPT_TIMEOUT_MS, request->timeout_ms);
    curl->set(easy, CURLOPT_CONNECTTIMEOUT_MS, request->timeout_ms < 10000 ? request->timeout_ms : 10000L);
    curl->set(easy, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)request->limit);
    curl->set(easy, CURLOPT_USERAGENT, request->agent);
    if (*request->bearer) {
        curl->set(easy, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER);
        curl->set(easy, CURLOPT_XOAUTH2_BEARER, request->bearer);
    }
    if (*request->etag) {
        char condition[ETAG_LIMIT + 32];
        snprintf(condition, sizeof condition, "If-None-Match: %s", request->etag);
        curl->set(easy, CURLOPT_HTTPHEADER, curl->append(0, condition));
    }
}

void sonde_remote_fetch(void) {
    /* It has a credential; nothing else of this user should read its memory, nor should a crash write it down. */
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    struct remote_request request;
    char *text = read_all(REQUEST_LIMIT);
    if (!text || !remote_request_read(&request, text)) end("wrong", "the request cannot be read");

    struct curl curl;
    if (!link_curl(&curl)) end("library", "libcurl.so.4");
    struct response response = {.body = malloc(request.limit ? request.limit : 1), .limit = request.limit};
    if (!response.body || curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) end("unreachable", "out of memory");
    CURL *easy = curl.init();
    if (!easy) end("unreachable", "out of memory");
    static char errors[CURL_ERROR_SIZE];
    set_up(&curl, easy, &request, errors);
    curl.set(easy, CURLOPT_WRITEFUNCTION, take_body);
    curl.set(easy, CURLOPT_WRITEDATA, &response);
    curl.set(easy, CURLOPT_HEADERFUNCTION, take_header);
    curl.set(easy, CURLOPT_HEADERDATA, &response);

    CURLcode code = curl.perform(easy);
    long status = 0;
    curl_off_t wait = 0;
    curl.get(easy, CURLINFO_RESPONSE_CODE, &status);
    curl.get(easy, CURLINFO_RETRY_AFTER, &wait);
    if (wait > 0) say_number("retry_after", (unsigned long long)wait);
    say_number("status", status > 0 ? (unsigned long long)status : 0);
    if (status >= 300 && status != 304) end_status(status);
    if (response.is_too_large || code == CURLE_FILESIZE_EXCEEDED) end("oversized", "it is larger than the limit");
    if (code != CURLE_OK) end_failed(&curl, code, errors);
    if (status == 304) end("unchanged", "");
    if (status != 200) end_status(status);

    struct remote_text payload;
    unsigned long long serial;
    const char *missing = 0;
    struct remote_text file = {response.body, response.size};
    const char *flaw = remote_envelope_open(file, request.key, &payload, &serial, &missing);
    if (missing) end("library", missing);
    if (flaw) end("unsigned", flaw);
    say("result", "new");
    say_number("serial", serial);
    say_number("size", payload.size);
    if (*response.etag) say("etag", response.etag);
    putchar('\n');
    fwrite(payload.bytes, 1, payload.size, stdout);
    fflush(stdout);
    _exit(ferror(stdout) ? 1 : 0);
}
