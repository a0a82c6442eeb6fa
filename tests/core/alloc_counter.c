/* Preloaded: counts the calls that allocate memory, so that a test can prove there are none. */
#include <stdatomic.h>
#include <stddef.h>

static atomic_long calls;

long alloc_count(void) { return atomic_load(&calls); }

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t n) { atomic_fetch_add(&calls, 1); return __libc_malloc(n); }
void *calloc(size_t n, size_t m) { atomic_fetch_add(&calls, 1); return __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { atomic_fetch_add(&calls, 1); return __libc_realloc(p, n); }
void *memalign(size_t a, size_t n) { atomic_fetch_add(&calls, 1); return __libc_memalign(a, n); }
void *aligned_alloc(size_t a, size_t n) { return memalign(a, n); }
