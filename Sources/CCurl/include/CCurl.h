/* Typed access to libcurl, whose option functions are variadic and so closed to Swift. */
#ifndef SONDE_CCURL_H
#define SONDE_CCURL_H

#include <curl/curl.h>

#endif
