// What the files of the extension module share.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
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

// These throw Error for what a caller got wrong.
std::string action_text(const GameHandle& game, long long action);
Action parse_action(const GameHandle& game, const std::string& text);
std::uint64_t seed_from(py::handle source);  // a whole number or a random generator
void check_seat(const GameHandle& game, int seat);
PlayoutKind playout_kind(const GameHandle& game, bool plain, std::optional<int> informed);
Playouts run_playouts(const GameHandle& game, const StateBuffer& start, long long n,
                      py::handle seed, PlayoutKind kind);

void bind_errors(py::module_& module);
void bind_game(py::module_& module);
void bind_state(py::module_& module);
void bind_search(py::module_& module);

}  // namespace henro::python
