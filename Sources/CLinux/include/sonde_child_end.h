/* What sonde-supervisor reports to the agent about a child. */
#ifndef SONDE_CHILD_END_H
#define SONDE_CHILD_END_H

#include <stdint.h>

enum sonde_exceeded { SONDE_EXCEEDED_MEMORY = 1, SONDE_EXCEEDED_CPU = 2, SONDE_EXCEEDED_PROCESSES = 3 };

/* Before the program runs. */
typedef struct sonde_child_begin {
    uint32_t size;   /* sizeof this */
    int32_t program; /* its number, which is that of its session; 0: it could not be started */
} sonde_child_begin;

/* When it has ended. */
typedef struct sonde_child_end {
    uint32_t size;             /* sizeof this */
    int32_t wait_status;       /* of the program, as waitpid(2) has it; valid when exec_errno is 0 */
    int32_t exec_errno;        /* why the program could not be executed, or 0 */
    uint32_t exceeded;         /* what the program was killed for: a sonde_exceeded, or 0 */
    int64_t peak_resident_kib; /* of the program and what it has waited for */
    int32_t step;              /* what exec_errno is about: a sonde_step */
    uint32_t left;             /* how many descendants ran on when the program had ended by itself, and were killed */
} sonde_child_end;

enum sonde_step { SONDE_STEP_EXEC = 0, SONDE_STEP_LIMITS = 1, SONDE_STEP_USER = 2 };

/* Both, as they lie in the socket. */
typedef struct sonde_child_record {
    sonde_child_begin begin;
    sonde_child_end end;
} sonde_child_record;

#endif
