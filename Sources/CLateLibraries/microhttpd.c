#include "CLateLibraries.h"
#include "late.h"

#define FUNCTIONS(F) \
    F(MHD_add_response_header) \
    F(MHD_create_response_from_buffer_with_free_callback_cls) \
    F(MHD_destroy_response) \
    F(MHD_get_connection_info) \
    F(MHD_get_connection_values) \
    F(MHD_get_daemon_info) \
    F(MHD_get_timeout) \
    F(MHD_lookup_connection_value) \
    F(MHD_queue_response) \
    F(MHD_quiesce_daemon) \
    F(MHD_run) \
    F(MHD_start_daemon) \
    F(MHD_stop_daemon)

LATE_LIBRARY(sonde_link_microhttpd, FUNCTIONS, "libmicrohttpd.so.12")
