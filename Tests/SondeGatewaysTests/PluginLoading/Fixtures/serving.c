/* A sink that serves until it is cancelled. */
#define PLUGIN serving
#include <poll.h>

#include "fixture.h"

static sonde_status run(void *instance, const sonde_call *call, sonde_error *error) {
    struct pollfd cancel = {call->cancel_fd, POLLIN, 0};
    (void)error;
    poll(&cancel, 1, -1);
    say(((fixture *)instance)->host, "served until %lld", (long long)call->deadline_ns);
    return SONDE_CANCELLED;
}

static sonde_status deliver(void *instance, const sonde_batch *batch, const sonde_call *call, sonde_delivery *delivery,
                            sonde_error *error) {
    (void)instance, (void)batch, (void)call, (void)delivery, (void)error;
    return SONDE_OK;
}

EXPORT_SINK(.run = run, .deliver = deliver)
