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
        const auto page = std::size_t(sysconf(_SC_PAGESIZE));
        const std::size_t skipped = -reinterpret_cast<std::uintptr_t>(memory) % page;
        madvise(static_cast<char*>(memory) + skipped, (bytes - skipped) / page * page,
                MADV_HUGEPAGE);
    }
#endif
    return memory;
}

}  // namespace henro
