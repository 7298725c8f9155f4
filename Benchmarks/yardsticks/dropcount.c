/* What counting at a tracepoint takes at least: dropcount drop|state
 * Attaches a BPF program of 13 instructions, written by hand, to skb:kfree_skb or sock:inet_sock_set_state: one counter for each
 * reason or new state in an array for each processor, as bpf(2)'s examples have it. Says "ready", and at the end of its input
 * prints what was counted. Root, tracefs mounted. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ENTRIES = 512, MOST_PROCESSORS = 1024 };

static int bpf(int command, union bpf_attr *attributes) {
    return (int)syscall(SYS_bpf, command, attributes, sizeof *attributes);
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

/* The number of the tracepoint, and where its field is. */
static int look_up(const char *event, const char *field, int *offset) {
    char path[256], line[65536], name[64];
    int identifier = 0;
    snprintf(path, sizeof path, "/sys/kernel/tracing/events/%s/id", event);
    FILE *file = fopen(path, "r");
    if (!file || fscanf(file, "%d", &identifier) != 1) fail(path);
    fclose(file);
    snprintf(path, sizeof path, "/sys/kernel/tracing/events/%s/format", event);
    snprintf(name, sizeof name, " %s;", field);
    file = fopen(path, "r");
    if (!file) fail(path);
    while (fgets(line, sizeof line, file)) {
        char *place = strstr(line, name) ? strstr(line, "offset:") : NULL;
        if (place) *offset = atoi(place + 7);
    }
    fclose(file);
    return identifier;
}

static int load(int map, int offset) {
    struct bpf_insn program[] = {
        {BPF_LDX | BPF_MEM | BPF_W, 2, 1, (short)offset, 0},
        {BPF_STX | BPF_MEM | BPF_W, 10, 2, -4, 0},
        {BPF_ALU64 | BPF_MOV | BPF_X, 2, 10, 0, 0},
        {BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -4},
        {BPF_LD | BPF_DW | BPF_IMM, 1, BPF_PSEUDO_MAP_FD, 0, map},
        {0, 0, 0, 0, 0},
        {BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_map_lookup_elem},
        {BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3, 0},
        {BPF_LDX | BPF_MEM | BPF_DW, 1, 0, 0, 0},
        {BPF_ALU64 | BPF_ADD | BPF_K, 1, 0, 0, 1},
        {BPF_STX | BPF_MEM | BPF_DW, 0, 1, 0, 0},
        {BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0},
        {BPF_JMP | BPF_EXIT, 0, 0, 0, 0},
    };
    union bpf_attr attributes = {0};
    attributes.prog_type = BPF_PROG_TYPE_TRACEPOINT;
    attributes.insns = (uint64_t)(uintptr_t)program;
    attributes.insn_cnt = sizeof program / sizeof *program;
    attributes.license = (uint64_t)(uintptr_t) "";
    int descriptor = bpf(BPF_PROG_LOAD, &attributes);
    if (descriptor < 0) fail("BPF_PROG_LOAD");
    return descriptor;
}

static void attach(int program, int identifier) {
    struct perf_event_attr event = {.type = PERF_TYPE_TRACEPOINT, .size = sizeof event};
    event.config = (uint64_t)identifier;
    event.sample_period = 1;
    int descriptor = (int)syscall(SYS_perf_event_open, &event, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
    if (descriptor < 0 || ioctl(descriptor, PERF_EVENT_IOC_SET_BPF, program) ||
        ioctl(descriptor, PERF_EVENT_IOC_ENABLE, 0))
        fail("perf_event_open");
}

static uint64_t read_sum(int map, uint32_t key) {
    static uint64_t values[MOST_PROCESSORS];
    union bpf_attr attributes = {0};
    attributes.map_fd = (uint32_t)map;
    attributes.key = (uint64_t)(uintptr_t)&key;
    attributes.value = (uint64_t)(uintptr_t)values;
    if (bpf(BPF_MAP_LOOKUP_ELEM, &attributes)) return 0;
    uint64_t sum = 0;
    for (long place = 0; place < sysconf(_SC_NPROCESSORS_CONF); place++) sum += values[place];
    return sum;
}

int main(int count, char **words) {
    const int states = count > 1 && !strcmp(words[1], "state");
    int offset = -1;
    const int identifier = states ? look_up("sock/inet_sock_set_state", "newstate", &offset)
                                  : look_up("skb/kfree_skb", "reason", &offset);
    union bpf_attr attributes = {0};
    attributes.map_type = BPF_MAP_TYPE_PERCPU_ARRAY;
    attributes.key_size = 4;
    attributes.value_size = 8;
    attributes.max_entries = ENTRIES;
    int map = bpf(BPF_MAP_CREATE, &attributes);
    if (map < 0) fail("BPF_MAP_CREATE");
    attach(load(map, offset), identifier);
    puts("ready");
    fflush(stdout);
    while (getchar() != EOF) {}
    for (uint32_t key = 0; key < ENTRIES; key++) {
        const uint64_t sum = read_sum(map, key);
        if (sum) printf("%u %llu\n", key, (unsigned long long)sum);
    }
    return 0;
}
