// The Game concept: what every game offers to search, solvers and bindings.
//
// A game is a struct without data members in the namespace henro::<game>, named Game, with
//   Tables    component data and player count, built once and read-only,
//   State     a complete position: trivially copyable, no pointers, no padding,
//   InfoSet   all that one seat knows of a position, and nothing else; search starts from it.
// All operations named here are allocation-free.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "core/isa.hpp"
#include "core/list.hpp"
#include "core/rng.hpp"

namespace henro {

using Action = std::uint16_t;

inline constexpr int kChance = -1;
inline constexpr int kTerminal = -4;

// Utilities are exact fractions of kUtilityOne, so that sums are integers and equal on every
// machine; 65520 is divisible by every number up to 10, the sizes of a shared victory.
using Utility = std::uint16_t;
inline constexpr Utility kUtilityOne = 65520;

inline constexpr int kNoHorizon = 1 << 30;  // playouts go to the end

// How a search goes; a game's own Game::search() is what played best in matches.
struct SearchOptions {
    // Whose memory the tree is: the searching seat's alone, or each seat's own.
    enum class Observers : std::uint8_t { one, many };
    // How sealed decisions are chosen: others' by the priors outside the tree, or like any other
    // decision, or from mixed strategies by regret matching or Exp3.
    enum class Sealed : std::uint8_t { priors, tree, regret, exp3 };
    enum class Playouts : std::uint8_t { uniform, informed, mast };
    // Whether several threads grow a tree each or one together.
    enum class Trees : std::uint8_t { separate, shared };

    Playouts playouts = Playouts::informed;
    int horizon = kNoHorizon;  // decisions of an informed playout before the position is evaluated
    float random = 0;          // share of uniformly random decisions in informed and MAST playouts
    Observers observers = Observers::one;
    Sealed sealed = Sealed::priors;
    float exploration = 0.7f;  // of UCB1 and of mixed strategies
    bool tuned = false;        // UCB1-tuned
    float widening = 0;        // above 0: UCB1 tries that many moves times the root of the visits
    float prior_weight = 0;    // above 0: PUCT with the game's priors instead of UCB1
    float confidence = 0;      // PUCT: weight of UCB1's term beside that of the priors
    float first_play = 0;      // PUCT: how far below the mean an untried move is rated
    float rank_weight = 0;     // share of the rank in what is maximised
    float score_weight = 0;    // share of the lead in points in what is maximised
    float beliefs = 0;         // how much others' past choices tell of worlds: power of a policy
    float redetermine = 0;     // share of iterations that teach another seat in a world of its own
    Trees trees = Trees::separate;
};

struct ChanceOutcome {
    Action action;
    double probability;
};

}  // namespace henro

HENRO_BEGIN

template <class G>
concept GameRules =
    requires(const typename G::Tables& tables, typename G::State& state,
             const typename G::State& position, const typename G::InfoSet& info, Action action,
             int seat, Rng& rng, Utility* utilities, int horizon, float* weights, int* ints,
             List<Action, G::kMaxLegal>& legal, List<ChanceOutcome, G::kMaxChance>& chance) {
        requires std::is_trivially_copyable_v<typename G::State>;
        requires std::has_unique_object_representations_v<typename G::State>;
        requires std::is_trivially_copyable_v<typename G::InfoSet>;
        requires std::has_unique_object_representations_v<typename G::InfoSet>;
        { G::kName } -> std::convertible_to<const char*>;
        {
            G::kMinPlayers + G::kMaxPlayers + G::kNumActions + G::kMaxLegal + G::kMaxChance
        } -> std::convertible_to<int>;

        { G::search(tables) } -> std::same_as<SearchOptions>;

        { G::initial(tables) } -> std::same_as<typename G::State>;
        { G::actor(position) } -> std::same_as<int>;  // a seat, kChance or kTerminal
        { G::legal(tables, position, legal) };        // decisions only, ascending
        {
            G::is_legal(tables, position, action)
        } -> std::same_as<bool>;  // decisions and chance events
        { G::apply(tables, state, action) };
        { G::chance_outcomes(tables, position, chance) };
        { G::sample_chance(tables, position, rng) } -> std::same_as<Action>;
        {
            G::subject(tables, position)
        } -> std::same_as<int>;  // seat a chance event concerns, or kChance
        { G::visible(tables, position, action, seat) } -> std::same_as<bool>;

        { G::utilities(tables, position, utilities) };  // of a finished state
        { G::scores(tables, position, ints) };
        { G::ranks(tables, position, ints) };

        { G::observe(tables, position, seat) } -> std::same_as<typename G::InfoSet>;
        { G::sample(tables, info, rng) } -> std::same_as<typename G::State>;
        { G::key(info) } -> std::same_as<std::uint64_t>;
        {
            G::public_state(info)
        } -> std::same_as<const typename G::State&>;  // actor, own legal moves

        {
            G::playout(tables, state, rng)
        } -> std::same_as<int>;  // uniform to the end; decision plies
        // The same by a cheap rule of thumb that is better than chance; ends at the first quiet
        // position after `horizon` decisions: one that can be evaluated.
        { G::informed_playout(tables, state, rng, horizon) } -> std::same_as<int>;
        { G::quiet(tables, position) } -> std::same_as<bool>;

        // The rule of thumb's decision, one ply deep: the greedy baseline.
        { G::rule_of_thumb(tables, position) } -> std::same_as<Action>;

        // What search may go by short of the end: expected utilities of any position, and how
        // likely each legal choice is to be the right one, adding up to 1.
        { G::evaluate(tables, position, utilities) };
        { G::priors(tables, position, legal, weights) };
        {
            G::consistent(tables, position)
        } -> std::same_as<bool>;  // invariants of any reachable state
    };

HENRO_END
