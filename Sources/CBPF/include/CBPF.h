/* bpf(2), perf_event_open(2) and its ioctl(2): the C library has no functions for the first two, and syscall(2) and ioctl(2)
 * are variadic and so closed to Swift. */
#ifndef SONDE_CBPF_H
#define SONDE_CBPF_H

#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline int sonde_bpf(int command, union bpf_attr *attributes) {
    return (int)syscall(SYS_bpf, command, attributes, sizeof *attributes);
}

/* An array of 64-bit numbers that can be mapped; -1 with errno when there is none. */
static inline int sonde_bpf_create_counters(uint32_t count) {
    union bpf_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.map_type = BPF_MAP_TYPE_ARRAY;
    attributes.key_size = sizeof(uint32_t);
    attributes.value_size = sizeof(uint64_t);
    attributes.max_entries = count;
    attributes.map_flags = BPF_F_MMAPABLE;
    memcpy(attributes.map_name, "sonde_drops", sizeof "sonde_drops");
    return sonde_bpf(BPF_MAP_CREATE, &attributes);
}

/* Maps it to be read only; NULL with errno when that fails. */
static inline const uint64_t *sonde_bpf_map_counters(int map, uint32_t count) {
    void *address = mmap(NULL, (size_t)count * sizeof(uint64_t), PROT_READ, MAP_SHARED, map, 0);
    return address == MAP_FAILED ? NULL : (const uint64_t *)address;
}

static inline void sonde_bpf_unmap_counters(const uint64_t *counters, uint32_t count) {
    munmap((void *)(uintptr_t)counters, (size_t)count * sizeof(uint64_t));
}

/* A number that a program counts up meanwhile. */
static inline uint64_t sonde_bpf_counter(const uint64_t *counter) { return __atomic_load_n(counter, __ATOMIC_RELAXED); }

/* Loads a program for tracepoints; what the verifier says goes into log, which ends with a NUL. -1 with errno. */
static inline int sonde_bpf_load(const uint64_t *instructions, uint32_t count, char *log, uint32_t log_size) {
    union bpf_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.prog_type = BPF_PROG_TYPE_TRACEPOINT;
    attributes.insns = (uint64_t)(uintptr_t)instructions;
    attributes.insn_cnt = count;
    /* None of the helpers that it calls is reserved to the GPL. */
    attributes.license = (uint64_t)(uintptr_t)"";
    memcpy(attributes.prog_name, "sonde_drops", sizeof "sonde_drops");
    if (log_size) {
        log[0] = 0;
        attributes.log_buf = (uint64_t)(uintptr_t)log;
        attributes.log_size = log_size;
        attributes.log_level = 1;
    }
    return sonde_bpf(BPF_PROG_LOAD, &attributes);
}

/* The event of a tracepoint, of every process; the first processor that is there stands for all: a program of a tracepoint runs on
   each. -1 with errno. */
static inline int sonde_perf_tracepoint(uint64_t identifier, int processor) {
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.type = PERF_TYPE_TRACEPOINT;
    attributes.size = sizeof attributes;
    attributes.config = identifier;
    attributes.sample_period = 1;
    attributes.disabled = 1;
    return (int)syscall(SYS_perf_event_open, &attributes, -1, processor, -1, PERF_FLAG_FD_CLOEXEC);
}

/* The program runs from now on, until the event is closed; -1 with errno. */
static inline int sonde_perf_run(int event, int program) {
    if (ioctl(event, PERF_EVENT_IOC_SET_BPF, program)) return -1;
    return ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
}

#endif
