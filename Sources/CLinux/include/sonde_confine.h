/* What a process can give up permanently, and who uses a capability: docs/decisions/0086. */
#ifndef SONDE_CONFINE_H
#define SONDE_CONFINE_H

/* What could not be done; errno says why. */
typedef enum sonde_confinement {
    SONDE_CONFINED = 0,
    SONDE_CONFINE_THREADS,      /* the process has more than one thread (EBUSY), or does not know how many */
    SONDE_CONFINE_PRIVILEGES,   /* PR_SET_NO_NEW_PRIVS */
    SONDE_CONFINE_FILES,        /* landlock(7) */
    SONDE_CONFINE_CAPABILITIES, /* capabilities(7) */
    SONDE_CONFINE_SYSTEM_CALLS  /* seccomp(2) */
} sonde_confinement;

/* How many threads the process has, those apart that end within a moment; -1 with errno where that is not known. */
int sonde_settle_threads(void);

/* Gives up every capability, every file that is not open, and every system call that opens, executes, traces or signals
   others. Of a process with one thread; those that it makes afterwards are confined too. There is no way back: where a step
   fails, those before it hold. A refused call ends the process by SIGSYS. */
sonde_confinement sonde_confine(void);

/* The name of a system call that a sandbox is likely to refuse; NULL: it has none here. */
const char *sonde_system_call_name(int number);

/* The calling thread, and those that it makes, do not use the capabilities of plugins any more (CAP_NET_RAW, CAP_PERFMON, CAP_BPF),
   which stay permitted, and with programs that they execute. */
void sonde_keep_capabilities_for_children(void);

/* The calling thread uses them again, where they are permitted. */
void sonde_use_capabilities(void);

#endif
