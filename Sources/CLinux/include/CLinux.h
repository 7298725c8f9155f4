/* Linux system calls that the Glibc module does not show to Swift. */
#ifndef SONDE_CLINUX_H
#define SONDE_CLINUX_H

#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/xattr.h>

/* Names the calling thread; the kernel keeps 15 bytes. prctl(2) is variadic and so closed to Swift. */
static inline int sonde_set_thread_name(const char *name) {
    return prctl(PR_SET_NAME, name, 0, 0, 0);
}

#endif
