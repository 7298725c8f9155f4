/*
 * sonde-supervisor: runs one program for the agent, and leaves no descendant of it behind.
 *
 *     sonde-supervisor [--memory BYTES] [--files N] [--user UID:GID[,GROUP…]|-] -- PROGRAM [ARGUMENT…]
 *
 * With --user the program is a stranger: it gets no capability of the agent's, and the numbers of that user and of the groups
 * unless that is "-". A name would take libraries that this program does not have.
 *
 * Standard input, output, error and descriptor 3 are the program's. Descriptor 4 is a socket of the agent: its end, or any
 * byte from it, ends the program and all its descendants, so that the agent's own death ends them too, whatever killed it.
 * Before the supervisor ends it writes one `sonde_child_end` there.
 *
 * One thread, no library but libc: between fork and exec nothing is called that POSIX does not list as async-signal-safe.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sonde_child_end.h"

enum { CHANNEL = 3, CONTROL = 4, FIRST_FOREIGN = 5, USAGE = 64 };

/* Milliseconds between two looks at how much memory is in use. */
enum { LOOK = 200 };

static int64_t memory_limit, file_limit;
static const char *user;
static pid_t program;
static sonde_child_end end = {.size = sizeof end};

static int usage(const char *word) {
    dprintf(2, "sonde-supervisor: %s\n", word);
    return USAGE;
}

/* What one process cannot exceed between two looks: its heap and stacks, touched or not, and so more than the limit. */
static int set_limits(void) {
    const rlim_t data = (rlim_t)memory_limit * 2 + (64 << 20);
    if (memory_limit && setrlimit(RLIMIT_DATA, &(struct rlimit){data, data})) return -1;
    const rlim_t files = (rlim_t)file_limit;
    return file_limit ? setrlimit(RLIMIT_NOFILE, &(struct rlimit){files, files}) : 0;
}

/* Becomes the user that --user has, if any; -1 with errno. */
static int change_user(void) {
    if (!user) return 0;
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)) return -1;
    if (!strcmp(user, "-")) return 0;
    gid_t groups[64];
    int count = 0;
    char *rest;
    uid_t number = (uid_t)strtoul(user, &rest, 10);
    while ((*rest == ':' || *rest == ',') && count < 64) groups[count++] = (gid_t)strtoul(rest + 1, &rest, 10);
    errno = EINVAL;
    if (*rest || count == 0) return -1;
    if (number == geteuid()) return 0;
    return setgroups((size_t)count, groups) || setgid(groups[0]) || setuid(number) ? -1 : 0;
}

/* Becomes the program; returns only when that fails. */
static void become(char **words, pid_t parent, const sigset_t *none) {
    if (setsid() < 0 || set_limits() || change_user()) return;
    /* The parent may be gone by then. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent) return;
    signal(SIGPIPE, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    sigprocmask(SIG_SETMASK, none, NULL);
    execv(words[0], words);
}

/* The number of the process's parent; 0 when it is gone. */
static pid_t parent_of(const char *process) {
    char path[64], text[512];
    if (snprintf(path, sizeof path, "/proc/%s/stat", process) >= (int)sizeof path) return 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t size = read(file, text, sizeof text - 1);
    close(file);
    if (size <= 0) return 0;
    text[size] = 0;
    /* The name in parentheses may hold anything. */
    const char *after = strrchr(text, ')');
    int found = 0;
    return after && sscanf(after, ") %*c %d", &found) == 1 ? found : 0;
}

/* Sends a signal to every child of ours, orphans among them; how many there were. */
static int signal_children(int number) {
    DIR *directory = opendir("/proc");
    if (!directory) return 0;
    int count = 0;
    struct dirent *entry;
    while ((entry = readdir(directory))) {
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
        if (parent_of(entry->d_name) != getpid()) continue;
        count++;
        kill(atoi(entry->d_name), number);
    }
    closedir(directory);
    return count;
}

/* Notes the end of whatever has ended. */
static void reap(void) {
    int status = 0;
    struct rusage usage;
    pid_t ended;
    while ((ended = wait4(-1, &status, WNOHANG, &usage)) > 0) {
        if (ended != program) continue;
        program = 0;
        end.wait_status = status;
        end.peak_resident_kib = usage.ru_maxrss;
    }
}

/*
 * Kills all descendants. What a dying process leaves behind becomes a child of ours and is found in the next round; the
 * group is killed at once, so that a program that forks without end is not faster than the rounds.
 */
static void kill_all(pid_t group) {
    for (int round = 0; round < 10000; round++) {
        reap();
        if (waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD) return;
        int children = signal_children(SIGKILL);
        /* Not when nothing is left: the number of the group may be another's by then. */
        if (children > 0 && group > 0) kill(-group, SIGKILL);
        struct timespec pause = {0, 1000000};
        nanosleep(&pause, NULL);
    }
}

/* Bytes that a process has in memory and no file has: its own, and what it shares without one. */
static int64_t memory_of(pid_t process) {
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%d/status", process);
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    int64_t sum = 0, kib;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "RssAnon: %" SCNd64, &kib) == 1 || sscanf(line, "RssShmem: %" SCNd64, &kib) == 1) sum += kib << 10;
    }
    fclose(file);
    return sum;
}

/* The same, with what processes share counted once: dearer, and not readable of everybody's. */
static int64_t share_of(pid_t process) {
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", process);
    FILE *file = fopen(path, "re");
    if (!file) return memory_of(process);
    int64_t sum = 0, kib;
    int found = 0;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "Pss_Anon: %" SCNd64, &kib) != 1 && sscanf(line, "Pss_Shmem: %" SCNd64, &kib) != 1) continue;
        sum += kib << 10;
        found++;
    }
    fclose(file);
    return found ? sum : memory_of(process);
}

typedef int64_t measure(pid_t process);

static int64_t memory_below(pid_t process, int depth, measure *of);

/* Of the children that a thread has made, and of theirs. */
static int64_t memory_of_children(const char *path, int depth, measure *of) {
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    int64_t sum = 0;
    int child;
    while (fscanf(file, "%d", &child) == 1) sum += of(child) + memory_below(child, depth + 1, of);
    fclose(file);
    return sum;
}

/* Of all descendants of a process; deeper ones than anybody starts are left out. */
static int64_t memory_below(pid_t process, int depth, measure *of) {
    char path[64], thread[384];
    snprintf(path, sizeof path, "/proc/%d/task", process);
    DIR *threads = depth < 32 ? opendir(path) : NULL;
    if (!threads) return 0;
    int64_t sum = 0;
    struct dirent *entry;
    while ((entry = readdir(threads))) {
        if (entry->d_name[0] == '.') continue;
        snprintf(thread, sizeof thread, "%s/%s/children", path, entry->d_name);
        sum += memory_of_children(thread, depth, of);
    }
    closedir(threads);
    return sum;
}

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits for the end of the program, for the wish that it ends, or for a limit that it exceeds. */
static void watch(int signals) {
    struct pollfd sources[2] = {{CONTROL, POLLIN, 0}, {signals, POLLIN, 0}};
    int64_t looked = milliseconds();
    while (program > 0) {
        int ready = poll(sources, 2, memory_limit ? LOOK : -1);
        if (memory_limit && milliseconds() - looked >= LOOK) {
            looked = milliseconds();
            if (memory_below(getpid(), 0, memory_of) > memory_limit && memory_below(getpid(), 0, share_of) > memory_limit) {
                end.exceeded = SONDE_EXCEEDED_MEMORY;
                return;
            }
        }
        if (ready <= 0) continue;
        if (sources[0].revents) return;
        struct signalfd_siginfo info;
        if (read(signals, &info, sizeof info) == sizeof info && info.ssi_signo != SIGCHLD) return;
        reap();
    }
}

/* The index of the program among the words; -1: an option is wrong. */
static int read_options(char **words) {
    int index = 1;
    for (; words[0] && words[index] && strcmp(words[index], "--"); index += 2) {
        if (!strcmp(words[index], "--user")) {
            user = words[index + 1];
            if (!user) return -1;
            continue;
        }
        int64_t *option = !strcmp(words[index], "--memory") ? &memory_limit
                          : !strcmp(words[index], "--files") ? &file_limit
                                                             : NULL;
        char *rest;
        if (!option || !words[index + 1] || (*option = strtoll(words[index + 1], &rest, 10)) <= 0 || *rest) return -1;
    }
    return words[0] && words[index] ? index + 1 : -1;
}

int main(int count, char **words) {
    (void)count;
    int first = read_options(words);
    if (!words[0] || first < 0 || !words[first]) return usage("it is given a program, by the agent alone");
    syscall(SYS_close_range, FIRST_FOREIGN, ~0U, 0);
    /* The control and what else is opened here are not the program's. */
    if (fcntl(CONTROL, F_SETFD, FD_CLOEXEC)) return usage("descriptor 4 is not open: it is for the agent alone");
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigset_t caught, none;
    sigemptyset(&none);
    sigemptyset(&caught);
    sigaddset(&caught, SIGCHLD);
    sigaddset(&caught, SIGTERM);
    sigaddset(&caught, SIGINT);
    sigaddset(&caught, SIGHUP);
    sigprocmask(SIG_SETMASK, &caught, NULL);
    int signals = signalfd(-1, &caught, SFD_CLOEXEC);
    int failure[2];
    if (signals < 0 || pipe2(failure, O_CLOEXEC)) return 1;
    pid_t self = getpid();
    program = fork();
    if (program == 0) {
        become(words + first, self, &none);
        int code = errno;
        (void)!write(failure[1], &code, sizeof code);
        _exit(127);
    }
    pid_t group = program;
    close(failure[1]);
    if (program < 0) end.exec_errno = errno;
    for (int descriptor = 0; descriptor <= CHANNEL; descriptor++) close(descriptor);
    if (program > 0) (void)!read(failure[0], &end.exec_errno, sizeof end.exec_errno);
    close(failure[0]);
    watch(signals);
    kill_all(group);
    (void)!send(CONTROL, &end, sizeof end, MSG_NOSIGNAL);
    _exit(0);
}
