#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include "CLinux.h"

enum { COUNT = SONDE_CHILD_DESCRIPTORS, FREE = 16 };

pid_t sonde_spawn(const char *path, char *const words[], char *const environment[], const int descriptors[COUNT]) {
    int moved[COUNT], count = 0, result = 0;
    pid_t child = -1;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    /* What a terminal sends to the group of its foreground is for the agent, which asks its children to end. */
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    /* One that is among the numbers to be given would be overwritten before it is copied. */
    for (; count < COUNT && result == 0; count++) {
        moved[count] = fcntl(descriptors[count], F_DUPFD_CLOEXEC, FREE);
        if (moved[count] < 0) {
            result = errno;
            break;
        }
        result = posix_spawn_file_actions_adddup2(&actions, moved[count], count);
    }
    if (result == 0) result = posix_spawn(&child, path, &actions, &attributes, words, environment);
    for (int index = 0; index < count; index++) close(moved[index]);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    errno = result;
    return result == 0 ? child : -1;
}
