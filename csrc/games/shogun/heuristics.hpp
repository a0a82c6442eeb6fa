// Shogun: a rule of thumb for every decision, used by the greedy baseline and in informed playouts.
// It looks at what lies open and at the deciding seat's own plans, never at what that seat cannot
// know. Its weights were fitted by play of the rule against itself. Values are in quarters of an
// army or a victory point.
#pragma once

#include "core/real.hpp"
#include "games/shogun/rules.hpp"

HENRO_BEGIN
namespace shogun {

class Thumb {
public:
    Thumb(const Tables& t, const State& s)
        : t_(t), s_(s), seat_(s.active), own_(s.owned[s.active]), all_owned_(all_owned(s)) {}

    Action best() const {
        switch (s_.step) {
            case Step::claim: return claim();
            case Step::group: return group();
            case Step::plan: return plan();
            case Step::bid: return bid();
            case Step::pick: return pick();
            case Step::move: return move();
            default: return revolt();
        }
    }

private:
    // The element of `set` that `value` rates best, the lowest of equals; none if all are <= floor.
    struct Best {
        int object, value;
    };
    template <class F>
    static Best best_of(Bits set, int floor, F&& value) {
        Best best{-1, floor};
        for_each_bit(set, [&](int object) {
            if (const int v = value(object); v > best.value) best = {object, v};
        });
        return best;
    }

    int foreign_neighbors(int province) const { return count(t_.adjacent[province] & ~own_); }

    // -- Draft: rich provinces that lie together, the largest group first.

    int worth(int province) const {
        int near = 0;
        for (const Bits region : t_.regions)
            if (has(region, province)) near = count(region & own_);
        return t_.chests[province] + t_.rice[province] + 2 * t_.spaces[province] + near +
               2 * count(t_.adjacent[province] & own_) - count(t_.adjacent[province]);
    }

    Action claim() const {
        constexpr int kUsual = 9;  // of a card drawn blindly
        const Best best = best_of(open_pair(s_.draft), kUsual, [&](int i) { return worth(i); });
        return best.object < 0 ? make_action(Verb::blind) : make_action(Verb::claim, best.object);
    }

    Action group() const {
        const Bits sizes = choices(t_, s_).objects;
        return make_action(Verb::group, int(std::bit_width(sizes)) - 1);
    }

    // -- Planning: the spaces that matter most choose their provinces first. Each ply works out the
    // choices of the spaces before it in that order that are still to be planned.

    static constexpr int kPriority[kActions] = {tax,    rice,    battlea, battleb, castle,
                                                temple, deploy5, theater, deploy3, deploy1};

    Action plan() const {
        const Laid laid(s_.plans.cards[seat_]);
        const int province = best_province(laid);
        int card = province;
        if (province < 0)
            card = laid.blanks < kChestCards                ? card::blank
                   : laid.empties < empties_of(count(own_)) ? card::empty
                                                            : least_useful(own_ & ~laid.provinces);
        return make_action(Verb::plan, s_.index * kPlanCards + card);
    }

    // For the space to plan, -1 if none is worth it.
    int best_province(const Laid& laid) const {
        constexpr int kExpectedTax = 5;
        Bits left = own_ & ~laid.provinces;
        int budget = s_.chests[seat_] + kExpectedTax - planned_price();
        for (const int action : kPriority) {
            if (action < s_.index) continue;
            int province = -1;
            if (budget >= t_.price[action]) province = best_for(action, left);
            if (action == s_.index) return province;
            if (province < 0) continue;
            left &= ~bit(province);
            budget -= t_.price[action];
        }
        return -1;
    }

    int planned_price() const {
        int sum = 0;
        for (int i = 0; i < s_.index; ++i)
            if (card::is_province(s_.plans.cards[seat_][i])) sum += t_.price[i];
        return sum;
    }

    int best_for(int action, Bits provinces) const {
        switch (action) {
            case castle:
            case temple:
            case theater: return best_site(action, provinces);
            case rice: {
                constexpr int kReserve = 3;  // the usual loss of winter
                if (s_.rice[seat_] >= count(own_) + kReserve) return -1;
                return best_income(t_.rice, provinces);
            }
            case tax: return best_income(t_.chests, provinces);
            case battlea:
            case battleb: return best_base(provinces);
            default:
                return best_of(
                           provinces, 0,
                           [&](int i) { return 2 * foreign_neighbors(i) + buildings_in(s_, i); })
                    .object;
        }
    }

    int best_income(const std::uint8_t (&income)[kProvinces], Bits provinces) const {
        const auto value = [&](int i) { return 4 * income[i] - s_.armies[i]; };
        const Bits quiet = provinces & ~(s_.markers[0] | s_.markers[1]);
        if (quiet != 0) return best_of(quiet, -kArmies, value).object;
        return best_of(provinces, 0,
                       [&](int i) {  // a revolt is risked only by a strong garrison
                           constexpr int kStrong = 3;
                           return s_.armies[i] >= kStrong + markers_in(s_, i) ? value(i) : 0;
                       })
            .object;
    }

    int best_site(int kind, Bits provinces) const {
        Bits sites = provinces & ~s_.buildings[kind];
        for_each_bit(sites & (s_.buildings[0] | s_.buildings[1] | s_.buildings[2]), [&](int i) {
            if (buildings_in(s_, i) >= t_.spaces[i]) sites &= ~bit(i);
        });
        Best best{-1, -2 * kMaxDegree};
        for (const Bits region : t_.regions) {
            if ((sites & region) == 0) continue;
            const int gain = 1 + majority_gain(kind, region);
            const Best here = best_of(sites & region, best.value, [&](int i) {
                return 4 * gain + std::min<int>(s_.armies[i], 3) - 2 * foreign_neighbors(i);
            });
            if (here.object >= 0) best = here;
        }
        return best.object;
    }

    // What one more building would bring in the region.
    int majority_gain(int kind, Bits region) const {
        const Bits built = s_.buildings[kind] & region;
        const int mine = count(built & own_);
        int most = 0;
        for (int p = 0; p < t_.players; ++p)
            if (p != seat_) most = std::max(most, count(built & s_.owned[p]));
        const int full = kBuildings - kind;
        if (mine == most) return mine == 0 ? full : 1;
        return mine + 1 == most ? full - 1 : 0;
    }

    // Where an attack promises most.
    int best_base(Bits provinces) const {
        return best_of(provinces, 0,
                       [&](int i) {
                           return s_.armies[i] < 3 ? 0
                                                   : best_target(i, t_.adjacent[i] & ~own_).value;
                       })
            .object;
    }

    int least_useful(Bits provinces) const {
        return best_of(provinces, -kArmies - 1, [&](int i) { return -s_.armies[i]; }).object;
    }

    // -- Battles

    // Armies by which an attack is expected to win, in quarters.
    int margin(int from, int target) const {
        const int owner = owner_of(s_, target);
        const int attackers = s_.armies[from] - 1 + int(holds(s_, seat_, s_attack));
        const int out = 3 * attackers + s_.tower[seat_] + 3 * s_.tray[seat_];
        if (owner == kNobody) return out - 3 - s_.tower[kGreen] - 3 * s_.tray[kGreen];
        const int farmers =
            markers_in(s_, target) == 0 ? s_.tower[kGreen] + 3 * s_.tray[kGreen] : 0;
        return out - 3 * (s_.armies[target] + int(holds(s_, owner, s_defend))) - s_.tower[owner] -
               3 * s_.tray[owner] - farmers;
    }

    Best best_target(int from, Bits targets) const {
        constexpr int kSafe = 2;  // half an army
        return best_of(targets, 0, [&](int target) {
            const int odds = margin(from, target) - kSafe;
            if (odds <= 0) return 0;
            const int prize = 1 + buildings_in(s_, target) + int(has(all_owned_, target));
            return std::min(odds, 8) + 4 * prize;
        });
    }

    Action move() const {
        const int from = moved_from(s_);
        const Bits targets = choices(t_, s_).objects;
        const Best attack = best_target(from, targets & ~own_);
        if (attack.object >= 0) return march(from, attack.object);
        // From the interior to where the enemies are.
        if (foreign_neighbors(from) > 0) return make_action(Verb::stay);
        const Best border = best_of(targets & own_, 0, [&](int i) { return foreign_neighbors(i); });
        return border.object < 0 ? make_action(Verb::stay) : march(from, border.object);
    }

    Action march(int from, int target) const {
        return make_action(Verb::move, target * kMaxMoved + s_.armies[from] - 2);
    }

    // -- The rest

    // Nothing is paid for an early turn: a province card that is left, else no chests.
    Action bid() const { return choices(t_, s_).nth(0); }

    // The privilege that helps most what was planned.
    Action pick() const {
        const auto planned = [&](int action) {
            return int(card::is_province(s_.plans.cards[seat_][action]));
        };
        const int use[kSpecials] = {4 * (planned(battlea) + planned(battleb)), 4, 2 * planned(tax),
                                    planned(rice), 2 * planned(deploy5)};
        const Best best = best_of(specials_left(s_), -1, [&](int special) { return use[special]; });
        return make_action(Verb::pick, best.object);
    }

    // The province that is worth most to the victim, the weaker of equals, before farmers are few.
    Action revolt() const {
        const Best best = best_of(s_.winter.drawn, -1, [&](int i) {
            return kArmies * (1 + buildings_in(s_, i)) - s_.armies[i];
        });
        return make_action(Verb::revolt, best.object);
    }

    const Tables& t_;
    const State& s_;
    const int seat_;
    const Bits own_, all_owned_;
};

inline Action best_move(const Tables& t, const State& s) { return Thumb(t, s).best(); }

// ---- What search goes by

// What a seat has, in quarters of a victory point: points, those that its provinces and buildings
// bring in the winters to come, and a little for armies, chests and rice in store.
inline int prospects(const Tables& t, const State& s, int seat) {
    const int winters = s.round <= 4 ? 2 : s.round <= kRounds ? 1 : 0;
    const Bits own = s.owned[seat];
    int buildings = 0, armies = 0;
    for (const Bits built : s.buildings) buildings += count(built & own);
    for_each_bit(own, [&](int i) { armies += s.armies[i]; });
    int lead = 0;
    for (const Bits region : t.regions)
        for (int kind = 0; kind < kBuildings; ++kind) {
            const Bits built = s.buildings[kind] & region;
            const int mine = count(built & own);
            if (mine == 0) continue;
            int most = 0;
            for (int p = 0; p < t.players; ++p)
                if (p != seat) most = std::max(most, count(built & s.owned[p]));
            if (mine >= most) lead += kBuildings - kind - int(mine == most);
        }
    constexpr int kUsualLoss = 3;
    const int missing = is_winter(s) ? 0 : std::max(0, count(own) + kUsualLoss - s.rice[seat]);
    return 4 * s.points[seat] + 4 * winters * (count(own) + buildings + lead) + 2 * armies +
           s.chests[seat] - missing;
}

inline void evaluate(const Tables& t, const State& s, Utility* out) {
    double shares[kMaxPlayers];
    for (int p = 0; p < t.players; ++p) shares[p] = prospects(t, s, p);
    softmax(shares, std::size_t(t.players), 6 + 4 * (kRounds - s.round));
    for (int p = 0; p < t.players; ++p) out[p] = Utility(kUtilityOne * shares[p]);
}

// Half for the rule's move, the rest for all alike.
template <class Actions>
void priors(const Tables& t, const State& s, const Actions& actions, float* out) {
    const Action best = best_move(t, s);
    const std::size_t n = actions.size();
    for (std::size_t i = 0; i < n; ++i)
        out[i] = (actions[i] == best ? 0.5f : 0.0f) + 0.5f / float(n);
}

}  // namespace shogun
HENRO_END
