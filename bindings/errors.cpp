// henro::Error becomes the exception class of the same meaning in henro.errors.
#include <utility>

#include "bindings.hpp"

namespace henro::python {
namespace {

const char* class_name(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::unknown_game: return "UnknownGameError";
        case ErrorKind::option: return "OptionError";
        case ErrorKind::component: return "ComponentError";
        case ErrorKind::view: return "ViewError";
        case ErrorKind::position: return "PositionError";
        case ErrorKind::illegal_action: return "IllegalActionError";
        case ErrorKind::state: return "StateError";
    }
    return "HenroError";
}

}  // namespace

void bind_errors(py::module_&) {
    py::register_exception_translator([](std::exception_ptr pointer) {
        try {
            std::rethrow_exception(std::move(pointer));
        } catch (const Error& error) {
            const py::object type =
                py::module_::import("henro.errors").attr(class_name(error.kind()));
            py::set_error(type, error.what());
        }
    });
}

}  // namespace henro::python
