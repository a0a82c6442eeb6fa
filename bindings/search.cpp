// Searcher: one search from one information set, run in slices by henro.Engine.
#include "bindings.hpp"

#include <atomic>
#include <cmath>

namespace henro::python {
namespace {

class PySearcher {
public:
    PySearcher(const PyInfoSet& info, const std::string& algorithm, py::handle seed,
               std::uint64_t max_bytes, std::uint64_t expected_edges, bool informed, Whole horizon,
               double exploration, double prior_weight)
        : game_(info.game) {
        if (game_->actor(info.public_state()) != game_->observer(info.info))
            throw Error(ErrorKind::state, "seat " + std::to_string(game_->observer(info.info)) +
                                              " is not to move: nothing to search");
        SearchParams params;
        if (algorithm == "flat")
            params.algorithm = SearchParams::Algorithm::flat;
        else if (algorithm != "ismcts")
            throw Error(ErrorKind::option,
                        "algorithm is 'ismcts' or 'flat', not '" + algorithm + "'");
        for (const double weight : {exploration, prior_weight})
            if (!std::isfinite(weight) || weight < 0)
                throw Error(ErrorKind::option, "exploration and prior_weight are numbers from 0");
        if (horizon < 0) throw Error(ErrorKind::option, "the horizon is a whole number from 0");
        params.how = {int(std::min<long long>(horizon, kNoHorizon)), float(exploration),
                      float(prior_weight)};
        params.seed = seed_from(seed);
        params.max_bytes = max_bytes;
        params.expected_edges = expected_edges;
        params.informed = informed;
        searcher_.reset(game_->bulk().searcher(game_->tables(), info.info, params));
    }

    std::uint64_t run(Whole iterations) {
        if (iterations < 0)
            throw Error(ErrorKind::option, "the number of iterations cannot be negative");
        const Busy busy(*this);
        const py::gil_scoped_release released;
        return searcher_->run(std::uint64_t(iterations.value));
    }

    py::list root() {
        const Busy busy(*this);
        const int players = game_->setup().players;
        py::list moves;
        for (const RootMove& move : searcher_->root()) {
            py::list sums;
            for (int p = 0; p < players; ++p) sums.append(double(move.utilities[p]) / kUtilityOne);
            moves.append(py::make_tuple(int(move.action), move.visits, sums));
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
    void stop() { searcher_->stop(); }

private:
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
    std::unique_ptr<Searcher> searcher_;
    std::atomic<bool> busy_{false};
};

}  // namespace

void bind_search(py::module_& module) {
    py::class_<PySearcher> searcher(module, "Searcher",
                                    "A search from what one seat knows; see henro.Engine.");
    searcher
        .def(
            "run", &PySearcher::run, py::arg("iterations"),
            "Run without the interpreter lock; returns the iterations done, fewer only after stop.")
        .def("root", &PySearcher::root, "[(action, visits, [sum of utilities of each seat])].")
        .def("principal_variation", &PySearcher::principal_variation,
             "Actions, most visited first.")
        .def("stop", &PySearcher::stop, "Ends run() soon; from any thread.")
        .def_property_readonly("depth", &PySearcher::depth, "Longest path walked in the tree.")
        .def_property_readonly("edges", &PySearcher::edges, "Edges in the tree.");
    forbid_new(searcher);

    module.def(
        "make_searcher",
        [](const PyInfoSet& info, const std::string& algorithm, py::handle seed,
           std::uint64_t max_bytes, std::uint64_t expected_edges, bool informed, Whole horizon,
           double exploration, double prior_weight) {
            return std::make_unique<PySearcher>(info, algorithm, seed, max_bytes, expected_edges,
                                                informed, horizon, exploration, prior_weight);
        },
        py::arg("information_set"), py::arg("algorithm"), py::arg("seed"), py::arg("max_bytes"),
        py::arg("expected_edges") = 0, py::arg("informed") = false, py::arg("horizon") = kNoHorizon,
        py::arg("exploration") = 0.7, py::arg("prior_weight") = 0.0);
}

}  // namespace henro::python
