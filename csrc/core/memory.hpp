// Memory of large tables that are read all over the place. Defined in a file of its own, as code
// shared by all instruction sets.
#pragma once

#include <cstddef>

namespace henro {

// Zeroed, or null if there is no room; std::free gives it back. In huge pages where the system has
// them: otherwise every first look at a page of four kilobytes stops the program, and two threads
// stop each other.
void* zeroed_memory(std::size_t bytes);

}  // namespace henro
