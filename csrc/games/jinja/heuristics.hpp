// Jinja: a rule of thumb for every decision, used by the greedy baseline, in informed playouts and
// as the evaluation of unfinished games. It looks at a seat's own cards and at what lies open,
// never at what the seat cannot know. Values are in tenths of an honor point.
#pragma once

#include <limits>

#include "core/real.hpp"
#include "games/jinja/rules.hpp"

HENRO_BEGIN
namespace jinja {

// The figures were fitted by self-play of the rule: win share with margins, 2 to 5 players.
inline constexpr int kGoods = 4;         // anything that counts towards a set of five (J33)
inline constexpr int kCoin = 9;          // Gold, which can also be spent
inline constexpr int kFoxToken = 48;     // not to be used up lightly
inline constexpr int kNewCard = 20;      // an Omikuji: the better of two
inline constexpr int kGift = 57;         // a structure for somebody else
inline constexpr int kLanternTurn = 28;  // two flips and a bonus
inline constexpr int kContested = 30, kLed = 6, kLost = 5;  // a Shrine in a region (J32)
// A Deed in hand costs a placement to build and a part of one for each structure missing.
inline constexpr int kPlacement = 76, kTokenCost = 26;
inline constexpr int kMostPlanned = 6;                                           // Deeds
inline constexpr int kBonusValue[] = {5, 13, 8, 28, 10, 31, 17, 18, 19, 5, 10};  // by Bonus

// Byte-wise max(0, a - b) for bytes below 128.
constexpr std::uint32_t beyond(std::uint32_t a, std::uint32_t b) {
    constexpr std::uint32_t kHigh = 0x80808080u;
    const std::uint32_t difference = (a | kHigh) - b;
    const std::uint32_t kept = (difference & kHigh) >> 7;
    return difference & (kept * 0x7f);
}
constexpr int sum_of_bytes(std::uint32_t bytes) { return int((bytes * 0x01010101u) >> 24); }

// What a position promises one seat.
class Prospects {
public:
    Prospects(const Tables& t, const State& s, int seat)
        : t_(t),
          s_(s),
          seat_(seat),
          hand_(deeds_at(s, at::hand(seat))),
          own_(deeds_at(s, at::built(seat))),
          built_(all_built(s)),
          seasons_(kSeasons - s.season) {
        const int done = s.stage == Stage::work       ? (s.placed + t.players - 1) / t.players
                         : s.stage >= Stage::lanterns ? t.workers
                                                      : 0;
        placements_ = t.workers * seasons_ - done;
        for (int i = 0; i < kTerritories; ++i)
            if ((own_ & t.of_territory[i]) != 0) present_ |= bit(i);
        for_each_bit(omikuji_at(s, 1 + seat), [&](int c) { wish(t.omikuji[c]); });
        for_each_bit(hand_, [&](int d) { values_[d] = std::int16_t(shrine(d)); });
    }

    Bits hand() const { return hand_; }
    Bits own() const { return own_; }
    int placements() const { return placements_; }
    std::uint32_t stock() const { return word_of(me().structures); }
    const Player& me() const { return s_.players[seat_]; }
    int value(int deed) const { return has(hand_, deed) ? values_[deed] : shrine(deed); }

    // What the structures in `stock` and the Deeds in `hand` come to: the best Deeds are built one
    // after the other, as far as the placements last; what is left over counts for sets of five.
    int project(std::uint32_t stock, Bits hand, int placements) const {
        int total = 0, budget = placements * kPlacement;
        for (int built = 0; built < kMostPlanned; ++built) {
            int best = 0, best_cost = 0, best_deed = -1;
            for_each_bit(hand, [&](int d) {
                const int price = expense(d, stock), net = values_[d] - price;
                if (net <= best || price > budget) return;
                best = net;
                best_cost = price;
                best_deed = d;
            });
            if (best_deed < 0) break;
            total += best;
            budget -= best_cost;
            hand &= ~bit(best_deed);
            stock = beyond(stock, word_of(t_.deeds[best_deed].structures));
        }
        return total + kGoods * sum_of_bytes(stock);
    }
    // After the move under consideration.
    int later(std::uint32_t stock, Bits hand) const {
        return project(stock, hand, placements_ - 1);
    }
    int later(std::uint32_t stock) const { return later(stock, hand_); }

    // What it takes to build a Deed.
    int expense(int d, std::uint32_t stock) const {
        const std::uint32_t needed = word_of(t_.deeds[d].structures);
        return kPlacement + kTokenCost * sum_of_bytes(beyond(needed, stock));
    }

    // A Shrine's honor, its bonus and its Lantern for the seasons left, the Omikuji and the region.
    int shrine(int d) const {
        const Deed& deed = t_.deeds[d];
        if (!has_space(t_, built_, deed.territory)) return -100;
        int value = 10 * deed.honor + kBonusValue[int(deed.bonus)] * seasons_;
        if (count(own_ & t_.of_territory[deed.territory]) < 2)
            value += kBonusValue[int(visible_bonus(t_, s_, deed.territory))] * seasons_;
        for (const Wish& wish : wishes_)
            if (has(wish.deeds, d)) value += wish.value;
        return value + region(kRegionOf[deed.territory]);
    }

    // What an Omikuji in hand is likely to bring.
    int promise(const OmikujiCard& card) const {
        const int worth = 10 * card.honor;
        if (card.condition == Condition::most)
            return fulfilled(t_, s_, seat_, card) ? worth * 3 / 4 : worth * 2 / 5;
        const int missing = steps_missing(card);
        if (missing == 0) return worth;
        const bool in_hand = (helpers(card) & hand_) != 0;
        return worth * (in_hand ? 6 : 4) / (10 * missing) - 4 * missing;
    }

    // How much better a Lantern's other side is for the seat.
    int flip(int territory) const {
        const int lantern = lantern_of(s_, territory);
        const bool red = is_red(s_, territory);
        const int better = kBonusValue[int(t_.lanterns[lantern][!red])] -
                           kBonusValue[int(t_.lanterns[lantern][red])];
        const Bits here = t_.of_territory[territory];
        const int mine = std::min(2, count(own_ & here));
        const int others = count(built_ & ~own_ & here);
        return better * seasons_ * (2 * mine - others) * 2 / 3;
    }

    // Honor and goods, finished Shrines and what is still to come.
    int total() const {
        int value = 10 * Honor::get(me()) + kGoods * Gold::get(me()) + kFoxToken * Fox::get(me());
        for_each_bit(own_, [&](int d) {
            const Deed& deed = t_.deeds[d];
            value += 10 * deed.honor + kBonusValue[int(deed.bonus)] * seasons_;
        });
        for (int i = 0; i < kTerritories; ++i)
            value += std::min(2, count(own_ & t_.of_territory[i])) * seasons_ *
                     kBonusValue[int(visible_bonus(t_, s_, i))];
        for_each_bit(omikuji_at(s_, 1 + seat_), [&](int c) { value += promise(t_.omikuji[c]); });
        for (int r = 0; r < kRegions; ++r) {
            const auto [mine, most] = lead(r);
            if (mine > 0 && mine >= most) value += mine > most ? 80 : 40;
        }
        return value + project(stock(), hand_, placements_) + kPlacement * placements_ / 2;
    }

private:
    struct Wish {
        Bits deeds;
        int value;
    };

    // Own Shrines in a region and the most of any other seat.
    struct Lead {
        int mine, most;
    };
    Lead lead(int region) const {
        Bits here = 0;
        for (int i = 0; i < kTerritories; ++i)
            if (kRegionOf[i] == region) here |= t_.of_territory[i];
        int most = 0;
        for (int p = 0; p < t_.players; ++p)
            if (p != seat_) most = std::max(most, count(deeds_at(s_, at::built(p)) & here));
        return {count(own_ & here), most};
    }
    int region(int region) const {
        const auto [mine, most] = lead(region);
        return mine == most || mine + 1 == most ? kContested : mine > most ? kLed : kLost;
    }

    Bits new_territories() const { return (bit(kTerritories) - 1) & ~present_; }
    Bits deeds_in(Bits territories) const {
        Bits deeds = 0;
        for_each_bit(territories, [&](int i) { deeds |= t_.of_territory[i]; });
        return deeds;
    }
    Bits regions_of(Bits territories) const {
        Bits regions = 0;
        for_each_bit(territories, [&](int i) { regions |= bit(kRegionOf[i]); });
        return regions;
    }
    Bits territories_of_regions(Bits regions) const {
        Bits territories = 0;
        for (int i = 0; i < kTerritories; ++i)
            if (has(regions, kRegionOf[i])) territories |= bit(i);
        return territories;
    }

    // Shrines still wanted for a card.
    int steps_missing(const OmikujiCard& card) const {
        switch (card.condition) {
            case Condition::all: return count(Bits{card.where} & ~present_);
            case Condition::distinct: return std::max(0, card.where - count(present_));
            case Condition::regions: return kRegions - count(regions_of(present_));
            default: return (own_ & helpers(card)) == 0;
        }
    }

    // Deeds that take a card a step further.
    Bits helpers(const OmikujiCard& card) const {
        const Bits sized = t_.of_size[int(card.size)];
        switch (card.condition) {
            case Condition::size_terr: return sized & t_.of_territory[card.where];
            case Condition::size_reg:
                return sized & deeds_in(territories_of_regions(bit(card.where)));
            case Condition::most: return sized;
            case Condition::all: return deeds_in(Bits{card.where} & ~present_);
            case Condition::distinct: return deeds_in(new_territories());
            case Condition::regions:
                return deeds_in(territories_of_regions(7 & ~regions_of(present_)));
        }
        return 0;
    }

    void wish(const OmikujiCard& card) {
        if (card.condition == Condition::most) {
            wishes_.push({helpers(card), 2 * card.honor});
        } else if (const int missing = steps_missing(card); missing > 0) {
            wishes_.push({helpers(card), 9 * card.honor / (missing * missing)});
        }
    }

    const Tables& t_;
    const State& s_;
    const int seat_;
    const Bits hand_, own_, built_;
    Bits present_ = 0;  // territories with a Shrine of the seat
    const int seasons_;
    int placements_ = 0;
    List<Wish, kOmikuji> wishes_;
    std::int16_t values_[kDeeds];  // of the Deeds in hand only
};

// Rates the moves of the seat to act.
class Rating {
public:
    Rating(const Tables& t, const State& s)
        : t_(t), s_(s), me_(s.players[s.active]), prospects_(t, s, s.active) {}

    int of(Action a) const {
        const int object = object_of(a);
        switch (verb_of(a)) {
            case Verb::place: return place(object);
            case Verb::fox: return place(object) - kFoxToken;
            case Verb::take: return take(s_.where) + (s_.kitsune == k_pilgrims ? kCoin : 0);
            case Verb::build: return build(object);
            case Verb::search: return prospects_.value(object) - expense(object) + at_once(object);
            case Verb::draft: return prospects_.value(object) - expense(object);
            case Verb::discard: return expense(object) - prospects_.value(object);
            case Verb::return_card: return -prospects_.promise(t_.omikuji[object]);
            case Verb::pick: return take(object);
            case Verb::gain: return kBonusValue[int(visible_bonus(t_, s_, object))];
            case Verb::flip: return flip(object);
            case Verb::keep:
            case Verb::skip:
            case Verb::done: return prospects_.later(stock());
            case Verb::buy: return with(object) - kCoin * Market::price(s_);
            case Verb::sell: return prospects_.later(stock() - one(object)) + kCoin;
            case Verb::choose:
            case Verb::omit: return with(object);
            case Verb::pay: return 10;
            default: return 0;
        }
    }

private:
    static std::uint32_t one(int kind) { return 1u << 8 * kind; }
    std::uint32_t stock() const { return prospects_.stock(); }
    int expense(int deed) const { return prospects_.expense(deed, stock()); }
    int with(int kind) const { return prospects_.later(stock() + one(kind)); }

    std::uint32_t tokens(int territory) const {
        std::uint32_t all = 0;
        for (int k = 0; k < kKinds; ++k) all |= std::uint32_t(token(s_, territory, k)) << 8 * k;
        return all;
    }
    int take(int territory) const { return prospects_.later(stock() + tokens(territory)); }

    int build(int d) const {
        const std::uint32_t paid = word_of(t_.deeds[d].structures);
        int value = prospects_.value(d) +
                    prospects_.later(beyond(stock(), paid), prospects_.hand() & ~bit(d));
        if (s_.kitsune == k_praise) value += 20;
        if (s_.kitsune == k_mason) value += kTokenCost;
        if (s_.step == Step::vow) value -= kCoin;
        return value;
    }

    // J17: a Deed bought back may be built at once.
    int at_once(int d) const {
        const bool present = s_.workers[t_.deeds[d].territory] >> s_.active & 1;
        return present && can_pay(s_, me_, t_.deeds[d]) ? kPlacement : 0;
    }

    int flip(int territory) const {
        int value = prospects_.flip(territory);
        if (s_.step != Step::star) {  // one of those flipped also gives its bonus
            const int lantern = lantern_of(s_, territory);
            value += kBonusValue[int(t_.lanterns[lantern][!is_red(s_, territory)])] / 2;
        }
        return value;
    }

    int best_build(Bits deeds) const {
        int best = 0;
        for_each_bit(buildable(t_, s_, s_.active, deeds),
                     [&](int d) { best = std::max(best, build(d)); });
        return best;
    }

    // A structure drawn from the bag, on average.
    int random_one() const {
        const std::uint32_t tokens = bag(s_);
        const int all = jinja::total(tokens);
        if (all == 0) return 0;
        int sum = 0;
        for (int k = 0; k < kKinds; ++k)
            if (const int n = in_bag(tokens, k); n > 0) sum += n * (with(k) - now());
        return sum / all;
    }
    int best_one() const {
        int best = 0;
        for_each_bit(kinds_in(bag(s_)), [&](int k) { best = std::max(best, with(k) - now()); });
        return best;
    }
    int now() const { return prospects_.later(stock()); }

    int exchange() const {
        int worst = -1, least = std::numeric_limits<int>::max();
        for_each_bit(prospects_.hand(), [&](int d) {
            const int value = prospects_.value(d) - expense(d);
            if (value >= least) return;
            least = value;
            worst = d;
        });
        const Bits rest = prospects_.hand() & ~bit(worst);
        return prospects_.later(stock(), rest) + 3 * random_one() - kGift * (t_.players - 1);
    }

    int buyback() const {
        if (count(prospects_.hand()) > 3) return now();
        int best = 0;
        for_each_bit(deeds_at(s_, at::pile), [&](int d) {
            best = std::max(best, prospects_.value(d) - expense(d) + at_once(d));
        });
        return now() + best;
    }

    // Buying what the best Deed lacks.
    int trade() const {
        int best = now();
        for_each_bit(prospects_.hand(), [&](int d) {
            const std::uint32_t lacking = beyond(word_of(t_.deeds[d].structures), stock());
            const int price = Market::price(s_) * sum_of_bytes(lacking);
            if (price <= Gold::get(me_) && sum_of_bytes(lacking) <= kMostBuys)
                best = std::max(best, prospects_.later(stock() + lacking) - kCoin * price);
        });
        return best;
    }

    int place(int p) const {
        const int paid = kCoin * cost(t_, s_, p);
        if (p < kTerritories)
            return std::max(take(p) + (s_.kitsune == k_pilgrims ? kCoin : 0),
                            best_build(prospects_.hand() & t_.of_territory[p]));
        switch (p) {
            case deed_exchange: return exchange();
            case deed_buyback: return buyback() - paid;
            case omikuji: return now() + kNewCard;
            case gain_territory: {
                int best = 0;
                for (int i = 0; i < kTerritories; ++i)
                    if (s_.tokens[i] != 0) best = std::max(best, take(i));
                return best;
            }
            case territory_build: return best_build(prospects_.hand()) - paid;
            case change_lantern: return now() + kLanternTurn;
            case minor_offering: return now() + (s_.kitsune == k_omen ? 50 : 40) - paid;
            case major_offering: return now() + 60 - paid;
            case market: return trade();
            case roll_structures:
                return now() +
                       (s_.kitsune == k_omen ? best_one() : (2 * random_one() + best_one()) / 2);
            case random_structures: return now() + 2 * random_one() - paid;
            case supplement_gold: return now() + kCoin * s_.supplement;
            default: return now() + kCoin * (s_.kitsune == k_omen ? 6 : 5) / 2;  // roll_gold
        }
    }

    const Tables& t_;
    const State& s_;
    const Player& me_;
    const Prospects prospects_;
};

// The best rated move of the seat to act; ties go to the lower action.
inline Action best_rated(const Tables& t, const State& s) {
    const Choices open = choices(t, s);
    if (open.size() == 1) return open.nth(0);
    const Rating rating(t, s);
    Action best = 0;
    int best_value = std::numeric_limits<int>::min();
    open.for_each([&](Action a) {
        if (const int value = rating.of(a); value > best_value) {
            best_value = value;
            best = a;
        }
    });
    return best;
}

// Win shares as the totals promise: the more placements are left, the less a lead is worth.
inline void evaluate(const Tables& t, const State& s, Utility* out) {
    double shares[kMaxPlayers];
    int placements = 0;
    for (int p = 0; p < t.players; ++p) {
        const Prospects prospects(t, s, p);
        shares[p] = prospects.total();
        placements = prospects.placements();
    }
    softmax(shares, std::size_t(t.players), 30 + 3 * placements);
    for (int p = 0; p < t.players; ++p) out[p] = Utility(kUtilityOne * shares[p]);
}

// Shares of the moves by their rating.
template <class Actions>
void priors(const Tables& t, const State& s, const Actions& actions, float* out) {
    constexpr double kScale = 12;
    const Rating rating(t, s);
    const std::size_t n = actions.size();
    double shares[kOmikuji + 1];
    for (std::size_t i = 0; i < n; ++i) shares[i] = rating.of(actions[i]);
    softmax(shares, n, kScale);
    std::copy(shares, shares + n, out);
}

}  // namespace jinja
HENRO_END
