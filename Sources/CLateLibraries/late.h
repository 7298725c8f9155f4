/* What stands for a function of a library until that is linked: a jump through a slot, whatever its arguments are. */
#ifndef SONDE_LATE_H
#define SONDE_LATE_H

struct late_function {
    const char *name;
    void **slot;
};

/* Fills the slots from the first of the libraries that there is, whose names end with NULL; NULL, or why it cannot. */
const char *late_link(const char *const *libraries, const struct late_function *functions, unsigned count);

#if defined(SONDE_PORTABLE)
#elif defined(__x86_64__)
#define LATE_JUMP(name) "jmp *late_slot_" #name "(%rip)\n"
#elif defined(__aarch64__)
#define LATE_JUMP(name) \
    "adrp x16, late_slot_" #name "\n" \
    "ldr x16, [x16, :lo12:late_slot_" #name "]\n" \
    "br x16\n"
#endif

#if defined(LATE_JUMP)
/* A section for each: one without a caller is dropped. Hidden: other libraries find the function itself. */
#define LATE_FUNCTION(name) \
    __attribute__((visibility("hidden"), used)) void *late_slot_##name; \
    __asm__(".pushsection .text.late." #name ",\"ax\",@progbits\n" \
            ".globl " #name "\n" \
            ".hidden " #name "\n" \
            ".type " #name ", @function\n" \
            #name ":\n" LATE_JUMP(name) \
            ".size " #name ", . - " #name "\n" \
            ".popsection\n");
#define LATE_ENTRY(name) {#name, &late_slot_##name},

/* A function that links a library, by one of its names, and what stands for the functions that `list` names. */
#define LATE_LIBRARY(link, list, ...) \
    list(LATE_FUNCTION) \
    static const char *const link##_libraries[] = {__VA_ARGS__, 0}; \
    static const struct late_function link##_functions[] = {list(LATE_ENTRY)}; \
    const char *link(void) { \
        return late_link(link##_libraries, link##_functions, sizeof link##_functions / sizeof *link##_functions); \
    }
#else
/* Without a jump for the machine nothing stands for the functions: the daemon needs the library from its start. */
#define LATE_LIBRARY(link, list, ...) \
    const char *link(void) { return 0; }
#endif

#endif
