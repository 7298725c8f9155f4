/* statx(2), which the Glibc module does not show: glibc declares it for _GNU_SOURCE only. The struct is the kernel's. */
#ifndef SONDE_CSTATX_H
#define SONDE_CSTATX_H

#include <linux/stat.h>

extern int statx(int directory, const char *path, int flags, unsigned int mask, struct statx *status);

#endif
