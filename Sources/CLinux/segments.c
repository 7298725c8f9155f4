/* link.h shows dl_iterate_phdr(3) to _GNU_SOURCE only, which the other C here does without. */
#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>
#include <sys/mman.h>

#include "CLinux.h"

static int release_segments(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size, (void)unused;
    const uintptr_t page_size = (uintptr_t)getpagesize();
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        /* What is unwritable by now but was not from the start may hold relocated pointers. */
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
        const uintptr_t start = object->dlpi_addr + segment->p_vaddr, offset = start % page_size;
        madvise((void *)(start - offset), segment->p_memsz + offset, MADV_DONTNEED);
    }
    return 0;
}

void sonde_release_unwritable_segments(void) {
    dl_iterate_phdr(release_segments, 0);
}
