/* libpcap for live capture, and the two sockets of the kernel that tell which interfaces there are. What is wrapped here
 * is what Swift cannot see, or sees or not depending on which module was built first: enum constants and macros. */
#ifndef SONDE_CPCAP_H
#define SONDE_CPCAP_H

#include <pcap/pcap.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* pcap_set_tstamp_precision and pcap_set_immediate_mode. */
#ifndef PCAP_TSTAMP_PRECISION_NANO
#error "libpcap 1.5 or later is needed"
#endif

static const bpf_u_int32 sonde_pcap_netmask_unknown = PCAP_NETMASK_UNKNOWN;

/* DLT_LINUX_SLL2 as pcap_set_datalink wants it. */
static const int sonde_pcap_cooked_v2 = DLT_LINUX_SLL2;

/* A netlink socket that answers about links and routes and, with groups, reports their changes; closed on exec and
 * never waiting. -1 with errno when there is none. */
static inline int sonde_route_socket(unsigned int groups) {
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);
    if (descriptor < 0) return -1;
    struct sockaddr_nl address;
    memset(&address, 0, sizeof address);
    address.nl_family = AF_NETLINK;
    address.nl_groups = groups;
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
    close(descriptor);
    return -1;
}

/* Asks for every link of this network namespace; -1 with errno when it cannot be asked. */
static inline int sonde_route_request_links(int descriptor, unsigned int sequence) {
    struct {
        struct nlmsghdr header;
        struct ifinfomsg body;
    } request;
    memset(&request, 0, sizeof request);
    request.header.nlmsg_len = NLMSG_LENGTH(sizeof request.body);
    request.header.nlmsg_type = RTM_GETLINK;
    request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    request.header.nlmsg_seq = sequence;
    request.body.ifi_family = AF_UNSPEC;
    return send(descriptor, &request, request.header.nlmsg_len, 0) < 0 ? -1 : 0;
}

/* Asks for every address of this network namespace; -1 with errno when it cannot be asked. */
static inline int sonde_route_request_addresses(int descriptor, unsigned int sequence) {
    struct {
        struct nlmsghdr header;
        struct ifaddrmsg body;
    } request;
    memset(&request, 0, sizeof request);
    request.header.nlmsg_len = NLMSG_LENGTH(sizeof request.body);
    request.header.nlmsg_type = RTM_GETADDR;
    request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    request.header.nlmsg_seq = sequence;
    request.body.ifa_family = AF_UNSPEC;
    return send(descriptor, &request, request.header.nlmsg_len, 0) < 0 ? -1 : 0;
}

/* Asks for the route to an address of 4 (AF_INET) or 16 (AF_INET6) bytes; -1 with errno when it cannot be asked. One
 * answer, however many routes there are. */
static inline int sonde_route_request_route(int descriptor, unsigned int sequence, const unsigned char *address,
                                            unsigned short size) {
    struct {
        struct nlmsghdr header;
        struct rtmsg body;
        struct rtattr attribute;
        unsigned char address[16];
    } request;
    if (size != 4 && size != 16) return -1;
    memset(&request, 0, sizeof request);
    request.header.nlmsg_len = (unsigned int)(NLMSG_LENGTH(sizeof request.body) + RTA_LENGTH(size));
    request.header.nlmsg_type = RTM_GETROUTE;
    request.header.nlmsg_flags = NLM_F_REQUEST;
    request.header.nlmsg_seq = sequence;
    request.body.rtm_family = size == 4 ? AF_INET : AF_INET6;
    request.body.rtm_dst_len = (unsigned char)(size * 8);
    request.attribute.rta_type = RTA_DST;
    request.attribute.rta_len = (unsigned short)RTA_LENGTH(size);
    memcpy(request.address, address, size);
    return send(descriptor, &request, request.header.nlmsg_len, 0) < 0 ? -1 : 0;
}

#endif
