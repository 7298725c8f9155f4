/* Links the libraries of plugins that are built into the daemon when the first of them is used: a host without `http` does
 * not map libcurl. Each returns NULL, or why the library cannot be used; it is asked for once, before any other function of
 * the library is called, and from one thread at a time. */
#ifndef SONDE_LATE_LIBRARIES_H
#define SONDE_LATE_LIBRARIES_H

const char *sonde_link_curl(void);
const char *sonde_link_kafka(void);
const char *sonde_link_microhttpd(void);
const char *sonde_link_pcap(void);

#endif
