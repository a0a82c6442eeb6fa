// What the files of the extension module share.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/handle.hpp"

namespace henro::python {

namespace py = pybind11;
using GamePtr = std::shared_ptr<const GameHandle>;

struct PyState {
    GamePtr game;
    StateBuffer state;
    std::vector<Action> history;

    int actor() const { return game->actor(state); }
};

struct PyInfoSet {
    GamePtr game;
    InfoBuffer info;

    StateBuffer public_state() const {
        StateBuffer s;
        game->public_state(info, s);
        return s;
    }
};

struct Playouts {
    PlayoutTotals totals;
    int players;
};

// A whole number of any size, bounded to what long long holds: out of range is then refused by the
// rule that names the range, not by the type.
struct Whole {
    long long value;
    operator long long() const { return value; }
};

// A text of any kind: what is no Unicode (undecodable bytes of a file) is kept as an escape.
struct Text {
    std::string value;
    operator const std::string&() const { return value; }
};

// These throw Error for what a caller got wrong.
std::string action_text(const GameHandle& game, long long action);
Action parse_action(const GameHandle& game, const std::string& text);
std::uint64_t seed_from(py::handle source);  // a whole number or a random generator
int check_seat(const GameHandle& game, long long seat);
PlayoutKind playout_kind(bool plain, bool informed);
Playouts run_playouts(const GameHandle& game, const StateBuffer& start, long long n,
                      py::handle seed, PlayoutKind kind);

void bind_errors(py::module_& module);
void bind_game(py::module_& module);
void bind_state(py::module_& module);
py::dict to_dict(const SearchOptions& options);
void bind_search(py::module_& module);
void bind_shogun(py::module_& module);

// Objects come from henro alone: one made by __new__ would be without its C++ part.
template <class Class>
void forbid_new(Class& type) {
    type.attr("__new__") =
        py::module_::import("builtins")
            .attr("staticmethod")(py::cpp_function([](const py::args&,
                                                      const py::kwargs&) -> py::object {
                throw py::type_error("No constructor defined: henro makes these objects itself");
            }));
}

}  // namespace henro::python

namespace pybind11::detail {

template <>
struct type_caster<henro::python::Whole> {
    PYBIND11_TYPE_CASTER(henro::python::Whole, const_name("int"));

    bool load(handle source, bool) {
        if (!source || PyFloat_Check(source.ptr()) || !PyIndex_Check(source.ptr())) return false;
        const object number = reinterpret_steal<object>(PyNumber_Index(source.ptr()));
        if (!number) throw error_already_set();
        int overflow = 0;
        value.value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
        if (overflow != 0)
            value.value = overflow > 0 ? std::numeric_limits<long long>::max()
                                       : std::numeric_limits<long long>::min();
        return true;
    }
};

template <>
struct type_caster<henro::python::Text> {
    PYBIND11_TYPE_CASTER(henro::python::Text, const_name("str"));

    bool load(handle source, bool) {
        if (!source || !PyUnicode_Check(source.ptr())) return false;
        const object bytes = reinterpret_steal<object>(
            PyUnicode_AsEncodedString(source.ptr(), "utf-8", "backslashreplace"));
        if (!bytes) throw error_already_set();
        value.value.assign(PyBytes_AS_STRING(bytes.ptr()),
                           std::size_t(PyBytes_GET_SIZE(bytes.ptr())));
        return true;
    }
};

}  // namespace pybind11::detail
