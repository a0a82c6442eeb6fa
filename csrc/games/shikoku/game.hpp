// Shikoku behind the Game concept.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/game.hpp"
#include "games/shikoku/heuristics.hpp"
#include "games/shikoku/knowledge.hpp"
#include "games/shikoku/playout.hpp"

namespace henro {
struct GameOption;
struct Setup;
}  // namespace henro

HENRO_BEGIN
namespace shikoku {

struct Game {
    using Tables = shikoku::Tables;
    using State = shikoku::State;
    using InfoSet = shikoku::InfoSet;

    static constexpr const char* kName = "shikoku";
    static constexpr int kMinPlayers = shikoku::kMinPlayers;
    static constexpr int kMaxPlayers = shikoku::kMaxPlayers;
    static constexpr int kNumActions = kKinds * kCards;
    static constexpr int kMaxLegal = kMaxPlayers;
    static constexpr int kMaxChance = kCards;
    static SearchOptions search(const Tables& t) {
        return {.horizon = t.network ? 0 : kNoHorizon, .exploration = 0.5f};
    }

    static State initial(const Tables& tables) { return shikoku::initial(tables); }
    static int actor(const State& s) { return shikoku::actor(s); }
    static bool is_legal(const Tables&, const State& s, Action a) {
        return shikoku::is_legal(s, a);
    }
    static int subject(const Tables&, const State& s) { return shikoku::subject(s); }
    static bool visible(const Tables&, const State& s, Action a, int seat) {
        return shikoku::visible(s, a, seat);
    }

    static void legal(const Tables&, const State& s, List<Action, kMaxLegal>& out) {
        const Action first = make_action(kind_to_act(s), 1);
        for_each_bit(choices(s), [&](int card) { out.push(Action(first + card - 1)); });
    }

    static void apply(const Tables& tables, State& s, Action a) { shikoku::apply(tables, s, a); }

    static void chance_outcomes(const Tables&, const State& s,
                                List<ChanceOutcome, kMaxChance>& out) {
        const double probability = 1.0 / count(s.deck);
        const Action first = make_action(kind_to_act(s), 1);
        for_each_bit(s.deck, [&](int card) { out.push({Action(first + card - 1), probability}); });
    }

    static Action sample_chance(const Tables&, const State& s, Rng& rng) {
        return random_action(s, rng);
    }

    static void utilities(const Tables& t, const State& s, Utility* out) {
        shikoku::utilities(t, s, out);
    }
    static void scores(const Tables& t, const State& s, int* out) { shikoku::scores(t, s, out); }
    static void ranks(const Tables& t, const State& s, int* out) { shikoku::ranks(t, s, out); }

    static InfoSet observe(const Tables&, const State& s, int seat) {
        return shikoku::observe(s, seat);
    }
    static State sample(const Tables&, const InfoSet& info, Rng& rng) {
        return shikoku::sample(info, rng);
    }
    static std::uint64_t key(const InfoSet& info) { return shikoku::key(info); }
    static const State& public_state(const InfoSet& info) { return info.shown; }

    static int playout(const Tables& t, State& s, Rng& rng) {
        return shikoku::playout(t, s, false, rng);
    }
    // With icons that the network does not know, to the end whatever the horizon.
    static int informed_playout(const Tables& t, State& s, Rng& rng, int horizon) {
        return horizon < kNoHorizon && t.network ? shikoku::play_rounds(t, s, rng, horizon)
                                                 : shikoku::playout(t, s, true, rng);
    }
    static bool quiet(const Tables& t, const State& s) { return t.network && starts_round(s); }
    static void evaluate(const Tables& t, const State& s, Utility* out) {
        shikoku::evaluate(t, s, out);
    }
    static void priors(const Tables& t, const State& s, const List<Action, kMaxLegal>& legal,
                       float* out) {
        shikoku::priors(t, s, legal, out);
    }
    static Action rule_of_thumb(const Tables& t, const State& s) {
        return shikoku::best_rated(t, s);
    }
    static bool consistent(const Tables& t, const State& s) { return shikoku::consistent(t, s); }

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

}  // namespace shikoku
HENRO_END
