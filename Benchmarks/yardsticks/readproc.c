/*
 * readproc: the yardstick for sources that read /proc: what merely reading the files costs in C.
 *
 *     cc -O2 -o readproc readproc.c
 *     readproc ITERATIONS BUFFER_SIZE FILE...
 *
 * Each iteration opens every file, reads it to its end and closes it, and parses nothing. Prints the CPU time of an
 * iteration over all files in microseconds (least, median, most), its bytes and its reads. SLEEP_US=n in the environment
 * pauses between iterations, as an agent does, which shows the cost with cold caches.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static double now(int id) { struct timespec t; clock_gettime(id, &t); return t.tv_sec * 1e6 + t.tv_nsec / 1e3; }
static int cmp(const void *a, const void *b) { double x = *(double *)a, y = *(double *)b; return x < y ? -1 : x > y; }
int main(int c, char **v) {
  int it = atoi(v[1]); size_t bs = atol(v[2]); char *b = malloc(bs); double *t = calloc(it, sizeof *t); long bytes = 0, reads = 0;
  for (int i = 0; i < it; i++) {
    if (getenv("SLEEP_US")) usleep(atoi(getenv("SLEEP_US"))); // cold-cache variant: pause between iterations
    double a = now(CLOCK_PROCESS_CPUTIME_ID); bytes = reads = 0;
    for (int f = 3; f < c; f++) {
      int fd = open(v[f], O_RDONLY | O_CLOEXEC); ssize_t n;
      if (fd < 0) continue;
      while ((n = read(fd, b, bs)) > 0) { bytes += n; reads++; }
      close(fd);
    }
    t[i] = now(CLOCK_PROCESS_CPUTIME_ID) - a;
  }
  qsort(t, it, sizeof *t, cmp);
  printf("readproc bs=%zu files=%d iter=%d cpu_us min=%.1f med=%.1f max=%.1f bytes=%ld reads=%ld\n", bs, c - 3, it, t[0], t[it / 2], t[it - 1], bytes, reads);
}
