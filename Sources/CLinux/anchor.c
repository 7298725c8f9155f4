/* SwiftPM wants one source file per C target. */
#include "CLinux.h"
