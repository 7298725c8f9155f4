#ifndef SONDE_REMOTE_REQUEST_H
#define SONDE_REMOTE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "CRemoteFetch.h"

/* What is wanted; every text ends with NUL, and one that is not given is empty. */
struct remote_request {
    const char *url;
    const char *etag;
    const char *ca_file;
    const char *bearer;
    const char *proxy;
    const char *key; /* base64 of an Ed25519 SubjectPublicKeyInfo */
    const char *agent;
    long timeout_ms;
    size_t limit;
};

/* Reads the lines of `text`, which it cuts; false: one of them is not known. */
bool remote_request_read(struct remote_request *request, char *text);

/* The library's name that is missing, by its first name that is there; NULL: `handle` is it. */
void *remote_library(const char *const *names);

#endif
