/* Linux system calls that the Glibc module does not show to Swift. */
#ifndef SONDE_CLINUX_H
#define SONDE_CLINUX_H

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "sonde_child_end.h"
#include "sonde_confine.h"
#include "sonde_plugin.h"

/* Has a crash say on standard error inside which plugin it happened, and a refused system call which one it was; the process
   still ends by the signal. */
void sonde_name_crashes(void);

/* Has a crash write its signal's number, two digits, to a descriptor at an offset; -1: to none. */
void sonde_write_crashes_to(int descriptor, int offset);

/* Has a crash write a text, which stays where it is, to a terminal and give it its mode back, a struct termios; -1: to none.
   Its header would take the type away from the Glibc module. */
void sonde_restore_terminal_at_crashes(int descriptor, const void *mode, const char *text);

/* The calling thread is inside a call into a plugin, as the text says, which must stay where it is until the end. */
void sonde_begin_call(const char *text);

/* The call has returned. */
void sonde_end_call(void);

/* What plugins print with stdio goes to standard error from now on: standard output belongs to the data of sinks. */
void sonde_send_stdio_to_standard_error(void);

/* Advises the kernel that no page of the code and constants of the loaded objects is needed now: the files hold all of them, and
   the next use maps them again. */
void sonde_release_unwritable_segments(void);

/* Names the calling thread; the kernel keeps 15 bytes. prctl(2) is variadic and so closed to Swift. */
static inline int sonde_set_thread_name(const char *name) {
    return prctl(PR_SET_NAME, name, 0, 0, 0);
}

/* pthread_join(3) with an end; the header shows it only to who defines _GNU_SOURCE. */
int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, const struct timespec *end);

/* Whether the kernel's clock is kept by a time daemon: 1 or 0, -1 where the kernel does not say. */
static inline int sonde_clock_is_synchronized(void) {
    struct timex state = {0};
    if (adjtimex(&state) < 0) return -1;
    return (state.status & STA_UNSYNC) == 0;
}

/* How a trial of an object ends, and what is said of one that ends in another way. */
enum { SONDE_TRIAL_PASSED = 113, SONDE_TRIAL_ENDED = 256 };

/* Links a shared object, has it describe itself and ends the process, whatever dlopen says of the object. */
static inline void __attribute__((noreturn)) sonde_link_and_end(const char *path, const char *symbol) {
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    /* A crash is the answer here: nobody should catch it and report it. */
    const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGALRM};
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) signal(fatal[i], SIG_DFL);
    alarm(10);
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const sonde_plugin *(*entry)(void) = object ? (const sonde_plugin *(*)(void))dlsym(object, symbol) : 0;
    const sonde_plugin *plugin = entry ? entry() : 0;
    if (plugin && plugin->struct_size >= SONDE_SIZE_1_0_PLUGIN && plugin->describe) {
        sonde_string text = plugin->describe(plugin);
        /* An address that nobody can read shows here too. */
        if (text.data && text.size > 0) (void)*(const volatile char *)(text.data + text.size - 1);
    }
    _exit(SONDE_TRIAL_PASSED);
}

/* Waits for a child. Returns 0 when it came to the end of the trial, the number of the signal that killed it,
   SONDE_TRIAL_ENDED when something else ended it, -1 with errno. */
static inline int sonde_trial_result(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return -1;
    }
    if (WIFSIGNALED(status)) return WTERMSIG(status);
    return WEXITSTATUS(status) == SONDE_TRIAL_PASSED ? 0 : SONDE_TRIAL_ENDED;
}

/* Links a shared object in a child process and has it describe itself there. Returns what
   sonde_trial_result does (an object that passes may still be refused by dlopen), -1 with errno when there was no child.
   For a process with one thread: after fork(2) nothing is known of locks that other threads held. */
static inline int sonde_try_object(const char *path, const char *symbol) {
    pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) sonde_link_and_end(path, symbol);
    return sonde_trial_result(child);
}

/* The same in another program, which is given the word, the path and the symbol: for a process with threads. */
static inline int sonde_try_object_apart(const char *program, const char *word, const char *path, const char *symbol) {
    pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) {
        execl(program, "sonded", word, path, symbol, (char *)0);
        _exit(SONDE_TRIAL_PASSED);
    }
    return sonde_trial_result(child);
}

/* How many descriptors a program started by sonde_spawn gets: 0 to 4. */
enum { SONDE_CHILD_DESCRIPTORS = 5 };

/* Starts a program with these words, this environment and these descriptors as 0 to 4, signals as at first, in a process group
   of its own. Returns its
   number, -1 with errno. */
pid_t sonde_spawn(const char *path, char *const words[], char *const environment[],
                  const int descriptors[SONDE_CHILD_DESCRIPTORS]);

/* 1 where a control group was delegated to the user of this process, as systemd marks it. */
static inline int sonde_is_delegated(const char *group) {
    char mark = 0;
    return getxattr(group, "user.delegate", &mark, 1) == 1 && mark == '1';
}

/* A descriptor that is readable when a child has ended, closed on exec; -1 with errno when there is none. */
static inline int sonde_pidfd(pid_t child) { return (int)syscall(SYS_pidfd_open, child, 0); }

/* Two Unix stream sockets that are connected, closed on exec from the first; -1 with errno when there are none. */
static inline int sonde_socket_pair(int ends[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends); }

/* A pipe, closed on exec from the first; -1 with errno when there is none. */
static inline int sonde_pipe(int ends[2]) { return (int)syscall(SYS_pipe2, ends, 02000000 /* O_CLOEXEC */); }

/* Flags of send(2) and recv(2), and what shutdown(2) ends: whether Swift sees the constants of the C library, and as which
   type, depends on which module was built first. */
static const int sonde_no_signal = MSG_NOSIGNAL;
static const int sonde_dont_wait = MSG_DONTWAIT;
static const int sonde_peek = MSG_PEEK;
static const int sonde_end_of_sending = SHUT_WR;

/* A Unix stream socket, closed on exec from the first and never waiting; -1 with errno when there is none. Whether the
   flags can be seen by Swift depends on which module was built first. */
static inline int sonde_unix_socket(void) {
    return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

/* A Unix datagram socket, closed on exec from the first; -1 with errno when there is none. */
static inline int sonde_unix_datagram_socket(void) {
    return socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

/* The next connection of a listening socket, closed on exec from the first; -1 with errno when there is none. */
static inline int sonde_accept(int listener) {
    return (int)syscall(SYS_accept4, listener, (void *)0, (void *)0, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

#endif
