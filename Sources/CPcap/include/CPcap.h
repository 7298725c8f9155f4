/* libpcap for live capture. What is wrapped here is what Swift cannot see: macros with casts, and the kernel's packet
   sockets (packet(7)), which libpcap opens and has no calls for that would do. */
#ifndef SONDE_CPCAP_H
#define SONDE_CPCAP_H

#include <arpa/inet.h>
#include <errno.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <pcap/pcap.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* pcap_set_tstamp_precision and pcap_set_immediate_mode. */
#ifndef PCAP_TSTAMP_PRECISION_NANO
#error "libpcap 1.5 or later is needed"
#endif

static const bpf_u_int32 sonde_pcap_netmask_unknown = PCAP_NETMASK_UNKNOWN;

/* DLT_LINUX_SLL2 as pcap_set_datalink wants it. */
static const int sonde_pcap_cooked_v2 = DLT_LINUX_SLL2;

/* The error that waits at a packet socket, which is none of it any more: ENETDOWN when its device was switched off or is
   gone. 0: none. */
static inline int sonde_packet_error(int descriptor) {
    int error = 0;
    socklen_t size = sizeof error;
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) ? errno : error;
}

/* How many packets have passed the filter since the last call, dropped ones included, and how many were dropped because the
   buffer was full; -1 with errno. */
static inline int sonde_packet_counts(int descriptor, unsigned *passed, unsigned *dropped) {
    struct tpacket_stats_v3 counts = {0};
    socklen_t size = sizeof counts;
    if (getsockopt(descriptor, SOL_PACKET, PACKET_STATISTICS, &counts, &size)) return -1;
    *passed = counts.tp_packets;
    *dropped = counts.tp_drops;
    return 0;
}

/* Whether the calling thread may open a packet socket. */
static inline int sonde_packet_is_allowed(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[2] = {{0}};
    return syscall(SYS_capget, &header, sets) == 0 && (sets[0].effective >> CAP_NET_RAW & 1);
}

/* Has a packet socket take nothing from now on; -1 with errno. */
static inline int sonde_packet_mute(int descriptor) {
    struct sock_filter nothing = BPF_STMT(BPF_RET | BPF_K, 0);
    const struct sock_fprog program = {1, &nothing};
    return setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

/* Binds a packet socket to a device, which takes no privilege; -1 with errno. */
static inline int sonde_packet_bind(int descriptor, int device) {
    const struct sockaddr_ll address = {
        .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL), .sll_ifindex = device};
    return bind(descriptor, (const struct sockaddr *)&address, sizeof address);
}

/* Adds or drops the socket's wish that a device is promiscuous (PACKET_ADD_MEMBERSHIP or PACKET_DROP_MEMBERSHIP). */
static inline int sonde_packet_promiscuous(int descriptor, int device, int option) {
    const struct packet_mreq wish = {.mr_ifindex = device, .mr_type = PACKET_MR_PROMISC};
    return setsockopt(descriptor, SOL_PACKET, option, &wish, sizeof wish);
}

#endif
