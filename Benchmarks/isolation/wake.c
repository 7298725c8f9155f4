/* The yardstick: wakes up by poll at an interval, and says what that took. wake MILLISECONDS SECONDS */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int count, char **words) {
    if (count < 3) return 64;
    const int interval = atoi(words[1]), rounds = atoi(words[2]) * 1000 / interval;
    for (int round = 0; round < rounds; round++) poll(NULL, 0, interval);
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    printf("%.2f\n", (used.tv_sec * 1e9 + used.tv_nsec) / rounds / 1000);
    return 0;
}
