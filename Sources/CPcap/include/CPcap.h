/* libpcap for live capture. What is wrapped here is what Swift cannot see: macros with casts. */
#ifndef SONDE_CPCAP_H
#define SONDE_CPCAP_H

#include <pcap/pcap.h>

/* pcap_set_tstamp_precision and pcap_set_immediate_mode. */
#ifndef PCAP_TSTAMP_PRECISION_NANO
#error "libpcap 1.5 or later is needed"
#endif

static const bpf_u_int32 sonde_pcap_netmask_unknown = PCAP_NETMASK_UNKNOWN;

/* DLT_LINUX_SLL2 as pcap_set_datalink wants it. */
static const int sonde_pcap_cooked_v2 = DLT_LINUX_SLL2;

#endif
