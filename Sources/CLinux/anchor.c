/* What has to live once in the process: which plugin a thread is inside of. */
#include "CLinux.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <termios.h>

static _Thread_local const char *current_call;
static _Thread_local int has_signal_stack;
static const size_t signal_stack_size = 16384;
static pthread_key_t signal_stack_key;
static int has_signal_stack_key;

/* Written before the signals that are handled can be expected, and read in their handler. */
static volatile int crash_file = -1;
static volatile int crash_offset;
static volatile int terminal = -1;
static struct termios terminal_mode;
static const char *volatile terminal_text;

static size_t append(char *line, size_t length, size_t room, const char *text) {
    while (*text && length < room) line[length++] = *text++;
    return length;
}

/* Async-signal-safe: copies and writes bytes only. */
static void name_end(const char *what, const char *detail) {
    char line[512];
    const size_t room = sizeof line - 1;
    size_t length = append(line, 0, room, "sonded: ");
    length = append(line, length, room, what);
    length = append(line, length, room, detail);
    length = append(line, length, room, current_call ? " inside " : " outside of any plugin");
    if (current_call) length = append(line, length, room, current_call);
    line[length++] = '\n';
    ssize_t ignored = write(STDERR_FILENO, line, length);
    (void)ignored;
}

/* The default action follows when the instruction is run again. */
static void name_crash(int number) {
    if (terminal >= 0) {
        ssize_t ignored = write(terminal, terminal_text, strlen(terminal_text));
        (void)ignored;
        tcsetattr(terminal, TCSANOW, &terminal_mode);
    }
    const char digits[3] = {(char)('0' + number / 10 % 10), (char)('0' + number % 10), 0};
    name_end("crashed by signal ", number < 10 ? digits + 1 : digits);
    if (crash_file >= 0) {
        ssize_t ignored = pwrite(crash_file, digits, 2, crash_offset);
        (void)ignored;
    }
    /* One that was sent would not come again, and the view would go on without its terminal. */
    if (number == SIGABRT || terminal >= 0) raise(number);
}

/* The default action follows when it is raised again: the call was not made, and its caller would go on. */
static void name_refusal(int number, siginfo_t *information, void *context) {
    (void)context;
    char digits[12];
    size_t place = sizeof digits - 1;
    digits[place] = 0;
    for (unsigned rest = (unsigned)information->si_syscall; place > 0; rest /= 10) {
        digits[--place] = (char)('0' + rest % 10);
        if (rest < 10) break;
    }
    name_end("was refused system call ", digits + place);
    raise(number);
}

/* A plugin that ends the process ends it as a failure, whatever it says: nothing was made safe. */
static void name_exit(void) {
    if (!current_call) return;
    name_end("ended by exit", "");
    _exit(EXIT_FAILURE);
}

static void unmap_signal_stack(void *memory) {
    const stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, 0);
    munmap(memory, signal_stack_size);
}

/* Mapped, for a crash alone touches it: the C library writes all thread-local variables when a thread starts. */
static void map_signal_stack(void) {
    has_signal_stack = 1;
    if (!has_signal_stack_key) return;
    void *memory = mmap(0, signal_stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    const stack_t stack = {.ss_sp = memory, .ss_size = signal_stack_size};
    sigaltstack(&stack, 0);
    pthread_setspecific(signal_stack_key, memory);
}

void sonde_name_crashes(void) {
    has_signal_stack_key = pthread_key_create(&signal_stack_key, unmap_signal_stack) == 0;
    const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_handler = name_crash;
        action.sa_flags = (int)(SA_ONSTACK | SA_RESETHAND | SA_NODEFER);
        sigaction(fatal[i], &action, 0);
    }
    struct sigaction refusal;
    memset(&refusal, 0, sizeof refusal);
    refusal.sa_sigaction = name_refusal;
    refusal.sa_flags = (int)(SA_ONSTACK | SA_RESETHAND | SA_NODEFER | SA_SIGINFO);
    sigaction(SIGSYS, &refusal, 0);
    atexit(name_exit);
}

void sonde_write_crashes_to(int descriptor, int offset) {
    crash_offset = offset;
    crash_file = descriptor;
}

void sonde_restore_terminal_at_crashes(int descriptor, const void *mode, const char *text) {
    terminal = -1;
    if (descriptor < 0) return;
    memcpy(&terminal_mode, mode, sizeof terminal_mode);
    terminal_text = text;
    terminal = descriptor;
}

void sonde_begin_call(const char *text) {
    if (!has_signal_stack) map_signal_stack();
    current_call = text;
}

void sonde_end_call(void) {
    current_call = 0;
}

void sonde_send_stdio_to_standard_error(void) {
    stdout = stderr;
}
