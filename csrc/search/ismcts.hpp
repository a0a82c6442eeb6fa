// Single-observer information set MCTS (Cowling, Powley and Whitehouse, 2012): each iteration draws
// a fresh world from the root's information set and walks one tree whose edges are what the
// observer sees. Which actions an edge competes with differs from world to world, so UCB1 counts
// how often an edge was available. Every node maximises the utility of the seat that decides there.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/handle.hpp"
#include "search/tree.hpp"

HENRO_BEGIN

// Natural logarithm of whole numbers >= 1 by IEEE basic operations only: equal on every machine.
class LogTable {
public:
    constexpr LogTable() {
        for (int i = 1; i < kSize; ++i) {
            const int exponent = int(std::bit_width(unsigned(i))) - 1;
            const double m = double(i) / double(1 << exponent), t = (m - 1) / (m + 1);
            double power = t, sum = 0;
            for (int k = 1; k < 40; k += 2, power *= t * t) sum += power / k;
            log_[i] = float(2 * sum + exponent * kLn2);
        }
    }
    constexpr float operator()(std::uint32_t n) const {
        if (n < kSize) return log_[n];
        const int shift = int(std::bit_width(n)) - kBits;
        return log_[n >> shift] + float(shift) * float(kLn2);
    }

private:
    static constexpr int kBits = 11, kSize = 1 << kBits;
    static constexpr double kLn2 = 0.693147180559945309417;
    std::array<float, kSize> log_{};
};

template <GameRules G>
class Ismcts final : public Searcher {
public:
    using Tables = typename G::Tables;
    using State = typename G::State;
    using InfoSet = typename G::InfoSet;

    Ismcts(const Tables& tables, const InfoSet& info, const SearchParams& params)
        : tables_(tables),
          info_(info),
          params_(params),
          rng_(params.seed),
          tree_(params.max_bytes, params.expected_edges) {
        observer_ = G::actor(G::public_state(info));
        List<Action, G::kMaxLegal> legal;
        G::legal(tables, G::public_state(info), legal);
        for (const Action a : legal) root_.push({a});
    }

    std::uint64_t run(std::uint64_t iterations) override {
        std::uint64_t done = 0;
        for (; done < iterations && !stop_.load(std::memory_order_relaxed); ++done) iterate();
        return done;
    }

    std::span<const RootMove> root() const override { return {root_.begin(), root_.size()}; }
    int depth() const override { return depth_; }
    std::size_t edges() const override { return tree_.size(); }

    // The edges visited most, from the root down.
    int principal_variation(Action* line, int capacity) const override {
        Tree::Id node = Tree::kRoot;
        int length = 0;
        while (length < capacity) {
            std::uint32_t most = 0;
            Tree::Id best = node;
            for (int a = 0; a < G::kNumActions; ++a) {
                const Tree::Id id = tree_.find(node, Action(a));
                if (!tree_.is_free(id) && tree_[id].visits > most) {
                    most = tree_[id].visits;
                    best = id;
                }
            }
            if (best == node) break;
            line[length++] = tree_[best].action;
            node = best;
        }
        return length;
    }

private:
    struct Step {
        Tree::Id edge;
        int seat;  // who chose it, kChance for a chance event
    };
    struct Choice {
        Action action;
        Tree::Id edge;
        bool fresh;  // not tried before from this node
        bool sealed = false;
    };
    static constexpr std::size_t kMaxPath = 256;
    static constexpr Tree::Id kNone = 0xffffffffu;
    static constexpr float kPriorOne = 65535;

    void iterate() {
        tree_.reserve();
        path_.clear();
        State world = G::sample(tables_, info_, rng_);
        if (params_.algorithm == SearchParams::Algorithm::flat)
            step_flat(world);
        else
            descend(world);
        if (params_.informed)
            G::informed_playout(tables_, world, observer_, rng_, params_.how.horizon);
        else
            G::playout(tables_, world, rng_);
        back_up(world);
    }

    void step_flat(State& world) {
        root_move_ = flat_next_;
        flat_next_ = flat_next_ + 1 == root_.size() ? 0 : flat_next_ + 1;
        depth_ = 1;
        G::apply(tables_, world, root_[root_move_].action);
    }

    // Walks down until an edge is new, the game is over or the tree cannot grow.
    void descend(State& world) {
        Tree::Id node = Tree::kRoot;
        Choice choice{};
        while (!choice.fresh && path_.size() < kMaxPath) {
            const int seat = G::actor(world);
            if (seat == kTerminal) break;
            if (seat == kChance) {
                choice = {G::sample_chance(tables_, world, rng_), kNone, false};
                if (!G::visible(tables_, world, choice.action, observer_)) {
                    G::apply(tables_, world, choice.action);
                    continue;  // unseen by the observer: the same node of the tree
                }
                choice.edge = find_or_insert(node, choice.action);
            } else {
                choice = choose(world, seat, node);
                if (choice.sealed) {  // chosen without the tree and unseen by the observer
                    G::apply(tables_, world, choice.action);
                    continue;
                }
            }
            if (path_.size() == 0) root_move_ = root_index(choice.action);
            G::apply(tables_, world, choice.action);
            if (choice.edge == kNone) break;
            path_.push({choice.edge, seat});
            node = choice.edge;
        }
        depth_ = std::max(depth_, int(path_.size()));
    }

    std::size_t root_index(Action action) const {
        std::size_t i = 0;
        while (root_[i].action != action) ++i;
        return i;
    }

    Tree::Id find_or_insert(Tree::Id node, Action action) {
        const Tree::Id edge = tree_.find(node, action);
        if (!tree_.is_free(edge)) return edge;
        if (tree_.full()) return kNone;
        tree_.insert(edge, node, action);
        return edge;
    }

    Choice choose(const State& world, int seat, Tree::Id node) {
        List<Action, G::kMaxLegal> legal;
        G::legal(tables_, world, legal);
        const int n = int(legal.size());
        if (seat != observer_ && !G::visible(tables_, world, legal[0], observer_))
            return {draw_sealed(world, legal), kNone, false, true};
        std::array<Tree::Id, G::kMaxLegal> ids;
        int missing = 0;
        for (int i = 0; i < n; ++i) {
            ids[i] = tree_.find(node, legal[i]);
            if (tree_.is_free(ids[i]))
                ++missing;
            else
                ++tree_[ids[i]].available;
        }
        if (params_.how.prior_weight > 0) return choose_by_prior(world, node, legal, ids, missing);
        if (missing > 0) {  // untried moves first, in random order
            int nth = rng_.below(missing), i = 0;
            for (;; ++i)
                if (tree_.is_free(ids[i]) && nth-- == 0) break;
            if (tree_.full()) return {legal[i], kNone, true};
            tree_.insert(ids[i], node, legal[i]);
            tree_[ids[i]].available = 1;
            return {legal[i], ids[i], true};
        }
        int best = 0;
        float best_score = -1;
        for (int i = 0; i < n; ++i) {
            const Edge& edge = tree_[ids[i]];
            const float visits = float(edge.visits);
            const float mean = float(edge.sum) / (visits * float(kUtilityOne));
            const float score =
                mean + params_.how.exploration * std::sqrt(log_(edge.available) / visits);
            if (score > best_score) {
                best_score = score;
                best = i;
            }
        }
        return {legal[best], ids[best], false};
    }

    // What another seat decides unseen: by the priors where they are in use, else uniformly.
    Action draw_sealed(const State& world, const List<Action, G::kMaxLegal>& legal) {
        const std::size_t n = legal.size();
        if (!(params_.how.prior_weight > 0)) return legal[std::size_t(rng_.below(int(n)))];
        std::array<float, G::kMaxLegal> priors;
        G::priors(tables_, world, legal, priors.data());
        float left = float(rng_.below(1 << 24)) / float(1 << 24);
        std::size_t i = 0;
        while (i + 1 < n && left >= priors[i]) left -= priors[i++];
        return legal[i];
    }

    // PUCT (Rosin 2011; Silver et al. 2016) with availability: untried moves count as good as the
    // mean of those tried, and wait for their turn by their prior.
    Choice choose_by_prior(const State& world, Tree::Id node,
                           const List<Action, G::kMaxLegal>& legal,
                           const std::array<Tree::Id, G::kMaxLegal>& ids, int missing) {
        const int n = int(legal.size());
        std::array<float, G::kMaxLegal> priors;
        if (missing > 0) G::priors(tables_, world, legal, priors.data());
        float visits = 0, sum = 0;
        std::uint32_t available = 1;
        for (int i = 0; i < n; ++i) {
            if (tree_.is_free(ids[i])) continue;
            const Edge& edge = tree_[ids[i]];
            priors[i] = float(edge.prior) / kPriorOne;
            visits += float(edge.visits);
            sum += float(edge.sum);
            available = std::max(available, edge.available);
        }
        const float mean = visits > 0 ? sum / (visits * float(kUtilityOne)) : 0;
        const float weight = params_.how.prior_weight * std::sqrt(float(available));
        int best = 0;
        float best_score = -1;
        for (int i = 0; i < n; ++i) {
            float value = mean, tried = 0;
            if (!tree_.is_free(ids[i]) && tree_[ids[i]].visits > 0) {
                const Edge& edge = tree_[ids[i]];
                tried = float(edge.visits);
                value = float(edge.sum) / (tried * float(kUtilityOne));
            }
            const float score = value + weight * priors[i] / (1 + tried);
            if (score > best_score) {
                best_score = score;
                best = i;
            }
        }
        const bool fresh = tree_.is_free(ids[best]);
        if (fresh && tree_.full()) return {legal[best], kNone, true};
        if (fresh) {
            tree_.insert(ids[best], node, legal[best]);
            tree_[ids[best]].available = 1;
            tree_[ids[best]].prior = std::uint16_t(priors[best] * kPriorOne);
        }
        return {legal[best], ids[best], fresh};
    }

    void back_up(const State& world) {
        Utility utilities[G::kMaxPlayers];
        if (G::actor(world) == kTerminal)
            G::utilities(tables_, world, utilities);
        else
            G::evaluate(tables_, world, utilities);
        for (const Step& step : path_) {
            Edge& edge = tree_[step.edge];
            ++edge.visits;
            if (step.seat >= 0) edge.sum += utilities[step.seat];
        }
        RootMove& move = root_[root_move_];
        ++move.visits;
        for (int p = 0; p < tables_.players; ++p) move.utilities[p] += utilities[p];
    }

    // Made by the compiler: nothing of this instruction set may run when the library is loaded.
    static constexpr LogTable log_{};

    const Tables tables_;
    const InfoSet info_;
    const SearchParams params_;
    Rng rng_;
    Tree tree_;
    List<Step, kMaxPath> path_;
    List<RootMove, G::kMaxLegal> root_;
    std::size_t root_move_ = 0, flat_next_ = 0;
    int observer_ = 0, depth_ = 0;
};

HENRO_END
