/* A streaming source that resumes from a checkpoint, ticks, reports losses, and calls its host from another thread. */
#define PLUGIN streaming
#include <poll.h>
#include <pthread.h>

#include "fixture.h"

static void *commit_elsewhere(void *context) {
    const sonde_host *host = context;
    sonde_checkpoint checkpoint = {sizeof checkpoint, 0, {"stolen", 6}};
    say(host, "elsewhere: status %d", host->commit(host, NULL, 0, &checkpoint));
    return NULL;
}

static sonde_status run(void *instance, const sonde_call *call, sonde_error *error) {
    const sonde_host *host = ((fixture *)instance)->host;
    sonde_bytes last = host->load_checkpoint(host);
    (void)error;
    if (last.data != NULL) say(host, "resumed at %.*s (%zu)", (int)last.size, (const char *)last.data, last.size);
    sonde_loss loss = {sizeof loss, 0, SONDE_STRING("rotated_away"), 5, SONDE_TIME_UNKNOWN, SONDE_LOSS_UNCOUNTED};
    host->report_loss(host, &loss);
    say(host, "tick %d %d", host->request_tick(host, 20000000), host->request_tick(host, 19999999));
    pthread_t thread;
    pthread_create(&thread, NULL, commit_elsewhere, (void *)host);
    pthread_join(thread, NULL);
    struct pollfd wait = {.fd = call->cancel_fd, .events = POLLIN};
    if (poll(&wait, 1, 10000) != 1) return SONDE_FAILED;
    sonde_checkpoint checkpoint = {sizeof checkpoint, 0, {"offset 9", 8}};
    say(host, "status %d", host->commit(host, NULL, 0, &checkpoint));
    return SONDE_CANCELLED;
}

static sonde_status tick(void *instance, const sonde_call *call, sonde_error *error) {
    (void)call, (void)error;
    say(((fixture *)instance)->host, "ticked");
    return SONDE_OK;
}

EXPORT_SOURCE(.run = run, .tick = tick)
