/* link.h shows dl_iterate_phdr(3) to _GNU_SOURCE only, which the other C here does without. */
#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>
#include <sys/mman.h>

#include "CLinux.h"

static void release(uintptr_t start, size_t size) {
    const uintptr_t offset = start % (uintptr_t)getpagesize();
    madvise((void *)(start - offset), size + offset, MADV_DONTNEED);
}

static int release_segments(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size, (void)unused;
    /* Released last: to read the next header would map it again, with its neighbourhood. */
    uintptr_t start_with_headers = 0;
    size_t size_with_headers = 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        /* What is unwritable by now but was not from the start may hold relocated pointers. */
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
        const uintptr_t start = object->dlpi_addr + segment->p_vaddr;
        if ((uintptr_t)object->dlpi_phdr - start < segment->p_memsz) {
            start_with_headers = start;
            size_with_headers = segment->p_memsz;
        } else {
            release(start, segment->p_memsz);
        }
    }
    release(start_with_headers, size_with_headers);
    return 0;
}

void sonde_release_unwritable_segments(void) {
    dl_iterate_phdr(release_segments, 0);
}
