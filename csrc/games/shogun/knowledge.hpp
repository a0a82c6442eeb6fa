// Shogun: what a seat knows, and worlds drawn from it (SU18, SU57).
#pragma once

#include "core/error.hpp"
#include "core/hash.hpp"
#include "games/shogun/rules.hpp"

HENRO_BEGIN
namespace shogun {

// ---- What is hidden

inline bool is_planning(const State& s) { return s.step == Step::plan || s.step == Step::bid; }

// Whether seats other than its owner do not see what lies on a planning space.
inline bool is_sealed(const State& s, Bits shown, int space, int card) {
    if (card == card::unset) return false;
    if (is_planning(s)) return true;
    return card != card::empty && card != card::lost && !has(shown, space);
}

// Planning spaces that all have turned over.
inline Bits shown_spaces(const State& s) {
    Bits shown = bids_shown(s) ? bit(bid_space) : 0;
    for (int i = fields_shown(s) - 1; i >= 0; --i) shown |= bit(s.fields[i]);
    return shown;
}

inline bool has_plans(const State& s) { return !is_setup(s) && !is_winter(s); }

inline InfoSet observe(const Tables& t, const State& s, int seat) {
    InfoSet info{s, std::uint8_t(seat), {}};
    if (!has_plans(s)) return info;
    const Bits shown = shown_spaces(s);
    for (int p = 0; p < t.players; ++p) {
        if (p == seat) continue;
        for (int i = 0; i < kSpaces; ++i) {
            std::uint8_t& card = info.shown.plans.cards[p][i];
            if (is_sealed(s, shown, i, card)) card = card::hidden;
        }
    }
    return info;
}

// ---- Sampling

// Ways to lay k of n cards on k places, n * (n - 1) * ...
inline constexpr auto kArrangements = [] {
    std::array<std::array<std::uint64_t, kActions + 1>, kProvinces + 1> table{};
    for (int n = 0; n <= kProvinces; ++n) {
        table[n][0] = 1;
        for (int k = 1; k <= std::min(n, kActions); ++k)
            table[n][k] = table[n][k - 1] * std::uint64_t(n - k + 1);
    }
    return table;
}();

// Ways to choose k of n places.
inline constexpr auto kChoose = [] {
    std::array<std::array<std::uint64_t, kActions + 1>, kActions + 1> table{};
    for (int n = 0; n <= kActions; ++n) {
        table[n][0] = 1;
        for (int k = 1; k <= n; ++k)
            table[n][k] = table[n - 1][k - 1] + (k < n ? table[n - 1][k] : 0);
    }
    return table;
}();

// What may lie on the spaces of one seat that the observer does not see: any cards that the rules
// of planning allow (SU57).
class SealedCards {
public:
    SealedCards(const State& shown, int seat)
        : candidates_(shown.owned[seat] & ~shown.plans.changed),
          values_(std::min(shown.chests[seat] + 1, kChestCards)),
          empties_(is_planning(shown) ? empties_of(count(shown.owned[seat])) : 0) {
        const std::uint8_t (&cards)[kSpaces] = shown.plans.cards[seat];
        for (int i = 0; i < kSpaces; ++i) {
            if (cards[i] == card::hidden)
                spaces_ |= bit(i);
            else if (card::is_province(cards[i]))
                candidates_ &= ~bit(cards[i]);
            else
                blanks_ -= cards[i] == card::blank || card::is_chest_bid(cards[i]);
        }
        actions_ = count(spaces_ & ~bit(bid_space));
    }

    // The number of ways; 0 if what is seen is impossible.
    std::uint64_t ways() const {
        std::uint64_t sum = 0;
        for_each_mix([&](int, int, std::uint64_t ways) { sum += ways; });
        return sum;
    }

    // Lays one of the ways, all equally likely.
    void lay(std::uint8_t (&cards)[kSpaces], Rng& rng) const {
        if (spaces_ == 0) return;
        const std::uint64_t all = ways();
        if (all == 0) throw Error(ErrorKind::view, "view: no plan can lie where one is hidden");
        std::uint64_t left =
            std::uint64_t((static_cast<unsigned __int128>(rng.next()) * all) >> 64);
        int blanks = 0, empties = 0;
        bool found = false;
        for_each_mix([&](int b, int e, std::uint64_t ways) {
            if (found) return;
            if (left < ways) {
                found = true;
                blanks = b;
                empties = e;
            } else {
                left -= ways;
            }
        });
        lay_mix(cards, blanks, empties, rng);
    }

private:
    // Calls visit(blanks, empties, ways) for each mix of cards on the action spaces.
    template <class F>
    void for_each_mix(F&& visit) const {
        const int cards = count(candidates_);
        for (int e = 0; e <= std::min(empties_, actions_); ++e)
            for (int b = 0; b <= std::min(blanks_, actions_ - e); ++b) {
                const int provinces = actions_ - e - b;
                if (provinces > cards) continue;
                const std::uint64_t ways = kChoose[actions_][e] * kChoose[actions_ - e][b] *
                                           kArrangements[cards][provinces] *
                                           std::uint64_t(bids(b, e, cards - provinces));
                if (ways > 0) visit(b, e, ways);
            }
    }

    bool bid_sealed() const { return has(spaces_, bid_space); }

    // Ways to fill the bid space once the action spaces are filled.
    int bids(int blanks, int empties, int provinces_left) const {
        if (!bid_sealed()) return 1;
        return provinces_left + (blanks < blanks_ ? values_ : 0) + int(empties < empties_);
    }

    void lay_mix(std::uint8_t (&cards)[kSpaces], int blanks, int empties, Rng& rng) const {
        Bits provinces = candidates_;
        int left = actions_, b = blanks, e = empties;
        const auto take = [&](int n) {
            const int province = select(provinces, n);
            provinces &= ~bit(province);
            return province;
        };
        for_each_bit(spaces_ & ~bit(bid_space), [&](int i) {
            const int n = rng.below(left--);
            if (n < b)
                cards[i] = card::blank, --b;
            else if (n < b + e)
                cards[i] = card::empty, --e;
            else
                cards[i] = std::uint8_t(take(rng.below(count(provinces))));
        });
        if (!bid_sealed()) return;
        const int rest = count(provinces), n = rng.below(bids(blanks, empties, rest));
        const int values = blanks < blanks_ ? values_ : 0;
        cards[bid_space] = std::uint8_t(n < rest            ? take(n)
                                        : n < rest + values ? card::chest0 + n - rest
                                                            : card::empty);
    }

    Bits candidates_;           // provinces whose cards may lie there
    Bits spaces_ = 0;           // what is filled
    int actions_ = 0;           // of them action spaces
    int blanks_ = kChestCards;  // chest cards that may lie there, a bid included
    int values_;                // chest bids that can be paid
    int empties_;               // spaces that may be empty
};

inline State sample(const Tables& t, const InfoSet& info, Rng& rng) {
    State s = info.shown;
    if (!has_plans(s)) return s;
    for (int p = 0; p < t.players; ++p)
        if (p != info.seat) SealedCards(info.shown, p).lay(s.plans.cards[p], rng);
    return s;
}

// ---- Invariants of every position that play can reach, hand-written ones included.

class Check {
public:
    Check(const Tables& t, const State& s) : t_(t), s_(s) {}

    bool all() const {
        return s_.zero == 0 && step() && board() && cubes() && events() && turn() && layout() &&
               tracks() && parts() && tower_throw();
    }

private:
    bool is(Step step) const { return s_.step == step; }
    bool executing() const { return fields_shown(s_) > 0; }

    bool step() const {
        if (s_.step > Step::end || s_.round > kRounds) return false;
        switch (s_.step) {
            case Step::open:
            case Step::draw:
            case Step::claim:
            case Step::group: return is_setup(s_) && !t_.lineup;
            case Step::winter:
            case Step::revolt: return is_winter(s_);
            case Step::end: return s_.round == kRounds;
            case Step::face: return s_.round % 4 == 1;
            case Step::tower: return true;
            default: return has_plans(s_);
        }
    }

    bool board() const {
        Bits owned = 0, garrisons = 0, built = 0;
        for (int p = 0; p < kMaxPlayers; ++p) {
            if ((s_.owned[p] & owned) != 0 || (p >= t_.players && s_.owned[p] != 0)) return false;
            owned |= s_.owned[p];
        }
        for (int i = 0; i < kProvinces; ++i) {
            garrisons |= Bits{s_.armies[i] > 0} << i;
            if (buildings_in(s_, i) > t_.spaces[i]) return false;
        }
        for (int kind = 0; kind < kBuildings; ++kind) {
            if (count(s_.buildings[kind]) > t_.buildings[kind]) return false;
            built |= s_.buildings[kind];
        }
        // The armies of a province that is fought for are in the tower.
        if (s_.target > kNoProvince) return false;
        const Bits fought_for = bit(s_.target) & owned;
        return (owned & ~t_.in_play) == 0 && garrisons == (owned & ~fought_for) &&
               ((built | s_.markers[0] | s_.markers[1]) & ~owned) == 0;
    }

    bool cubes() const {
        for (int p = 0; p < kMaxPlayers; ++p) {
            int sum = s_.supply[p] + s_.tower[p] + s_.tray[p];
            for_each_bit(s_.owned[p], [&](int i) { sum += s_.armies[i]; });
            if (sum != (p < t_.players ? t_.armies : 0)) return false;
        }
        return farmer_supply(t_, s_) >= 0 && (!is_setup(s_) || seeding());
    }

    // The tower is empty until all cubes of the seeding are thrown at once (SU12).
    bool seeding() const {
        for (int c = 0; c < kColors; ++c) {
            const int seed = c == kGreen ? t_.seed_farmers : c < t_.players ? t_.seed_armies : 0;
            const int thrown = is(Step::tower) ? seed : 0;
            if (s_.tray[c] + s_.tower[c] != thrown || (c >= s_.color && s_.tower[c] != 0))
                return false;
        }
        return true;
    }

    // Chests, rice and points within what the rounds so far can have brought.
    bool tracks() const {
        constexpr int kMostBonus = kRegions * kBuildings * (kBuildings + 1) / 2;
        const int winters = is(Step::end) ? 2 : std::max(0, s_.round - 1) / 4;
        const int before = std::max(0, s_.round - 1), seasons = before - before / 4;  // done
        const int most_tax = std::max(6, int(*std::max_element(t_.chests, t_.chests + kProvinces)));
        int most_points = kProvinces + kMostBonus;
        for (const int buildings : t_.buildings) most_points += buildings;
        for (int p = 0; p < kMaxPlayers; ++p) {
            const bool plays = p < t_.players;
            const int taxes = seasons + int(has_plans(s_) && has_acted(s_, p, tax));
            if (s_.chests[p] > (plays ? t_.start_chests + taxes * (most_tax + 1) : 0) ||
                s_.rice[p] > (plays ? kMaxRice : 0) ||
                s_.points[p] > (plays ? winters * most_points : 0))
                return false;
        }
        return true;
    }

    bool events() const {
        if (s_.event > no_event || s_.opened >> kEvents != 0 || (s_.face_up & ~s_.opened) != 0)
            return false;
        const bool current = s_.event != no_event;
        if (current && ((s_.opened & ~s_.face_up) >> s_.event & 1) == 0) return false;
        const int opened = count(s_.opened), left = count(s_.face_up);
        const int before = s_.round > kRounds / 2 ? kYearEvents : 0;  // opened in the first year
        if (is_setup(s_)) return opened == 0 && !current;
        if (is(Step::face)) return left < kYearEvents && opened == before + left && !current;
        if (is(Step::end)) return opened == before + kYearEvents && left == 0 && !current;
        const int season = (s_.round - 1) % 4;
        return opened == before + kYearEvents && current == bids_shown(s_) &&
               left == kYearEvents - season - int(current);
    }

    // Whose turn it is.
    bool turn() const {
        const int n = t_.players;
        switch (s_.step) {
            case Step::claim:
            case Step::draw:
            case Step::group: return s_.active == s_.turn % n;
            case Step::open: return s_.active == 0;
            case Step::plan:
            case Step::bid: return s_.turn == 0 && s_.active < n && s_.owned[s_.active] != 0;
            case Step::pick:
                return s_.turn == 0 && s_.active < n && has(next_pickers(s_), s_.active);
            case Step::tie: return s_.turn == 0 && s_.active == 0 && count(next_pickers(s_)) > 1;
            case Step::move: return takes_turn(s_.active);
            case Step::tower:
                if (is_setup(s_)) return s_.turn == 0 && s_.active == 0;
                return is_winter(s_) ? s_.active == 0 && has_victim() : takes_turn(s_.active);
            case Step::winter: return s_.active == 0 && has_victim();
            case Step::revolt: return has_victim() && s_.active == (victim(s_) + 1) % n;
            default: return s_.turn == 0 && s_.active == 0;
        }
    }
    bool has_victim() const { return s_.turn < kSpecials && victim(s_) < t_.players; }
    bool takes_turn(int seat) const {
        return s_.turn < kSpecials && seat < t_.players && taker_of(s_, s_.turn) == seat;
    }

    // Fields and slots laid out so far.
    bool layout() const {
        const int i = s_.index;
        switch (s_.step) {
            case Step::field:
                return i < kActions && fields(i) && slots(i < kFaceUpFields ? 0 : kSpecials) &&
                       (i < kFaceUpFields || next_pickers(s_) == 0);
            case Step::special: return i < kSpecials && fields(kFaceUpFields) && free_slots(i);
            case Step::plan: return i < bid_space && fields(kFaceUpFields) && free_slots(kSpecials);
            case Step::bid: return i == bid_space && fields(kFaceUpFields) && free_slots(kSpecials);
            case Step::event: return i == 0 && fields(kFaceUpFields) && free_slots(kSpecials);
            case Step::tie:
            case Step::pick:
                return i == 0 && fields(kFaceUpFields) && slots(kSpecials) && in_bid_order();
            case Step::move:
            case Step::tower:
                if (has_plans(s_))
                    return i < kActions && fields(std::min(i + kFaceUpFields, kActions)) &&
                           slots(kSpecials) && next_pickers(s_) == 0;
                break;
            default: break;
        }
        return i == 0 && fields(0) && slots(is_winter(s_) ? kSpecials : 0);
    }

    bool fields(int laid) const {
        Bits actions = 0;
        for (int i = 0; i < kActions; ++i) {
            if (i < laid ? s_.fields[i] >= kActions : s_.fields[i] != kActions) return false;
            if (i < laid) actions |= bit(s_.fields[i]);
        }
        return count(actions) == laid;
    }

    bool slots(int laid) const {
        Bits specials = 0, seats = 0;
        int taken = 0;
        for (int i = 0; i < kSpecials; ++i) {
            const int special = special_in(s_, i), taker = taker_of(s_, i);
            if (i < laid ? special >= no_special : special != no_special) return false;
            specials |= bit(special);
            if (taker == kNobody) continue;
            if (taker >= t_.players || i >= laid) return false;
            seats |= bit(taker);
            ++taken;
        }
        return count(specials & ~bit(no_special)) == laid && count(seats) == taken;
    }
    bool free_slots(int laid) const { return slots(laid) && takers(s_) == 0; }

    // Nobody has picked before a higher bid.
    bool in_bid_order() const {
        const int next = bid_rank(s_.plans.cards[lowest(next_pickers(s_))][bid_space]);
        bool ordered = true;
        for_each_bit(takers(s_),
                     [&](int p) { ordered &= bid_rank(s_.plans.cards[p][bid_space]) >= next; });
        return ordered;
    }

    bool parts() const {
        if (is_setup(s_)) return is(Step::tower) ? all_zero(s_.draft) : draft();
        return is_winter(s_) ? winter() : plans();
    }

    bool draft() const {
        const Draft& d = s_.draft;
        if (s_.turn >= t_.players * groups_of_seat(t_)) return false;
        const bool chosen = is(Step::group);
        const int drawn = s_.turn + int(chosen || is(Step::draw));
        if (d.stale > t_.players - int(is(Step::open) || is(Step::claim)) ||
            d.buried > sizeof d.under || (d.buried + 1) / 2 * t_.players + d.stale > drawn)
            return false;
        const int missing = int(d.open[0] == kNoProvince) + int(d.open[1] == kNoProvince);
        const bool due = is(Step::open);
        if ((d.card != kNoProvince) != chosen || (missing > 0) < due ||
            missing > (due ? 2 : int(chosen)))
            return false;
        Bits cards = all_owned(s_);
        int number = count(cards) + 2 - missing + int(chosen) + d.buried;
        for (const int card : {int(d.open[0]), int(d.open[1]), int(d.card)}) {
            if (card > kNoProvince) return false;
            cards |= bit(card) & ~bit(kNoProvince);
        }
        for (int i = 0; i < int(sizeof d.under); ++i) {
            if (i < d.buried ? d.under[i] >= kProvinces : d.under[i] != 0) return false;
            if (i < d.buried) cards |= bit(d.under[i]);
        }
        return (cards & ~t_.in_play) == 0 && count(cards) == number && all_zero(d.zero) && groups();
    }

    // Each seat has placed a group in each of its turns, and owns as many provinces.
    bool groups() const {
        for (int p = 0; p < t_.players; ++p) {
            const int done = s_.turn / t_.players + int(p < s_.turn % t_.players);
            int left[kGroupSizes] = {};
            for (int i = 0; i < groups_of_seat(t_); ++i) ++left[t_.groups[i] - kSmallestGroup];
            bool fits = count(s_.owned[p]) == done;
            for_each_bit(s_.owned[p], [&](int i) {
                const int size = s_.armies[i] - kSmallestGroup;
                if (size < 0 || size >= kGroupSizes)
                    fits = false;
                else
                    --left[size];
            });
            if (!fits || !std::equal(left, left + kGroupSizes, s_.draft.groups[p])) return false;
        }
        for (int p = t_.players; p < kMaxPlayers; ++p)
            if (!all_zero(s_.draft.groups[p])) return false;
        return true;
    }

    bool winter() const {
        const Winter& w = s_.winter;
        if (!all_zero(w.zero) || !all_served()) return false;
        if (is(Step::end)) return w.drawn == 0 && w.to_draw == 0 && w.extra == 0;
        const Bits owned = s_.owned[victim(s_)];
        if ((w.drawn & ~owned) != 0) return false;
        if (!is(Step::winter)) {
            const auto* const end = t_.revolts + kProvisions;
            const int most = *std::max_element(t_.revolts, end) - int(is(Step::tower));
            const auto* const extra =
                std::find(t_.extra_farmers, t_.extra_farmers + kProvisions, w.extra);
            return w.to_draw == 0 && count(w.drawn) <= most && (is(Step::tower) || w.drawn != 0) &&
                   extra != t_.extra_farmers + kProvisions;
        }
        const int missing = std::clamp(count(owned) - s_.rice[victim(s_)], 0, kProvisions - 1);
        return w.to_draw > 0 && w.extra == t_.extra_farmers[missing] &&
               w.to_draw + count(w.drawn) == std::min<int>(t_.revolts[missing], count(owned));
    }

    // Whoever owns provinces has picked a special in the round (SU50).
    bool all_served() const {
        const Bits served = takers(s_);
        for (int p = 0; p < t_.players; ++p)
            if (s_.owned[p] != 0 && !has(served, p)) return false;
        return true;
    }

    bool plans() const {
        const bool laying =
            is(Step::face) || is(Step::special) || (is(Step::field) && s_.index < kFaceUpFields);
        Bits planned = 0;
        for (int p = 0; p < kMaxPlayers; ++p) {
            const std::uint8_t (&cards)[kSpaces] = s_.plans.cards[p];
            // A seat that lost its last province has planned all the same.
            const bool plans = s_.owned[p] != 0 || (executing() && cards[0] != card::unset);
            const bool all = plans && !laying && (!is_planning(s_) || p < s_.active);
            const int spaces = all ? kSpaces : is_planning(s_) && p == s_.active ? s_.index : 0;
            if (!plan_of(p, cards, spaces, planned)) return false;
            if (has(takers(s_), p) && cards[bid_space] == card::unset) return false;
        }
        const Bits changed = s_.plans.changed;
        return (changed & ~t_.in_play) == 0 && (executing() || changed == 0) && s_.plans.zero == 0;
    }

    // Whether the seat may have laid these cards on its first `spaces` spaces. `planned` collects
    // the provinces of all seats: there is one card of each.
    bool plan_of(int p, const std::uint8_t (&cards)[kSpaces], int spaces, Bits& planned) const {
        Bits provinces = 0;
        int chests = 0, empties = 0, lost = 0;
        for (int i = 0; i < spaces; ++i) {
            const int c = cards[i];
            if (card::is_province(c)) {
                if (!has(cards_for(p, i) & ~planned, c)) return false;
                provinces |= bit(c);
                planned |= bit(c);
            } else if (i < bid_space ? c == card::blank
                                     : card::is_chest_bid(c) && c < card::chest0 + kChestCards) {
                ++chests;
            } else if (c == card::empty) {
                ++empties;
            } else if (c == card::lost) {
                ++lost;
            } else {
                return false;
            }
        }
        for (int i = spaces; i < kSpaces; ++i)
            if (cards[i] != card::unset) return false;
        const int bid = cards[bid_space];
        if (card::is_chest_bid(bid) && !bids_shown(s_) && bid - card::chest0 > s_.chests[p])
            return false;
        if (chests > kChestCards || lost > count(s_.plans.changed)) return false;
        if (!executing()) return empties <= empties_of(count(s_.owned[p]));
        // Spaces stay empty only if all cards lie on others.
        const int cards_owned = count((s_.owned[p] & ~s_.plans.changed) | provinces) + lost;
        return empties == 0 ||
               (chests == kChestCards && cards_owned == kSpaces - kChestCards - empties);
    }

    // Provinces whose card may lie on the space; those executed may have been lost since.
    Bits cards_for(int p, int space) const {
        const Bits kept = s_.owned[p] & ~s_.plans.changed;
        return has_acted(s_, p, space) ? kept | s_.plans.changed : kept;
    }

    bool tower_throw() const {
        if (is(Step::move)) return moving();
        if (!is(Step::tower)) return s_.thrown == 0 && s_.color == 0 && s_.target == kNoProvince;
        if (s_.color >= kColors || s_.tray[s_.color] + s_.tower[s_.color] == 0) return false;
        int left = 0;  // cubes of the colors that are still to come
        for (int c = s_.color; c < kColors; ++c) left += s_.tray[c];
        if (s_.thrown < left || s_.thrown > kMaxThrow) return false;
        if (is_setup(s_)) return s_.target == kNoProvince;
        if (s_.target >= kProvinces || !has(t_.in_play, s_.target)) return false;
        const int owner = owner_of(s_, s_.target), action = s_.fields[s_.index];
        if (is_winter(s_)) return owner == victim(s_) && !has(s_.winter.drawn, s_.target);
        const int from = moved_from(s_);
        if (!card::is_province(from) || !has(s_.owned[s_.active], from)) return false;
        if (action == rice || action == tax) return s_.target == from && markers_in(s_, from) > 0;
        return (action == battlea || action == battleb) && owner != s_.active &&
               has(targets(t_, s_, s_.active, from, action), s_.target);
    }

    bool moving() const {
        const int from = moved_from(s_), action = s_.fields[s_.index];
        return s_.thrown == 0 && s_.color == 0 && s_.target == kNoProvince &&
               (action == deploy1 || action == battlea || action == battleb) &&
               card::is_province(from) && has(s_.owned[s_.active], from) && s_.armies[from] >= 2 &&
               targets(t_, s_, s_.active, from, action) != 0;
    }

    template <class T>
    static bool all_zero(const T& value) {
        const T zero{};
        return std::memcmp(&value, &zero, sizeof(T)) == 0;
    }

    const Tables& t_;
    const State& s_;
};

inline bool consistent(const Tables& t, const State& s) { return Check(t, s).all(); }

}  // namespace shogun
HENRO_END
