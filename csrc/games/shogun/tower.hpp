// Shogun: the cube tower (SU11). In a throw of N cubes each thrown cube comes out with one chance,
// each cube stuck before with another that grows with N, all independently. Also the exact odds of
// a battle, for tools.
#pragma once

#include <algorithm>
#include <array>

#include "games/shogun/state.hpp"

HENRO_BEGIN
namespace shogun {

// A chance as a number of 53 bits: that many random numbers lie below it.
constexpr std::uint64_t below_of(double chance) {
    return std::uint64_t(chance * double(std::uint64_t{1} << 53));
}

// Stuck cubes come out of a throw of N with 1 - (1 - q0) (1 - r)^N. No pow: equal everywhere.
inline Tower make_tower(double seed, double fresh, double q0, double r) {
    Tower tower;
    tower.seed = seed;
    tower.fresh = fresh;
    tower.seed_below = below_of(seed);
    tower.fresh_below = below_of(fresh);
    double kept = 1 - q0;
    for (int n = 0; n <= kMaxThrow; ++n, kept *= 1 - r) {
        tower.stuck[n] = 1 - kept;
        tower.stuck_below[n] = below_of(tower.stuck[n]);
    }
    return tower;
}

// How many of `cubes` come out, one random number for each.
inline int count_out(int cubes, std::uint64_t below, Rng& rng) {
    int out = 0;
    for (int i = 0; i < cubes; ++i) out += rng.next() >> 11 < below;
    return out;
}

// Probabilities of 0..most cubes coming out.
struct Pmf {
    int most = 0;
    std::array<double, kArmies + 1> p{1};

    void add(int cubes, double chance) {
        for (; cubes > 0; --cubes) {
            ++most;
            for (int k = most; k > 0; --k) p[k] = p[k] * (1 - chance) + p[k - 1] * chance;
            p[0] *= 1 - chance;
        }
    }
};

// ---- Odds of a battle

enum class Battle { neutral, player, marked_player, revolt };  // marked: with revolt markers

// The cubes of one side: thrown into the tower (bonus cubes included), in the tray and stuck in
// the tower before. No color has more than kArmies in all.
struct Side {
    int thrown = 0, tray = 0, stuck = 0;
};

struct Fight {
    Battle battle;
    Side attacker;  // none in a revolt
    Side defender;  // none against a neutral province
    Side farmers;
    int others = 0;  // cubes of other colors in the tray
};

// Revolts are told from the farmers' side: if they win or tie, the province is lost.
struct Odds {
    double won = 0, tie = 0, lost = 0;
    std::array<double, kArmies + 1> winners{};  // chance of so many armies in a conquered province
    std::array<double, kArmies + 1> keepers{};  // and in one that its owner keeps
};

inline Odds battle_odds(const Tower& tower, const Fight& fight) {
    const auto thrown = [](const Side& side) { return side.thrown + side.tray; };
    const int n =
        thrown(fight.attacker) + thrown(fight.defender) + thrown(fight.farmers) + fight.others;
    const auto pmf_of = [&](const Side& side) {
        Pmf pmf;
        pmf.add(thrown(side), tower.fresh);
        pmf.add(side.stuck, tower.stuck[n]);
        return pmf;
    };
    const Pmf attackers = pmf_of(fight.attacker), defenders = pmf_of(fight.defender),
              farmers = pmf_of(fight.farmers);
    Odds odds;
    const auto settle = [&](int a, int d, int g, double p) {
        const bool revolt = fight.battle == Battle::revolt;
        const int helpers = fight.battle == Battle::marked_player || revolt ? 0 : g;  // SU33
        const int attack = revolt ? g : a;
        if (attack > d + helpers) {
            odds.won += p;
            if (!revolt) odds.winners[attack - d - helpers] += p;
        } else if (attack == d + helpers || (d == 0 && fight.battle == Battle::player)) {
            odds.tie += p;
        } else {
            odds.lost += p;
            if (d > 0) odds.keepers[d - std::max(0, attack - helpers)] += p;
        }
    };
    for (int a = 0; a <= attackers.most; ++a)
        for (int d = 0; d <= defenders.most; ++d)
            for (int g = 0; g <= farmers.most; ++g)
                settle(a, d, g, attackers.p[a] * defenders.p[d] * farmers.p[g]);
    return odds;
}

}  // namespace shogun
HENRO_END
