#ifndef SONDE_SHIPPED_PLUGINS_H
#define SONDE_SHIPPED_PLUGINS_H

#include <stdbool.h>

#include "sonde_plugin.h"

/* A plugin of Sonde's own. */
struct sonde_shipped_plugin {
    const char *name;
    /* NULL: it is not linked into this program. */
    const struct sonde_plugin *(*entry)(void);
    /* Links the library that it is made around; NULL, or why that cannot be used. NULL instead of a function: it needs none,
     * or is linked with it. */
    const char *(*link)(void);
    /* Whether its instances are to be confined. */
    bool is_confined;
};

/* All of them, by name; the last has no name. */
const struct sonde_shipped_plugin *sonde_shipped_plugins(void);

#endif
