// Searcher: one search from one information set, run in slices by henro.Engine.
#include "bindings.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

namespace henro::python {
namespace {

constexpr std::array kPlayouts{"uniform", "informed", "mast"};
constexpr std::array kObservers{"one", "many"};
constexpr std::array kSealed{"priors", "tree", "regret", "exp3"};
constexpr std::array kTrees{"separate", "shared"};

// Calls visit(name, field) for the fields that are numbers, visit(name, field, names) for choices.
template <class Options, class Visit>
void for_each_option(Options& o, Visit visit) {
    visit("playouts", o.playouts, kPlayouts);
    visit("horizon", o.horizon);
    visit("random", o.random);
    visit("observers", o.observers, kObservers);
    visit("sealed", o.sealed, kSealed);
    visit("exploration", o.exploration);
    visit("tuned", o.tuned);
    visit("widening", o.widening);
    visit("priors", o.prior_weight);
    visit("confidence", o.confidence);
    visit("first_play", o.first_play);
    visit("rank", o.rank_weight);
    visit("score", o.score_weight);
    visit("beliefs", o.beliefs);
    visit("redetermine", o.redetermine);
    visit("tree", o.trees, kTrees);
}

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
    throw Error(ErrorKind::option, "search option " + name + " is " + what);
}

class Reader {
public:
    explicit Reader(const py::dict& values) : values_(values) {}

    template <class Field, std::size_t N>
    void operator()(const char* name, Field& field, const std::array<const char*, N>& names) {
        if (!take(name)) return;
        const auto text = py::cast<std::string>(py::str(values_[name]));
        const auto found = std::find(names.begin(), names.end(), text);
        if (found == names.end()) refuse(name, "not '" + text + "'");
        field = Field(found - names.begin());
    }
    void operator()(const char* name, int& field) {
        if (!take(name)) return;
        const double value = number(name);
        if (!(value >= 0) || (std::isfinite(value) && value != std::floor(value)))
            refuse(name, "a whole number from 0, or infinite");
        field = int(std::min(value, double(kNoHorizon)));
    }
    void operator()(const char* name, bool& field) {
        if (take(name)) field = py::cast<bool>(py::bool_(values_[name]));
    }
    void operator()(const char* name, float& field) {
        if (!take(name)) return;
        const double value = number(name);
        if (!(value >= 0 && value <= 1e6)) refuse(name, "a number from 0");
        field = float(value);
    }
    void finish() const {
        if (taken_ != values_.size())
            throw Error(ErrorKind::option, "search options were given that do not exist");
    }

private:
    double number(const char* name) const {
        const py::object value = values_[name];
        const double found = PyFloat_AsDouble(value.ptr());
        if (PyErr_Occurred()) throw py::error_already_set();
        return found;
    }
    bool take(const char* name) {
        const bool given = values_.contains(name);
        taken_ += given;
        return given;
    }
    const py::dict& values_;
    std::size_t taken_ = 0;
};

SearchOptions read_options(SearchOptions options, const py::dict& values) {
    Reader reader(values);
    for_each_option(options, [&](const char* name, auto& field, const auto&... names) {
        reader(name, field, names...);
    });
    reader.finish();
    if (options.random > 1) refuse("random", "a share from 0 to 1");
    if (options.redetermine > 1) refuse("redetermine", "a share from 0 to 1");
    if (options.rank_weight + options.score_weight > 1)
        refuse("rank", "a share from 0 to 1, together with score");
    return options;
}

class PySearcher {
public:
    PySearcher(const PyInfoSet& info, py::handle seed, std::uint64_t max_bytes,
               std::uint64_t expected_edges, bool flat, const py::dict& options)
        : game_(info.game), observer_(info.game->observer(info.info)) {
        if (game_->actor(info.public_state()) != game_->observer(info.info))
            throw Error(ErrorKind::state, "seat " + std::to_string(game_->observer(info.info)) +
                                              " is not to move: nothing to search");
        SearchParams params;
        params.flat = flat;
        params.how = read_options(game_->search(), options);
        params.seed = seed_from(seed);
        params.max_bytes = max_bytes;
        params.expected_edges = expected_edges;
        shared_ = params.how.trees == SearchOptions::Trees::shared;
        searcher_.reset(game_->bulk().searcher(game_->tables(), info.info, params));
    }

    std::unique_ptr<PySearcher> beside(py::handle seed) {
        if (!shared_) refuse("tree", "separate: no searcher can be beside another");
        const Busy busy(*this);
        return std::unique_ptr<PySearcher>(
            new PySearcher(*this, searcher_->beside(seed_from(seed))));
    }

    std::uint64_t run(Whole iterations) {
        if (iterations < 0)
            throw Error(ErrorKind::option, "the number of iterations cannot be negative");
        const Busy busy(*this);
        const py::gil_scoped_release released;
        return searcher_->run(std::uint64_t(iterations.value));
    }

    void advance(const PyInfoSet& info, const std::vector<std::uint16_t>& seen, bool reuse) {
        if (info.game != game_ || game_->observer(info.info) != observer_ ||
            game_->actor(info.public_state()) != observer_)
            throw Error(ErrorKind::state, "a search goes on in its game, when its seat is to move");
        const Busy busy(*this);
        searcher_->advance(info.info, seen, reuse);
    }

    std::unique_ptr<PyState> world(py::handle seed) {
        const Busy busy(*this);
        auto state = std::make_unique<PyState>(PyState{game_, {}, {}});
        searcher_->world(seed_from(seed), state->state);
        return state;
    }

    py::list root() {
        const Busy busy(*this);
        const int players = game_->setup().players;
        py::list moves;
        for (const RootMove& move : searcher_->root()) {
            py::list sums;
            for (int p = 0; p < players; ++p) sums.append(double(move.utilities[p]) / kUtilityOne);
            moves.append(py::make_tuple(int(move.action), move.visits, sums, move.inherited));
        }
        return moves;
    }

    py::list principal_variation() {
        const Busy busy(*this);
        Action line[32];
        const int length = searcher_->principal_variation(line, 32);
        py::list actions;
        for (int i = 0; i < length; ++i) actions.append(int(line[i]));
        return actions;
    }

    int depth() {
        const Busy busy(*this);
        return searcher_->depth();
    }
    std::size_t edges() {
        const Busy busy(*this);
        return searcher_->edges();
    }
    std::uint64_t lead() {
        const Busy busy(*this);
        return searcher_->lead();
    }
    bool mixed() const { return searcher_->mixed(); }
    void stop() { searcher_->stop(); }

private:
    PySearcher(const PySearcher& other, Searcher* searcher)
        : game_(other.game_), observer_(other.observer_), shared_(true), searcher_(searcher) {}

    // A search belongs to one thread at a time; only stop() may come from another.
    class Busy {
    public:
        explicit Busy(PySearcher& owner) : owner_(owner) {
            if (owner_.busy_.exchange(true))
                throw Error(ErrorKind::state, "this search is running in another thread");
        }
        ~Busy() { owner_.busy_ = false; }
        Busy(const Busy&) = delete;
        Busy& operator=(const Busy&) = delete;

    private:
        PySearcher& owner_;
    };

    GamePtr game_;
    int observer_;
    bool shared_;
    std::unique_ptr<Searcher> searcher_;
    std::atomic<bool> busy_{false};
};

py::object to_python(bool value) { return py::bool_(value); }

py::object to_python(int horizon) {
    if (horizon < kNoHorizon) return py::int_(horizon);
    return py::float_(std::numeric_limits<double>::infinity());
}

// 0.3, and not what is nearest to it among the floats.
py::object to_python(float value) { return py::float_(std::round(double(value) * 1e6) / 1e6); }

}  // namespace

py::dict to_dict(const SearchOptions& options) {
    py::dict values;
    for_each_option(options, [&](const char* name, const auto& field, const auto&... names) {
        if constexpr (sizeof...(names) > 0)
            ((values[name] = py::str(names[std::size_t(field)])), ...);
        else
            values[name] = to_python(field);
    });
    return values;
}

void bind_search(py::module_& module) {
    py::class_<PySearcher> searcher(module, "Searcher",
                                    "A search from what one seat knows; see henro.Engine.");
    searcher
        .def(
            "run", &PySearcher::run, py::arg("iterations"),
            "Run without the interpreter lock; returns the iterations done, fewer only after stop.")
        .def(
            "advance", &PySearcher::advance, py::arg("information_set"), py::arg("seen"),
            py::arg("reuse") = true,
            "Go on from a later position of the seat; `seen`: the visible actions since then. The\n"
            "beliefs go on, with `reuse` the tree too. Searchers in one tree go on together, the\n"
            "one they are beside first.")
        .def("beside", &PySearcher::beside, py::arg("seed"), py::keep_alive<0, 1>(),
             "A searcher of the same position in the same tree, for another thread.")
        .def("world", &PySearcher::world, py::arg("seed"),
             "A world as an iteration draws it; its history is empty.")
        .def("root", &PySearcher::root,
             "[(action, visits, [sum of utilities of each seat], visits of earlier searches)].")
        .def("principal_variation", &PySearcher::principal_variation,
             "Actions, most visited first.")
        .def("stop", &PySearcher::stop, "Ends run() soon; from any thread.")
        .def_property_readonly("depth", &PySearcher::depth, "Longest path walked in the tree.")
        .def_property_readonly("edges", &PySearcher::edges, "Edges in the tree.")
        .def_property_readonly("lead", &PySearcher::lead,
                               "Visits of the most visited move beyond those of the second.")
        .def_property_readonly("mixed", &PySearcher::mixed,
                               "Whether the visits of the root's moves are a mixed strategy.");
    forbid_new(searcher);

    module.def(
        "make_searcher",
        [](const PyInfoSet& info, py::handle seed, std::uint64_t max_bytes,
           std::uint64_t expected_edges, bool flat, const py::kwargs& options) {
            return std::make_unique<PySearcher>(info, seed, max_bytes, expected_edges, flat,
                                                options);
        },
        py::arg("information_set"), py::arg("seed"), py::arg("max_bytes"),
        py::arg("expected_edges") = 0, py::arg("flat") = false,
        "A search of what one seat knows; search options by name, the game's where left out.");
}

}  // namespace henro::python
