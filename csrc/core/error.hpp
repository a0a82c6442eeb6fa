// What can go wrong for a caller. Each kind becomes the Python exception of the same name.
#pragma once

#include <stdexcept>
#include <string>

namespace henro {

enum class ErrorKind { unknown_game, option, component, view, position, illegal_action, state };

class Error : public std::runtime_error {
public:
    Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
    ErrorKind kind() const { return kind_; }

private:
    ErrorKind kind_;
};

}  // namespace henro
