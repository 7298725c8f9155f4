/* Confines itself before it has had a second thread; that thread fills its heap, which shrinks again. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sonde_confine.h"

static void *fill(void *argument) {
    enum { pieces = 128, size = 64 << 10 };
    static char *piece[pieces];
    for (int index = 0; index < pieces; index++) memset(piece[index] = malloc(size), 1, size);
    for (int index = pieces; index-- > 0;) free(piece[index]);
    return argument;
}

int main(void) {
    pthread_t thread;
    if (sonde_confine() != SONDE_CONFINED) return 1;
    return pthread_create(&thread, NULL, fill, NULL) || pthread_join(thread, NULL);
}
