/* Typed access to libmicrohttpd, whose start function is variadic and so closed to Swift, and whose enumerations Swift knows
 * by other names. */
#ifndef SONDE_CMICROHTTPD_H
#define SONDE_CMICROHTTPD_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/socket.h>
#include <microhttpd.h>

/* MHD_create_response_from_buffer_with_free_callback_cls, MHD_FEATURE_EXTERN_HASH and the like. */
#if MHD_VERSION < 0x00097500
#error "libmicrohttpd 0.9.75 or later is needed"
#endif

/* What the daemon calls; all of it happens inside of MHD_run. */
typedef struct {
    void *context;
    /* A request's head is there: 1 when a response was queued, 0 to close the connection. */
    int (*request)(void *context, struct MHD_Connection *connection, const char *path, const char *method);
    /* A connection was accepted (1) or is closed (0). */
    void (*connection)(void *context, int socket, int is_open);
    /* A request was answered, or given up. */
    void (*completed)(void *context, int socket);
    /* One line for the log. */
    void (*message)(void *context, const char *line);
} sonde_mhd_observer;

typedef struct {
    int listener;             /* a descriptor for the daemon alone: it is closed when the daemon cannot start */
    unsigned int connections; /* at most */
    unsigned int idle;        /* seconds without a byte until a connection is closed */
    size_t memory;            /* for the head of a request, bytes */
    const char *certificate;  /* PEM; NULL: no TLS */
    const char *key;
    const char *priorities;   /* of GnuTLS */
} sonde_mhd_settings;

static inline int sonde_mhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : (int)info->connect_fd;
}

static enum MHD_Result sonde_mhd_answer(void *context, struct MHD_Connection *connection, const char *path,
                                        const char *method, const char *version, const char *body, size_t *size,
                                        void **state) {
    static char seen;
    const sonde_mhd_observer *observer = (const sonde_mhd_observer *)context;
    (void)version, (void)body;
    /* What is answered at the first call has its connection closed: right for a method with a body only. */
    if (*state == NULL && (strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0)) {
        *state = &seen;
        return MHD_YES;
    }
    /* A body is passed over. */
    if (*size != 0) {
        *size = 0;
        return MHD_YES;
    }
    return observer->request(observer->context, connection, path, method) ? MHD_YES : MHD_NO;
}

static void sonde_mhd_notice(void *context, struct MHD_Connection *connection, void **state,
                             enum MHD_ConnectionNotificationCode code) {
    const sonde_mhd_observer *observer = (const sonde_mhd_observer *)context;
    (void)state;
    observer->connection(observer->context, sonde_mhd_socket(connection), code == MHD_CONNECTION_NOTIFY_STARTED);
}

static void sonde_mhd_complete(void *context, struct MHD_Connection *connection, void **state,
                               enum MHD_RequestTerminationCode code) {
    const sonde_mhd_observer *observer = (const sonde_mhd_observer *)context;
    (void)state, (void)code;
    observer->completed(observer->context, sonde_mhd_socket(connection));
}

static void sonde_mhd_write(void *context, const char *format, va_list arguments) {
    const sonde_mhd_observer *observer = (const sonde_mhd_observer *)context;
    char line[256];
    vsnprintf(line, sizeof line, format, arguments);
    observer->message(observer->context, line);
}

/* A daemon without a thread: poll its descriptor and call MHD_run. The observer must outlive it; NULL: it cannot start. */
static inline struct MHD_Daemon *sonde_mhd_start(const sonde_mhd_settings *settings, const sonde_mhd_observer *observer) {
    void *context = (void *)observer;
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)settings->certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)settings->key},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)settings->priorities},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
    unsigned int flags = MHD_USE_EPOLL | MHD_USE_ERROR_LOG | (settings->certificate != NULL ? MHD_USE_TLS : 0u);
    return MHD_start_daemon(
        flags, 0, NULL, NULL, sonde_mhd_answer, context,
        MHD_OPTION_EXTERNAL_LOGGER, sonde_mhd_write, context,
        MHD_OPTION_LISTEN_SOCKET, settings->listener,
        MHD_OPTION_CONNECTION_LIMIT, settings->connections,
        MHD_OPTION_CONNECTION_TIMEOUT, settings->idle,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->memory,
        MHD_OPTION_NOTIFY_CONNECTION, sonde_mhd_notice, context,
        MHD_OPTION_NOTIFY_COMPLETED, sonde_mhd_complete, context,
        MHD_OPTION_ARRAY, settings->certificate != NULL ? tls : none,
        MHD_OPTION_END);
}

/* Whether a certificate and a key can be used together. */
static inline int sonde_mhd_accepts(const char *certificate, const char *key, const char *priorities,
                                    const sonde_mhd_observer *observer) {
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_TLS | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ERROR_LOG, 0, NULL, NULL, sonde_mhd_answer, (void *)observer,
        MHD_OPTION_EXTERNAL_LOGGER, sonde_mhd_write, (void *)observer,
        MHD_OPTION_HTTPS_MEM_CERT, certificate, MHD_OPTION_HTTPS_MEM_KEY, key, MHD_OPTION_HTTPS_PRIORITIES, priorities,
        MHD_OPTION_END);
    if (daemon == NULL) return 0;
    MHD_stop_daemon(daemon);
    return 1;
}

/* The descriptor that is readable when MHD_run has something to do, or -1. */
static inline int sonde_mhd_descriptor(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info == NULL ? -1 : info->epoll_fd;
}

/* When MHD_run has to be called at the latest, in milliseconds; -1: when the descriptor is readable. */
static inline long long sonde_mhd_timeout(struct MHD_Daemon *daemon) {
    MHD_UNSIGNED_LONG_LONG milliseconds = 0;
    if (MHD_get_timeout(daemon, &milliseconds) != MHD_YES) return -1;
    return milliseconds > 3600000u ? 3600000 : (long long)milliseconds;
}

/* A field of the request's head, or NULL. */
static inline const char *sonde_mhd_field(struct MHD_Connection *connection, const char *name) {
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

typedef int (*sonde_mhd_take_argument)(void *context, const char *key, const char *value);

typedef struct {
    void *context;
    sonde_mhd_take_argument take;
} sonde_mhd_arguments;

static enum MHD_Result sonde_mhd_each_argument(void *context, enum MHD_ValueKind kind, const char *key,
                                               const char *value) {
    const sonde_mhd_arguments *arguments = (const sonde_mhd_arguments *)context;
    (void)kind;
    return arguments->take(arguments->context, key, value) ? MHD_YES : MHD_NO;
}

/* Hands out the arguments of the query, until `take` returns 0. Either of them may be NULL. */
static inline void sonde_mhd_query(struct MHD_Connection *connection, void *context, sonde_mhd_take_argument take) {
    sonde_mhd_arguments arguments = {context, take};
    MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, sonde_mhd_each_argument, &arguments);
}

/* The bytes of all responses that are kept or being sent. Lives as long as one of them, or its owner. */
typedef struct {
    long long bytes;
    long references;
} sonde_mhd_account;

typedef struct {
    sonde_mhd_account *account;
    size_t size;
} sonde_mhd_body;

static inline sonde_mhd_account *sonde_mhd_open_account(void) {
    sonde_mhd_account *account = (sonde_mhd_account *)calloc(1, sizeof(sonde_mhd_account));
    if (account != NULL) account->references = 1;
    return account;
}

static inline void sonde_mhd_close_account(sonde_mhd_account *account) {
    if (account != NULL && --account->references == 0) free(account);
}

static void sonde_mhd_release(void *context) {
    sonde_mhd_body *body = (sonde_mhd_body *)context;
    body->account->bytes -= (long long)body->size;
    sonde_mhd_close_account(body->account);
    free(body);
}

/* A response with a copy of a body, or NULL. */
static inline struct MHD_Response *sonde_mhd_response(const void *bytes, size_t size, sonde_mhd_account *account) {
    sonde_mhd_body *body = (sonde_mhd_body *)malloc(sizeof(sonde_mhd_body) + size);
    if (body == NULL) return NULL;
    body->account = account;
    body->size = size;
    if (size > 0) memcpy(body + 1, bytes, size);
    account->bytes += (long long)size;
    account->references += 1;
    struct MHD_Response *response =
        MHD_create_response_from_buffer_with_free_callback_cls(size, body + 1, sonde_mhd_release, body);
    if (response == NULL) sonde_mhd_release(body);
    return response;
}

/* 1 when it is queued. */
static inline int sonde_mhd_queue(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response) {
    return response != NULL && MHD_queue_response(connection, status, response) == MHD_YES;
}

#endif
