// Shogun behind the Game concept.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/game.hpp"
#include "games/shogun/heuristics.hpp"
#include "games/shogun/knowledge.hpp"

namespace henro {
struct GameOption;
struct Setup;
}  // namespace henro

HENRO_BEGIN
namespace shogun {

struct Game {
    using Tables = shogun::Tables;
    using State = shogun::State;
    using InfoSet = shogun::InfoSet;

    static constexpr const char* kName = "shogun";
    static constexpr int kMinPlayers = shogun::kMinPlayers;
    static constexpr int kMaxPlayers = shogun::kMaxPlayers;
    static constexpr int kNumActions = shogun::kNumActions;
    static constexpr int kMaxLegal = kMaxDegree * kMaxMoved + 1;
    static constexpr int kMaxChance = kArmies + 1;
    static SearchOptions search(const Tables&) { return {.prior_weight = 0.4f}; }

    static State initial(const Tables& t) { return shogun::initial(t); }
    static int actor(const State& s) { return shogun::actor(s); }
    static int subject(const Tables&, const State& s) { return shogun::subject(s); }

    static void legal(const Tables& t, const State& s, List<Action, kMaxLegal>& out) {
        choices(t, s).for_each([&](Action a) { out.push(a); });
    }

    static bool is_legal(const Tables& t, const State& s, Action a) {
        return shogun::is_legal(t, s, a);
    }

    // Sealed are the plans and the bid (SU14).
    static bool visible(const Tables&, const State& s, Action a, int seat) {
        const Verb verb = verb_of(a);
        return (verb != Verb::plan && verb != Verb::bid) || s.active == seat;
    }

    static void apply(const Tables& t, State& s, Action a) { shogun::apply(t, s, a); }

    static void chance_outcomes(const Tables& t, const State& s,
                                List<ChanceOutcome, kMaxChance>& out) {
        if (s.step == Step::tower) {
            const Pmf pmf = thrown_pmf(t, s);
            for (int k = 0; k <= pmf.most; ++k) out.push({make_tower_action(s.color, k), pmf.p[k]});
            return;
        }
        const Choices outcomes = choices(t, s);
        const double probability = 1.0 / outcomes.size();
        outcomes.for_each([&](Action a) { out.push({a, probability}); });
    }

    static Action sample_chance(const Tables& t, const State& s, Rng& rng) {
        return shogun::sample_chance(t, s, rng);
    }

    static void utilities(const Tables& t, const State& s, Utility* out) {
        shogun::utilities(t, s, out);
    }
    static void scores(const Tables& t, const State& s, int* out) { shogun::scores(t, s, out); }
    static void ranks(const Tables& t, const State& s, int* out) { shogun::ranks(t, s, out); }

    static InfoSet observe(const Tables& t, const State& s, int seat) {
        return shogun::observe(t, s, seat);
    }
    static State sample(const Tables& t, const InfoSet& info, Rng& rng) {
        return shogun::sample(t, info, rng);
    }
    static std::uint64_t key(const InfoSet& info) { return hash_bytes(info); }
    static const State& public_state(const InfoSet& info) { return info.shown; }
    static bool consistent(const Tables& t, const State& s) { return shogun::consistent(t, s); }

    static int playout(const Tables& t, State& s, Rng& rng) {
        for (int plies = 0;; ++plies) {
            for (; actor(s) == kChance;) apply(t, s, sample_chance(t, s, rng));
            if (actor(s) == kTerminal) return plies;
            const Choices moves = choices(t, s);
            apply(t, s, moves.nth(rng.below(moves.size())));
        }
    }

    // Every seat plays by the rule of thumb. Quiet are the moments before a round is planned: what
    // a plan is worth shows only when it has been carried out.
    static int informed_playout(const Tables& t, State& s, Rng& rng, int horizon) {
        for (int plies = 0;; ++plies) {
            for (; actor(s) == kChance;) apply(t, s, sample_chance(t, s, rng));
            if (actor(s) == kTerminal || (plies >= horizon && quiet(t, s))) return plies;
            apply(t, s, best_move(t, s));
        }
    }

    static bool quiet(const Tables&, const State& s) { return nothing_planned(s); }

    static void evaluate(const Tables& t, const State& s, Utility* out) {
        shogun::evaluate(t, s, out);
    }
    static void priors(const Tables& t, const State& s, const List<Action, kMaxLegal>& legal,
                       float* out) {
        shogun::priors(t, s, legal, out);
    }

    static Action rule_of_thumb(const Tables& t, const State& s) { return shogun::best_move(t, s); }

    // For people and programs; defined in text.cpp.
    static std::vector<GameOption> options();
    static Tables tables(const Setup& setup);
    static std::string action_text(const Setup& setup, Action a);
    static std::string hidden_text(const Setup& setup, Action a);
    static std::optional<Action> parse_action(const Setup& setup, std::string_view text);
    static std::string position_text(const Setup& setup, const State& s);
    static std::string view_text(const Setup& setup, const InfoSet& info);
    static State parse_position(const Setup& setup, const Tables& tables, std::string_view text);
    static InfoSet parse_view(const Setup& setup, const Tables& tables, std::string_view text);
    static std::array<std::size_t, 2> tensor_shape(const Tables& tables);
    static void tensor(const Tables& tables, const InfoSet& info, float* planes);
};
static_assert(GameRules<Game>);

}  // namespace shogun
HENRO_END
