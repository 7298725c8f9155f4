/*
 * A program of `exec` that breaks the rule of `sonde plugins test` that its second argument names, and no other.
 *
 *     faulty_program interval|influx|prometheus|nagios|stream|sink FAULT DIRECTORY
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *fault, *directory;
static char line[1 << 20];

static int has(const char *name) { return !strcmp(fault, name); }

static void pause_ms(int milliseconds) { poll(NULL, 0, milliseconds); }

static int open_in(const char *name, int flags) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return open(path, flags | O_CLOEXEC, 0600);
}

static long long nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* Refuses to begin where a former run was killed, and forgets it then. */
static void mark_run(void) {
    char path[4096];
    int former = 0;
    snprintf(path, sizeof path, "%s/running", directory);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%d", &former) == 1 && kill(former, 0)) {
        unlink(path);
        exit(1);
    }
    file = fopen(path, "w");
    fprintf(file, "%d\n", getpid());
    fclose(file);
    pause_ms(150);
    unlink(path);
}

static void lock(void) {
    if (flock(open_in("lock", O_CREAT | O_RDWR), LOCK_EX | LOCK_NB)) exit(1);
    pause_ms(100);
}

static void leave_child(void) {
    if (fork() == 0) {
        setsid();
        pause_ms(20000);
        _exit(0);
    }
}

static void print_samples(void) {
    long long now = nanoseconds();
    printf("{\"name\":\"acme.load\",\"value\":0.5,\"unit\":\"1\"}\n");
    if (has("series-once")) printf("{\"name\":\"acme.load\",\"value\":0.6,\"unit\":\"1\"}\n");
    printf("{\"name\":\"acme.readings\",\"kind\":\"counter\",\"unit\":\"{reading}\",\"value\":%lld}\n",
           has("counters") ? 4000000000000000000LL - now : now);
    if (has("output")) printf("hello\n");
    if (has("metric-names")) printf("{\"name\":\"acme.read.bytes\",\"value\":1,\"unit\":\"By\"}\n");
    if (has("metric-units")) printf("{\"name\":\"acme.delay\",\"value\":1,\"unit\":\"ms\"}\n");
    if (has("times")) printf("{\"name\":\"acme.late\",\"value\":1,\"time\":\"2100-01-01T00:00:00.000Z\"}\n");
}

static void print_influx(void) {
    printf("# what it has read\nacme,disk=a load=0.5,readings=%lldi,state=\"good\"\n", nanoseconds());
    if (has("series-once")) printf("acme,disk=a load=0.6\n");
    if (has("output")) printf("hello\n");
    if (has("times")) printf("acme,disk=b load=1 4102444800000000000\n");
}

static void print_prometheus(void) {
    long long now = nanoseconds();
    printf("# HELP acme_load Load.\n# TYPE acme_load gauge\nacme_load{disk=\"a\"} 0.5\n");
    if (has("series-once")) printf("acme_load{disk=\"a\"} 0.6\n");
    if (has("times")) printf("acme_load{disk=\"b\"} 0.5 4102444800000\n");
    printf("# TYPE acme_readings_total counter\nacme_readings_total %lld\n",
           has("counters") ? 4000000000000000000LL - now : now);
    if (has("output")) printf("hello\n");
}

static int print_nagios(void) {
    long long now = nanoseconds();
    printf("DISK WARNING - 81 %% | used=81%%;80;90 readings=%lldc", has("counters") ? 4000000000000000000LL - now : now);
    if (has("series-once")) printf(" used=82%%");
    if (has("output")) printf(" hello");
    printf("\n");
    return 1;
}

static int print_in(const char *form) {
    if (!strcmp(form, "nagios")) return print_nagios();
    if (!strcmp(form, "interval")) print_samples();
    if (!strcmp(form, "influx")) print_influx();
    if (!strcmp(form, "prometheus")) print_prometheus();
    return 0;
}

static int run_once(const char *form) {
    if (has("works")) {
        fprintf(stderr, "nothing works\n");
        /* Up to 3 a check may have any status. */
        return !strcmp(form, "nagios") ? 4 : 3;
    }
    if (has("starts-again")) mark_run();
    if (has("two-at-once")) lock();
    if (has("leaves-nothing")) leave_child();
    return print_in(form);
}

/* Reads what is sent, and whether it was `stop`, the end, or of a type that is not known. */
static int is_stopped(void) {
    struct pollfd input = {0, POLLIN, 0};
    while (poll(&input, 1, 0) > 0) {
        if (!fgets(line, sizeof line, stdin)) return 1;
        if (strstr(line, "\"stop\"")) return 1;
        if (has("newer-agent") && !strstr(line, "\"taken\"")) exit(1);
    }
    return 0;
}

static pid_t children[1000];
static int child_count;

static void leak(void) {
    if (has("no-leak: descriptors")) dup(0), dup(0);
    if (has("no-leak: memory")) memset(malloc(1 << 20), 1, 1 << 20);
    if (!has("no-leak: processes") || child_count == 1000) return;
    pid_t child = fork();
    if (child == 0) pause_ms(60000), _exit(0);
    children[child_count++] = child;
}

static void commit(int number) {
    print_samples();
    printf("{\"type\":\"commit\",\"checkpoint\":\"n%d\"}\n", number);
}

static int stream(void) {
    setvbuf(stdin, NULL, _IONBF, 0);
    if (!fgets(line, sizeof line, stdin)) return 0;
    if (has("errors-typed") && !strstr(line, "\"level\"")) return 1;
    if (!has("errors-typed") && !strstr(line, "\"level\"")) {
        printf("{\"type\":\"error\",\"class\":\"configuration\",\"message\":\"it has no level\",\"option\":\"level\"}\n");
        return 1;
    }
    if (has("checkpoint") && strstr(line, "\"checkpoint\"")) return 1;
    for (int number = 0;; number++) {
        commit(number);
        leak();
        pause_ms(30);
        if (is_stopped()) break;
    }
    while (has("ends")) pause_ms(1000);
    for (int number = 0; has("silent-after-stop") && number < 6; number++) commit(number);
    for (int index = 0; index < child_count; index++) kill(children[index], SIGKILL), waitpid(children[index], NULL, 0);
    return 0;
}

static int sink(void) {
    char last[4096] = "", header[4096];
    while (fgets(header, sizeof header, stdin)) {
        const char *answer = "ok";
        const char *lines = strstr(header, "\"lines\":");
        int count = lines ? atoi(lines + 8) : 0, is_halting = 0;
        if (has("newer-agent") && strstr(header, "x_later")) return 1;
        if (has("one-answer: early")) puts("ok");
        char *attempt = strstr(header, "\"attempt\"");
        if (attempt) *attempt = 0;
        if (has("same-batch-twice") && !strcmp(header, last)) {
            answer = "{\"error\":{\"message\":\"it was here\"}}";
        }
        strcpy(last, header);
        while (count-- > 0) {
            long long begin = nanoseconds();
            if (!fgets(line, sizeof line, stdin)) return 0;
            if (nanoseconds() - begin > 100000000) is_halting = 1;
            if (has("every-value") && strstr(line, "\"histogram\"")) answer = "{\"error\":{\"message\":\"what is it?\"}}";
            if (has("hostile-labels") && strstr(line, "$(id)")) return 1;
        }
        if (has("works")) answer = "yes";
        if (!has("one-answer: early")) puts(answer);
        if (has("one-answer: twice") && is_halting) puts("ok");
    }
    while (has("ends")) pause_ms(1000);
    return 0;
}

int main(int count, char **words) {
    if (count != 4) return 64;
    fault = words[2];
    directory = words[3];
    const char *form = words[1];
    if (strcmp(form, "stream") && strcmp(form, "sink")) return run_once(form);
    setvbuf(stdout, NULL, _IOLBF, 0);
    return strcmp(form, "sink") ? stream() : sink();
}
