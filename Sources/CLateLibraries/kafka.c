#include "CLateLibraries.h"
#include "late.h"

#define FUNCTIONS(F) \
    F(rd_kafka_conf_destroy) \
    F(rd_kafka_conf_new) \
    F(rd_kafka_conf_set) \
    F(rd_kafka_conf_set_events) \
    F(rd_kafka_destroy) \
    F(rd_kafka_err2name) \
    F(rd_kafka_err2str) \
    F(rd_kafka_event_destroy) \
    F(rd_kafka_event_error) \
    F(rd_kafka_event_error_string) \
    F(rd_kafka_event_log) \
    F(rd_kafka_event_message_next) \
    F(rd_kafka_event_type) \
    F(rd_kafka_fatal_error) \
    F(rd_kafka_header_add) \
    F(rd_kafka_headers_destroy) \
    F(rd_kafka_headers_new) \
    F(rd_kafka_last_error) \
    F(rd_kafka_metadata) \
    F(rd_kafka_metadata_destroy) \
    F(rd_kafka_new) \
    F(rd_kafka_producev) \
    F(rd_kafka_purge) \
    F(rd_kafka_queue_destroy) \
    F(rd_kafka_queue_get_main) \
    F(rd_kafka_queue_io_event_enable) \
    F(rd_kafka_queue_poll) \
    F(rd_kafka_set_log_queue)

LATE_LIBRARY(sonde_link_kafka, FUNCTIONS, "librdkafka.so.1")
