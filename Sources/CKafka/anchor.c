/* SwiftPM wants one source file per C target. */
#include "CKafka.h"
