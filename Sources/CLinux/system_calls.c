/* Names of system calls, for people. */
#include "sonde_confine.h"

#include <stddef.h>
#include <sys/syscall.h>

#define NAME(call) {SYS_##call, #call}

/* What plugins do most that a sandbox refuses. */
static const struct {
    int number;
    const char *name;
} calls[] = {
#ifdef SYS_open
    NAME(open), NAME(stat), NAME(access), NAME(unlink), NAME(mkdir), NAME(rename), NAME(pipe), NAME(fork), NAME(vfork),
#endif
    NAME(openat), NAME(newfstatat), NAME(faccessat), NAME(faccessat2), NAME(statx), NAME(readlinkat), NAME(getdents64),
    NAME(unlinkat), NAME(mkdirat), NAME(renameat2), NAME(ftruncate), NAME(fsync), NAME(fdatasync), NAME(pread64),
    NAME(pwrite64), NAME(dup), NAME(dup3), NAME(pipe2), NAME(fcntl), NAME(ioctl), NAME(socket), NAME(socketpair),
    NAME(connect), NAME(listen), NAME(accept4), NAME(getpeername), NAME(epoll_create1), NAME(epoll_ctl), NAME(inotify_init1),
    NAME(execve), NAME(clone), NAME(kill), NAME(tgkill), NAME(ptrace), NAME(prctl), NAME(mmap), NAME(mprotect), NAME(uname),
    NAME(sysinfo), NAME(getuid), NAME(getppid), NAME(prlimit64), NAME(getrusage),
};

const char *sonde_system_call_name(int number) {
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i].number == number) return calls[i].name;
    return NULL;
}
