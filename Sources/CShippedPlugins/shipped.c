#include "CShippedPlugins.h"

/* Weak: a program that links a plugin has it built in, and any other has NULL here. */
#define SHIPPED(name) extern const struct sonde_plugin *sonde_plugin_##name(void) __attribute__((weak))
SHIPPED(dnslog);
SHIPPED(drops);
SHIPPED(file);
SHIPPED(http);
SHIPPED(kafka);
SHIPPED(pcap);
SHIPPED(procnet);
SHIPPED(scrape);
SHIPPED(stdout);

#define LINKING(library) extern const char *sonde_link_##library(void) __attribute__((weak))
LINKING(curl);
LINKING(kafka);
LINKING(microhttpd);
LINKING(pcap);

static const struct sonde_shipped_plugin shipped[] = {
    {"dnslog", sonde_plugin_dnslog, 0, false},
    {"drops", sonde_plugin_drops, 0, true},
    {"file", sonde_plugin_file, 0, false},
    {"http", sonde_plugin_http, sonde_link_curl, false},
    {"kafka", sonde_plugin_kafka, sonde_link_kafka, false},
    {"pcap", sonde_plugin_pcap, sonde_link_pcap, true},
    {"procnet", sonde_plugin_procnet, 0, false},
    {"scrape", sonde_plugin_scrape, sonde_link_microhttpd, false},
    {"stdout", sonde_plugin_stdout, 0, false},
    {0},
};

const struct sonde_shipped_plugin *sonde_shipped_plugins(void) { return shipped; }
