/* The wrappers are inline; a target of C needs one file to compile. */
#include "CMicrohttpd.h"
