#include "core/memory.hpp"

#include <cstdlib>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#endif

namespace henro {

namespace {

constexpr std::size_t kLarge = std::size_t{4} << 20;  // bytes; less is a page or two of huge ones

}  // namespace

void* zeroed_memory(std::size_t bytes) {
    void* const memory = std::calloc(bytes, 1);
#ifdef MADV_HUGEPAGE
    if (memory && bytes >= kLarge) {
        // Whole pages; to be refused does no harm.
        const auto page = std::uintptr_t(sysconf(_SC_PAGESIZE));
        const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
        const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
        madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
    }
#endif
    return memory;
}

}  // namespace henro
