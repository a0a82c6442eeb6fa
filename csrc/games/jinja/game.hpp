// Jinja behind the Game concept.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/game.hpp"
#include "games/jinja/heuristics.hpp"
#include "games/jinja/knowledge.hpp"

namespace henro {
struct GameOption;
struct Setup;
}  // namespace henro

HENRO_BEGIN
namespace jinja {

struct Game {
    using Tables = jinja::Tables;
    using State = jinja::State;
    using InfoSet = jinja::InfoSet;

    static constexpr const char* kName = "jinja";
    static constexpr int kMinPlayers = jinja::kMinPlayers;
    static constexpr int kMaxPlayers = jinja::kMaxPlayers;
    static constexpr int kNumActions = jinja::kNumActions;
    static constexpr int kMaxLegal = kOmikuji + 1;
    static constexpr int kMaxChance = kOmikuji;
    static SearchOptions search(const Tables&) { return {.prior_weight = 1}; }

    static State initial(const Tables& t) { return jinja::initial(t); }
    static int actor(const State& s) { return jinja::actor(s); }
    static int subject(const Tables& t, const State& s) { return jinja::subject(t, s); }

    static void legal(const Tables& t, const State& s, List<Action, kMaxLegal>& out) {
        choices(t, s).for_each([&](Action a) { out.push(a); });
    }

    static bool is_legal(const Tables& t, const State& s, Action a) {
        if (!is_chance(s.step)) return choices(t, s).contain(a);
        bool found = false;
        for_each_outcome(t, s, [&](Action b, int) { found |= a == b; });
        return found;
    }

    // Sealed are the Omikuji put back and the draft; hidden what is dealt and drawn (D3).
    static bool visible(const Tables& t, const State& s, Action a, int seat) {
        switch (verb_of(a)) {
            case Verb::return_card:
            case Verb::draft: return s.active == seat;
            case Verb::deal_omikuji:
            case Verb::deal_deed:
            case Verb::draw_omikuji: return jinja::subject(t, s) == seat;
            default: return true;
        }
    }

    static void apply(const Tables& t, State& s, Action a) { jinja::apply(t, s, a); }

    static void chance_outcomes(const Tables& t, const State& s,
                                List<ChanceOutcome, kMaxChance>& out) {
        int total = 0;
        for_each_outcome(t, s, [&](Action, int weight) { total += weight; });
        for_each_outcome(t, s,
                         [&](Action a, int weight) { out.push({a, double(weight) / total}); });
    }

    static Action sample_chance(const Tables& t, const State& s, Rng& rng) {
        return jinja::sample_chance(t, s, rng);
    }

    static void utilities(const Tables& t, const State& s, Utility* out) {
        jinja::utilities(t, s, out);
    }
    static void scores(const Tables& t, const State& s, int* out) { jinja::scores(t, s, out); }
    static void ranks(const Tables& t, const State& s, int* out) { jinja::ranks(t, s, out); }

    static InfoSet observe(const Tables& t, const State& s, int seat) {
        return jinja::observe(t, s, seat);
    }
    static State sample(const Tables& t, const InfoSet& info, Rng& rng) {
        return jinja::sample(t, info, rng);
    }
    static std::uint64_t key(const InfoSet& info) { return jinja::key(info); }
    static const State& public_state(const InfoSet& info) { return info.shown; }
    static bool consistent(const Tables& t, const State& s) { return jinja::consistent(t, s); }

    static int playout(const Tables& t, State& s, Rng& rng) {
        for (int plies = 0;;) {
            const int seat = actor(s);
            if (seat == kTerminal) return plies;
            if (seat == kChance) {
                apply(t, s, sample_chance(t, s, rng));
                continue;
            }
            const Choices open = choices(t, s);
            apply(t, s, open.nth(rng.below(open.size())));
            ++plies;
        }
    }

    // Every seat plays by the rule of thumb: a lead over random play says nothing. Quiet are the
    // moments before a worker is placed.
    static int informed_playout(const Tables& t, State& s, Rng& rng, int horizon) {
        for (int plies = 0;;) {
            const int seat = actor(s);
            if (seat == kTerminal || (plies >= horizon && quiet(t, s))) return plies;
            if (seat == kChance) {
                apply(t, s, sample_chance(t, s, rng));
                continue;
            }
            apply(t, s, best_rated(t, s));
            ++plies;
        }
    }

    static bool quiet(const Tables&, const State& s) { return s.step == Step::place; }

    static void evaluate(const Tables& t, const State& s, Utility* out) {
        jinja::evaluate(t, s, out);
    }
    static void priors(const Tables& t, const State& s, const List<Action, kMaxLegal>& legal,
                       float* out) {
        jinja::priors(t, s, legal, out);
    }

    static Action rule_of_thumb(const Tables& t, const State& s) { return jinja::best_rated(t, s); }

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

}  // namespace jinja
HENRO_END
