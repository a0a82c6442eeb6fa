// What a seat believes after what others have chosen: a particle filter (Gordon, Salmond and Smith,
// 1993). Particles are worlds drawn at an earlier decision of the seat and taken through all that
// it has seen since: what it could not see is drawn, and what it saw counts by how likely that was
// in the world. Others choose by a policy: the game's priors with a uniform share, so that nothing
// is impossible, to the power `strength` (0: uniformly).
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>

#include "core/game.hpp"
#include "core/real.hpp"

HENRO_BEGIN

template <GameRules G>
class Beliefs {
public:
    using Tables = typename G::Tables;
    using State = typename G::State;
    using InfoSet = typename G::InfoSet;

    Beliefs(const Tables& tables, float strength, std::uint64_t seed)
        : tables_(tables),
          scale_(1 / double(strength)),
          rng_(seed, kStream),
          worlds_(std::make_unique<State[]>(kParticles)),
          spare_(std::make_unique<State[]>(kParticles)) {}

    // From one decision of the seat to a later one, through the actions it saw in between.
    void advance(const InfoSet& before, const InfoSet& now, std::span<const Action> seen) {
        seat_ = G::actor(G::public_state(before));
        if (!begun_)
            for (int i = 0; i < kParticles; ++i) worlds_[i] = G::sample(tables_, before, rng_);
        begun_ = true;
        weights_.fill(1);
        for (const Action action : seen) {
            weigh([&](State& world) { return follow(world, action); });
            const double n = effective();
            if (n == 0) break;
            if (2 * n < kParticles) resample(G::observe(tables_, survivor(), seat_), n);
        }
        weigh([&, key = G::key(now)](State& world) {
            pass_unseen(world);
            return double(G::key(G::observe(tables_, world, seat_)) == key);
        });
        resample(now, effective());
    }

    // A world for an iteration: now and then any that is possible.
    State draw(const InfoSet& info, Rng& rng) const {
        if (!begun_ || rng.below(kOneIsFresh) == 0) return G::sample(tables_, info, rng);
        return worlds_[rng.below(kParticles)];
    }

private:
    using Legal = List<Action, G::kMaxLegal>;
    static constexpr int kParticles = 1024;
    static constexpr int kOneIsFresh = 10;   // of so many worlds one owes nothing to the past
    static constexpr double kDoubt = 16;     // so many particles are trusted half
    static constexpr double kUniform = 0.2;  // share of the policy
    static constexpr std::uint64_t kStream = 2;

    template <class Likelihood>
    void weigh(Likelihood likelihood) {
        double sum = 0;
        for (int i = 0; i < kParticles; ++i)
            if (double& weight = weights_[i]; weight > 0) sum += weight *= likelihood(worlds_[i]);
        for (double& weight : weights_) weight = sum > 0 ? weight / sum : 0;
    }

    // How many particles of equal weight would tell as much (Kong, 1992); 0 if none is left.
    double effective() const {
        double squares = 0;
        for (const double weight : weights_) squares += weight * weight;
        return squares > 0 ? 1 / squares : 0;
    }

    const State& survivor() const {
        const auto most = std::max_element(weights_.begin(), weights_.end());
        return worlds_[most - weights_.begin()];
    }

    // Particles by their weights (systematic resampling, Kitagawa 1996). The fewer they owe their
    // weight to, the more of them are drawn anew from what the seat knows: all if none is left.
    void resample(const InfoSet& info, double effective) {
        const int kept = int(kParticles * effective / (effective + kDoubt));
        const double start = rng_.unit<double>() + 1e-9;  // at 0 a world without weight may lie
        double passed = weights_[0];
        for (int i = 0, from = 0; i < kept; ++i) {
            for (const double at = (i + start) / kept; passed < at && from + 1 < kParticles;)
                passed += weights_[++from];
            spare_[i] = worlds_[from];
        }
        for (int i = kept; i < kParticles; ++i) spare_[i] = G::sample(tables_, info, rng_);
        std::swap(worlds_, spare_);
        weights_.fill(1.0 / kParticles);
    }

    // Up to the next action that the seat sees, drawing those it does not see.
    void pass_unseen(State& world) {
        for (;;) {
            const int actor = G::actor(world);
            if (actor == kTerminal || actor == seat_) return;
            Legal legal;
            if (actor != kChance) G::legal(tables_, world, legal);
            const Action first =
                actor == kChance ? G::sample_chance(tables_, world, rng_) : legal[0];
            if (G::visible(tables_, world, first, seat_)) return;
            G::apply(tables_, world, actor == kChance ? first : draw(world, legal));
        }
    }

    // Takes the world past the action; how likely it was there. A world in which it could not
    // happen is left where it is.
    double follow(State& world, Action action) {
        pass_unseen(world);
        const double likelihood = likelihood_of(world, action);
        if (likelihood > 0) G::apply(tables_, world, action);
        return likelihood;
    }

    double likelihood_of(const State& world, Action action) const {
        const int actor = G::actor(world);
        if (actor == kTerminal) return 0;
        if (actor == kChance) {
            List<ChanceOutcome, G::kMaxChance> outcomes;
            G::chance_outcomes(tables_, world, outcomes);
            for (const ChanceOutcome& outcome : outcomes)
                if (outcome.action == action) return outcome.probability;
            return 0;
        }
        Legal legal;
        G::legal(tables_, world, legal);
        const Action* const found = std::find(legal.begin(), legal.end(), action);
        if (found == legal.end()) return 0;
        if (actor == seat_) return 1;
        std::array<double, G::kMaxLegal> shares;
        policy(world, legal, shares.data());
        return shares[std::size_t(found - legal.begin())];
    }

    Action draw(const State& world, const Legal& legal) {
        if (legal.size() == 1) return legal[0];
        std::array<double, G::kMaxLegal> shares;
        policy(world, legal, shares.data());
        return legal[rng_.draw(shares.data(), legal.size())];
    }

    void policy(const State& world, const Legal& legal, double* shares) const {
        constexpr double kOne = 1 << 24;
        const std::size_t n = legal.size();
        std::array<float, G::kMaxLegal> priors;
        G::priors(tables_, world, legal, priors.data());
        for (std::size_t i = 0; i < n; ++i) {
            const double share = (1 - kUniform) * double(priors[i]) + kUniform / double(n);
            shares[i] = double(kLog(std::uint32_t(share * kOne)));
        }
        softmax(shares, n, scale_);
    }

    const Tables& tables_;
    const double scale_;
    Rng rng_;
    int seat_ = 0;
    bool begun_ = false;
    std::unique_ptr<State[]> worlds_, spare_;
    std::array<double, kParticles> weights_;
};

HENRO_END
