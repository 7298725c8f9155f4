/* Typed access to libcurl, whose option functions are variadic and so closed to Swift. Every wrapper fixes one argument
 * type; the caller picks the option that takes it. Nothing here allocates or keeps anything. */
#ifndef SONDE_CCURL_H
#define SONDE_CCURL_H

/* The checking macros of libcurl want constant options; here they are arguments. */
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>

/* CURLOPT_QUICK_EXIT and CURLOPT_CA_CACHE_TIMEOUT. */
#if LIBCURL_VERSION_NUM < 0x075700
#error "libcurl 7.87.0 or later is needed"
#endif

typedef size_t (*sonde_curl_receive)(char *data, size_t size, size_t count, void *context);

/* ------------------------------------------------------------------------------------------------- easy handles */

static inline CURLcode sonde_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode sonde_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

/* libcurl copies the string, except for CURLOPT_POSTFIELDS. */
static inline CURLcode sonde_curl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

/* CURLOPT_POSTFIELDS: the bytes must stay until the transfer is over. */
static inline CURLcode sonde_curl_set_body(CURL *easy, const void *bytes) {
    return curl_easy_setopt(easy, CURLOPT_POSTFIELDS, bytes);
}

/* The list must stay until the transfer is over. */
static inline CURLcode sonde_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *list) {
    return curl_easy_setopt(easy, option, list);
}

/* CURL_ERROR_SIZE bytes that must stay until the handle is cleaned up. */
static inline CURLcode sonde_curl_set_error_buffer(CURL *easy, char *buffer) {
    return curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, buffer);
}

static inline CURLcode sonde_curl_set_receivers(CURL *easy, sonde_curl_receive header, sonde_curl_receive body,
                                                void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
    if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
    return code;
}

/* Another end for a connection than the one that the URL names. */
typedef struct {
    curl_socket_t socket; /* what libcurl connects, and closes; CURL_SOCKET_BAD once it has it */
    socklen_t length;
    struct sockaddr peer; /* where it connects to, `length` bytes of it */
} sonde_curl_way;

static inline curl_socket_t sonde_curl_take_way(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    sonde_curl_way *way = (sonde_curl_way *)context;
    curl_socket_t taken = way->socket;
    (void)purpose;
    way->socket = CURL_SOCKET_BAD;
    address->family = way->peer.sa_family;
    address->addr = way->peer;
    address->addrlen = way->length;
    return taken;
}

/* The way must stay until the transfer is over. */
static inline CURLcode sonde_curl_set_way(CURL *easy, sonde_curl_way *way) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, sonde_curl_take_way);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, way) : code;
}

/* A numeric fact about the last transfer, or -1 when libcurl does not know it. */
static inline long sonde_curl_get_long(CURL *easy, CURLINFO info) {
    long value = -1;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : -1;
}

/* What the receiver's own certificate says, "Expire date:Nov 26 08:30:00 2027 GMT" among it, when CURLOPT_CERTINFO was set;
 * NULL when there is none. It belongs to the handle. */
static inline struct curl_slist *sonde_curl_get_certificate(CURL *easy) {
    struct curl_certinfo *found = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_CERTINFO, &found) != CURLE_OK || !found || found->num_of_certs < 1) return NULL;
    return found->certinfo[0];
}

/* ------------------------------------------------------------------------------------------------ multi handles */

static inline CURLMcode sonde_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/* Takes the next ended transfer off the queue: 1 and its result, or 0 when there is none. */
static inline int sonde_curl_multi_take_result(CURLM *multi, CURLcode *code) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE) {
            *code = message->data.result;
            return 1;
        }
    }
    return 0;
}

/* -------------------------------------------------------------------------------------------- macros with casts */

static const long sonde_curl_auth_basic = (long)CURLAUTH_BASIC;
static const long sonde_curl_auth_bearer = (long)CURLAUTH_BEARER;
static const long sonde_curl_tls_1_2 = CURL_SSLVERSION_TLSv1_2;
static const long sonde_curl_tls_1_3 = CURL_SSLVERSION_TLSv1_3;
static const long sonde_curl_netrc_ignored = CURL_NETRC_IGNORED;
static const long sonde_curl_global_flags = CURL_GLOBAL_DEFAULT;
static const long sonde_curl_headers_separate = CURLHEADER_SEPARATE;

#endif
