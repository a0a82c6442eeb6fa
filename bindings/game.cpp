// Game: a rule set at one player count with one component set.
#include "bindings.hpp"
#include "core/text.hpp"

namespace henro::python {

std::string action_text(const GameHandle& game, long long action) {
    if (action < 0 || action >= game.facts().num_actions)
        throw Error(ErrorKind::illegal_action,
                    "action " + std::to_string(action) + " is not in 0.." +
                        std::to_string(game.facts().num_actions - 1) + " of " + game.facts().name);
    return game.action_text(Action(action));
}

std::uint64_t seed_from(py::handle source) {
    py::object number = py::reinterpret_borrow<py::object>(source);
    if (py::hasattr(source, "bit_generator"))  // numpy.random.Generator
        number = source.attr("bit_generator").attr("random_raw")();
    else if (py::hasattr(source, "getrandbits"))  // random.Random
        number = source.attr("getrandbits")(64);
    if (!PyIndex_Check(number.ptr()))
        throw py::type_error("a seed is a whole number or a random generator");
    number = py::reinterpret_steal<py::object>(PyNumber_Index(number.ptr()));
    if (!number) throw py::error_already_set();
    const std::uint64_t seed = PyLong_AsUnsignedLongLong(number.ptr());
    if (PyErr_Occurred()) {
        PyErr_Clear();
        throw Error(ErrorKind::option, "a seed is a whole number from 0 to 2**64 - 1");
    }
    return seed;
}

Action parse_action(const GameHandle& game, const std::string& text) {
    if (const auto action = game.parse_action(text)) return *action;
    throw Error(ErrorKind::illegal_action,
                quoted(text) + " is no move or chance event of " + game.facts().name);
}

int check_seat(const GameHandle& game, long long seat) {
    if (seat < 0 || seat >= game.setup().players)
        throw Error(ErrorKind::option, "seat " + std::to_string(seat) + " is not in 0.." +
                                           std::to_string(game.setup().players - 1));
    return int(seat);
}

PlayoutKind playout_kind(bool plain, bool informed) {
    if (informed && plain) throw Error(ErrorKind::option, "plain playouts are not informed");
    return {plain, informed};
}

Playouts run_playouts(const GameHandle& game, const StateBuffer& start, long long n,
                      py::handle seed, PlayoutKind kind) {
    // Ctrl-C is heeded between slices.
    constexpr std::uint64_t kSlice = 1 << 16;
    if (n < 0 || n == std::numeric_limits<long long>::max())
        throw Error(ErrorKind::option,
                    "the number of playouts is a whole number from 0 to 2**63 - 2");
    const std::uint64_t number = seed_from(seed), last = std::uint64_t(n);
    const StateBuffer copy = start;  // the caller's state may change while the lock is released
    Playouts sum{{}, game.setup().players};
    for (std::uint64_t first = 0; first < last; first += kSlice) {
        PlayoutTotals part;
        {
            const py::gil_scoped_release released;
            part = game.bulk().playouts(game.tables(), copy, first, std::min(last, first + kSlice),
                                        number, kind);
        }
        sum.totals.games += part.games;
        sum.totals.plies += part.plies;
        for (int p = 0; p < kMaxSeats; ++p) {
            sum.totals.utilities[p] += part.utilities[p];
            sum.totals.scores[p] += part.scores[p];
        }
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
    return sum;
}

namespace {

std::vector<double> utility_sums(const Playouts& p) {
    std::vector<double> sums;
    sums.reserve(std::size_t(p.players));
    for (int seat = 0; seat < p.players; ++seat)
        sums.push_back(double(p.totals.utilities[seat]) / kUtilityOne);
    return sums;
}

std::vector<std::int64_t> score_sums(const Playouts& p) {
    return {p.totals.scores.begin(), p.totals.scores.begin() + p.players};
}

py::list list_games() {
    py::list names;
    for (const GameFacts& facts : games())
        names.append(py::make_tuple(facts.name, facts.min_players, facts.max_players));
    return names;
}

py::dict game_options(const std::string& name) {
    for (const GameFacts& facts : games()) {
        if (facts.name != name) continue;
        py::dict options;
        for (const GameOption& option : facts.options)
            options[py::str(option.name)] = py::cast(option.values);
        return options;
    }
    throw Error(ErrorKind::unknown_game, "unknown game " + quoted(name));
}

}  // namespace

void bind_game(py::module_& module) {
    module.attr("CHANCE") = kChance;
    module.attr("TERMINAL") = kTerminal;
    module.def("games", &list_games,
               "Names and player limits: [(name, min_players, max_players)].");

    module.def("game_options", &game_options, py::arg("name"),
               "The options of a game: {name: [default, other value, ...]}.");

    py::class_<Playouts> playouts(module, "Playouts",
                                  "Totals of a batch of uniformly random playouts.");
    playouts
        .def_property_readonly(
            "games", [](const Playouts& p) { return p.totals.games; }, "Playouts done.")
        .def_property_readonly(
            "plies", [](const Playouts& p) { return p.totals.plies; },
            "Decisions made in all playouts; chance events are not counted.")
        .def_property_readonly("utilities", &utility_sums, "Sum of utilities of each seat.")
        .def_property_readonly("scores", &score_sums, "Sum of scores of each seat.")
        .def("__repr__", [](const Playouts& p) {
            return "<Playouts games=" + std::to_string(p.totals.games) +
                   " plies=" + std::to_string(p.totals.plies) + ">";
        });

    forbid_new(playouts);

    py::class_<GameHandle, std::shared_ptr<GameHandle>> game(
        module, "Game", "A game at one player count with one component set; see henro.load_game.");
    game.def_property_readonly("name", [](const GameHandle& g) { return g.facts().name; })
        .def_property_readonly("players", [](const GameHandle& g) { return g.setup().players; })
        .def_property_readonly("min_players",
                               [](const GameHandle& g) { return g.facts().min_players; })
        .def_property_readonly("max_players",
                               [](const GameHandle& g) { return g.facts().max_players; })
        .def_property_readonly(
            "components_id", [](const GameHandle& g) { return g.setup().components_id; },
            "Name and content hash of the component set: 'shikoku/default@<hash>'.")
        .def_property_readonly("options", [](const GameHandle& g) { return g.setup().options; })
        .def_property_readonly(
            "num_distinct_actions", [](const GameHandle& g) { return g.facts().num_actions; },
            "Actions are 0..n-1, chance events included; stable between builds.")
        .def_property_readonly(
            "search_defaults", [](const GameHandle& g) { return to_dict(g.search()); },
            "How henro.Engine searches if not told otherwise: search options by name.")
        .def_property_readonly("state_bytes",
                               [](const GameHandle& g) { return g.facts().state_bytes; })
        .def_property_readonly(
            "isa", [](const GameHandle& g) { return g.bulk().isa; },
            "Instruction set of the bulk loops on this machine: 'base' or 'v3'.")
        .def_property_readonly(
            "observation_tensor_shape",
            [](const GameHandle& g) { return py::tuple(py::cast(g.tensor_shape())); })
        .def(
            "new_initial_state",
            [](const std::shared_ptr<GameHandle>& g) {
                auto state = std::make_unique<PyState>(PyState{g, {}, {}});
                g->initial(state->state);
                return state;
            },
            "The state before the first chance event.")
        .def(
            "deserialize_state",
            [](const std::shared_ptr<GameHandle>& g, const Text& text) {
                auto state = std::make_unique<PyState>(PyState{g, {}, {}});
                g->parse_position(text.value, state->state);
                return state;
            },
            py::arg("text"),
            "The state that State.serialize wrote, or a position written by hand. Its history is\n"
            "empty. Raises PositionError naming the part and the rule it breaks.")
        .def(
            "information_set",
            [](const std::shared_ptr<GameHandle>& g, const Text& view) {
                auto info = std::make_unique<PyInfoSet>(PyInfoSet{g, {}});
                g->parse_view(view.value, info->info);
                return info;
            },
            py::arg("view"), "All that a view text says. Raises ViewError naming part and rule.")
        .def(
            "action_to_string", [](const GameHandle& g, Whole a) { return action_text(g, a); },
            py::arg("action"))
        .def(
            "string_to_action",
            [](const GameHandle& g, const Text& text) { return int(parse_action(g, text)); },
            py::arg("text"))
        .def(
            "playouts",
            [](const GameHandle& g, Whole n, py::handle seed, bool plain, bool informed) {
                StateBuffer start;
                g.initial(start);
                return run_playouts(g, start, n, seed, playout_kind(plain, informed));
            },
            py::arg("n"), py::arg("seed"), py::arg("plain") = false, py::arg("informed") = false,
            "Play n random games from the start without the interpreter lock. `plain` takes the\n"
            "generic loop over legal moves instead of the game's own; results are the same.\n"
            "`informed` plays by the game's rule of thumb instead of uniformly.")
        .def(
            "__eq__",
            [](const GameHandle& a, const GameHandle& b) {
                return a.facts().name == b.facts().name && a.setup().players == b.setup().players &&
                       a.setup().components_id == b.setup().components_id &&
                       a.setup().options == b.setup().options &&
                       a.setup().tables == b.setup().tables && a.setup().names == b.setup().names;
            },
            py::is_operator())
        .def("__hash__",
             [](const GameHandle& g) {
                 return py::hash(
                     py::make_tuple(g.facts().name, g.setup().players, g.setup().components_id));
             })
        .def("__repr__",
             [](const GameHandle& g) {
                 return "<Game " + g.facts().name +
                        " players=" + std::to_string(g.setup().players) +
                        " components=" + g.setup().components_id + ">";
             })
        .def("__reduce__", [](const GameHandle& g) {
            const Setup& setup = g.setup();
            return py::make_tuple(py::module_::import("henro._core").attr("make_game"),
                                  py::make_tuple(g.facts().name, setup.players, setup.components_id,
                                                 setup.tables, setup.names, setup.options));
        });
    forbid_new(game);

    module.def(
        "make_game",
        [](const std::string& name, int players, const std::string& components_id,
           const decltype(Setup::tables)& tables, const decltype(Setup::names)& names,
           const decltype(Setup::options)& options) {
            return std::const_pointer_cast<GameHandle>(
                make_game(name, {players, components_id, tables, names, options}));
        },
        py::arg("name"), py::arg("players"), py::arg("components_id"), py::arg("tables"),
        py::arg("names"), py::arg("options"),
        "Use henro.load_game, which reads and checks component files.");
}

}  // namespace henro::python
