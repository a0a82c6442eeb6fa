// Shogun: the rules, in the order of play.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>

#include "games/shogun/tower.hpp"

HENRO_BEGIN
namespace shogun {

// ---- Actions: kinds of choices and chance events, each with a run of numbers of its own. Within
// a decision ascending numbers are the canonical order.

inline constexpr int kPlanCards = card::empty + 1;              // provinces, blank, empty
inline constexpr int kBidCards = kProvinces + kChestCards + 1;  // provinces, 0..4, empty
inline constexpr int kMaxMoved = kArmies - 1;
inline constexpr int kOuts = kArmies + 1;

enum class Verb {
    claim,  // province
    blind,
    group,  // size - kSmallestGroup
    plan,   // action card * kPlanCards + card
    bid,    // province, kProvinces + value, kBidCards - 1 for empty
    pick,   // special
    stay,
    move,     // province * kMaxMoved + armies - 1
    revolt,   // province
    open,     // slot * kProvinces + province
    draw,     // province
    tower,    // color * kOuts + cubes
    face,     // event
    field,    // field * kActions + action card
    special,  // slot * kSpecials + special
    event,    // event
    tie,      // seat
    winter    // province
};
inline constexpr int kVerbs = 18;
inline constexpr int kVerbSizes[kVerbs] = {kProvinces,
                                           1,
                                           kGroupSizes,
                                           kActions * kPlanCards,
                                           kBidCards,
                                           kSpecials,
                                           1,
                                           kProvinces * kMaxMoved,
                                           kProvinces,
                                           2 * kProvinces,
                                           kProvinces,
                                           kColors * kOuts,
                                           kEvents,
                                           kActions * kActions,
                                           kSpecials * kSpecials,
                                           kEvents,
                                           kMaxPlayers,
                                           kProvinces};
inline constexpr auto kVerbStarts = [] {
    std::array<int, kVerbs + 1> starts{};
    for (int v = 0; v < kVerbs; ++v) starts[v + 1] = starts[v] + kVerbSizes[v];
    return starts;
}();
inline constexpr int kNumActions = kVerbStarts[kVerbs];

constexpr int first_of(Verb verb) { return kVerbStarts[int(verb)]; }
constexpr Action make_action(Verb verb, int object = 0) { return Action(first_of(verb) + object); }
constexpr Action make_tower_action(int color, int cubes) {
    return make_action(Verb::tower, color * kOuts + cubes);
}
inline constexpr auto kVerbOf = [] {
    std::array<Verb, std::size_t(kNumActions)> verbs{};
    for (int v = 0; v < kVerbs; ++v)
        for (int a = kVerbStarts[v]; a < kVerbStarts[v + 1]; ++a) verbs[a] = Verb(v);
    return verbs;
}();
constexpr Verb verb_of(Action a) { return kVerbOf[a]; }
constexpr int object_of(Action a) { return int(a) - first_of(verb_of(a)); }

// ---- Parts of the position

inline Bits all_owned(const State& s) {
    Bits owned = 0;
    for (const Bits own : s.owned) owned |= own;
    return owned;
}

inline int owner_of(const State& s, int province) {
    for (int p = 0; p < kMaxPlayers; ++p)
        if (has(s.owned[p], province)) return p;
    return kNobody;
}

inline int markers_in(const State& s, int province) {
    return int(has(s.markers[0], province)) + 2 * int(has(s.markers[1], province));
}

inline int buildings_in(const State& s, int province) {
    int sum = 0;
    for (const Bits built : s.buildings) sum += has(built, province);
    return sum;
}

inline int special_in(const State& s, int slot) { return s.slots[slot] & 15; }
inline int taker_of(const State& s, int slot) { return s.slots[slot] >> 4; }
inline bool holds(const State& s, int seat, int special) {
    for (const int slot : s.slots)
        if (slot == (special | seat << 4)) return true;
    return false;
}

// Seats that hold a special, as a set.
inline Bits takers(const State& s) {
    Bits set = 0;
    for (int i = 0; i < kSpecials; ++i) set |= bit(taker_of(s, i));
    return set & ~bit(kNobody);
}

inline int farmer_supply(const Tables& t, const State& s) {
    return t.farmers - s.tower[kGreen] - s.tray[kGreen];
}

inline bool is_setup(const State& s) { return s.round == 0; }
inline bool is_winter(const State& s) { return s.round != 0 && s.round % 4 == 0; }

// Whose provinces revolt in winter.
inline int victim(const State& s) { return taker_of(s, s.turn); }

// Fields whose action is being executed or was: all have turned over its cards (SU19).
inline int fields_shown(const State& s) {
    if (is_setup(s) || is_winter(s)) return 0;
    if (s.step == Step::field) return std::max(0, s.index - kFaceUpFields + 1);
    return s.step == Step::move || s.step == Step::tower ? s.index + 1 : 0;
}

inline bool bids_shown(const State& s) {
    return s.step == Step::tie || s.step == Step::pick || fields_shown(s) > 0;
}

// Whether the seat's turn with that planning space has come, so that the card on it stays there
// even if the province is lost (SU58). It never comes for the bid.
inline bool has_acted(const State& s, int seat, int space) {
    const int shown = fields_shown(s);
    for (int i = 0; i < shown; ++i) {
        if (s.fields[i] != space) continue;
        if (i + 1 < shown || s.step == Step::field) return true;
        for (int slot = 0; slot <= s.turn; ++slot)
            if (taker_of(s, slot) == seat) return true;
    }
    return false;
}

// ---- The draft

inline Bits open_pair(const Draft& draft) {
    return (bit(draft.open[0]) | bit(draft.open[1])) & ~bit(kNoProvince);
}

// The cards of the pile whose order nobody knows.
inline Bits unknown_pile(const Tables& t, const State& s) {
    Bits known = all_owned(s) | open_pair(s.draft) | bit(s.draft.card);
    for (int i = 0; i < s.draft.buried; ++i) known |= bit(s.draft.under[i]);
    return t.in_play & ~known;
}

// What the next card of the pile may be (SU7).
inline Bits next_card(const Tables& t, const State& s) {
    const Bits unknown = unknown_pile(t, s);
    return unknown != 0 ? unknown : bit(s.draft.under[0]);
}

inline int groups_of_seat(const Tables& t) {
    return int(std::find(t.groups, t.groups + kMaxGroups, 0) - t.groups);
}

// ---- Planning (SU15, SU16)

// Cards that a seat has laid so far.
struct Laid {
    Bits provinces = 0;
    int blanks = 0, empties = 0;

    explicit Laid(const std::uint8_t (&cards)[kSpaces]) {
        Bits set = 0;
        for (int i = 0; i < kActions; ++i) {
            set |= bit(cards[i]);
            blanks += cards[i] == card::blank;
            empties += cards[i] == card::empty;
        }
        provinces = set & (bit(kProvinces) - 1);
    }
};

// Whether the planning of a round is just beginning.
inline bool nothing_planned(const State& s) {
    return s.step == Step::plan && s.index == 0 &&
           std::all_of(s.plans.cards, s.plans.cards + kMaxPlayers,
                       [](const auto& cards) { return cards[0] == card::unset; });
}

// Spaces that stay empty for lack of cards.
inline int empties_of(int provinces) { return std::max(0, kSpaces - kChestCards - provinces); }

inline Bits plan_cards(Bits owned, const Laid& laid) {
    return (owned & ~laid.provinces) | Bits{laid.blanks < kChestCards} << card::blank |
           Bits{laid.empties < empties_of(count(owned))} << card::empty;
}

inline Bits bid_cards(Bits owned, const Laid& laid, int chests) {
    const int values = laid.blanks < kChestCards ? std::min(chests + 1, kChestCards) : 0;  // SU17
    return (owned & ~laid.provinces) | (bit(values) - 1) << kProvinces |
           Bits{laid.empties < empties_of(count(owned))} << (kBidCards - 1);
}

constexpr int bid_object(int bid) {
    return card::is_province(bid)    ? bid
           : card::is_chest_bid(bid) ? kProvinces + bid - card::chest0
                                     : kBidCards - 1;
}
constexpr int bid_card(int object) {
    return object < kProvinces       ? object
           : object == kBidCards - 1 ? card::empty
                                     : card::chest0 + object - kProvinces;
}

// 4 > 3 > 2 > 1 > province card > 0 > no card (SU43).
constexpr int bid_rank(int bid) {
    if (card::is_province(bid)) return 2;
    if (!card::is_chest_bid(bid)) return 0;
    return bid == card::chest0 ? 1 : bid - card::chest0 + 2;
}

// The seats next to pick a special (SU44).
inline Bits next_pickers(const State& s) {
    const Bits served = takers(s);
    Bits best = 0;
    int best_rank = -1;
    for (int p = 0; p < kMaxPlayers; ++p) {
        const int bid = s.plans.cards[p][bid_space];
        if (bid == card::unset || has(served, p)) continue;
        const int rank = bid_rank(bid);
        if (rank < best_rank) continue;
        best = (rank > best_rank ? 0 : best) | bit(p);
        best_rank = rank;
    }
    return best;
}

// ---- Moves

inline int moved_from(const State& s) { return s.plans.cards[s.active][s.fields[s.index]]; }

// Where armies of `seat` in the province may go by the action card.
inline Bits targets(const Tables& t, const State& s, int seat, int province, int action) {
    const Bits near = t.adjacent[province];
    if (action == deploy1) return near & s.owned[seat];
    if (s.event != e_temple_a && s.event != e_temple_b) return near;
    return near & (s.owned[seat] | ~s.buildings[temple]);  // SU28
}

// ---- Incomes (SU30) and deployments

inline int tax_income(const Tables& t, const State& s, int seat, int province) {
    int chests = t.chests[province];
    if (s.event == e_tax_max5) chests = std::min(chests, 5);
    if (s.event == e_tax_min6) chests = std::max(chests, 6);
    return chests + int(holds(s, seat, s_chest));
}

inline int rice_income(const Tables& t, const State& s, int seat, int province) {
    int rice = t.rice[province];
    if (s.event == e_rice_max3) rice = std::min(rice, 3);
    if (s.event == e_rice_min4) rice = std::max(rice, 4);
    return rice + int(holds(s, seat, s_rice));
}

// Armies the action card brings the seat now, 0 if it is skipped (SU21, SU24, SU25).
inline int deployed(const Tables& t, const State& s, int seat, int action) {
    constexpr int kSix = 6;
    const int armies = s.event == e_levy ? t.levy[action] : t.deploy[action];
    if (s.chests[seat] < t.price[action] || s.supply[seat] < armies) return 0;
    return action == deploy5 && s.supply[seat] >= kSix && holds(s, seat, s_six) ? kSix : armies;
}

// ---- Whose turn it is

inline int actor(const State& s) {
    if (s.step == Step::end) return kTerminal;
    return is_chance(s.step) ? kChance : s.active;
}

inline int subject(const State& s) {
    if (s.step == Step::draw) return s.active;
    return s.step == Step::winter ? victim(s) : kChance;
}

// ---- Choices, and outcomes of chance, which are all equally likely but for the tower's.

// A set of actions: `first` + object * `stride` + 0..per-1 for each object, and before them `stay`
// in movement decisions.
struct Choices {
    Bits objects = 0;
    int first = 0;
    int stride = 1, per = 1;
    bool stay = false;

    int size() const { return int(stay) + count(objects) * per; }

    // The n-th, ascending.
    Action nth(int n) const {
        if (!stay) return Action(first + select(objects, n));
        if (n == 0) return make_action(Verb::stay);
        return Action(first + select(objects, (n - 1) / per) * stride + (n - 1) % per);
    }

    template <class F>
    void for_each(F&& visit) const {
        if (stay) visit(make_action(Verb::stay));
        for_each_bit(objects, [&](int object) {
            for (int i = 0; i < per; ++i) visit(Action(first + object * stride + i));
        });
    }

    bool contains(Action a) const {
        if (stay && a == make_action(Verb::stay)) return true;
        const int offset = int(a) - first;
        return offset >= 0 && offset < 64 * stride && has(objects, offset / stride) &&
               offset % stride < per;
    }
};

inline Bits fields_laid(const State& s) {
    Bits set = 0;
    for (const int action : s.fields) set |= bit(action);
    return set;
}

inline Bits specials_laid(const State& s) {
    Bits set = 0;
    for (int i = 0; i < kSpecials; ++i) set |= bit(special_in(s, i));
    return set;
}

inline Bits specials_left(const State& s) {
    Bits set = 0;
    for (int i = 0; i < kSpecials; ++i)
        if (taker_of(s, i) == kNobody) set |= bit(special_in(s, i));
    return set;
}

inline Choices move_choices(const Tables& t, const State& s) {
    const int from = moved_from(s);
    return {targets(t, s, s.active, from, s.fields[s.index]), first_of(Verb::move), kMaxMoved,
            s.armies[from] - 1, true};
}

// What may be chosen or happen now, other than the tower's outcomes.
inline Choices choices(const Tables& t, const State& s) {
    const auto of = [](Verb verb, Bits objects, int offset = 0) {
        return Choices{objects, first_of(verb) + offset};
    };
    switch (s.step) {
        case Step::claim: return of(Verb::claim, open_pair(s.draft) | bit(kProvinces));
        case Step::group: {
            Bits sizes = 0;
            for (int i = 0; i < kGroupSizes; ++i)
                sizes |= Bits{s.draft.groups[s.active][i] > 0} << i;
            return of(Verb::group, sizes);
        }
        case Step::plan:
            return of(Verb::plan, plan_cards(s.owned[s.active], Laid(s.plans.cards[s.active])),
                      s.index * kPlanCards);
        case Step::bid:
            return of(Verb::bid, bid_cards(s.owned[s.active], Laid(s.plans.cards[s.active]),
                                           s.chests[s.active]));
        case Step::pick: return of(Verb::pick, specials_left(s));
        case Step::move: return move_choices(t, s);
        case Step::revolt: return of(Verb::revolt, s.winter.drawn);
        case Step::open:
            return of(Verb::open, next_card(t, s), s.draft.open[0] == kNoProvince ? 0 : kProvinces);
        case Step::draw: return of(Verb::draw, next_card(t, s));
        case Step::face: return of(Verb::face, (bit(kEvents) - 1) & ~Bits{s.opened});
        case Step::field:
            return of(Verb::field, (bit(kActions) - 1) & ~fields_laid(s), s.index * kActions);
        case Step::special:
            return of(Verb::special, (bit(kSpecials) - 1) & ~specials_laid(s), s.index * kSpecials);
        case Step::event: return of(Verb::event, s.face_up);
        case Step::tie: return of(Verb::tie, next_pickers(s));
        case Step::winter: return of(Verb::winter, s.owned[victim(s)] & ~s.winter.drawn);
        default: return {};
    }
}

inline double chance_of_thrown(const Tables& t, const State& s) {
    return is_setup(s) ? t.tower.seed : t.tower.fresh;
}

inline Pmf thrown_pmf(const Tables& t, const State& s) {
    Pmf pmf;
    pmf.add(s.tray[s.color], chance_of_thrown(t, s));
    pmf.add(s.tower[s.color], t.tower.stuck[s.thrown]);
    return pmf;
}

inline int sample_out(const Tables& t, const State& s, Rng& rng) {
    const std::uint64_t below = is_setup(s) ? t.tower.seed_below : t.tower.fresh_below;
    return count_out(s.tray[s.color], below, rng) +
           count_out(s.tower[s.color], t.tower.stuck_below[s.thrown], rng);
}

inline Action sample_chance(const Tables& t, const State& s, Rng& rng) {
    if (s.step == Step::tower) return make_tower_action(s.color, sample_out(t, s, rng));
    const Choices outcomes = choices(t, s);
    return outcomes.nth(rng.below(outcomes.size()));
}

inline bool is_legal(const Tables& t, const State& s, Action a) {
    if (s.step != Step::tower) return choices(t, s).contains(a);
    const int out = int(a) - make_tower_action(s.color, 0);
    return out >= 0 && out <= s.tray[s.color] + s.tower[s.color];
}

// ---- The course of the game. Each function leaves `step` at the next decision or chance event.

class Flow {
public:
    Flow(const Tables& tables, State& state) : t_(tables), s_(state) {}

    void apply(Action a) {
        switch (s_.step) {
            case Step::open: open(object(a, Verb::open) % kProvinces); break;
            case Step::claim: claim(object(a, Verb::claim)); break;
            case Step::draw: draw(object(a, Verb::draw)); break;
            case Step::group: group(object(a, Verb::group)); break;
            case Step::tower: fall_out(object(a, Verb::tower) - s_.color * kOuts); break;
            case Step::face: face(object(a, Verb::face)); break;
            case Step::field: lay_field(object(a, Verb::field) - s_.index * kActions); break;
            case Step::special: lay_special(object(a, Verb::special) - s_.index * kSpecials); break;
            case Step::plan: plan(object(a, Verb::plan) - s_.index * kPlanCards); break;
            case Step::bid: bid(bid_card(object(a, Verb::bid))); break;
            case Step::event: start_event(object(a, Verb::event)); break;
            case Step::tie: let_pick(object(a, Verb::tie)); break;
            case Step::pick: pick(object(a, Verb::pick)); break;
            case Step::move: choose_move(a); break;
            case Step::winter: draw_victim(object(a, Verb::winter)); break;
            case Step::revolt: winter_revolt(object(a, Verb::revolt)); break;
            case Step::end: break;
        }
    }

    void start() {
        s_.event = no_event;
        s_.target = kNoProvince;
        std::memset(s_.fields, kActions, sizeof s_.fields);
        clear_slots();
        for (int p = 0; p < n(); ++p) {
            s_.chests[p] = t_.start_chests;
            s_.supply[p] = t_.armies;
        }
        if (t_.lineup)
            line_up();
        else
            start_draft();
    }

private:
    static int object(Action a, Verb verb) { return int(a) - first_of(verb); }
    int n() const { return t_.players; }
    void clear_slots() { std::memset(s_.slots, no_special | kNobody << 4, sizeof s_.slots); }

    // -- Setup

    void line_up() {
        for (int p = 0; p < n(); ++p)
            for (int i = 0; i < groups_of_seat(t_); ++i)
                place_group(p, t_.lineups[p][i], t_.groups[i]);
        seed_tower();
    }

    void place_group(int seat, int province, int size) {
        s_.owned[seat] |= bit(province);
        s_.armies[province] = std::uint8_t(size);
        take_supply(seat, size);
    }

    void start_draft() {
        s_.draft.open[0] = s_.draft.open[1] = s_.draft.card = kNoProvince;
        for (int p = 0; p < n(); ++p)
            for (int i = 0; i < groups_of_seat(t_); ++i)
                ++s_.draft.groups[p][t_.groups[i] - kSmallestGroup];
        s_.step = Step::open;
    }

    void open(int province) {
        leave_pile(province);
        s_.draft.open[s_.draft.open[0] != kNoProvince] = std::uint8_t(province);
        if (s_.draft.open[1] != kNoProvince) start_draft_turn();
    }

    void leave_pile(int province) {
        Draft& draft = s_.draft;
        if (draft.buried == 0 || draft.under[0] != province) return;
        std::copy(draft.under + 1, draft.under + draft.buried, draft.under);
        draft.under[--draft.buried] = 0;
    }

    void start_draft_turn() {
        if (s_.draft.stale == n()) return bury_pair();
        s_.active = std::uint8_t(s_.turn % n());
        s_.step = Step::claim;
    }

    void bury_pair() {  // SU7
        for (std::uint8_t& province : s_.draft.open) {
            s_.draft.under[s_.draft.buried++] = province;
            province = kNoProvince;
        }
        s_.draft.stale = 0;
        s_.active = 0;
        s_.step = Step::open;
    }

    void claim(int province) {
        if (province == kNoProvince) {  // blind
            ++s_.draft.stale;
            s_.step = Step::draw;
            return;
        }
        s_.draft.open[s_.draft.open[0] != province] = kNoProvince;
        s_.draft.stale = 0;
        choose_group(province);
    }

    void draw(int province) {  // SU8
        leave_pile(province);
        choose_group(province);
    }

    void choose_group(int province) {
        s_.draft.card = std::uint8_t(province);
        s_.step = Step::group;
    }

    void group(int i) {
        --s_.draft.groups[s_.active][i];
        place_group(s_.active, s_.draft.card, i + kSmallestGroup);
        s_.draft.card = kNoProvince;
        if (++s_.turn == n() * groups_of_seat(t_)) return seed_tower();
        if (count(open_pair(s_.draft)) == 2) return start_draft_turn();
        s_.active = 0;
        s_.step = Step::open;  // SU9
    }

    void seed_tower() {  // SU12
        s_.draft = Draft{};
        s_.turn = s_.active = 0;
        for (int p = 0; p < n(); ++p) throw_armies(p, t_.seed_armies);
        s_.tray[kGreen] = t_.seed_farmers;
        start_throw(kNoProvince);
    }

    // -- Cubes

    void take_supply(int seat, int cubes) {
        s_.supply[seat] = std::uint8_t(s_.supply[seat] - cubes);
    }

    void return_supply(int seat, int cubes) { take_supply(seat, -cubes); }

    void throw_armies(int seat, int cubes) {  // from the supply
        take_supply(seat, cubes);
        s_.tray[seat] = std::uint8_t(s_.tray[seat] + cubes);
    }

    void throw_farmers(int cubes) {  // SU32
        s_.tray[kGreen] = std::uint8_t(s_.tray[kGreen] + std::min(cubes, farmer_supply(t_, s_)));
    }

    void throw_garrison(int seat, int province) {
        s_.tray[seat] = std::uint8_t(s_.tray[seat] + s_.armies[province]);
        s_.armies[province] = 0;
    }

    int take_tray(int color) { return std::exchange(s_.tray[color], std::uint8_t{0}); }

    void start_throw(int target) {
        s_.target = std::uint8_t(target);
        int cubes = 0;
        for (const int tray : s_.tray) cubes += tray;
        s_.thrown = std::uint16_t(cubes);
        s_.step = Step::tower;
        s_.color = 0;
        skip_colors();
    }

    void skip_colors() {  // colors without cubes are not thrown
        while (s_.color < kColors && s_.tray[s_.color] + s_.tower[s_.color] == 0) ++s_.color;
    }

    void fall_out(int out) {
        s_.tower[s_.color] = std::uint8_t(s_.tower[s_.color] + s_.tray[s_.color] - out);
        s_.tray[s_.color++] = std::uint8_t(out);
        skip_colors();
        if (s_.color < kColors) return;
        s_.color = 0;
        s_.thrown = 0;
        settle_throw();
    }

    void settle_throw() {
        const int target = std::exchange(s_.target, std::uint8_t{kNoProvince});
        if (is_setup(s_)) {
            for (int p = 0; p < n(); ++p) return_supply(p, take_tray(p));
            take_tray(kGreen);
            start_round();
        } else if (is_winter(s_)) {
            settle_revolt(victim(s_), target);
            next_revolt();
        } else if (s_.fields[s_.index] == rice || s_.fields[s_.index] == tax) {
            if (settle_revolt(s_.active, target)) add_markers(target, 1);  // SU31
            next_seat();
        } else {
            settle_attack(target);
            next_seat();
        }
    }

    // -- Provinces

    void clear_province(int province) {  // SU34: back to neutral, devastated
        const Bits others = ~bit(province);
        for (Bits& built : s_.buildings) built &= others;
        for (Bits& markers : s_.markers) markers &= others;
    }

    // The owner loses the province and hands its card over (SU37).
    void lose(int seat, int province) {
        s_.owned[seat] &= ~bit(province);
        s_.armies[province] = 0;
        if (is_winter(s_)) return;
        s_.plans.changed |= bit(province);
        std::uint8_t (&cards)[kSpaces] = s_.plans.cards[seat];
        auto* const space = std::find(cards, cards + kSpaces, province);
        if (space != cards + kSpaces && !has_acted(s_, seat, int(space - cards)))
            *space = card::lost;
    }

    void occupy(int seat, int province, int armies) {
        s_.owned[seat] |= bit(province);
        s_.armies[province] = std::uint8_t(armies);
        s_.plans.changed |= bit(province);
    }

    void add_markers(int province, int more) {
        const int markers = std::clamp(markers_in(s_, province) + more, 0, kMaxMarkers);
        for (int i = 0; i < 2; ++i)
            s_.markers[i] = (s_.markers[i] & ~bit(province)) | Bits(markers >> i & 1) << province;
    }

    // -- Battles

    void start_revolt(int seat, int province, int farmers) {
        throw_garrison(seat, province);
        throw_farmers(farmers);
        start_throw(province);
    }

    // Whether the owner keeps the province.
    bool settle_revolt(int seat, int province) {
        const int own = take_tray(seat), farmers = take_tray(kGreen);
        const int left = std::max(0, own - farmers);
        return_supply(seat, own - left);
        s_.armies[province] = std::uint8_t(left);
        if (left > 0) return true;
        lose(seat, province);
        clear_province(province);
        return false;
    }

    void start_attack(int target, int defender, int armies) {
        const int seat = s_.active;
        s_.tray[seat] = std::uint8_t(s_.tray[seat] + armies);
        if (holds(s_, seat, s_attack)) throw_armies(seat, std::min<int>(1, s_.supply[seat]));
        if (defender == kNobody) {
            throw_farmers(s_.event == e_farmers2 ? 2 : 1);
        } else {
            const bool castle_event = s_.event == e_castle_a || s_.event == e_castle_b;
            const int bonus = int(holds(s_, defender, s_defend)) +
                              int(castle_event && has(s_.buildings[castle], target));  // SU26
            throw_garrison(defender, target);
            throw_armies(defender, std::min<int>(bonus, s_.supply[defender]));
        }
        start_throw(target);
    }

    void settle_attack(int target) {
        const int seat = s_.active, defender = owner_of(s_, target);
        if (defender == kNobody)
            settle_neutral(seat, target);
        else
            settle_duel(seat, defender, target);
    }

    void settle_neutral(int seat, int target) {
        const int attack = take_tray(seat), farmers = take_tray(kGreen);
        const int left = std::max(0, attack - farmers);
        return_supply(seat, attack - left);
        if (left > 0) occupy(seat, target, left);
    }

    void settle_duel(int seat, int defender, int target) {
        const int attack = take_tray(seat), defense = take_tray(defender);
        const int help = markers_in(s_, target) == 0 ? take_tray(kGreen) : 0;  // SU33, SU36
        const int left = attack - defense - help;
        if (left > 0) {  // SU35
            lose(defender, target);
            occupy(seat, target, left);
            return_supply(seat, attack - left);
            return_supply(defender, defense);
        } else if (left == 0 || defense == 0) {  // SU34
            lose(defender, target);
            clear_province(target);
            return_supply(seat, attack);
            return_supply(defender, defense);
        } else {
            const int lost = std::max(0, attack - help);
            s_.armies[target] = std::uint8_t(defense - lost);
            return_supply(seat, attack);
            return_supply(defender, lost);
        }
    }

    // -- Laying out a round

    void start_round() {
        ++s_.round;
        s_.plans = Plans{};
        std::memset(s_.plans.cards, card::unset, sizeof s_.plans.cards);
        clear_slots();
        s_.index = 0;
        s_.step = s_.round % 4 == 1 ? Step::face : Step::field;
    }

    void face(int event) {
        s_.opened = std::uint16_t(s_.opened | 1 << event);
        s_.face_up = std::uint16_t(s_.face_up | 1 << event);
        if (count(s_.face_up) == kYearEvents) s_.step = Step::field;
    }

    void lay_field(int action) {
        s_.fields[s_.index] = std::uint8_t(action);
        if (s_.index >= kFaceUpFields) {  // SU51
            s_.index = std::uint8_t(s_.index - kFaceUpFields + 1);
            execute();
        } else if (++s_.index == kFaceUpFields) {
            s_.index = 0;
            s_.step = Step::special;
        }
    }

    void lay_special(int special) {
        s_.slots[s_.index] = std::uint8_t(special | kNobody << 4);
        if (++s_.index < kSpecials) return;
        s_.index = 0;
        plan_from(0);
    }

    // -- Planning and bidding

    void plan_from(int seat) {  // SU14, SU50
        while (seat < n() && s_.owned[seat] == 0) ++seat;
        s_.index = 0;
        s_.active = std::uint8_t(seat < n() ? seat : 0);
        s_.step = seat < n() ? Step::plan : Step::event;
    }

    void plan(int card) {
        s_.plans.cards[s_.active][s_.index] = std::uint8_t(card);
        if (++s_.index == bid_space) s_.step = Step::bid;
    }

    void bid(int card) {
        s_.plans.cards[s_.active][bid_space] = std::uint8_t(card);
        plan_from(s_.active + 1);
    }

    void start_event(int event) {
        s_.event = std::uint8_t(event);
        s_.face_up = std::uint16_t(s_.face_up & ~(1 << event));
        for (int p = 0; p < n(); ++p) {
            const int bid = s_.plans.cards[p][bid_space];
            if (card::is_chest_bid(bid)) pay(p, bid - card::chest0);
        }
        next_pick();
    }

    void pay(int seat, int chests) { s_.chests[seat] = std::uint8_t(s_.chests[seat] - chests); }

    void next_pick() {
        const Bits seats = next_pickers(s_);
        if (seats == 0) return execute();
        if (count(seats) == 1) return let_pick(lowest(seats));
        s_.active = 0;
        s_.step = Step::tie;
    }

    void let_pick(int seat) {
        s_.active = std::uint8_t(seat);
        s_.step = Step::pick;
    }

    void pick(int special) {  // SU45
        for (std::uint8_t& slot : s_.slots)
            if ((slot & 15) == special) slot = std::uint8_t(special | s_.active << 4);
        next_pick();
    }

    // -- Executing the actions

    // From seat `turn` of field `index` on.
    void execute() {
        for (;;) {
            for (; s_.turn < kSpecials; ++s_.turn)
                if (perform(taker_of(s_, s_.turn))) return;
            s_.turn = s_.active = 0;
            if (s_.index < kFaceUpFields) {
                s_.index = std::uint8_t(s_.index + kFaceUpFields);
                s_.step = Step::field;
                return;
            }
            if (++s_.index == kActions) return clean_up();
        }
    }

    void next_seat() {
        ++s_.turn;
        execute();
    }

    // SU20. Whether a decision or chance event is due before the next seat's turn.
    bool perform(int seat) {
        if (seat == kNobody) return false;
        const int action = s_.fields[s_.index], province = s_.plans.cards[seat][action];
        if (!card::is_province(province)) return false;
        s_.active = std::uint8_t(seat);
        switch (action) {
            case castle:
            case temple:
            case theater: build(action, province); return false;
            case rice:
            case tax: return collect(action, province);
            case deploy5:
            case deploy3: deploy(action, province); return false;
            case deploy1: return deploy(action, province) && ask_move(action, province);
            default: return s_.armies[province] >= 2 && ask_move(action, province);
        }
    }

    void build(int kind, int province) {
        const int seat = s_.active;
        if (s_.chests[seat] < t_.price[kind] || has(s_.buildings[kind], province) ||
            buildings_in(s_, province) >= t_.spaces[province] ||
            count(s_.buildings[kind]) >= t_.buildings[kind])  // SU38
            return;
        pay(seat, t_.price[kind]);
        s_.buildings[kind] |= bit(province);
        if (kind == theater && (s_.event == e_theater_a || s_.event == e_theater_b))
            add_markers(province, -1);  // SU29
    }

    bool collect(int action, int province) {  // SU30, SU31
        const int seat = s_.active;
        if (action == tax) {
            s_.chests[seat] = std::uint8_t(s_.chests[seat] + tax_income(t_, s_, seat, province));
        } else {
            s_.rice[seat] = std::uint8_t(
                std::min(kMaxRice, s_.rice[seat] + rice_income(t_, s_, seat, province)));
        }
        const int markers = markers_in(s_, province);
        if (markers == 0) {
            add_markers(province, 1);
            return false;
        }
        start_revolt(seat, province, markers);
        return true;
    }

    // Whether the armies were deployed.
    bool deploy(int action, int province) {
        const int seat = s_.active;
        const int armies = deployed(t_, s_, seat, action);
        if (armies == 0) return false;
        pay(seat, t_.price[action]);
        take_supply(seat, armies);
        s_.armies[province] = std::uint8_t(s_.armies[province] + armies);
        return true;
    }

    bool ask_move(int action, int province) {
        if (targets(t_, s_, s_.active, province, action) == 0) return false;
        s_.step = Step::move;
        return true;
    }

    void choose_move(Action a) {
        if (a == make_action(Verb::stay)) return next_seat();
        const int choice = object(a, Verb::move);
        move(choice / kMaxMoved, choice % kMaxMoved + 1);
    }

    void move(int target, int armies) {
        const int from = moved_from(s_), owner = owner_of(s_, target);
        s_.armies[from] = std::uint8_t(s_.armies[from] - armies);
        if (owner != s_.active) return start_attack(target, owner, armies);
        s_.armies[target] = std::uint8_t(s_.armies[target] + armies);
        next_seat();
    }

    void clean_up() {
        s_.index = 0;
        s_.event = no_event;
        std::memset(s_.fields, kActions, sizeof s_.fields);
        if (s_.round % 4 == 3)
            start_winter();
        else
            start_round();
    }

    // -- Winter

    void start_winter() {
        ++s_.round;
        s_.winter = Winter{};
        const int loss = t_.winter_loss[lowest(s_.face_up)];
        for (int p = 0; p < n(); ++p) s_.rice[p] = std::uint8_t(std::max(0, s_.rice[p] - loss));
        next_victim();
    }

    void next_victim() {  // SU46
        for (; s_.turn < kSpecials; ++s_.turn) {
            const int seat = victim(s_);
            if (seat == kNobody) continue;
            const int provinces = count(s_.owned[seat]);
            const int missing = std::clamp(provinces - s_.rice[seat], 0, kProvisions - 1);
            if (t_.revolts[missing] == 0 || provinces == 0) continue;
            s_.winter.to_draw = std::uint8_t(std::min<int>(t_.revolts[missing], provinces));
            s_.winter.extra = t_.extra_farmers[missing];
            s_.step = Step::winter;
            return;
        }
        s_.turn = 0;
        end_year();
    }

    void draw_victim(int province) {
        s_.winter.drawn |= bit(province);
        if (--s_.winter.to_draw == 0) next_revolt();
    }

    void next_revolt() {
        if (s_.winter.drawn != 0) {
            s_.active = std::uint8_t((victim(s_) + 1) % n());  // SU47
            s_.step = Step::revolt;
            return;
        }
        s_.active = 0;
        s_.winter.extra = 0;
        ++s_.turn;
        next_victim();
    }

    void winter_revolt(int province) {  // SU49
        s_.active = 0;
        s_.winter.drawn &= ~bit(province);
        start_revolt(victim(s_), province, s_.winter.extra + markers_in(s_, province));
    }

    void end_year() {
        score();
        s_.face_up = 0;
        s_.winter = Winter{};
        if (s_.round == kRounds) {
            s_.step = Step::end;
            return;
        }
        s_.markers[0] = s_.markers[1] = 0;
        std::memset(s_.rice, 0, sizeof s_.rice);
        start_round();
    }

    void score() {
        for (int p = 0; p < n(); ++p) {
            int points = count(s_.owned[p]);
            for (const Bits built : s_.buildings) points += count(s_.owned[p] & built);
            s_.points[p] = std::uint16_t(s_.points[p] + points);
        }
        for (const Bits region : t_.regions)
            for (int kind = 0; kind < kBuildings; ++kind) score_majority(region, kind);
    }

    // Most castles 3, temples 2, theaters 1; one less each if shared.
    void score_majority(Bits region, int kind) {
        int built[kMaxPlayers], most = 0;
        for (int p = 0; p < n(); ++p) {
            built[p] = count(s_.owned[p] & region & s_.buildings[kind]);
            most = std::max(most, built[p]);
        }
        if (most == 0) return;
        const bool shared = std::count(built, built + n(), most) > 1;
        for (int p = 0; p < n(); ++p)
            if (built[p] == most)
                s_.points[p] = std::uint16_t(s_.points[p] + kBuildings - kind - int(shared));
    }

    const Tables& t_;
    State& s_;
};

inline State initial(const Tables& t) {
    State s{};
    Flow(t, s).start();
    return s;
}

inline void apply(const Tables& t, State& s, Action a) { Flow(t, s).apply(a); }

// ---- The result

inline void scores(const Tables& t, const State& s, int* out) {
    std::copy_n(s.points, t.players, out);
}

inline void ranks(const Tables& t, const State& s, int* out) {  // SU54
    int order[kMaxPlayers] = {};
    for (int p = 0; p < t.players; ++p) order[p] = s.points[p] << 8 | s.chests[p];
    for (int p = 0; p < t.players; ++p)
        out[p] = 1 + int(std::count_if(order, order + t.players,
                                       [&](int other) { return other > order[p]; }));
}

inline void utilities(const Tables& t, const State& s, Utility* out) {
    int ranked[kMaxPlayers] = {};
    ranks(t, s, ranked);
    const int winners = int(std::count(ranked, ranked + t.players, 1));
    for (int p = 0; p < t.players; ++p)
        out[p] = ranked[p] == 1 ? Utility(kUtilityOne / winners) : 0;
}

}  // namespace shogun
HENRO_END
