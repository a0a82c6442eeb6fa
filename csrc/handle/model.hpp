// Any Game behind the type-erased handle.
#pragma once

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "core/handle.hpp"

namespace henro {

// What a game adds for people and programs, beside the rules that search needs (GameRules).
template <class G>
concept GameTexts =
    requires(const typename G::Tables& tables, const Setup& setup, const typename G::State& state,
             const typename G::InfoSet& info, Action action, std::string_view text, float* planes) {
        { G::options() } -> std::same_as<std::vector<GameOption>>;
        { G::tables(setup) } -> std::same_as<typename G::Tables>;  // throws Error(component)
        { G::action_text(setup, action) } -> std::same_as<std::string>;
        {
            G::hidden_text(setup, action)
        } -> std::same_as<std::string>;  // for those who may not see it; "": they are told nothing
        { G::parse_action(setup, text) } -> std::same_as<std::optional<Action>>;
        { G::position_text(setup, state) } -> std::same_as<std::string>;
        { G::view_text(setup, info) } -> std::same_as<std::string>;
        { G::parse_position(setup, tables, text) } -> std::same_as<typename G::State>;
        { G::parse_view(setup, tables, text) } -> std::same_as<typename G::InfoSet>;
        { G::tensor_shape(tables) } -> std::same_as<std::array<std::size_t, 2>>;
        { G::tensor(tables, info, planes) };
    };

template <class G>
    requires GameRules<G> && GameTexts<G>
class Model final : public GameHandle {
    using Tables = typename G::Tables;
    using State = typename G::State;
    using InfoSet = typename G::InfoSet;
    static_assert(G::kMaxLegal <= kMaxLegalAny && G::kMaxPlayers <= kMaxSeats);
    static_assert(sizeof(State) <= sizeof(StateBuffer) && sizeof(InfoSet) <= sizeof(InfoBuffer));

public:
    Model(const Setup& setup, const BulkOps& bulk)
        : setup_(setup), tables_(G::tables(setup)), bulk_(bulk) {}

    static GameFacts make_facts() {
        return {G::kName,      G::kMinPlayers,  G::kMaxPlayers, G::kNumActions,
                sizeof(State), sizeof(InfoSet), G::options()};
    }

    const GameFacts& facts() const override {
        static const GameFacts facts = make_facts();
        return facts;
    }
    const Setup& setup() const override { return setup_; }
    SearchOptions search() const override { return G::search(tables_); }

    void initial(StateBuffer& out) const override { put(out, G::initial(tables_)); }
    int actor(const StateBuffer& s) const override { return G::actor(state(s)); }
    int subject(const StateBuffer& s) const override {
        const int seat = G::actor(state(s));
        return seat == kChance ? G::subject(tables_, state(s)) : seat;
    }
    std::size_t legal(const StateBuffer& s, Action* out) const override {
        if (G::actor(state(s)) < 0) return 0;
        List<Action, G::kMaxLegal> legal;
        G::legal(tables_, state(s), legal);
        std::copy(legal.begin(), legal.end(), out);
        return legal.size();
    }
    bool is_legal(const StateBuffer& s, Action a) const override {
        return G::is_legal(tables_, state(s), a);
    }
    void apply(StateBuffer& s, Action a) const override {
        State next = state(s);
        G::apply(tables_, next, a);
        HENRO_ASSERT(G::consistent(tables_, next));
        put(s, next);
    }
    void chance_outcomes(const StateBuffer& s, std::vector<ChanceOutcome>& out) const override {
        out.clear();
        if (G::actor(state(s)) != kChance) return;
        List<ChanceOutcome, G::kMaxChance> outcomes;
        G::chance_outcomes(tables_, state(s), outcomes);
        out.assign(outcomes.begin(), outcomes.end());
    }
    Action sample_chance(const StateBuffer& s, std::uint64_t seed) const override {
        Rng rng(seed);
        return G::sample_chance(tables_, state(s), rng);
    }
    void utilities(const StateBuffer& s, Utility* out) const override {
        G::utilities(tables_, state(s), out);
    }
    void scores(const StateBuffer& s, int* out) const override {
        G::scores(tables_, state(s), out);
    }
    void ranks(const StateBuffer& s, int* out) const override { G::ranks(tables_, state(s), out); }
    bool equal(const StateBuffer& a, const StateBuffer& b) const override {
        return std::memcmp(a.bytes, b.bytes, sizeof(State)) == 0;
    }

    void evaluate(const StateBuffer& s, Utility* out) const override {
        if (G::actor(state(s)) == kTerminal)
            G::utilities(tables_, state(s), out);
        else
            G::evaluate(tables_, state(s), out);
    }
    void priors(const StateBuffer& s, float* out) const override {
        List<Action, G::kMaxLegal> legal;
        G::legal(tables_, state(s), legal);
        G::priors(tables_, state(s), legal, out);
    }

    void observe(const StateBuffer& s, int seat, InfoBuffer& out) const override {
        put(out, G::observe(tables_, state(s), seat));
    }
    int observer(const InfoBuffer& i) const override { return int(info(i).seat); }
    void public_state(const InfoBuffer& i, StateBuffer& out) const override {
        put(out, G::public_state(info(i)));
    }
    void sample(const InfoBuffer& i, std::uint64_t seed, StateBuffer& out) const override {
        Rng rng(seed);
        put(out, G::sample(tables_, info(i), rng));
    }
    std::uint64_t key(const InfoBuffer& i) const override { return G::key(info(i)); }
    Action greedy(const InfoBuffer& i) const override {
        return G::rule_of_thumb(tables_, G::public_state(info(i)));
    }

    std::string action_text(Action a) const override { return G::action_text(setup_, a); }
    std::optional<Action> parse_action(std::string_view text) const override {
        return G::parse_action(setup_, text);
    }
    std::string event_text(const StateBuffer& s, Action a, int seat) const override {
        return G::visible(tables_, state(s), a, seat) ? G::action_text(setup_, a)
                                                      : G::hidden_text(setup_, a);
    }
    std::string position_text(const StateBuffer& s) const override {
        return G::position_text(setup_, state(s));
    }
    void parse_position(std::string_view text, StateBuffer& out) const override {
        put(out, G::parse_position(setup_, tables_, text));
    }
    std::string view_text(const InfoBuffer& i) const override {
        return G::view_text(setup_, info(i));
    }
    void parse_view(std::string_view text, InfoBuffer& out) const override {
        put(out, G::parse_view(setup_, tables_, text));
    }

    std::array<std::size_t, 2> tensor_shape() const override { return G::tensor_shape(tables_); }
    void tensor(const InfoBuffer& i, float* planes) const override {
        G::tensor(tables_, info(i), planes);
    }

    const void* tables() const override { return &tables_; }
    const BulkOps& bulk() const override { return bulk_; }

private:
    static const State& state(const StateBuffer& s) {
        return *std::launder(reinterpret_cast<const State*>(s.bytes));
    }
    static const InfoSet& info(const InfoBuffer& i) {
        return *std::launder(reinterpret_cast<const InfoSet*>(i.bytes));
    }
    template <class Buffer, class T>
    static void put(Buffer& out, const T& value) {
        new (out.bytes) T(value);
    }

    const Setup setup_;
    const Tables tables_;
    const BulkOps& bulk_;
};

}  // namespace henro
