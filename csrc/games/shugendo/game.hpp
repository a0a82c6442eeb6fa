// Shugendo behind the Game concept.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/game.hpp"
#include "games/shugendo/heuristics.hpp"
#include "games/shugendo/knowledge.hpp"

namespace henro {
struct GameOption;
struct Setup;
}  // namespace henro

HENRO_BEGIN
namespace shugendo {

struct Game {
    using Tables = shugendo::Tables;
    using State = shugendo::State;
    using InfoSet = shugendo::InfoSet;

    static constexpr const char* kName = "shugendo";
    static constexpr int kMinPlayers = shugendo::kMinPlayers;
    static constexpr int kMaxPlayers = shugendo::kMaxPlayers;
    static constexpr int kNumActions = shugendo::kNumActions;
    static constexpr int kMaxLegal = 2 + kCells;
    static constexpr int kMaxChance = kCards;
    static SearchOptions search(const Tables&) {
        return {.prior_weight = 0.3f, .confidence = 0.2f};
    }

    static State initial(const Tables& t) { return shugendo::initial(t); }
    static int actor(const State& s) { return shugendo::actor(s); }
    static int subject(const Tables&, const State& s) { return shugendo::subject(s); }

    static void legal(const Tables& t, const State& s, List<Action, kMaxLegal>& out) {
        choices(t, s).for_each([&](Action a) { out.push(a); });
    }

    static bool is_legal(const Tables& t, const State& s, Action a) {
        if (!is_chance(s.step)) return choices(t, s).contains(a);
        bool found = false;
        for_each_outcome(t, s, [&](Action b, int) { found |= a == b; });
        return found;
    }

    // Turns of the Reveal and the Action phase are sealed (SG10).
    static bool visible(const Tables&, const State& s, Action, int seat) {
        return !is_sealed(s.phase) || acting_seat(s) == seat;
    }

    static void apply(const Tables& t, State& s, Action a) { shugendo::apply(t, s, a); }

    static void chance_outcomes(const Tables& t, const State& s,
                                List<ChanceOutcome, kMaxChance>& out) {
        int total = 0;
        for_each_outcome(t, s, [&](Action, int weight) { total += weight; });
        for_each_outcome(t, s,
                         [&](Action a, int weight) { out.push({a, double(weight) / total}); });
    }
    static Action sample_chance(const Tables& t, const State& s, Rng& rng) {
        return shugendo::sample_chance(t, s, rng);
    }

    static void utilities(const Tables& t, const State& s, Utility* out) {
        shugendo::utilities(t, s, out);
    }
    static void scores(const Tables& t, const State& s, int* out) { shugendo::scores(t, s, out); }
    static void ranks(const Tables& t, const State& s, int* out) { shugendo::ranks(t, s, out); }

    static InfoSet observe(const Tables& t, const State& s, int seat) {
        return shugendo::observe(t, s, seat);
    }
    static State sample(const Tables& t, const InfoSet& info, Rng& rng) {
        return shugendo::sample(t, info, rng);
    }
    static std::uint64_t key(const InfoSet& info) { return shugendo::key(info); }
    static const State& public_state(const InfoSet& info) { return info.shown; }
    static bool consistent(const Tables& t, const State& s) { return shugendo::consistent(t, s); }

    static int playout(const Tables& t, State& s, Rng& rng) { return shugendo::playout(t, s, rng); }
    static int informed_playout(const Tables& t, State& s, Rng& rng, int horizon) {
        return shugendo::informed_playout(t, s, rng, horizon);
    }
    static bool quiet(const Tables&, const State& s) { return between_rounds(s); }
    static void evaluate(const Tables& t, const State& s, Utility* out) {
        shugendo::evaluate(t, s, out);
    }
    static void priors(const Tables& t, const State& s, const List<Action, kMaxLegal>& legal,
                       float* out) {
        shugendo::priors(t, s, legal, out);
    }
    static Action rule_of_thumb(const Tables& t, const State& s) {
        return shugendo::best_rated(t, s);
    }

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

}  // namespace shugendo
HENRO_END
