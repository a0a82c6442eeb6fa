// A gate to what many threads use at once and one, now and then, has to change while the others
// are outside. Defined in a file of its own, as code shared by all instruction sets.
#pragma once

#include <shared_mutex>

namespace henro {

class Gate {
public:
    Gate() = default;
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;

    void enter();  // waits while the gate is closed
    void leave();
    void close();  // waits until all have left, and for other closers
    void open();

private:
    std::shared_mutex mutex_;
};

}  // namespace henro
