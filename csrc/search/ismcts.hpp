// Information set Monte Carlo tree search (Cowling, Powley and Whitehouse, 2012). Each iteration
// draws a fresh world from the root's information set, walks down the tree, plays the game out and
// adds the result to every choice on its way. A node is what its owner has seen since the root:
// with one observer all nodes are the searching seat's; with many each seat decides in a tree of
// its own, so that no choice depends on what that seat cannot see. Which moves an edge competes
// with differs from world to world, so its visits are set against how often it was available. Every
// node maximises for the seat that decides there; sealed decisions can be mixed strategies instead.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <span>

#include "core/handle.hpp"
#include "core/real.hpp"
#include "search/beliefs.hpp"
#include "search/playouts.hpp"
#include "search/tree.hpp"

HENRO_BEGIN

template <GameRules G>
class Ismcts final : public Searcher {
public:
    using Tables = typename G::Tables;
    using State = typename G::State;
    using InfoSet = typename G::InfoSet;
    using Sealed = SearchOptions::Sealed;
    using Playouts = SearchOptions::Playouts;

    Ismcts(const Tables& tables, const InfoSet& info, const SearchParams& params)
        : tables_(tables),
          flat_(params.flat),
          how_(params.how),
          many_(how_.observers == SearchOptions::Observers::many),
          seed_(params.seed),
          rng_(params.seed),
          own_(std::make_unique<Own>(tables_, params)),
          tree_(own_->table),
          beliefs_(own_->beliefs ? &*own_->beliefs : nullptr) {
        plant();
        start(info);
    }

    // In the tree of another.
    Ismcts(Ismcts& other, std::uint64_t seed)
        : tables_(other.tables_),
          flat_(other.flat_),
          how_(other.how_),
          many_(other.many_),
          seed_(seed),
          rng_(seed),
          tree_(other.tree_),
          beliefs_(other.beliefs_) {
        plant();
        root_keys_ = other.root_keys_;
        start(other.info_);
    }

    Searcher* beside(std::uint64_t seed) override { return new Ismcts(*this, seed); }

    void advance(const InfoBuffer& buffer, std::span<const Action> seen, bool reuse) override {
        const InfoSet& info = *std::launder(reinterpret_cast<const InfoSet*>(buffer.bytes));
        if (own_ && own_->beliefs) own_->beliefs->advance(info_, info, seen);
        if (reuse)
            go_on(seen);
        else
            forget();
        start(info);
    }

    void world(std::uint64_t seed, StateBuffer& out) const override {
        Rng rng(seed);
        new (out.bytes) State(draw_world(rng));
    }

    std::uint64_t run(std::uint64_t iterations) override {
        const Stay stay(tree_);
        std::uint64_t done = 0;
        for (; done < iterations && !stop_.load(std::memory_order_relaxed); ++done) iterate();
        return done;
    }

    std::span<const RootMove> root() const override { return {root_.begin(), root_.size()}; }
    std::uint64_t lead() override {
        const Stay stay(tree_);
        std::uint64_t first = 0, second = 0;
        for (const RootMove& move : root_) {
            // The tree knows of the visits of others; it may have dropped some of the own.
            const std::uint64_t visits =
                std::max(move.visits + move.inherited, in_tree(move.action));
            second = std::max(second, std::min(first, visits));
            first = std::max(first, visits);
        }
        return first - second;
    }
    int depth() const override { return depth_; }
    std::size_t edges() override {
        const Stay stay(tree_);
        return own_ ? own_->table.size() : 0;
    }
    bool mixed() const override { return mixed_; }

    // In a world of its own: the choices visited most, chance as it comes. Without what the
    // searching seat cannot see, and up to the first choice that no iteration has made.
    int principal_variation(Action* line, int capacity) override {
        const Stay stay(tree_);
        Rng rng(seed_, 1);
        State world = draw_world(rng);
        Keys keys = root_keys_;
        int length = 0;
        while (length < capacity) {
            const int seat = G::actor(world);
            if (seat == kTerminal) break;
            Action action;
            if (seat == kChance) {
                action = G::sample_chance(tables_, world, rng);
            } else {
                List<Action, G::kMaxLegal> legal;
                G::legal(tables_, world, legal);
                const std::optional<Action> most = most_visited(keys[owner(seat)], legal);
                if (!most) break;
                action = *most;
            }
            if (G::visible(tables_, world, action, observer_)) line[length++] = action;
            see(world, action, keys);
            G::apply(tables_, world, action);
        }
        return length;
    }

private:
    using Legal = List<Action, G::kMaxLegal>;
    using Keys = std::array<NodeKey, G::kMaxPlayers>;
    using Node = Tree::Node;
    using Ids = std::array<Tree::Id, G::kMaxLegal>;

    // What searchers in one tree have in common; the first one's own.
    struct Own {
        Own(const Tables& tables, const SearchParams& params)
            : table(params.max_bytes, params.expected_edges) {
            if (params.how.beliefs > 0) beliefs.emplace(tables, params.how.beliefs, params.seed);
        }
        Table table;
        std::optional<Beliefs<G>> beliefs;
    };
    struct Step {
        Tree::Id edge;
        int seat;
        Tree::Id strategy;  // of a mixed strategy: its totals, else kNone
        float share, odds;  // the strategy's share of the choice; with what it explores
    };
    // Where in an iteration another seat decides, and what it decides by.
    struct Fork {
        State world;
        Keys keys;
        int seat;
    };
    struct Choice {
        std::size_t nth = 0;    // of the legal moves
        Tree::Id edge = kNone;  // none: forced, drawn or no room
        bool last = false;      // the playout begins after it
        Tree::Id strategy = kNone;
        float share = 0, odds = 0;
    };
    static constexpr std::size_t kMaxPath = 256;
    static constexpr Tree::Id kNone = Tree::kNone;
    static constexpr float kPriorOne = 65535;
    static constexpr Action kStrategy = 0xfffe;  // no move: holds the totals of a mixed strategy
    static_assert(G::kNumActions <= kStrategy);

    void plant() {
        // Nothing seen yet, but seats must not share a node: a sealed choice leaves the keys of all
        // others as they were.
        for (int p = 0; p < G::kMaxPlayers; ++p)
            root_keys_[std::size_t(p)] = step_key(0, Action(p));
        if (how_.playouts == Playouts::mast) mast_.emplace(tables_.players);
    }

    void forget() {
        if (own_) own_->table.clear();
        rng_ = Rng(seed_);
        plant();
    }

    void go_on(std::span<const Action> seen) {
        NodeKey& own = root_keys_[std::size_t(observer_)];
        for (const Action a : seen) own = step_key(own, a);
        // What the others have seen in the meantime is not known: they start anew.
        for (NodeKey& key : root_keys_)
            if (&key != &own) key = step_key(key, kStrategy);
    }

    void start(const InfoSet& info) {
        info_ = info;
        observer_ = G::actor(G::public_state(info));
        depth_ = 0;
        flat_next_ = 0;
        root_.clear();
        Legal legal;
        G::legal(tables_, G::public_state(info), legal);
        const Stay stay(tree_);
        for (const Action a : legal) root_.push({.action = a, .inherited = own_ ? in_tree(a) : 0});
        mixed_ = !flat_ && strategies(G::public_state(info), observer_, legal[0]);
    }

    // Visits of a root move by all searchers of the tree.
    std::uint64_t in_tree(Action action) const {
        const Tree::Id id = tree_.find(tree_.node(root_keys_[std::size_t(observer_)]), action);
        return id == kNone ? 0 : tree_.visits(id);
    }

    State draw_world(Rng& rng) const {
        return beliefs_ ? beliefs_->draw(info_, rng) : G::sample(tables_, info_, rng);
    }

    void iterate() {
        begin();
        State world = draw_world(rng_);
        forks_ = 0;
        if (flat_)
            step_flat(world);
        else
            descend(world, root_keys_);
        play_out(world);
        back_up(world);
        if (forks_ > 0 && rng_.below(1 << 24) < int(how_.redetermine * (1 << 24))) teach();
    }

    void begin() {
        tree_.reserve();
        path_.clear();
        if (mast_) mast_->start();
    }

    // Re-determinization (Goodman, 2019): in every world of the iterations the searching seat holds
    // what it holds, and who learned from them alone would seem to know it. So another seat learns
    // what to choose in a world drawn from what it knows itself.
    void teach() {
        teaching_ = true;
        begin();
        State world = G::sample(tables_, G::observe(tables_, fork_.world, fork_.seat), rng_);
        descend(world, fork_.keys);
        play_out(world);
        back_up(world);
        teaching_ = false;
    }

    // Whether the tree learns what comes of the seat's choice. With re-determinization others learn
    // in worlds of their own alone.
    bool learns(int seat) const {
        return teaching_ || seat == observer_ || !(how_.redetermine > 0);
    }

    // Keeps one of the decisions to teach, each as likely as any.
    void maybe_fork(const State& world, const Keys& keys, int seat) {
        if (rng_.below(++forks_) == 0) fork_ = {world, keys, seat};
    }

    // In a world drawn for one seat the others know other things than at their nodes: to nodes of
    // their own. With one observer all nodes are its nodes.
    void part(const State& world, int seat, Keys& keys) const {
        for (int p = 0; p < tables_.players; ++p) {
            if (many_ ? p == seat : p != observer_) continue;
            NodeKey& key = keys[std::size_t(p)];
            key = step_key(key ^ G::key(G::observe(tables_, world, p)), kStrategy);
        }
    }

    void step_flat(State& world) {
        root_move_ = flat_next_;
        flat_next_ = flat_next_ + 1 == root_.size() ? 0 : flat_next_ + 1;
        depth_ = 1;
        G::apply(tables_, world, root_[root_move_].action);
    }

    // Walks down until an edge is new, the game is over or the tree has no room.
    void descend(State& world, Keys keys) {
        int depth = 0;
        for (bool first = true; path_.size() < kMaxPath;) {
            const int seat = G::actor(world);
            if (seat == kTerminal) break;
            if (seat == kChance) {
                const Action event = G::sample_chance(tables_, world, rng_);
                see(world, event, keys);
                G::apply(tables_, world, event);
                continue;
            }
            Legal legal;
            G::legal(tables_, world, legal);
            learning_ = learns(seat);
            if (!learning_ && legal.size() > 1 && !drawn(world, seat, legal[0]))
                maybe_fork(world, keys, seat);
            const Choice choice = choose(world, seat, legal, keys[owner(seat)]);
            if (first && !teaching_) root_move_ = choice.nth;
            const Action action = legal[choice.nth];
            if (mast_) mast_->take(seat, action);
            if (choice.edge != kNone) {
                ++depth;
                if (learning_) follow(choice, seat);
            }
            see(world, action, keys);
            G::apply(tables_, world, action);
            if (first && teaching_) part(world, seat, keys);
            first = false;
            if (choice.last) break;
        }
        depth_ = std::max(depth_, depth);
    }

    void follow(const Choice& choice, int seat) {
        tree_.visit(choice.edge);
        path_.push({choice.edge, seat, choice.strategy, choice.share, choice.odds});
    }

    std::size_t owner(int seat) const { return std::size_t(many_ ? seat : observer_); }

    // What the owners of nodes know after the action.
    void see(const State& world, Action action, Keys& keys) const {
        if (!many_) {
            if (G::visible(tables_, world, action, observer_))
                keys[std::size_t(observer_)] = step_key(keys[std::size_t(observer_)], action);
            return;
        }
        for (int p = 0; p < tables_.players; ++p)
            if (G::visible(tables_, world, action, p))
                keys[std::size_t(p)] = step_key(keys[std::size_t(p)], action);
    }

    bool sealed(const State& world, int seat, Action action) const {
        for (int p = 0; p < tables_.players; ++p)
            if (p != seat && !G::visible(tables_, world, action, p)) return true;
        return false;
    }

    // Whether the decision is taken outside the tree.
    bool drawn(const State& world, int seat, Action action) const {
        return seat != observer_ && (!many_ || how_.sealed == Sealed::priors) &&
               !G::visible(tables_, world, action, observer_);
    }

    // Whether the decision is a mixed strategy.
    bool strategies(const State& world, int seat, Action action) const {
        return how_.sealed >= Sealed::regret && (many_ || seat == observer_) &&
               sealed(world, seat, action);
    }

    Choice choose(const State& world, int seat, const Legal& legal, NodeKey key) {
        if (legal.size() == 1) return {};
        if (drawn(world, seat, legal[0])) return {.nth = draw_sealed(world, legal)};
        const Node node = tree_.node(key);
        if (strategies(world, seat, legal[0])) return choose_mixed(world, legal, node);
        Ids ids;
        int missing = 0;
        for (std::size_t i = 0; i < legal.size(); ++i) {
            ids[i] = tree_.find(node, legal[i]);
            if (ids[i] == kNone)
                ++missing;
            else if (learning_)
                tree_.count_available(ids[i]);
        }
        if (how_.prior_weight > 0) return choose_by_prior(world, legal, node, ids, missing);
        if (missing > 0 && may_widen(legal, ids, missing))
            return widen(world, legal, node, ids, missing);
        return choose_by_confidence(legal, ids);
    }

    // The move becomes an edge, or none if the table is full or nothing is learned here.
    Choice grow(std::size_t nth, const Node& node, Action action, float prior = 0) {
        if (!learning_) return {.nth = nth, .last = true};
        const auto stored = std::uint16_t(prior * kPriorOne);
        return {.nth = nth, .edge = tree_.add(node, action, stored), .last = true};
    }

    // UCB1 (Auer, Cesa-Bianchi and Fischer, 2002), or UCB1-tuned with the variance that a win share
    // of this mean can have at most.
    Choice choose_by_confidence(const Legal& legal, const Ids& ids) const {
        std::size_t best = 0;
        float best_score = -1;
        for (std::size_t i = 0; i < legal.size(); ++i) {
            if (ids[i] == kNone) continue;
            const Figures edge = tree_.read(ids[i]);
            if (edge.visits == 0) continue;  // another thread is making it
            const float visits = float(edge.visits);
            const float mean = float(edge.sum()) / (visits * float(kUtilityOne));
            const float spread = kLog(edge.available) / visits;
            float term = std::sqrt(spread);
            if (how_.tuned)
                term *= std::sqrt(std::min(0.25f, mean * (1 - mean) + std::sqrt(2 * spread)));
            const float score = mean + how_.exploration * term;
            if (score > best_score) {
                best_score = score;
                best = i;
            }
        }
        return {.nth = best, .edge = ids[best]};
    }

    // Progressive widening (Coulom, 2007): as many moves as `widening` times the root of the
    // visits.
    bool may_widen(const Legal& legal, const Ids& ids, int missing) const {
        if (how_.widening == 0) return true;
        float visits = 0;
        for (std::size_t i = 0; i < legal.size(); ++i)
            if (ids[i] != kNone) visits += float(tree_.visits(ids[i]));
        return float(int(legal.size()) - missing) <= how_.widening * std::sqrt(visits);
    }

    // An untried move: at random, or the likeliest if moves are rationed.
    Choice widen(const State& world, const Legal& legal, const Node& node, const Ids& ids,
                 int missing) {
        if (how_.widening > 0) {
            std::array<float, G::kMaxLegal> priors;
            G::priors(tables_, world, legal, priors.data());
            std::size_t best = 0;
            float most = -1;
            for (std::size_t i = 0; i < legal.size(); ++i)
                if (ids[i] == kNone && priors[i] > most) most = priors[best = i];
            return grow(best, node, legal[best]);
        }
        int nth = rng_.below(missing);
        std::size_t i = 0;
        while (ids[i] != kNone || nth-- != 0) ++i;
        return grow(i, node, legal[i]);
    }

    // What another seat decides unseen: by the priors where they are in use, else uniformly.
    std::size_t draw_sealed(const State& world, const Legal& legal) {
        if (!(how_.prior_weight > 0)) return std::size_t(rng_.below(int(legal.size())));
        std::array<float, G::kMaxLegal> priors;
        G::priors(tables_, world, legal, priors.data());
        return rng_.draw(priors.data(), legal.size());
    }

    // PUCT (Rosin 2011; Silver et al. 2016) with availability: untried moves count as good as the
    // mean of those tried, less `first_play`, and wait for their turn by their prior. A tried one
    // can have UCB1's term besides: results vary, and after a bad start the prior alone hardly
    // brings it back.
    Choice choose_by_prior(const State& world, const Legal& legal, const Node& node, const Ids& ids,
                           int missing) {
        const std::size_t n = legal.size();
        std::array<float, G::kMaxLegal> priors;
        if (missing > 0) G::priors(tables_, world, legal, priors.data());
        float visits = 0, sum = 0;
        std::uint32_t available = 1;
        for (std::size_t i = 0; i < n; ++i) {
            if (ids[i] == kNone) continue;
            const Figures edge = tree_.read(ids[i]);
            priors[i] = float(edge.prior()) / kPriorOne;
            visits += float(edge.visits);
            sum += float(edge.sum());
            available = std::max(available, edge.available);
        }
        const float mean = visits > 0 ? sum / (visits * float(kUtilityOne)) : 0;
        const float untried = std::max(mean - how_.first_play, 0.0f);
        const float weight = how_.prior_weight * std::sqrt(float(available));
        std::size_t best = 0;
        float best_score = -1;
        for (std::size_t i = 0; i < n; ++i) {
            const Figures edge = ids[i] == kNone ? Figures{} : tree_.read(ids[i]);
            const float tried = float(edge.visits);
            float score = untried;
            if (tried > 0)
                score = float(edge.sum()) / (tried * float(kUtilityOne)) +
                        how_.confidence * std::sqrt(kLog(edge.available) / tried);
            score += weight * priors[i] / (1 + tried);
            if (score > best_score) {
                best_score = score;
                best = i;
            }
        }
        if (ids[best] != kNone) return {.nth = best, .edge = ids[best]};
        return grow(best, node, legal[best], priors[best]);
    }

    // A mixed strategy learned from sampled results: regret matching (Hart and Mas-Colell, 2000)
    // or Exp3 (Auer et al., 2002), each result weighted by the odds of having been tried. An edge's
    // sum is what its move would have gained over the mean so far; the totals' sum is what the
    // strategy itself has gained, and its prior the mean.
    Choice choose_mixed(const State& world, const Legal& legal, const Node& node) {
        const std::size_t n = legal.size();
        std::array<float, G::kMaxLegal> base, shares;
        if (how_.prior_weight > 0)
            G::priors(tables_, world, legal, base.data());
        else
            std::fill_n(base.begin(), n, 1 / float(n));
        Tree::Id strategy = tree_.find(node, kStrategy);
        if (strategy == kNone && learning_) strategy = tree_.add(node, kStrategy);
        if (strategy == kNone) return {.nth = rng_.draw(base.data(), n), .last = true};
        mix(legal, node, strategy, base.data(), shares.data());
        const float explore = exploring(n, tree_.visits(strategy));
        std::array<float, G::kMaxLegal> odds;
        for (std::size_t i = 0; i < n; ++i)
            odds[i] = (1 - explore) * shares[i] + explore * (base[i] + 1 / float(n)) / 2;
        const std::size_t nth = rng_.draw(odds.data(), n);
        const Tree::Id id = tree_.find(node, legal[nth]);
        Choice choice{.nth = nth, .edge = id};
        if (id == kNone) choice = grow(nth, node, legal[nth]);
        choice.strategy = strategy;
        choice.share = shares[nth];
        choice.odds = odds[nth];
        return choice;
    }

    // The share of the odds that keeps every move tried; it falls as a strategy settles.
    float exploring(std::size_t n, std::uint32_t visits) const {
        return std::min(1.0f, how_.exploration * std::sqrt(float(n) / float(visits + n)));
    }

    void mix(const Legal& legal, const Node& node, Tree::Id strategy, const float* base,
             float* shares) const {
        const std::size_t n = legal.size();
        std::array<double, G::kMaxLegal> gains;
        for (std::size_t i = 0; i < n; ++i) {
            const Tree::Id id = tree_.find(node, legal[i]);
            gains[i] = id == kNone ? 0 : double(tree_.read(id).sum());
        }
        if (how_.sealed == Sealed::exp3) {
            softmax(gains.data(), n,
                    kUtilityOne * std::sqrt(double(n) * double(tree_.visits(strategy) + n)));
            std::copy_n(gains.begin(), n, shares);
            return;
        }
        const double total = double(tree_.read(strategy).sum());
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += gains[i] = std::max(gains[i] - total, 0.0);
        for (std::size_t i = 0; i < n; ++i) shares[i] = sum > 0 ? float(gains[i] / sum) : base[i];
    }

    std::optional<Action> most_visited(NodeKey key, const Legal& legal) const {
        if (legal.size() == 1) return legal[0];
        const Node node = tree_.node(key);
        std::uint32_t most = 0;
        std::optional<Action> best;
        for (const Action a : legal) {
            const Tree::Id id = tree_.find(node, a);
            const std::uint32_t visits = id == kNone ? 0 : tree_.visits(id);
            if (visits > most) {
                most = visits;
                best = a;
            }
        }
        return best;
    }

    void play_out(State& world) {
        if (how_.playouts == Playouts::uniform) {
            G::playout(tables_, world, rng_);
        } else if (mast_) {
            play_out_by<G>(tables_, world, how_.random, kNoHorizon, rng_,
                           [&](const State& s, int seat) {
                               Legal legal;
                               G::legal(tables_, s, legal);
                               const Action best = mast_->best(seat, legal, rng_);
                               mast_->take(seat, best);
                               return best;
                           });
        } else if (how_.random > 0) {
            play_out_by<G>(tables_, world, how_.random, how_.horizon, rng_,
                           [&](const State& s, int) { return G::rule_of_thumb(tables_, s); });
        } else {
            G::informed_playout(tables_, world, rng_, how_.horizon);
        }
    }

    void back_up(const State& world) {
        Utility utilities[G::kMaxPlayers];
        if (G::actor(world) == kTerminal)
            G::utilities(tables_, world, utilities);
        else
            G::evaluate(tables_, world, utilities);
        if (!teaching_) count(utilities);
        // Never in part of the playouts: a blend and the word of an evaluation do not compare.
        if (!evaluates_ && (how_.rank_weight > 0 || how_.score_weight > 0)) blend(world, utilities);
        for (const Step& step : path_) {
            if (step.strategy == kNone)
                tree_.gain(step.edge, utilities[step.seat]);
            else
                learn(step, utilities[step.seat]);
        }
        if (mast_) mast_->learn(utilities);
    }

    void count(const Utility* utilities) {
        RootMove& move = root_[root_move_];
        ++move.visits;
        for (int p = 0; p < tables_.players; ++p) move.utilities[p] += utilities[p];
    }

    void learn(const Step& step, Utility result) {
        tree_.visit(step.strategy);
        const int rate = int(std::min(tree_.visits(step.strategy), 256u));
        double gain = 0;
        tree_.update(step.strategy, [&](std::int64_t& sum, std::uint16_t& mean) {
            gain = (double(result) - mean) / double(step.odds);
            sum += std::int64_t(gain * double(step.share));
            mean = std::uint16_t(mean + (int(result) - mean) / rate);
        });
        tree_.gain(step.edge, std::int64_t(gain));
    }

    // What is maximised: the win share, blended with the rank and with the lead in points.
    void blend(const State& world, Utility* utilities) const {
        int scores[G::kMaxPlayers], ranks[G::kMaxPlayers];
        G::scores(tables_, world, scores);
        G::ranks(tables_, world, ranks);
        const int n = tables_.players;
        const float rank = how_.rank_weight, score = how_.score_weight;
        for (int p = 0; p < n; ++p) {
            int other = scores[p == 0 ? 1 : 0];
            for (int q = 0; q < n; ++q)
                if (q != p) other = std::max(other, scores[q]);
            const float lead = float(scores[p] - other) /
                               float(std::max(std::abs(scores[p]) + std::abs(other), 1));
            const float place = float(n - ranks[p]) / float(n - 1);
            const float value = (1 - rank - score) * float(utilities[p]) / float(kUtilityOne) +
                                rank * place + score * (1 + lead) / 2;
            utilities[p] = Utility(std::clamp(value, 0.0f, 1.0f) * float(kUtilityOne));
        }
    }

    const Tables tables_;
    InfoSet info_{};
    const bool flat_;
    const SearchOptions how_;
    const bool many_;
    const bool evaluates_ = how_.playouts == Playouts::informed && how_.horizon < kNoHorizon;
    const std::uint64_t seed_;
    Rng rng_;
    const std::unique_ptr<Own> own_;  // none beside another searcher
    Tree tree_;
    const Beliefs<G>* const beliefs_;  // none if nothing is believed
    std::optional<Mast<G>> mast_;
    Keys root_keys_{};
    List<Step, kMaxPath> path_;
    List<RootMove, G::kMaxLegal> root_;
    std::size_t root_move_ = 0, flat_next_ = 0;
    int observer_ = 0, depth_ = 0;
    bool mixed_ = false;
    Fork fork_{};
    int forks_ = 0;
    bool teaching_ = false, learning_ = true;
};

HENRO_END
