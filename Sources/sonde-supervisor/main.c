/*
 * sonde-supervisor: runs one program for the agent, and leaves no descendant of it behind.
 *
 *     sonde-supervisor [--group DIRECTORY] [--memory BYTES] [--cpu THOUSANDTHS] [--files N] [--processes N]
 *                      [--user UID:GID[,GROUP…]|-] -- PROGRAM [ARGUMENT…]
 *
 * With --group the program is in that control group, and the supervisor is not. With --user the program is a stranger: it gets no
 * capability of the agent's, and the numbers of that user and of the groups
 * unless that is "-". A name would take libraries that this program does not have.
 *
 * Its environment is the program's, each entry with a '+' before it.
 *
 * Standard input, output, error and descriptor 3 are the program's. Descriptor 4 is a socket of the agent: its end, or any
 * byte from it, ends the program and all its descendants, so that the agent's own death ends them too, whatever killed it.
 * The supervisor writes one `sonde_child_begin` there before the program runs, and one `sonde_child_end` before it ends.
 *
 * One thread, no library but libc: between fork and exec nothing is called that POSIX does not list as async-signal-safe.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <linux/capability.h>
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

/*
 * Milliseconds between two looks at how much is in use; a program that forks without end doubles in a few. Processor time is
 * compared over LOOKS of the longer ones: five seconds.
 */
enum { LOOK = 200, FAST_LOOK = 50, LOOKS = 25 };

/* Deeper descendants than anybody starts are left out. */
enum { DEPTH = 256 };

static int64_t memory_limit, cpu_limit, file_limit, process_limit;
static const char *user, *group;
/* What the program writes to, to be in that group. */
static char group_file[4096];
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

/* Enters the control group that --group has, if any; -1 with errno. */
static int enter_group(void) {
    if (!group) return 0;
    int file = open(group_file, O_WRONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t written = write(file, "0", 1);
    close(file);
    return written == 1 ? 0 : -1;
}

static void drop_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    const struct __user_cap_data_struct none[2] = {{0}};
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    syscall(SYS_capset, &header, none);
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

/* Becomes the program; returns only when that fails: in which step. */
static int become(char **words, pid_t parent, const sigset_t *none) {
    if (setsid() < 0 || enter_group() || set_limits()) return SONDE_STEP_LIMITS;
    if (change_user()) return SONDE_STEP_USER;
    /* The parent may be gone by then. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent) return SONDE_STEP_EXEC;
    signal(SIGPIPE, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    sigprocmask(SIG_SETMASK, none, NULL);
    execv(words[0], words);
    return SONDE_STEP_EXEC;
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
static void kill_all(pid_t session) {
    const int by_itself = program == 0 && !end.exceeded;
    for (int round = 0; round < 10000; round++) {
        reap();
        if (waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD) return;
        int children = signal_children(SIGKILL);
        if (round == 0 && by_itself) end.left = (uint32_t)children;
        /* Not when nothing is left: the number of the group may be another's by then. */
        if (children > 0 && session > 0) kill(-session, SIGKILL);
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

/* Milliseconds of processor time that a process has had, and those that it has waited for. */
static int64_t time_of(pid_t process) {
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", process);
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = 0;
    int64_t user, system, waited_user, waited_system;
    const char *after = strrchr(text, ')');
    int found = after ? sscanf(after, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64,
                               &user, &system, &waited_user, &waited_system)
                      : 0;
    return found == 4 ? (user + system + waited_user + waited_system) * 1000 / sysconf(_SC_CLK_TCK) : 0;
}

static int64_t one_of(pid_t process) {
    (void)process;
    return 1;
}

typedef int64_t measure(pid_t process);

static int64_t sum_below(pid_t process, int depth, measure *of);

/* Of the children that a thread has made, and of theirs. */
static int64_t sum_of_children(const char *path, int depth, measure *of) {
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    int64_t sum = 0;
    int child;
    while (fscanf(file, "%d", &child) == 1) sum += of(child) + sum_below(child, depth + 1, of);
    fclose(file);
    return sum;
}

/* Of all descendants of a process. */
static int64_t sum_below(pid_t process, int depth, measure *of) {
    char path[64], thread[384];
    snprintf(path, sizeof path, "/proc/%d/task", process);
    DIR *threads = depth < DEPTH ? opendir(path) : NULL;
    if (!threads) return 0;
    int64_t sum = 0;
    struct dirent *entry;
    while ((entry = readdir(threads))) {
        if (entry->d_name[0] == '.') continue;
        snprintf(thread, sizeof thread, "%s/%s/children", path, entry->d_name);
        sum += sum_of_children(thread, depth, of);
    }
    closedir(threads);
    return sum;
}

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Whether the descendants have had more than their share of processor time for five seconds. */
static int exceeds_cpu(void) {
    /* A ring of what had been used, and when. */
    static int64_t used[LOOKS], at[LOOKS];
    static unsigned next;
    struct rusage own;
    const int64_t now = milliseconds();
    int64_t sum = sum_below(getpid(), 0, time_of);
    /* Those that were waited for here. */
    if (!getrusage(RUSAGE_CHILDREN, &own)) {
        sum += (own.ru_utime.tv_sec + own.ru_stime.tv_sec) * 1000 + (own.ru_utime.tv_usec + own.ru_stime.tv_usec) / 1000;
    }
    const int64_t span = now - at[next], spent = sum - used[next];
    const int is_known = at[next] != 0;
    used[next] = sum;
    at[next] = now;
    next = (next + 1) % LOOKS;
    return is_known && spent * 1000 > span * cpu_limit;
}

/* The limit that the program and its descendants exceed, or 0. */
static uint32_t exceeded(void) {
    static int64_t slow;
    if (process_limit && sum_below(getpid(), 0, one_of) > process_limit) return SONDE_EXCEEDED_PROCESSES;
    const int64_t now = milliseconds();
    if (now - slow < LOOK) return 0;
    slow = now;
    if (memory_limit && sum_below(getpid(), 0, memory_of) > memory_limit && sum_below(getpid(), 0, share_of) > memory_limit) {
        return SONDE_EXCEEDED_MEMORY;
    }
    return cpu_limit && exceeds_cpu() ? SONDE_EXCEEDED_CPU : 0;
}

/* Waits for the end of the program, for the wish that it ends, or for a limit that it exceeds. */
static void watch(int signals) {
    struct pollfd sources[2] = {{CONTROL, POLLIN, 0}, {signals, POLLIN, 0}};
    const int pause = process_limit ? FAST_LOOK : memory_limit || cpu_limit ? LOOK : -1;
    int64_t looked = milliseconds();
    while (program > 0) {
        int ready = poll(sources, 2, pause);
        if (pause > 0 && milliseconds() - looked >= pause) {
            looked = milliseconds();
            if ((end.exceeded = exceeded())) return;
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
        const char **text = !strcmp(words[index], "--user")    ? &user
                            : !strcmp(words[index], "--group") ? &group
                                                               : NULL;
        if (text) {
            if (!(*text = words[index + 1])) return -1;
            continue;
        }
        int64_t *option = !strcmp(words[index], "--memory")      ? &memory_limit
                          : !strcmp(words[index], "--cpu")       ? &cpu_limit
                          : !strcmp(words[index], "--files")     ? &file_limit
                          : !strcmp(words[index], "--processes") ? &process_limit
                                                                 : NULL;
        char *rest;
        if (!option || !words[index + 1] || (*option = strtoll(words[index + 1], &rest, 10)) <= 0 || *rest) return -1;
    }
    if (group && snprintf(group_file, sizeof group_file, "%s/cgroup.procs", group) >= (int)sizeof group_file) return -1;
    return words[0] && words[index] ? index + 1 : -1;
}

/* The agent writes a '+' before each entry, so that the loader of this program reads none of what is the other's. */
static void restore_environment(void) {
    for (char **entry = environ; *entry; entry++)
        if (**entry == '+') ++*entry;
}

int main(int count, char **words) {
    (void)count;
    restore_environment();
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
    int failure[2], begun[2];
    if (signals < 0 || pipe2(failure, O_CLOEXEC) || pipe2(begun, O_CLOEXEC)) return 1;
    pid_t self = getpid();
    program = fork();
    if (program == 0) {
        /* The program waits until the agent has the number of its session, which it ends where the supervisor is killed. */
        char byte;
        close(begun[1]);
        (void)!read(begun[0], &byte, 1);
        int step = become(words + first, self, &none);
        int failed[2] = {errno, step};
        (void)!write(failure[1], failed, sizeof failed);
        _exit(127);
    }
    /* The supervisor needs none of what a program of the same user does not get. Root's has to look at root's programs. */
    if (program > 0 && user && !strcmp(user, "-") && geteuid()) drop_capabilities();
    const sonde_child_begin begin = {sizeof begin, program > 0 ? program : 0};
    (void)!send(CONTROL, &begin, sizeof begin, MSG_NOSIGNAL);
    close(begun[0]);
    close(begun[1]);
    pid_t session = program;
    close(failure[1]);
    if (program < 0) end.exec_errno = errno;
    for (int descriptor = 0; descriptor <= CHANNEL; descriptor++) close(descriptor);
    int failed[2];
    if (program > 0 && read(failure[0], failed, sizeof failed) == sizeof failed) {
        end.exec_errno = failed[0];
        end.step = failed[1];
    }
    close(failure[0]);
    watch(signals);
    kill_all(session);
    (void)!send(CONTROL, &end, sizeof end, MSG_NOSIGNAL);
    _exit(0);
}
