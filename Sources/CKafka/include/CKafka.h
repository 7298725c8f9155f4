/* Typed access to librdkafka, where it is variadic or a macro and so closed to Swift. Nothing here allocates or keeps anything
 * beyond what librdkafka does. */
#ifndef SONDE_CKAFKA_H
#define SONDE_CKAFKA_H

#include <librdkafka/rdkafka.h>

/* What 2.0 has and this uses: SCRAM, zstd, an idempotent producer, verification of host names by default. */
#if RD_KAFKA_VERSION < 0x020000ff
#error "librdkafka 2.0.0 or later is needed"
#endif

/* Queues a message whose key and value are copied; takes `headers` over when it succeeds. */
static inline rd_kafka_resp_err_t sonde_kafka_produce(rd_kafka_t *client, const char *topic, const void *key,
                                                      size_t key_size, const void *value, size_t value_size,
                                                      rd_kafka_headers_t *headers) {
    return rd_kafka_producev(client, RD_KAFKA_V_TOPIC(topic), RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
                             RD_KAFKA_V_KEY(key, key_size), RD_KAFKA_V_VALUE((void *)value, value_size),
                             RD_KAFKA_V_HEADERS(headers), RD_KAFKA_V_END);
}

#endif
