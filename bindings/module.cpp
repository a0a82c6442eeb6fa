// The extension module henro._core.
#include "bindings.hpp"

PYBIND11_MODULE(_core, module) {
    module.doc() = "The C++ core of henro: games, information sets, bulk loops and search.";
    henro::python::bind_errors(module);
    henro::python::bind_game(module);
    henro::python::bind_state(module);
    henro::python::bind_search(module);
    henro::python::bind_shogun(module);
}
