/* Linux system calls that the Glibc module does not show to Swift. */
#ifndef SONDE_CLINUX_H
#define SONDE_CLINUX_H

#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Names the calling thread; the kernel keeps 15 bytes. prctl(2) is variadic and so closed to Swift. */
static inline int sonde_set_thread_name(const char *name) {
    return prctl(PR_SET_NAME, name, 0, 0, 0);
}

/* A Unix stream socket, closed on exec from the first and never waiting; -1 with errno when there is none. Whether the
   flags can be seen by Swift depends on which module was built first. */
static inline int sonde_unix_socket(void) {
    return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

/* The next connection of a listening socket, closed on exec from the first; -1 with errno when there is none. */
static inline int sonde_accept(int listener) {
    return (int)syscall(SYS_accept4, listener, (void *)0, (void *)0, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

/* The user at the other end of a Unix socket when it connected, unix(7); -1 with errno when it cannot be told. */
static inline int sonde_peer_user(int socket, uid_t *user) {
    struct { pid_t process; uid_t user; gid_t group; } peer;
    socklen_t size = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -1;
    *user = peer.user;
    return 0;
}

#endif
