#define _GNU_SOURCE
#include "late.h"

#include <dlfcn.h>

const char *late_link(const char *const *libraries, const struct late_function *functions, unsigned count) {
    void *handle = 0;
    while (!handle && *libraries) handle = dlopen(*libraries++, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!handle) return dlerror();
    for (unsigned i = 0; i < count; i++) {
        *functions[i].slot = dlsym(handle, functions[i].name);
        if (!*functions[i].slot) return dlerror();
    }
    return 0;
}
