/* Netlink sockets, and what of network devices and namespaces Swift cannot reach: ioctl(2) and prctl-like calls are
 * variadic, and whether Swift sees the socket's constants depends on which module was built first. */
#ifndef SONDE_CNETLINK_H
#define SONDE_CNETLINK_H

#include <linux/ethtool.h>
#include <linux/netlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A netlink socket of a protocol (NETLINK_ROUTE is 0) that, with groups, reports changes; closed on exec and never
 * waiting. It hears the kernel only: no other process can answer in its place. -1 with errno when there is none. */
static inline int sonde_netlink_socket(int protocol, unsigned int groups) {
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);
    if (descriptor < 0) return -1;
    struct sockaddr_nl address;
    memset(&address, 0, sizeof address);
    address.nl_family = AF_NETLINK;
    address.nl_groups = groups;
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0) {
        address.nl_groups = 0;
        if (groups != 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
    }
    close(descriptor);
    return -1;
}

/* Receives one datagram and says how long it was, which is more than size when it was cut. */
static inline ssize_t sonde_netlink_receive(int descriptor, void *buffer, size_t size) {
    return recv(descriptor, buffer, size, MSG_TRUNC);
}

/* Makes a network namespace the calling thread's own, setns(2); -1 with errno when it may not. */
static inline int sonde_enter_network_namespace(int descriptor) {
    return (int)syscall(SYS_setns, descriptor, 0x40000000 /* CLONE_NEWNET, which sched.h shows to _GNU_SOURCE only */);
}

/* A socket of the calling thread's network namespace to ask device drivers through. */
static inline int sonde_device_socket(void) {
    return socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

/* Speed in Mbit/s and duplex (0 half, 1 full) of a device, ETHTOOL_GSET; SPEED_UNKNOWN (-1) and DUPLEX_UNKNOWN (0xff)
 * where the driver does not know. -1 with errno where it has neither. */
static inline int sonde_device_speed(int descriptor, const char *name, uint32_t *speed, uint8_t *duplex) {
    struct ethtool_cmd settings;
    memset(&settings, 0, sizeof settings);
    settings.cmd = ETHTOOL_GSET;
    struct ifreq request;
    memset(&request, 0, sizeof request);
    strncpy(request.ifr_name, name, sizeof request.ifr_name - 1);
    request.ifr_data = (void *)&settings;
    if (ioctl(descriptor, SIOCETHTOOL, &request) != 0) return -1;
    *speed = ethtool_cmd_speed(&settings);
    *duplex = settings.duplex;
    return 0;
}

#endif
