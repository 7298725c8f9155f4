/* A plugin whose start-up code crashes whoever links it. */
#include "sonde_plugin.h"

SONDE_PLUGIN_ABI("");

__attribute__((constructor)) static void crash(void) {
    *(volatile int *)0 = 0;
}

SONDE_EXPORT const sonde_plugin *sonde_plugin_crashing(void) {
    return 0;
}
