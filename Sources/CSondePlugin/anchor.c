/* SwiftPM wants one source file per C target; this one also checks that the header compiles by itself, and that no struct has
 * changed since version 1.0 but at its end. */
#include "sonde_plugin.h"

#define UNCHANGED(type, size) _Static_assert(sizeof(type) == (size), #type " has the size that it had in 1.0")
#define GROWN(type, member, size) _Static_assert(offsetof(type, member) == (size), #type " has grown at its end only")

#if UINTPTR_MAX == UINT64_MAX
UNCHANGED(sonde_abi, SONDE_SIZE_1_0_ABI);
UNCHANGED(sonde_error, SONDE_SIZE_1_0_ERROR);
UNCHANGED(sonde_attribute, SONDE_SIZE_1_0_ATTRIBUTE);
GROWN(sonde_series, meaning, SONDE_SIZE_1_0_SERIES);
UNCHANGED(sonde_histogram, SONDE_SIZE_1_0_HISTOGRAM);
UNCHANGED(sonde_sample, SONDE_SIZE_1_0_SAMPLE);
UNCHANGED(sonde_checkpoint, SONDE_SIZE_1_0_CHECKPOINT);
UNCHANGED(sonde_loss, SONDE_SIZE_1_0_LOSS);
GROWN(sonde_host, report_trouble, SONDE_SIZE_1_0_HOST);
UNCHANGED(sonde_call, SONDE_SIZE_1_0_CALL);
UNCHANGED(sonde_resource, SONDE_SIZE_1_0_RESOURCE);
GROWN(sonde_batch_series, meaning, SONDE_SIZE_1_0_BATCH_SERIES);
UNCHANGED(sonde_point, SONDE_SIZE_1_0_POINT);
UNCHANGED(sonde_document, SONDE_SIZE_1_0_DOCUMENT);
UNCHANGED(sonde_batch, SONDE_SIZE_1_0_BATCH);
UNCHANGED(sonde_delivery, SONDE_SIZE_1_0_DELIVERY);
UNCHANGED(sonde_inspection, SONDE_SIZE_1_0_INSPECTION);
GROWN(sonde_plugin, probe, SONDE_SIZE_1_0_PLUGIN);
#endif
