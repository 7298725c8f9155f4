/* Takes from the process what it does not need to work on what it has opened: docs/decisions/0086. */
#define _GNU_SOURCE
#include "sonde_confine.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/sockios.h>
#include <malloc.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define OWN_ARCHITECTURE AUDIT_ARCH_RISCV64
#else
#error "name the architecture of seccomp(2)'s filters here"
#endif

/* linux/landlock.h of newer kernels than those whose headers this is built with. */
struct landlock_rules {
    uint64_t files, network, scopes;
};
enum {
    LANDLOCK_CREATE_RULESET = 444,
    LANDLOCK_RESTRICT_SELF = 446,
    LANDLOCK_VERSION = 1,
    LANDLOCK_FILES = 0x1fff,
    LANDLOCK_REFER = 1 << 13,
    LANDLOCK_TRUNCATE = 1 << 14,
    LANDLOCK_DEVICE_CONTROL = 1 << 15,
    LANDLOCK_TCP = 3,
    LANDLOCK_SCOPES = 3
};

static int count_threads(void) {
    DIR *directory = opendir("/proc/self/task");
    if (!directory) return -1;
    int count = 0;
    for (struct dirent *entry; (entry = readdir(directory));) count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

/* 1 where there is one thread: a filter and a thread made before it do not know each other. One that was joined may be
   listed a moment longer. */
int sonde_settle_threads(void) {
    int count = count_threads();
    const struct timespec pause = {0, 1000000};
    for (int round = 0; round < 100 && count > 1; round++) {
        nanosleep(&pause, NULL);
        count = count_threads();
    }
    return count;
}

/* No file, no TCP, and no signal or abstract socket of anybody else; nothing is allowed by a rule. */
static int leave_files(void) {
    const long version = syscall(LANDLOCK_CREATE_RULESET, NULL, 0, LANDLOCK_VERSION);
    if (version < 1) return -1;
    struct landlock_rules rules = {.files = LANDLOCK_FILES};
    size_t size = sizeof rules.files;
    if (version >= 2) rules.files |= LANDLOCK_REFER;
    if (version >= 3) rules.files |= LANDLOCK_TRUNCATE;
    if (version >= 5) rules.files |= LANDLOCK_DEVICE_CONTROL;
    if (version >= 4) {
        rules.network = LANDLOCK_TCP;
        size += sizeof rules.network;
    }
    if (version >= 6) {
        rules.scopes = LANDLOCK_SCOPES;
        size += sizeof rules.scopes;
    }
    const int ruleset = (int)syscall(LANDLOCK_CREATE_RULESET, &rules, size, 0);
    if (ruleset < 0) return -1;
    const long result = syscall(LANDLOCK_RESTRICT_SELF, ruleset, 0);
    const int number = errno;
    close(ruleset);
    errno = number;
    return (int)result;
}

static int leave_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0}}, left[2];
    /* That of the unit stays where this needs a capability of its own. */
    for (int number = 0; prctl(PR_CAPBSET_READ, number) >= 0; number++) prctl(PR_CAPBSET_DROP, number);
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)) return -1;
    if (syscall(SYS_capset, &header, none) || syscall(SYS_capget, &header, left)) return -1;
    for (int half = 0; half < 2; half++) {
        if (!left[half].effective && !left[half].permitted && !left[half].inheritable) continue;
        errno = EPERM;
        return -1;
    }
    return 0;
}

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
/* The lower half of an argument: what is compared here has no more. */
#define ARGUMENT(index) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[index]))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)
/* The next `count` steps if it is so, else what is behind them. */
#define IF_EQUAL(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count)
#define IF_ANY(bits, count) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, count)
#define REFUSE RETURN(SECCOMP_RET_TRAP)
#define ALLOW(call) IF_EQUAL(SYS_##call, 1), RETURN(SECCOMP_RET_ALLOW)
#define ALLOW_ONE_OF_2(call, index, one, two)                                                                        \
    IF_EQUAL(SYS_##call, 6), ARGUMENT(index), IF_EQUAL(one, 1), RETURN(SECCOMP_RET_ALLOW), IF_EQUAL(two, 1),          \
        RETURN(SECCOMP_RET_ALLOW), REFUSE
#define ALLOW_UNLESS(call, index, bits)                                                                              \
    IF_EQUAL(SYS_##call, 4), ARGUMENT(index), IF_ANY(bits, 1), REFUSE, RETURN(SECCOMP_RET_ALLOW)
#define ALLOW_IF(call, index, bits)                                                                                  \
    IF_EQUAL(SYS_##call, 4), ARGUMENT(index), IF_ANY(bits, 1), RETURN(SECCOMP_RET_ALLOW), REFUSE
#define ALLOW_EQUAL(call, index, value)                                                                              \
    IF_EQUAL(SYS_##call, 4), ARGUMENT(index), IF_EQUAL(value, 1), RETURN(SECCOMP_RET_ALLOW), REFUSE

/* What works on memory, time and descriptors that are open; what opens, executes, traces or signals others is refused. */
static int leave_system_calls(void) {
    const uint32_t self = (uint32_t)getpid();
    struct sock_filter steps[] = {
        LOAD(arch), IF_EQUAL(OWN_ARCHITECTURE, 1), LOAD(nr),
        /* With another architecture's numbers this is still that: nothing is allowed. */
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), RETURN(SECCOMP_RET_KILL_PROCESS),
        ALLOW(futex), ALLOW(read), ALLOW(write), ALLOW(recvmsg), ALLOW(recvfrom), ALLOW(sendto), ALLOW(getsockopt),
        ALLOW(ppoll), ALLOW(readv), ALLOW(writev), ALLOW(sendmsg), ALLOW(setsockopt), ALLOW(bind), ALLOW(getsockname),
        ALLOW(lseek), ALLOW(close), ALLOW(shutdown), ALLOW(epoll_pwait),
        ALLOW(brk), ALLOW(munmap), ALLOW(mremap), ALLOW(madvise), ALLOW_UNLESS(mmap, 2, PROT_EXEC),
        ALLOW_UNLESS(mprotect, 2, PROT_EXEC),
        ALLOW(clock_gettime), ALLOW(clock_nanosleep), ALLOW(nanosleep), ALLOW(gettimeofday), ALLOW(getrandom),
        ALLOW(timerfd_create), ALLOW(timerfd_settime), ALLOW(timerfd_gettime), ALLOW(eventfd2), ALLOW(fstat),
        ALLOW(restart_syscall), ALLOW(rt_sigaction), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn), ALLOW(sigaltstack),
        ALLOW(exit), ALLOW(exit_group), ALLOW(getpid), ALLOW(gettid), ALLOW(capget), ALLOW(sched_yield), ALLOW(sched_getaffinity),
        ALLOW(set_robust_list), ALLOW_EQUAL(tgkill, 0, self),
#ifdef SYS_rseq
        ALLOW(rseq),
#endif
#ifdef SYS_poll
        ALLOW(poll),
#endif
#ifdef SYS_epoll_wait
        ALLOW(epoll_wait),
#endif
#ifdef SYS_time
        ALLOW(time),
#endif
        /* fstat(2) of the C library. */
        ALLOW_IF(newfstatat, 3, AT_EMPTY_PATH), ALLOW_ONE_OF_2(fcntl, 1, F_GETFL, F_SETFL),
        /* libpcap, of an interface that was switched off, and isatty(3). */
        IF_EQUAL(SYS_ioctl, 8), ARGUMENT(1), IF_EQUAL(SIOCGIFNAME, 1), RETURN(SECCOMP_RET_ALLOW),
        IF_EQUAL(SIOCGIFFLAGS, 1), RETURN(SECCOMP_RET_ALLOW), IF_EQUAL(TCGETS, 1), RETURN(SECCOMP_RET_ALLOW), REFUSE,
        ALLOW_EQUAL(prctl, 0, PR_SET_NAME),
        /* Threads, no processes; the C library tries another call after ENOSYS for clone3, whose flags
           are in memory. */
        ALLOW_IF(clone, 0, CLONE_THREAD), IF_EQUAL(SYS_clone3, 1), RETURN(SECCOMP_RET_ERRNO | ENOSYS),
        REFUSE,
    };
    const struct sock_fprog program = {sizeof steps / sizeof *steps, steps};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

sonde_confinement sonde_confine(void) {
    /* With a heap for each thread, malloc opens files: how many processors there are, and whether a heap may shrink. */
    mallopt(M_ARENA_MAX, 1);
    const int threads = sonde_settle_threads();
    if (threads != 1) {
        errno = threads < 0 ? errno : EBUSY;
        return SONDE_CONFINE_THREADS;
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return SONDE_CONFINE_PRIVILEGES;
    if (leave_files()) return SONDE_CONFINE_FILES;
    if (leave_capabilities()) return SONDE_CONFINE_CAPABILITIES;
    return leave_system_calls() ? SONDE_CONFINE_SYSTEM_CALLS : SONDE_CONFINED;
}

/* What plugins of ours need and the agent itself does not: pcap the first, drops the others. */
static const int of_plugins[] = {CAP_NET_RAW, CAP_PERFMON, CAP_BPF};

/* Raises or lowers those capabilities in the effective set of the calling thread, where they are permitted. */
static void set_effective(int wanted) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[2];
    if (syscall(SYS_capget, &header, sets)) return;
    for (size_t place = 0; place < sizeof of_plugins / sizeof *of_plugins; place++) {
        struct __user_cap_data_struct *half = &sets[of_plugins[place] >> 5];
        const uint32_t bit = 1u << (of_plugins[place] & 31) & half->permitted;
        half->effective = wanted ? half->effective | bit : half->effective & ~bit;
    }
    syscall(SYS_capset, &header, sets);
}

void sonde_keep_capabilities_for_children(void) { set_effective(0); }

void sonde_use_capabilities(void) { set_effective(1); }
