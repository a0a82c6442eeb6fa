#include "core/gate.hpp"

namespace henro {

void Gate::enter() { mutex_.lock_shared(); }
void Gate::leave() { mutex_.unlock_shared(); }
void Gate::close() { mutex_.lock(); }
void Gate::open() { mutex_.unlock(); }

}  // namespace henro
