/* SwiftPM wants one source file per C target; this one also checks that the header stands alone. */
#include "sonde_plugin.h"

_Static_assert(sizeof(sonde_abi) == 64, "the version record is read from files: its layout is fixed");
_Static_assert(sizeof(sonde_sample) == 32, "samples are passed in bulk");
