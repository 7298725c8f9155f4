/* A sink: one syslog message (RFC 5424) for each point, over UDP, TCP or a socket of this host. */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <sonde_plugin.h>
#include "message.h"
SONDE_PLUGIN_ABI("");

/* A later agent may hand out larger structs: their own size is the stride. */
#define AT(array, index) ((const void *)((const char *)(array) + (index) * (array)->struct_size))

static const char description[] =
    "{\"name\":\"syslog\",\"kind\":\"sink\",\"version\":\"1.0.0\",\"delivery\":\"durable\","
    "\"summary\":\"Sends points as syslog messages (RFC 5424) over UDP, TCP or a socket of this host.\","
    "\"options\":["
    "{\"key\":\"transport\",\"type\":\"choice\",\"values\":[\"udp\",\"tcp\",\"unix\"],\"default\":\"tcp\","
    "\"help\":\"How messages are carried; over TCP by octet counting (RFC 6587).\"},"
    "{\"key\":\"address\",\"type\":\"string\",\"required\":true,\"example\":\"192.0.2.10\","
    "\"help\":\"The receiver: an address of IPv4 or IPv6, no name; for unix the path of a datagram socket.\"},"
    "{\"key\":\"port\",\"type\":\"integer\",\"default\":\"514\",\"minimum\":1,\"maximum\":65535,"
    "\"help\":\"The port of the receiver.\"},"
    "{\"key\":\"facility\",\"type\":\"integer\",\"default\":\"16\",\"minimum\":0,\"maximum\":23,"
    "\"help\":\"The facility; 16 is local0.\"},"
    "{\"key\":\"severity\",\"type\":\"integer\",\"default\":\"6\",\"minimum\":0,\"maximum\":7,"
    "\"help\":\"The severity; 6 is informational.\"},"
    "{\"key\":\"timeout\",\"type\":\"duration\",\"default\":\"10s\",\"minimum\":1000000,\"maximum\":60000000000,"
    "\"help\":\"How long a batch may take.\"}],"
    "\"errors\":["
    "{\"code\":\"SYSLOG-001\",\"meaning\":\"The address is none of the transport's.\","
    "\"recovery\":\"Write an address of IPv4 or IPv6, or the path of a socket.\"},"
    "{\"code\":\"SYSLOG-002\",\"meaning\":\"The receiver cannot be reached.\","
    "\"recovery\":\"Check whether it listens there, and the firewall between.\"},"
    "{\"code\":\"SYSLOG-003\",\"meaning\":\"The receiver did not take a batch within 'timeout'.\","
    "\"recovery\":\"Look at the load of the receiver.\"},"
    "{\"code\":\"SYSLOG-004\",\"meaning\":\"There is no memory or no socket.\",\"recovery\":\"Raise the limits of the agent.\"}]}";

typedef struct sink {
    const sonde_host *host;
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
        struct sockaddr_un local;
    } address;
    socklen_t address_size;
    int type; /* SOCK_STREAM or SOCK_DGRAM */
    int socket;
    unsigned priority;
    int64_t timeout_ns;
} sink;

static sonde_status failed(sonde_error *error, uint32_t class, const char *code, const char *option, const char *what,
                           int reason) {
    error->error_class = class;
    snprintf(error->code, sizeof error->code, "%s", code);
    snprintf(error->option_path, sizeof error->option_path, "%s", option);
    snprintf(error->message, sizeof error->message, "%.400s: %s", what, strerror(reason));
    return SONDE_FAILED;
}

static sonde_string describe(const sonde_plugin *plugin) {
    (void)plugin;
    return SONDE_STRING(description);
}

static int set_address(sink *self, const char *transport, sonde_string address, int64_t port) {
    self->type = strcmp(transport, "tcp") == 0 ? SOCK_STREAM : SOCK_DGRAM;
    if (strcmp(transport, "unix") == 0) {
        self->address.local.sun_family = AF_UNIX;
        self->address_size = sizeof self->address.local;
        if (address.size >= sizeof self->address.local.sun_path || address.data[0] != '/') return 0;
        memcpy(self->address.local.sun_path, address.data, address.size + 1);
        return 1;
    }
    self->address.v4.sin_family = AF_INET;
    self->address.v4.sin_port = htons((uint16_t)port);
    self->address_size = sizeof self->address.v4;
    if (inet_pton(AF_INET, address.data, &self->address.v4.sin_addr) == 1) return 1;
    memset(&self->address, 0, sizeof self->address);
    self->address.v6.sin6_family = AF_INET6;
    self->address.v6.sin6_port = htons((uint16_t)port);
    self->address_size = sizeof self->address.v6;
    return inet_pton(AF_INET6, address.data, &self->address.v6.sin6_addr) == 1;
}

static sonde_status create(const sonde_plugin *plugin, const sonde_host *host, void **instance, sonde_error *error) {
    (void)plugin;
    sonde_string transport = SONDE_STRING("tcp"), address = SONDE_STRING("");
    int64_t port = 514, facility = 16, severity = 6, timeout_ns = 10000000000;
    host->option_string(host, SONDE_STRING("transport"), &transport);
    host->option_string(host, SONDE_STRING("address"), &address);
    host->option_int(host, SONDE_STRING("port"), &port);
    host->option_int(host, SONDE_STRING("facility"), &facility);
    host->option_int(host, SONDE_STRING("severity"), &severity);
    host->option_duration_ns(host, SONDE_STRING("timeout"), &timeout_ns);
    sink *self = calloc(1, sizeof *self);
    if (self == NULL) return failed(error, SONDE_ERROR_RESOURCE, "SYSLOG-004", "", "no instance", ENOMEM);
    *self = (sink){.host = host, .socket = -1, .priority = (unsigned)(facility * 8 + severity), .timeout_ns = timeout_ns};
    if (!set_address(self, transport.data, address, port)) {
        free(self);
        return failed(error, SONDE_ERROR_CONFIGURATION, "SYSLOG-001", "address", address.data, EINVAL);
    }
    *instance = self;
    return SONDE_OK;
}

static void destroy(void *instance) {
    sink *self = instance;
    if (self->socket >= 0) close(self->socket);
    free(self);
}

static void hang_up(sink *self) {
    if (self->socket >= 0) close(self->socket);
    self->socket = -1;
}

/* Waits until the socket can be written; 0, or ETIMEDOUT, or ECANCELED when the call has to end. */
static int wait_writable(const sink *self, const sonde_call *call, int64_t until_ns) {
    for (;;) {
        int64_t left_ms = (until_ns - self->host->monotonic_time_ns(self->host)) / 1000000;
        if (left_ms <= 0) return ETIMEDOUT;
        struct pollfd files[] = {{.fd = self->socket, .events = POLLOUT}, {.fd = call->cancel_fd, .events = POLLIN}};
        int ready = poll(files, 2, left_ms > 60000 ? 60000 : (int)left_ms);
        if (ready < 0 && errno != EINTR) return errno;
        if (ready > 0 && files[0].revents != 0) return 0;
        if (ready > 0 && files[1].revents != 0) return ECANCELED;
    }
}

/* Whether the receiver has closed the connection since the batch before: what is written then is lost silently. */
static int is_closed(const sink *self) {
    char byte;
    ssize_t count = recv(self->socket, &byte, 1, MSG_DONTWAIT | MSG_PEEK);
    return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR);
}

/* Connects unless it is; 0 or the number of the error. */
static int call_receiver(sink *self, const sonde_call *call, int64_t until_ns) {
    if (self->socket >= 0 && self->type == SOCK_STREAM && is_closed(self)) hang_up(self);
    if (self->socket >= 0) return 0;
    self->socket = socket(self->address.any.sa_family, self->type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (self->socket < 0) return errno;
    if (connect(self->socket, &self->address.any, self->address_size) == 0) return 0;
    if (errno != EINPROGRESS) return errno;
    int problem = wait_writable(self, call, until_ns);
    socklen_t size = sizeof problem;
    if (problem == 0 && getsockopt(self->socket, SOL_SOCKET, SO_ERROR, &problem, &size) != 0) problem = errno;
    return problem;
}

/* Sends all of it; 0 or the number of the error. */
static int send_all(sink *self, const char *data, size_t size, const sonde_call *call, int64_t until_ns) {
    while (size > 0) {
        ssize_t sent = send(self->socket, data, size, MSG_NOSIGNAL);
        if (sent >= 0) {
            data += sent;
            size -= (size_t)sent;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            int problem = wait_writable(self, call, until_ns);
            if (problem != 0) return problem;
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

/* Sends one point; 0 or the number of the error. */
static int send_point(sink *self, const sonde_batch *batch, size_t index, const sonde_call *call, int64_t until_ns) {
    const sonde_point *point = AT(batch->points, index);
    char message[MESSAGE_SIZE];
    size_t size = write_message(message, self->priority, batch, point, AT(batch->series, point->series_index));
    if (size == 0) {
        if (SONDE_HAS(self->host, sonde_host, reject_point))
            self->host->reject_point(self->host, index, SONDE_STRING("too_long"));
        return 0;
    }
    if (self->type == SOCK_DGRAM) return send_all(self, message, size, call, until_ns);
    char frame[MESSAGE_SIZE + 16];
    int head = snprintf(frame, sizeof frame, "%zu ", size);
    memcpy(frame + head, message, size);
    return send_all(self, frame, (size_t)head + size, call, until_ns);
}

static sonde_status deliver(void *instance, const sonde_batch *batch, const sonde_call *call, sonde_delivery *delivery,
                            sonde_error *error) {
    (void)delivery;
    sink *self = instance;
    int64_t until_ns = self->host->monotonic_time_ns(self->host) + self->timeout_ns;
    if (until_ns > call->deadline_ns) until_ns = call->deadline_ns;
    int problem = call_receiver(self, call, until_ns);
    for (size_t i = 0; problem == 0 && i < batch->point_count; i++) problem = send_point(self, batch, i, call, until_ns);
    if (problem == 0) return SONDE_OK;
    /* Half a frame may be on its way: the next batch begins on a connection of its own. */
    hang_up(self);
    if (problem == ECANCELED) return SONDE_CANCELLED;
    if (problem == ETIMEDOUT)
        return failed(error, SONDE_ERROR_TRANSIENT, "SYSLOG-003", "", "the receiver is too slow", problem);
    if (problem == ENOMEM || problem == EMFILE || problem == ENFILE)
        return failed(error, SONDE_ERROR_RESOURCE, "SYSLOG-004", "", "no socket", problem);
    return failed(error, SONDE_ERROR_TRANSIENT, "SYSLOG-002", "address", "the receiver cannot be reached", problem);
}

SONDE_EXPORT const sonde_plugin *sonde_plugin_syslog(void) {
    static const sonde_plugin plugin = {.struct_size = sizeof plugin, .kind = SONDE_PLUGIN_SINK, .describe = describe,
        .create = create, .deliver = deliver, .destroy = destroy};
    return &plugin;
}
