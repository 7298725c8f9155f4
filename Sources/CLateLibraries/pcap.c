#include "CLateLibraries.h"
#include "late.h"

#define FUNCTIONS(F) \
    F(pcap_activate) \
    F(pcap_close) \
    F(pcap_compile) \
    F(pcap_create) \
    F(pcap_datalink) \
    F(pcap_dispatch) \
    F(pcap_freecode) \
    F(pcap_get_selectable_fd) \
    F(pcap_geterr) \
    F(pcap_open_dead) \
    F(pcap_set_buffer_size) \
    F(pcap_set_datalink) \
    F(pcap_set_immediate_mode) \
    F(pcap_set_promisc) \
    F(pcap_set_snaplen) \
    F(pcap_set_timeout) \
    F(pcap_set_tstamp_precision) \
    F(pcap_setfilter) \
    F(pcap_setnonblock) \
    F(pcap_statustostr)

/* As most distributions name it, and as Debian does, whose name a message has. */
LATE_LIBRARY(sonde_link_pcap, FUNCTIONS, "libpcap.so.1", "libpcap.so.0.8")
