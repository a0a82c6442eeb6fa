// State: a complete position. InformationSet: what one seat knows of one.
#include "bindings.hpp"
#include "fast_methods.hpp"

namespace henro::python {
namespace {

PyObject* new_list(const Action* actions, std::size_t size) {
    PyObject* list = PyList_New(Py_ssize_t(size));
    for (std::size_t i = 0; list != nullptr && i < size; ++i)
        PyList_SET_ITEM(list, Py_ssize_t(i), PyLong_FromLong(actions[i]));
    return list;
}

PyObject* new_legal_list(const GameHandle& game, const StateBuffer& s) {
    Action actions[kMaxLegalAny];
    return new_list(actions, game.legal(s, actions));
}

PyObject* fast_current_player(PyObject* self, PyObject*) {
    const auto* s = object_of<PyState>(self);
    return s == nullptr ? not_initialised() : PyLong_FromLong(s->actor());
}

PyObject* fast_is_terminal(PyObject* self, PyObject*) {
    const auto* s = object_of<PyState>(self);
    return s == nullptr ? not_initialised() : PyBool_FromLong(s->actor() == kTerminal);
}

PyObject* fast_is_chance_node(PyObject* self, PyObject*) {
    const auto* s = object_of<PyState>(self);
    return s == nullptr ? not_initialised() : PyBool_FromLong(s->actor() == kChance);
}

PyObject* fast_legal_actions(PyObject* self, PyObject*) {
    const auto* s = object_of<PyState>(self);
    return s == nullptr ? not_initialised() : new_legal_list(*s->game, s->state);
}

PyObject* fast_apply_action(PyObject* self, PyObject* argument) {
    auto* s = object_of<PyState>(self);
    if (s == nullptr) return not_initialised();
    int overflow = 0;
    const long action = PyLong_Check(argument) ? PyLong_AsLongAndOverflow(argument, &overflow) : -1;
    if (action < 0 || action >= s->game->facts().num_actions ||
        !s->game->is_legal(s->state, Action(action)))
        return call_slow("apply_action", self, argument);
    try {
        s->history.push_back(Action(action));
    } catch (const std::bad_alloc&) {
        return PyErr_NoMemory();
    }
    s->game->apply(s->state, Action(action));
    Py_RETURN_NONE;
}

PyObject* fast_sample_chance(PyObject* self, PyObject* argument) {
    const auto* s = object_of<PyState>(self);
    if (s == nullptr) return not_initialised();
    if (s->actor() != kChance || !PyLong_Check(argument))
        return call_slow("sample_chance", self, argument);
    const std::uint64_t seed = PyLong_AsUnsignedLongLong(argument);
    if (PyErr_Occurred()) {
        PyErr_Clear();
        return call_slow("sample_chance", self, argument);
    }
    return PyLong_FromLong(s->game->sample_chance(s->state, seed));
}

PyMethodDef fast_methods[] = {
    {"current_player", fast_current_player, METH_NOARGS,
     "current_player($self, /)\n--\n\nThe seat to move, CHANCE or TERMINAL."},
    {"is_terminal", fast_is_terminal, METH_NOARGS,
     "is_terminal($self, /)\n--\n\nWhether the game is over."},
    {"is_chance_node", fast_is_chance_node, METH_NOARGS,
     "is_chance_node($self, /)\n--\n\nWhether a chance event is due."},
    {"legal_actions", fast_legal_actions, METH_NOARGS,
     "legal_actions($self, /)\n--\n\nMoves of the seat to move, ascending; empty at chance events "
     "and at the end."},
    {"apply_action", fast_apply_action, METH_O,
     "apply_action($self, action, /)\n--\n\nTake a move or let a chance event happen. An error "
     "leaves the state as it was."},
    {"sample_chance", fast_sample_chance, METH_O,
     "sample_chance($self, rng, /)\n--\n\nDraw an outcome (not applied) by a seed or a random "
     "generator."},
};

const char* node_name(int actor) {
    return actor == kTerminal ? "the game is over"
           : actor == kChance ? "a chance event is due"
                              : "a seat is to move";
}

Action checked(const PyState& s, Whole action) {
    if (s.actor() == kTerminal)
        throw Error(ErrorKind::state, "the game is over: no action can be applied");
    const std::string text = action_text(*s.game, action);
    if (!s.game->is_legal(s.state, Action(action))) {
        const int actor = s.actor();
        std::string message = "'" + text + "' is not possible here: ";
        if (actor == kChance) throw Error(ErrorKind::illegal_action, message + node_name(actor));
        Action legal[kMaxLegalAny];
        const std::size_t size = s.game->legal(s.state, legal);
        message += "seat " + std::to_string(actor) + " may choose";
        for (std::size_t i = 0; i < size && i < 20; ++i)
            message += (i == 0 ? " " : ", ") + s.game->action_text(legal[i]);
        throw Error(ErrorKind::illegal_action, message + (size > 20 ? ", ..." : ""));
    }
    return Action(action);
}

void apply(PyState& s, Whole action) {
    const Action legal = checked(s, action);
    s.history.push_back(legal);
    s.game->apply(s.state, legal);
}

void require_terminal(const PyState& s, const char* what) {
    if (s.actor() != kTerminal)
        throw Error(ErrorKind::state, std::string(what) + " are defined when the game is over");
}

template <class F>
py::list per_seat(const PyState& s, F&& value) {
    py::list out;
    for (int p = 0; p < s.game->setup().players; ++p) out.append(value(p));
    return out;
}

std::unique_ptr<PyInfoSet> information_set(const PyState& s, Whole seat) {
    const int checked_seat = check_seat(*s.game, seat);
    auto info = std::make_unique<PyInfoSet>(PyInfoSet{s.game, {}});
    s.game->observe(s.state, checked_seat, info->info);
    return info;
}

std::string view(const PyState& s, Whole seat) {
    return s.game->view_text(information_set(s, seat)->info);
}

std::unique_ptr<PyState> sample(const PyInfoSet& info, py::handle seed) {
    auto state = std::make_unique<PyState>(PyState{info.game, {}, {}});
    info.game->sample(info.info, seed_from(seed), state->state);
    return state;
}

py::array_t<float> tensor(const PyInfoSet& info) {
    const auto shape = info.game->tensor_shape();
    py::array_t<float> planes({shape[0], shape[1]});
    std::fill_n(planes.mutable_data(), shape[0] * shape[1], 0.0f);
    info.game->tensor(info.info, planes.mutable_data());
    return planes;
}

py::list events(const PyState& s, Whole action) {
    const Action legal = checked(s, action);
    const int subject = s.game->subject(s.state);
    const std::string name = subject < 0 ? "chance" : std::to_string(subject);
    return per_seat(s, [&](int seat) {
        py::list seen;
        if (const std::string text = s.game->event_text(s.state, legal, seat); !text.empty())
            seen.append(py::make_tuple(name, text));
        return seen;
    });
}

}  // namespace

void bind_state(py::module_& module) {
    py::class_<PyState> state(module, "State",
                              "A complete position of a game, hidden facts included.");
    state
        .def_property_readonly(
            "game", [](const PyState& s) { return std::const_pointer_cast<GameHandle>(s.game); })
        .def(
            "action_to_string", [](const PyState& s, Whole a) { return action_text(*s.game, a); },
            py::arg("action"))
        .def(
            "string_to_action",
            [](const PyState& s, const Text& text) {
                return int(checked(s, {parse_action(*s.game, text)}));
            },
            py::arg("text"), "The action of that text; IllegalActionError if not possible here.")
        .def("apply_action", &apply, py::arg("action"))
        .def(
            "apply", [](PyState& s, const Text& text) { apply(s, {parse_action(*s.game, text)}); },
            py::arg("text"), "apply_action by the action's text.")
        .def(
            "chance_outcomes",
            [](const PyState& s) {
                if (s.actor() != kChance)
                    throw Error(ErrorKind::state,
                                std::string("no chance event is due: ") + node_name(s.actor()));
                std::vector<ChanceOutcome> outcomes;
                s.game->chance_outcomes(s.state, outcomes);
                py::list out;
                for (const ChanceOutcome& o : outcomes)
                    out.append(py::make_tuple(int(o.action), o.probability));
                return out;
            },
            "[(action, probability)] of the chance event that is due; they sum to 1.")
        .def(
            "sample_chance",
            [](const PyState& s, py::handle rng) {
                if (s.actor() != kChance)
                    throw Error(ErrorKind::state,
                                std::string("no chance event is due: ") + node_name(s.actor()));
                return int(s.game->sample_chance(s.state, seed_from(rng)));
            },
            py::arg("rng"))
        .def(
            "returns",
            [](const PyState& s) {
                require_terminal(s, "returns");
                Utility utilities[kMaxSeats];
                s.game->utilities(s.state, utilities);
                return per_seat(s, [&](int p) { return double(utilities[p]) / kUtilityOne; });
            },
            "Utility of each seat of a finished game, from 0 to 1.")
        .def(
            "scores",
            [](const PyState& s) {
                int scores[kMaxSeats];
                s.game->scores(s.state, scores);
                return per_seat(s, [&](int p) { return scores[p]; });
            },
            "Score of each seat, as it stands.")
        .def(
            "ranks",
            [](const PyState& s) {
                require_terminal(s, "ranks");
                int ranks[kMaxSeats];
                s.game->ranks(s.state, ranks);
                return per_seat(s, [&](int p) { return ranks[p]; });
            },
            "Rank of each seat of a finished game; 1 is best, equal seats share a rank.")
        .def(
            "evaluation",
            [](const PyState& s) {
                Utility utilities[kMaxSeats];
                s.game->evaluate(s.state, utilities);
                return per_seat(s, [&](int p) { return double(utilities[p]) / kUtilityOne; });
            },
            "Expected utility of each seat by the game's evaluation, from 0 to 1.")
        .def("view", &view, py::arg("seat"), "One line with everything the seat knows.")
        .def("information_state_string", &view, py::arg("seat"), "The same as view.")
        .def("information_set", &information_set, py::arg("seat"))
        .def(
            "observation_tensor",
            [](const PyState& s, Whole seat) { return tensor(*information_set(s, seat)); },
            py::arg("seat"),
            "float32 array of Game.observation_tensor_shape; planes in docs/games.")
        .def("events", &events, py::arg("action"),
             "What each seat is told when the action is applied here: for every seat a list of\n"
             "(subject, text), hidden parts written '?', empty if it is told nothing. The subject\n"
             "is a seat or 'chance'.")
        .def(
            "resample_from_infostate",
            [](const PyState& s, Whole seat, py::handle seed) {
                return sample(*information_set(s, seat), seed);
            },
            py::arg("seat"), py::arg("seed"), "A world the seat cannot tell from this one.")
        .def("clone", [](const PyState& s) { return s; })
        .def("__copy__", [](const PyState& s) { return s; })
        .def("__deepcopy__", [](const PyState& s, const py::dict&) { return s; })
        .def(
            "serialize", [](const PyState& s) { return s.game->position_text(s.state); },
            "The position as one line; Game.deserialize_state reads it.")
        .def(
            "history",
            [](const PyState& s) {
                return py::reinterpret_steal<py::object>(
                    new_list(s.history.data(), s.history.size()));
            },
            "Actions applied since the initial (or deserialized) state.")
        .def(
            "playouts",
            [](const PyState& s, Whole n, py::handle seed, bool plain, bool informed) {
                return run_playouts(*s.game, s.state, n, seed, playout_kind(plain, informed));
            },
            py::arg("n"), py::arg("seed"), py::arg("plain") = false, py::arg("informed") = false,
            "Play n random games from here; see Game.playouts.")
        .def(
            "perft",
            [](const PyState& s, Whole wanted) {
                const int depth = int(std::min<long long>(wanted, 1 << 20));
                if (depth < 0) throw Error(ErrorKind::option, "depth cannot be negative");
                const StateBuffer start = s.state;
                const GamePtr game = s.game;
                const py::gil_scoped_release released;
                return game->bulk().perft(game->tables(), start, depth);
            },
            py::arg("depth"), "Number of action sequences of that length; see henro.perft.")
        .def(
            "__eq__",
            [](const PyState& a, const PyState& b) {
                return a.game->facts().name == b.game->facts().name &&
                       a.game->setup().components_id == b.game->setup().components_id &&
                       a.game->equal(a.state, b.state);
            },
            py::is_operator())
        .def("__hash__",
             [](const PyState& s) { return py::hash(py::str(s.game->position_text(s.state))); })
        .def("__repr__",
             [](const PyState& s) { return "<State " + s.game->position_text(s.state) + ">"; })
        .def("__reduce__", [](const PyState& s) {
            return py::make_tuple(py::module_::import("henro._core").attr("_restore_state"),
                                  py::make_tuple(std::const_pointer_cast<GameHandle>(s.game),
                                                 s.game->position_text(s.state), s.history));
        });

    for (PyMethodDef& method : fast_methods) add_fast_method(state, method);
    forbid_new(state);
    module.def("_restore_state", [](const std::shared_ptr<GameHandle>& game, const Text& position,
                                    const std::vector<Action>& history) {
        PyState s{game, {}, history};
        game->parse_position(position.value, s.state);
        return s;
    });

    py::class_<PyInfoSet> info_set(module, "InformationSet",
                                   "Everything one seat knows of a position.");
    info_set
        .def_property_readonly(
            "game", [](const PyInfoSet& i) { return std::const_pointer_cast<GameHandle>(i.game); })
        .def_property_readonly("seat", [](const PyInfoSet& i) { return i.game->observer(i.info); })
        .def("view", [](const PyInfoSet& i) { return i.game->view_text(i.info); })
        .def(
            "key", [](const PyInfoSet& i) { return i.game->key(i.info); },
            "64-bit key: equal for worlds the seat cannot tell apart.")
        .def("current_player", [](const PyInfoSet& i) { return i.game->actor(i.public_state()); })
        .def("is_terminal",
             [](const PyInfoSet& i) { return i.game->actor(i.public_state()) == kTerminal; })
        .def(
            "legal_actions",
            [](const PyInfoSet& i) {
                const StateBuffer s = i.public_state();
                if (const int actor = i.game->actor(s);
                    actor >= 0 && actor != i.game->observer(i.info))
                    throw Error(ErrorKind::state,
                                "seat " + std::to_string(actor) +
                                    " is to move; its moves are not this seat's to know");
                return py::reinterpret_steal<py::object>(new_legal_list(*i.game, s));
            },
            "Moves of this seat when it is to move; StateError when another seat is.")
        .def(
            "action_to_string", [](const PyInfoSet& i, Whole a) { return action_text(*i.game, a); },
            py::arg("action"))
        .def(
            "string_to_action",
            [](const PyInfoSet& i, const Text& text) { return int(parse_action(*i.game, text)); },
            py::arg("text"))
        .def("sample", &sample, py::arg("seed"), "A world drawn by its exact probability.")
        .def(
            "sample_many",
            [](const PyInfoSet& i, Whole n, py::handle seed) {
                if (n < 0)
                    throw Error(ErrorKind::option, "the number of worlds cannot be negative");
                const std::uint64_t number = seed_from(seed);
                const py::gil_scoped_release released;
                return i.game->bulk().sample_many(i.game->tables(), i.info, std::uint64_t(n.value),
                                                  number);
            },
            py::arg("n"), py::arg("seed"), "Draw n worlds and return a hash over them.")
        .def(
            "priors",
            [](const PyInfoSet& i) {
                StateBuffer shown = i.public_state();
                if (i.game->actor(shown) != i.game->observer(i.info))
                    throw Error(ErrorKind::state, "seat " +
                                                      std::to_string(i.game->observer(i.info)) +
                                                      " is not to move: it has no moves to rate");
                Action legal[kMaxLegalAny];
                float weights[kMaxLegalAny];
                const std::size_t n = i.game->legal(shown, legal);
                i.game->priors(shown, weights);
                py::list out;
                for (std::size_t k = 0; k < n; ++k)
                    out.append(py::make_tuple(int(legal[k]), double(weights[k])));
                return out;
            },
            "[(action, weight)] of the legal moves by the game's rule of thumb; they sum to 1.")
        .def(
            "greedy",
            [](const PyInfoSet& i) {
                if (i.game->actor(i.public_state()) != i.game->observer(i.info))
                    throw Error(ErrorKind::state, "the seat is not to move");
                return int(i.game->greedy(i.info));
            },
            "The move of the game's one-ply rule (docs/games).")
        .def("observation_tensor", &tensor)
        .def(
            "__eq__",
            [](const PyInfoSet& a, const PyInfoSet& b) {
                return a.game->view_text(a.info) == b.game->view_text(b.info);
            },
            py::is_operator())
        .def("__hash__", [](const PyInfoSet& i) { return i.game->key(i.info); })
        .def(
            "__repr__",
            [](const PyInfoSet& i) { return "<InformationSet " + i.game->view_text(i.info) + ">"; })
        .def("__reduce__", [](const PyInfoSet& i) {
            const py::object game = py::cast(std::const_pointer_cast<GameHandle>(i.game));
            return py::make_tuple(game.attr("information_set"),
                                  py::make_tuple(i.game->view_text(i.info)));
        });
    forbid_new(info_set);
}

}  // namespace henro::python
