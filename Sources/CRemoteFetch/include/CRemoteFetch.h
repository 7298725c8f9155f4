/* What a child of the daemon is that fetches a remote configuration: the only place with TLS and signatures. The daemon
 * executes itself with this role, gives it the request on standard input and reads the answer from standard output, so that
 * libcurl and libcrypto are never in the daemon's own memory. */
#ifndef SONDE_REMOTE_FETCH_H
#define SONDE_REMOTE_FETCH_H

#include <stddef.h>

/* Reads a request, fetches, verifies, answers and ends the process.
 *
 * The request is lines of a word, a space and a value; docs/decisions/0107 lists them. The answer is such lines, an empty
 * one, and for `result new` the signed text. */
void sonde_remote_fetch(void) __attribute__((noreturn));

/* A text in memory. */
struct remote_text {
    const char *bytes;
    size_t size;
};

/* Why a file is not what its signer has signed; NULL: it is, and `payload` is the signed text and `serial` its number. */
const char *remote_envelope_open(struct remote_text file, const char *key, struct remote_text *payload,
                                 unsigned long long *serial, const char **missing);

#endif
