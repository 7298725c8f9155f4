/* What sonde-supervisor tells the agent of the end of a child. */
#ifndef SONDE_CHILD_END_H
#define SONDE_CHILD_END_H

#include <stdint.h>

enum sonde_exceeded { SONDE_EXCEEDED_MEMORY = 1 };

typedef struct sonde_child_end {
    uint32_t size;             /* sizeof this */
    int32_t wait_status;       /* of the program, as waitpid(2) has it; valid when exec_errno is 0 */
    int32_t exec_errno;        /* why the program could not be executed, or 0 */
    uint32_t exceeded;         /* what the program was killed for: a sonde_exceeded, or 0 */
    int64_t peak_resident_kib; /* of the program and what it has waited for */
} sonde_child_end;

#endif
