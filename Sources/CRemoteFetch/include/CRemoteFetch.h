/* What a child of the daemon is that fetches a remote configuration: the only place with TLS and signatures. The daemon
 * executes itself with this role, gives it the request on standard input and reads the answer from standard output, so that
 * libcurl and libcrypto are never in the daemon's own memory. */
#ifndef SONDE_REMOTE_FETCH_H
#define SONDE_REMOTE_FETCH_H

/* Reads a request, fetches, verifies, answers and ends the process.
 *
 * The request is lines of a word, a space and a value; docs/decisions/0107 lists them. The answer is such lines, an empty
 * one, and for `result new` the signed text. */
void sonde_remote_fetch(void) __attribute__((noreturn));

#endif
