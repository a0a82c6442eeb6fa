// Jinja: a rule of thumb for every decision, used by the greedy baseline and in informed playouts.
// Ratings are in tenths of an honor point and look at the deciding seat's own cards and at what
// lies open, never at what it cannot know.
#pragma once

#include <limits>

#include "games/jinja/rules.hpp"

HENRO_BEGIN
namespace jinja {

inline constexpr int kToken = 8, kCoin = 8, kFoxToken = 30;
inline constexpr int kBonusValue[] = {8, 16, 10, 20, 8, 16, 10, 15, 12, 12, 8};  // by Bonus

class Rating {
public:
    Rating(const Tables& t, const State& s)
        : t_(t),
          s_(s),
          me_(s.players[s.active]),
          hand_(deeds_at(s, at::hand(s.active))),
          own_(deeds_at(s, at::built(s.active))) {}

    int of(Action a) const {
        const int object = object_of(a);
        switch (verb_of(a)) {
            case Verb::place: return place(object);
            case Verb::fox: return place(object) - kFoxToken;
            case Verb::take: return kToken * tokens(s_.where) + (s_.kitsune == k_pilgrims) * kCoin;
            case Verb::build: return build(object);
            case Verb::search:
            case Verb::draft: return plan(object);
            case Verb::discard: return -plan(object);
            case Verb::return_card: return -promise(t_.omikuji[object]);
            case Verb::pick: return kToken * tokens(object);
            case Verb::gain: return kBonusValue[int(visible_bonus(t_, s_, object))];
            case Verb::flip: return flip_value(object);
            case Verb::buy: return 5 * wanted(object) - Market::price(s_);
            case Verb::choose: return wanted(object);
            case Verb::sell: return -1 - 5 * wanted(object);
            case Verb::omit: return wanted(object);
            case Verb::pay: return 1;
            default: return 0;
        }
    }

private:
    int tokens(int territory) const {
        int sum = 0;
        for (int k = 0; k < kKinds; ++k) sum += token(s_, territory, k);
        return sum;
    }

    int missing(const Deed& deed) const {
        int sum = 0;
        for (int k = 0; k < kKinds; ++k)
            sum += std::max(0, int(deed.structures[k]) - int(me_.structures[k]));
        return sum;
    }

    // A Shrine's honor, its bonus for the seasons left and the Omikuji it helps, less its tokens.
    int build(int d) const {
        const Deed& deed = t_.deeds[d];
        int value = 10 * deed.honor + kBonusValue[int(deed.bonus)] * (kSeasons - s_.season);
        for (const int k : deed.structures) value -= kToken * k;
        if (s_.kitsune == k_praise) value += 20;
        if (s_.kitsune == k_mason) value += kToken;
        for_each_bit(omikuji_at(s_, 1 + s_.active), [&](int c) {
            if (helps(t_.omikuji[c], deed)) value += 10 * t_.omikuji[c].honor / 2;
        });
        return value + 15;
    }

    bool helps(const OmikujiCard& card, const Deed& deed) const {
        const bool new_here = (own_ & t_.of_territory[deed.territory]) == 0;
        switch (card.condition) {
            case Condition::size_terr:
                return card.size == deed.size && card.where == deed.territory;
            case Condition::size_reg:
                return card.size == deed.size && card.where == kRegionOf[deed.territory];
            case Condition::all: return new_here && (card.where >> deed.territory & 1);
            case Condition::most: return card.size == deed.size;
            default: return new_here;
        }
    }

    // How good it is to hold a Deed: cheap to finish, much honor, space left.
    int plan(int d) const {
        const Deed& deed = t_.deeds[d];
        return has_space(t_, all_built(s_), deed.territory) ? build(d) - 2 * kToken * missing(deed)
                                                            : -200;
    }

    int promise(const OmikujiCard& card) const {
        int value = 4 * card.honor;
        if (fulfilled(t_, s_, s_.active, card)) return 3 * value;
        for_each_bit(hand_, [&](int d) { value += helps(card, t_.deeds[d]) ? card.honor : 0; });
        return value;
    }

    // How often a kind is missing for the Deeds in hand.
    int wanted(int kind) const {
        int sum = 0;
        for_each_bit(hand_,
                     [&](int d) { sum += t_.deeds[d].structures[kind] > me_.structures[kind]; });
        return sum;
    }

    int flip_value(int territory) const {
        const int shrines = std::min(2, count(own_ & t_.of_territory[territory]));
        return is_red(s_, territory) ? -10 * shrines : 10 * shrines;
    }

    int best_build(Bits deeds) const {
        int best = -1000;
        for_each_bit(buildable(t_, s_, s_.active, deeds),
                     [&](int d) { best = std::max(best, build(d)); });
        return best;
    }

    int place(int p) const {
        const int paid = kCoin * cost(t_, s_, p);
        if (p < kTerritories)
            return std::max(kToken * tokens(p), best_build(hand_ & t_.of_territory[p]));
        switch (p) {
            case deed_exchange: {
                int worst = 1000;
                for_each_bit(hand_, [&](int d) { worst = std::min(worst, plan(d)); });
                return 3 * kToken - 4 * (s_.count - 1) - std::max(0, worst / 2);
            }
            case deed_buyback: return 14 - paid;
            case omikuji: return 30 - 4 * s_.season;
            case gain_territory: {
                int most = 0;
                for (int i = 0; i < kTerritories; ++i) most = std::max(most, tokens(i));
                return kToken * most;
            }
            case territory_build: return best_build(hand_) - paid;
            case change_lantern: return 14;
            case minor_offering: return 40 - paid;
            case major_offering: return 60 - paid;
            case market: {
                int useful = 0;
                for (int k = 0; k < kKinds; ++k) useful += wanted(k) > 0;
                return 2 * std::min(useful, Gold::get(me_) / 2);
            }
            case roll_structures: return 13;
            case random_structures: return 2 * kToken - paid;
            case supplement_gold: return kCoin * s_.supplement;
            default: return 5 * kCoin / 2;
        }
    }

    const Tables& t_;
    const State& s_;
    const Player& me_;
    const Bits hand_, own_;
};

// The best rated move of the seat to act; ties go to the lower action.
inline Action best_rated(const Tables& t, const State& s) {
    const Rating rating(t, s);
    Action best = 0;
    int best_value = std::numeric_limits<int>::min();
    choices(t, s).for_each([&](Action a) {
        if (const int value = rating.of(a); value > best_value) {
            best_value = value;
            best = a;
        }
    });
    return best;
}

}  // namespace jinja
HENRO_END
