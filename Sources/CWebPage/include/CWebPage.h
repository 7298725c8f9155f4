/* The files of the page, as they are in Sources/SondeWeb/Page. */
#ifndef SONDE_CWEBPAGE_H
#define SONDE_CWEBPAGE_H

#include <stddef.h>

/* One file. */
struct sonde_web_file {
    const char *name;
    const unsigned char *bytes;
    size_t count;
};

/* The file of that number; its name is NULL behind the last. */
struct sonde_web_file sonde_web_file_at(size_t index);

#endif
