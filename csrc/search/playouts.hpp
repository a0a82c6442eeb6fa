// Playouts decision by decision, where a game's own loop cannot be used: the rule of thumb with
// some random decisions, and MAST.
#pragma once

#include <memory>

#include "core/game.hpp"

HENRO_BEGIN

// Moves that did well anywhere in this search are tried again in playouts (move-average sampling,
// Finnsson and Bjornsson, 2008): means by seat and action.
template <GameRules G>
class Mast {
public:
    explicit Mast(int players)
        : means_(std::make_unique<Mean[]>(std::size_t(players) * G::kNumActions)) {}

    void start() { taken_.clear(); }
    void take(int seat, Action action) {
        if (taken_.size() < kMostTaken) taken_.push({std::uint16_t(seat), action});
    }
    void learn(const Utility* utilities) {
        for (const Taken& t : taken_) {
            Mean& mean = of(t.seat, t.action);
            ++mean.count;
            mean.value += (float(utilities[t.seat]) - mean.value) / float(mean.count);
        }
    }
    Action best(int seat, const List<Action, G::kMaxLegal>& legal, Rng& rng) const {
        Action best = 0;
        float best_value = -1;
        int equals = 0;
        for (const Action a : legal) {
            const Mean& mean = of(seat, a);
            const float value = mean.count == 0 ? float(kUtilityOne) : mean.value;
            if (value > best_value) equals = 0;
            if (value >= best_value && rng.below(++equals) == 0) best = a;
            best_value = std::max(best_value, value);
        }
        return best;
    }

private:
    struct Mean {
        float value = 0;
        std::uint32_t count = 0;
    };
    struct Taken {
        std::uint16_t seat;
        Action action;
    };
    static constexpr std::size_t kMostTaken = 2048;

    Mean& of(int seat, Action a) { return means_[std::size_t(seat) * G::kNumActions + a]; }
    const Mean& of(int seat, Action a) const {
        return means_[std::size_t(seat) * G::kNumActions + a];
    }

    std::unique_ptr<Mean[]> means_;
    List<Taken, kMostTaken> taken_;
};

// From a position to the end of the game, or to the first quiet position after `horizon` decisions:
// a share of `random` decisions uniformly at random, the others by `decide(world, seat)`.
template <GameRules G, class Decide>
void play_out_by(const typename G::Tables& tables, typename G::State& world, float random,
                 int horizon, Rng& rng, Decide decide) {
    const int bound = int(random * (1 << 24));
    for (int plies = 0;;) {
        const int seat = G::actor(world);
        if (seat == kTerminal) return;
        if (seat == kChance) {
            G::apply(tables, world, G::sample_chance(tables, world, rng));
            continue;
        }
        if (plies++ >= horizon && G::quiet(tables, world)) return;
        if (bound > 0 && rng.below(1 << 24) < bound) {
            List<Action, G::kMaxLegal> legal;
            G::legal(tables, world, legal);
            G::apply(tables, world, legal[std::size_t(rng.below(int(legal.size())))]);
        } else
            G::apply(tables, world, decide(world, seat));
    }
}

HENRO_END
