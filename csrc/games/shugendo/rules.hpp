// Shugendo: the rules, in the order of play (D1..D4, E).
#pragma once

#include <algorithm>

#include "games/shugendo/state.hpp"

HENRO_BEGIN
namespace shugendo {

// ---- Actions: kinds of choices and chance events, each with a run of numbers of its own. One
// ascending order fits every decision.

enum class Verb {
    reveal,
    stop,
    pilgrim,   // yokai of the card - 1
    mischief,  // which phase is played: 0 action, 1 recruit
    gain,      // track
    done,
    explore,  // cell
    farm,
    village,
    city,
    develop,
    noswap,
    swap,     // cell
    boost,    // track
    recruit,  // card
    replace,
    first,   // seat
    reward,  // tile
    board,
    milestone,
    refill,  // card
    draw
};
inline constexpr int kVerbs = 22;
inline constexpr int kVerbSizes[kVerbs] = {
    1,           1,        3,       2,           kTracks, 1,       kCells, kCells,
    kCells,      kCells,   1,       1,           kCells,  kTracks, kCards, kCards,
    kMaxPlayers, kRewards, kBoards, kMilestones, kCards,  kCards};
inline constexpr auto kVerbStarts = [] {
    std::array<int, kVerbs + 1> starts{};
    for (int v = 0; v < kVerbs; ++v) starts[v + 1] = starts[v] + kVerbSizes[v];
    return starts;
}();
inline constexpr int kNumActions = kVerbStarts[kVerbs];

constexpr Action make_action(Verb verb, int object = 0) {
    return Action(kVerbStarts[int(verb)] + object);
}
inline constexpr auto kVerbOf = [] {
    std::array<Verb, std::size_t(kNumActions)> verbs{};
    for (int v = 0; v < kVerbs; ++v)
        for (int a = kVerbStarts[v]; a < kVerbStarts[v + 1]; ++a) verbs[a] = Verb(v);
    return verbs;
}();
constexpr Verb verb_of(Action a) { return kVerbOf[a]; }
constexpr int object_of(Action a) { return int(a) - kVerbStarts[int(verb_of(a))]; }

// The legal actions of a decision, ascending: two runs of numbers of which those in a set are open.
struct Choices {
    Action first = 0;
    Bits set = 0;
    Action second = 0;
    Bits rest = 0;

    static Choices of(Verb verb, Bits objects) { return {make_action(verb), objects, 0, 0}; }

    int number() const { return count(set) + count(rest); }
    Action nth(int n) const {
        const int size = count(set);
        return n < size ? Action(first + select(set, n)) : Action(second + select(rest, n - size));
    }
    bool contains(Action a) const {
        const auto in = [a](Action start, Bits s) {
            return a >= start && a < start + 64 && has(s, a - start);
        };
        return in(first, set) || in(second, rest);
    }
    template <class F>
    void for_each(F&& visit) const {
        for_each_bit(set, [&](int i) { visit(Action(first + i)); });
        for_each_bit(rest, [&](int i) { visit(Action(second + i)); });
    }
};

// ---- The map: 20 cells in rows of 5, the rows b and d half a cell to the right.

using Cells = std::uint32_t;
inline constexpr Cells kAllCells = (1u << kCells) - 1;

inline constexpr Cells next_to(Cells m) {
    constexpr Cells kLeft = 0b00001'00001'00001'00001, kRight = kLeft << 4;
    constexpr Cells kShifted = 0b11111'00000'11111'00000;
    const Cells back = m & ~kLeft, forth = m & ~kRight;
    return (forth << 1 | back >> 1 | m << 5 | m >> 5 | (back & ~kShifted) << 4 |
            (back & ~kShifted) >> 6 | (forth & kShifted) << 6 | (forth & kShifted) >> 4) &
           kAllCells;
}

inline Cells farms_on(const Realm& r) { return Cells(Low::get(r.land) & ~High::get(r.land)); }
inline Cells villages_on(const Realm& r) { return Cells(High::get(r.land) & ~Low::get(r.land)); }
inline Cells cities_on(const Realm& r) { return Cells(Low::get(r.land) & High::get(r.land)); }
inline Cells tokens_on(const Realm& r) { return Cells(Low::get(r.land) | High::get(r.land)); }
inline Cells covered(const Realm& r) { return Cells(Covered::get(r.land)); }
inline int prefectures(const Realm& r) { return count(Bits(Marks::get(r.goods))); }

// The cells of `tokens` that hang together with `cell`.
inline Cells group_of(Cells tokens, Cells cell) {
    for (Cells group = cell;;) {
        const Cells more = (group | next_to(group)) & tokens;
        if (more == group) return group;
        group = more;
    }
}

// A token more (`city` also on a Farmstead, for iv_swap).
inline void place_token(std::uint64_t& land, Last kind, int cell) {
    const std::uint64_t low = bit(cell + kCells), high = bit(cell + 2 * kCells);
    switch (kind) {
        case Last::farm: land |= low; break;
        case Last::village: land = (land & ~low) | high; break;
        default: land |= low | high; break;
    }
}

// SG19: whether the group of the token just placed on `cell` becomes a Prefecture.
inline bool founds(const Tables& t, std::uint64_t land, std::uint64_t goods, int cell) {
    const Bits low = Bits(Low::get(land)), high = Bits(High::get(land));
    if (count(low) + 2 * count(high) < t.prefecture_stars) return false;
    if (count(Bits(Marks::get(goods))) == kMostPrefectures) return false;
    const Cells group = group_of(Cells(low | high), Cells(bit(cell)));
    return (group & Cells(Marks::get(goods))) == 0 &&
           count(low & group) + 2 * count(high & group) >= t.prefecture_stars;
}

// ---- Tracks

inline void add_steps(const Tables& t, Realm& r, int track, int n) {  // saturating
    add_steps(r, track, std::min(n, t.track_end[track] - steps(r, track)));
}
inline unsigned open_tracks(const Tables& t, const Realm& r) {
    unsigned open = 0;
    for (int i = 0; i < kTracks; ++i) open |= unsigned(steps(r, i) < t.track_end[i]) << i;
    return open;
}

// ---- Cards of a player, as sets of slots.

inline unsigned slots_in(const Player& p, Place place) {
    const unsigned low = place & 1 ? p.place_low : ~unsigned(p.place_low);
    const unsigned high = place & 2 ? p.place_high : ~unsigned(p.place_high);
    return low & high & kSlots;
}
// Revealed this round and not replaced since.
inline unsigned revealed(const Player& p) { return slots_in(p, is_revealed); }
inline bool can_draw(const Player& p) { return (~unsigned(p.place_high) & kSlots) != 0; }

template <class F>
void for_each_card(const Player& p, unsigned slots, F&& visit) {
    for_each_bit(slots, [&](int slot) { visit(card_in(p, slot)); });
}
inline Bits cards_of(const Player& p, unsigned slots) {
    Bits set = 0;
    for_each_card(p, slots, [&](int card) { set |= bit(card); });
    return set;
}
inline int slot_of(const Player& p, unsigned slots, int card) {  // the first of `slots`
    HENRO_ASSERT(slots != 0);
    int slot = lowest(slots);
    while ((slots &= slots - 1) != 0 && card_in(p, slot) != card) slot = lowest(slots);
    return slot;
}

// Keeps equal cards ordered by place after the card in `slot` has gone from deck to table.
inline void reveal_slot(Player& p, int slot) {
    const int card = card_in(p, slot);
    for (; slot + 1 < kOwnCards && card_in(p, slot + 1) == card; ++slot) {
        const Place next = place_of(p, slot + 1);
        if (next >= is_revealed) break;
        set_place(p, slot, next);
    }
    set_place(p, slot, is_revealed);
}

// Puts `card` in the place of the revealed card in `slot`; the slots stay sorted.
inline void exchange(Player& p, int slot, int card) {
    for (; slot > 0 && card_in(p, slot - 1) > card; --slot) {
        set_card(p, slot, card_in(p, slot - 1));
        set_place(p, slot, place_of(p, slot - 1));
    }
    for (; slot + 1 < kOwnCards && card_in(p, slot + 1) <= card; ++slot) {
        set_card(p, slot, card_in(p, slot + 1));
        set_place(p, slot, place_of(p, slot + 1));
    }
    set_card(p, slot, card);
    set_place(p, slot, is_recruited);
}

// ---- Milestones

inline bool has_covered(const Realm& r, int cell) { return has(Bits(Covered::get(r.land)), cell); }
inline bool has_ivory(const Tables& t, const Player& p, Ivory effect) {
    return t.milestones[milestone_of(p)].ivory == effect &&
           has_covered(p.realm, t.boards[board_of(p)].milestone[0]);
}

// ---- Yokai

inline const std::uint8_t* yokai_table(const Tables& t, const Player& p) {
    return has_ivory(t, p, Ivory::calm) ? t.calm_yokai : t.yokai;
}
inline int total_yokai(const Tables& t, const Player& p) {
    const std::uint8_t* yokai = yokai_table(t, p);
    int total = -Calmed::get(p.realm.goods);
    for_each_card(p, revealed(p), [&](int card) { total += yokai[card]; });
    return total;
}

// ---- The Age decks and the display

inline constexpr int kDeckStarts[kAges] = {0, 34, 64};
inline Bits deck(const State& s, int age) {  // its cards from bit 0
    switch (age) {
        case 0: return s.deck_low & (bit(kAgeCards[0]) - 1);
        case 1: return s.deck_low >> kAgeCards[0];
        default: return s.deck_high;
    }
}
inline void take_from_deck(const Tables& t, State& s, int card) {
    const int from = t.first_copy[card];
    if (from < kDeckStarts[2]) {
        const Bits copies = s.deck_low & (bit(t.cards[card].copies) - 1) << from;
        s.deck_low &= ~std::bit_floor(copies);
    } else {
        const unsigned copies = s.deck_high & unsigned(bit(t.cards[card].copies) - 1)
                                                  << (from - kDeckStarts[2]);
        s.deck_high &= ~std::bit_floor(copies);
    }
}

inline int row_of(int place) { return (place >= kRows[1]) + (place >= kRows[2]); }
inline int open_places(const Realm& r) {  // of the display, by the Age unlocked
    return kRows[std::min(Age::get(r.land), kAges)];
}

// The row to be refilled next, Age 1 first, or kAges (SG27).
inline int row_to_fill(const State& s) {
    int row = 0;
    while (row < kAges && (s.display[kRows[row + 1] - 1] != kNoCard || deck(s, row) == 0)) ++row;
    return row;
}
inline void put_on_display(State& s, int row, int card) {
    int place = kRows[row + 1] - 1;
    for (; place > kRows[row] && s.display[place - 1] > card; --place)
        s.display[place] = s.display[place - 1];
    s.display[place] = std::uint8_t(card);
}
// Takes a card that is spoken for off the display.
inline void clear_place(State& s, int place) {
    const int end = kRows[row_of(place) + 1];
    const unsigned above = s.taken & ((1u << end) - (2u << place));
    s.taken = std::uint16_t((s.taken & ((1u << place) - 1)) | above >> 1 |
                            (s.taken & ~((1u << end) - 1)));
    for (; place + 1 < end; ++place) s.display[place] = s.display[place + 1];
    s.display[end - 1] = kNoCard;
}
inline int free_place(const State& s, int card) {  // the first with that card not yet taken
    int place = 0;
    while (s.display[place] != card || (s.taken >> place & 1)) ++place;
    return place;
}
// Designs on offer for so many coins.
inline Bits on_offer(const Tables& t, const State& s, const Realm& r, int coins) {
    Bits cards = 0;
    for (int i = 0, end = open_places(r); i < end; ++i) {
        const int card = s.display[i];
        const bool open = card != kNoCard && !(s.taken >> i & 1) && t.cards[card].cost <= coins;
        cards |= Bits{open} << card;
    }
    return cards;
}

// ---- Deals of the setup: boards and Milestones not dealt yet, the common ones apart (SG3).

template <class F>
Bits undealt(const State& s, int kinds, F&& dealt) {
    Bits left = (bit(kinds) - 1) & ~Bits{1};
    for (int p = 0; p < s.turn; ++p) left &= ~bit(dealt(s.players[p]));
    return left;
}

// ---- Whose turn it is.

inline int actor(const State& s) {
    if (s.step == Step::end) return kTerminal;
    return is_chance(s.step) ? kChance : acting_seat(s);
}

inline int subject(const State& s) {
    switch (s.step) {
        case Step::board:
        case Step::milestone: return s.turn;
        case Step::draw: return acting_seat(s);
        default: return kChance;
    }
}

// ---- Legal choices (D3)

inline Last last_kind(const State& s) { return Last(s.last >> 5); }
inline int last_cell(const State& s) { return s.last & 31; }

inline Choices reveal_choices(const Tables& t, const Player& p) {
    Bits set = 0b11;
    if (Pilgrims::get(p.realm.goods) > 0 && Calmed::get(p.realm.goods) == 0) {  // SG8
        const std::uint8_t* yokai = yokai_table(t, p);
        unsigned kinds = 0;
        int total = 0;
        for_each_card(p, revealed(p), [&](int card) {
            total += yokai[card];
            kinds |= 1u << yokai[card];
        });
        if (total >= t.mischief - 3 && total < t.mischief) set |= Bits(kinds & 0b1110) << 1;
    }
    return {0, set, 0, 0};
}

inline unsigned gain_tracks(const Tables& t, const State& s, const Realm& r) {  // SG11, SG42
    int kind = 0;
    while (s.pending[kind] == 0) ++kind;
    const unsigned open = open_tracks(t, r) & kTracksOf[kind];
    const unsigned later = open >> s.track << s.track;
    return later != 0 ? later : open;
}

// Cells next to the covered ones, under iv_leap one cell further (SG14).
inline Cells within_reach(Cells from, bool leap) {
    const Cells near = next_to(from);
    return leap ? near | next_to(near) : near;
}

inline Cells explore_cells(const Tables& t, const State& s, const Player& p) {
    const Board& board = t.boards[board_of(p)];
    const int coins = std::min(steps(p.realm, compass), 3);
    if (coins == 0) return 0;
    const bool leap = has_ivory(t, p, Ivory::leap);
    const Cells known = covered(p.realm);
    Cells cells =
        within_reach(known, leap) & ~known & board.within[has_ivory(t, p, Ivory::peaks)][coins];
    if (last_kind(s) == Last::explore) {  // SG13
        const Cells before = Cells(bit(last_cell(s)) - 1);
        cells &= ~(before & board.quiet & within_reach(known & ~Cells(bit(last_cell(s))), leap));
    }
    return cells;
}

// SG22: cells before the last placement of the same kind are open only to found a Prefecture.
inline Cells in_order(const Tables& t, const State& s, const Realm& r, Last kind, Cells cells) {
    if (last_kind(s) != kind) return cells;
    const Cells before = cells & Cells(bit(last_cell(s)) - 1);
    Cells kept = cells & ~before;
    for_each_bit(before, [&](int cell) {
        std::uint64_t land = r.land;
        place_token(land, kind, cell);
        if (founds(t, land, r.goods, cell)) kept |= Cells(bit(cell));
    });
    return kept;
}

inline Cells farm_cells(const Realm& r) {
    return count(farms_on(r)) < kMostFarms ? covered(r) & ~tokens_on(r) : 0;
}
inline Cells village_cells(const Realm& r) {
    return count(villages_on(r)) < kMostVillages ? farms_on(r) : 0;
}
inline Cells city_cells(const Realm& r) {
    return count(cities_on(r)) < kMostCities ? villages_on(r) : 0;
}
inline Cells swap_cells(const Realm& r) {  // SG21
    return count(cities_on(r)) < kMostCities ? farms_on(r) : 0;
}

inline Choices main_choices(const Tables& t, const State& s, const Player& p) {
    const Realm& r = p.realm;
    const auto may = [&](Main kind) { return s.main == Main::none || s.main == kind; };
    Choices c{make_action(Verb::done), 1, make_action(Verb::city), 0};
    if (may(Main::explore)) c.set |= Bits{explore_cells(t, s, p)} << 1;
    if (may(Main::expand)) {
        const int hammers = steps(r, hammer);
        if (hammers >= 1)
            c.set |= Bits{in_order(t, s, r, Last::farm, farm_cells(r))} << (1 + kCells);
        if (hammers >= 2)
            c.set |= Bits{in_order(t, s, r, Last::village, village_cells(r))} << (1 + 2 * kCells);
        if (hammers >= 3) c.rest |= Bits{in_order(t, s, r, Last::city, city_cells(r))};
    }
    const int age = Age::get(r.land);
    if (may(Main::develop) && age < kLastAge && steps(r, book) >= t.age_cost[age + 1])
        c.rest |= bit(kCells);
    return c;
}

inline Cells iron_farm_cells(const Tables& t, const State& s, const Realm& r) {  // SG33
    const Cells all = farm_cells(r), ordered = in_order(t, s, r, Last::farm, all);
    return ordered != 0 ? ordered : all;
}

inline Bits buyable(const Tables& t, const State& s, const Player& p) {
    if (count(Bits{s.taken}) >= count(Bits{revealed(p)})) return 0;
    const Bits cards = on_offer(t, s, p.realm, s.gold + Silver::get(p.realm.goods));
    return s.taken == 0 ? cards : cards & ~(bit(s.display[std::bit_width(s.taken) - 1]) - 1);
}

// SG25: enough revealed cards of the same or a higher index must remain for the others.
inline Bits replaceable(const State& s, const Player& p) {
    const int needed = count(Bits{s.taken});
    Bits cards = 0;
    for (unsigned slots = revealed(p); slots != 0 && count(Bits{slots}) >= needed;
         slots &= slots - 1) {
        const int card = card_in(p, lowest(slots));
        if (card >= s.replaced) cards |= bit(card);
    }
    return cards;
}

inline Choices choices(const Tables& t, const State& s) {
    const Player& p = s.players[acting_seat(s)];
    switch (s.step) {
        case Step::reveal: return reveal_choices(t, p);
        case Step::mischief: return Choices::of(Verb::mischief, 0b11);
        case Step::gain: return Choices::of(Verb::gain, gain_tracks(t, s, p.realm));
        case Step::main: return main_choices(t, s, p);
        case Step::swap: return Choices::of(Verb::noswap, 1 | Bits{swap_cells(p.realm)} << 1);
        case Step::farms: return Choices::of(Verb::farm, iron_farm_cells(t, s, p.realm));
        case Step::village: return Choices::of(Verb::village, village_cells(p.realm));
        case Step::boost: return Choices::of(Verb::boost, open_tracks(t, p.realm));
        case Step::guest: return Choices::of(Verb::recruit, on_offer(t, s, p.realm, kMostCost));
        case Step::guest_replace: return Choices::of(Verb::replace, cards_of(p, revealed(p)));
        case Step::buy:
            return {make_action(Verb::done), 1, make_action(Verb::recruit), buyable(t, s, p)};
        case Step::replace: return Choices::of(Verb::replace, replaceable(s, p));
        default: return {};
    }
}

// ---- Chance

template <class F>
void for_each_outcome(const Tables& t, const State& s, F&& visit) {  // visit(action, weight)
    const auto each = [&](Verb verb, Bits objects) {
        for_each_bit(objects, [&](int i) { visit(make_action(verb, i), 1); });
    };
    // Equal cards lie side by side.
    const auto cards = [&](Verb verb, Bits set, auto&& card_at) {
        for (int weight = 1; set != 0; weight = 1) {
            const int card = card_at(lowest(set));
            set = without_lowest(set);
            for (; set != 0 && card_at(lowest(set)) == card; set = without_lowest(set)) ++weight;
            visit(make_action(verb, card), weight);
        }
    };
    switch (s.step) {
        case Step::first: each(Verb::first, bit(s.count) - 1); break;
        case Step::reward: each(Verb::reward, Bits{0b11111} << 5 * s.turn); break;
        case Step::board: each(Verb::board, undealt(s, kBoards, board_of)); break;
        case Step::milestone: each(Verb::milestone, undealt(s, kMilestones, milestone_of)); break;
        case Step::refill: {
            const int row = row_to_fill(s);
            cards(Verb::refill, deck(s, row),
                  [&](int i) { return int(t.copy_of[kDeckStarts[row] + i]); });
            break;
        }
        case Step::draw: {
            const Player& p = s.players[acting_seat(s)];
            cards(Verb::draw, slots_in(p, in_deck), [&](int slot) { return card_in(p, slot); });
            break;
        }
        default: break;
    }
}

inline Action sample_chance(const Tables& t, const State& s, Rng& rng) {
    const auto one_of = [&](Bits set) { return select(set, rng.below(count(set))); };
    switch (s.step) {
        case Step::first: return make_action(Verb::first, rng.below(s.count));
        case Step::reward: return make_action(Verb::reward, 5 * s.turn + rng.below(5));
        case Step::board: return make_action(Verb::board, one_of(undealt(s, kBoards, board_of)));
        case Step::milestone:
            return make_action(Verb::milestone, one_of(undealt(s, kMilestones, milestone_of)));
        case Step::refill: {
            const int row = row_to_fill(s);
            return make_action(Verb::refill, t.copy_of[kDeckStarts[row] + one_of(deck(s, row))]);
        }
        default: {
            const Player& p = s.players[acting_seat(s)];
            return make_action(Verb::draw, card_in(p, one_of(slots_in(p, in_deck))));
        }
    }
}

// ---- What is settled when a sealed phase ends

inline bool triggers_end(const Tables& t, const Realm& r) {  // SG29
    return Score::get(r.goods) >= t.end_vp || prefectures(r) == kMostPrefectures ||
           Age::get(r.land) == kLastAge;
}

// A pile of tokens is a nibble a token, the highest VP first.
inline int tokens_taken(std::uint16_t pile) { return (std::bit_width(pile) + 3) / 4; }
inline bool take_token(std::uint16_t& pile, int tokens, int seat) {  // returns whether there is one
    const int taken = tokens_taken(pile);
    if (taken < tokens) pile = std::uint16_t(pile | (seat + 1) << 4 * taken);
    return taken < tokens;
}

// SG20: pile k, or the highest token left of the piles below, of equal ones that of the higher.
inline void take_prefecture(const Tables& t, State& s, int k, int seat) {
    if (take_token(s.prefecture[k], t.prefecture_tokens[k], seat)) return;
    int best = -1, best_vp = -1;
    for (int i = k - 1; i >= 0; --i) {
        const int taken = tokens_taken(s.prefecture[i]);
        if (taken < t.prefecture_tokens[i] && t.prefecture_vp[i][taken] > best_vp) {
            best = i;
            best_vp = t.prefecture_vp[i][taken];
        }
    }
    if (best >= 0) take_token(s.prefecture[best], t.prefecture_tokens[best], seat);
}

inline void take_five(const Tables& t, State& s, int seat) {
    if (s.five == 0 && Score::get(s.players[seat].realm.goods) >= t.end_vp)
        s.five = std::uint8_t(seat + 1);
}

// SG34: hands out, in turn order, what was taken in the Action phase.
inline void settle(const Tables& t, State& s) {
    Bits guests = 0;
    for (int turn = 0; turn < s.count; ++turn) {
        const int seat = seat_of_turn(s, turn);
        Player& p = s.players[seat];
        for (int k = prefectures(p.before); k < prefectures(p.realm); ++k)
            take_prefecture(t, s, k, seat);
        for (int age = Age::get(p.before.land) + 1; age <= Age::get(p.realm.land); ++age)  // SG23
            take_token(s.development[age - 2], t.development_tokens[age - 2], seat);
        take_five(t, s, seat);
        if (s.guest[seat] >> 4 == 0) continue;
        const int place = (s.guest[seat] & 15) - 1;
        exchange(p, (s.guest[seat] >> 4) - 1, s.display[place]);
        guests |= bit(place);
        s.guest[seat] = 0;
    }
    for (; guests != 0; guests &= ~std::bit_floor(guests))
        clear_place(s, int(std::bit_width(guests)) - 1);
}

// ---- The course of the game. Each function leaves `step` at the next decision or chance event, or
// at `between` when a turn is over.

class Flow {
public:
    Flow(const Tables& tables, State& state) : t_(tables), s_(state) {}

    void apply(Action a) {
        act(a);
        while (s_.step == Step::between) next_turn();
    }

    // The same, but stops between two turns.
    void act(Action a) {
        const int object = object_of(a);
        switch (verb_of(a)) {
            case Verb::reveal: reveal(); break;
            case Verb::stop: finish_turn(); break;
            case Verb::pilgrim: place_pilgrim(object + 1); break;
            case Verb::mischief: choose_phase(object); break;
            case Verb::gain: gain_step(object); break;
            case Verb::done: done(); break;
            case Verb::explore: explore(object); break;
            case Verb::farm: farm(object); break;
            case Verb::village: village(object); break;
            case Verb::city: expand(Last::city, object); break;
            case Verb::develop: develop(); break;
            case Verb::noswap: swap(-1); break;
            case Verb::swap: swap(object); break;
            case Verb::boost: boost(object); break;
            case Verb::recruit: recruit(object); break;
            case Verb::replace: replace(object); break;
            case Verb::first: choose_first(object); break;
            case Verb::reward: draw_reward(object); break;
            case Verb::board: deal_board(object); break;
            case Verb::milestone: deal_milestone(object); break;
            case Verb::refill: refill(object); break;
            case Verb::draw: draw(slot_of(me(), slots_in(me(), in_deck), object)); break;
        }
    }

    // Starts the turn of the acting seat in its phase.
    void begin_turn() {
        switch (s_.phase) {
            case Phase::reveal: s_.step = Step::reveal; break;
            case Phase::action: begin_action(); break;
            default: begin_recruit(); break;
        }
    }

private:
    Player& me() { return s_.players[acting_seat(s_)]; }
    Realm& realm() { return me().realm; }

    // -- Setup (D1)

    void enter(Step step) {
        s_.step = step;
        s_.turn = 0;
    }

    void choose_first(int seat) {
        s_.first = std::uint8_t(seat);
        enter(Step::reward);
    }

    void draw_reward(int tile) {
        if (s_.turn == 0) {
            s_.rewards = std::uint8_t(kNoReward << 4 | tile);
            s_.turn = 1;
            return;
        }
        s_.rewards = std::uint8_t((s_.rewards & 15) | tile << 4);
        if (t_.flower)
            enter(Step::board);
        else
            enter_refill();
    }

    void deal_board(int board) {
        Player& p = s_.players[s_.turn];
        OnBoard::set(p.place_low, board);
        p.realm.land |= bit(t_.boards[board].start);
        if (++s_.turn == s_.count) enter(Step::milestone);
    }

    void deal_milestone(int milestone) {
        OnMilestone::set(s_.players[s_.turn].place_high, milestone);
        if (++s_.turn == s_.count) enter_refill();
    }

    void enter_refill() {
        s_.turn = 0;
        fill();
    }

    // -- Turns and phases (D4)

    void finish_turn() {
        s_.main = Main::none;
        s_.last = s_.track = 0;
        s_.step = Step::between;
    }

    void next_turn() {
        if (++s_.turn < s_.count) return begin_turn();
        s_.turn = 0;
        switch (s_.phase) {
            case Phase::reveal: begin_phase(Phase::action); break;
            case Phase::action: end_action(); break;
            default: end_round(); break;
        }
    }

    void begin_round() {
        ++s_.round;
        for (int i = 0; i < s_.count; ++i)
            s_.players[i].old_discard = std::uint16_t(slots_in(s_.players[i], in_discard));
        begin_phase(Phase::reveal);
    }

    void begin_phase(Phase phase) {
        for (int i = 0; i < s_.count; ++i) {
            Player& p = s_.players[i];
            p.before = p.realm;
            if (phase == Phase::action) p.old_discard = 0;
        }
        s_.phase = phase;
        begin_turn();
    }

    void end_action() {
        settle(t_, s_);
        for (int i = 0; i < s_.count; ++i) s_.players[i].before = {};
        s_.phase = Phase::restock;
        fill();
    }

    void end_round() {
        bool over = s_.round == t_.round_limit;  // SG32
        for (int i = 0; i < s_.count; ++i) {
            Player& p = s_.players[i];
            p.place_low = std::uint16_t(p.place_low | (p.place_high & kSlots));
            p.place_high = std::uint16_t(p.place_high & ~kSlots);
            Calmed::set(p.realm.goods, 0);
            Bust::set(p.realm.goods, 0);
            Skips::set(p.realm.goods, skips_none);
            over |= triggers_end(t_, p.realm);
        }
        if (over) {
            s_.step = Step::end;
            return;
        }
        s_.first = std::uint8_t(s_.first + 1 == s_.count ? 0 : s_.first + 1);
        begin_round();
    }

    // -- Reveal

    void reveal() {
        Player& p = me();
        if (slots_in(p, in_deck) == 0)  // SG6: the discard pile becomes the deck
            p.place_low = std::uint16_t(p.place_low & (p.place_high | ~kSlots));
        s_.step = Step::draw;
    }

    void draw(int slot) {
        Player& p = me();
        reveal_slot(p, slot);
        if (total_yokai(t_, p) >= t_.mischief) {
            Bust::set(p.realm.goods, 1);
            if (has_ivory(t_, p, Ivory::alms)) add_pilgrims(1);
            return finish_turn();
        }
        if (!can_draw(p)) return finish_turn();
        s_.step = Step::reveal;
    }

    void place_pilgrim(int yokai) {
        Calmed::set(realm().goods, yokai);
        add_pilgrims(-1);
        reveal();
    }

    // -- Action

    void begin_action() {
        if (Bust::get(realm().goods))
            s_.step = Step::mischief;
        else
            gather();
    }

    void choose_phase(int recruit) {  // SG9
        Skips::set(realm().goods, recruit ? skips_action : skips_recruit);
        if (recruit)
            finish_turn();
        else
            gather();
    }

    void gather() {  // SG11
        std::uint64_t icons = 0;
        for_each_card(me(), revealed(me()), [&](int card) { icons += t_.icons[card]; });
        for (int i = 0; i < kTracks; ++i) add_steps(t_, realm(), i, int(icons >> 8 * i & 0xff));
        for (int i = 0; i < kChoices; ++i) s_.pending[i] = std::uint8_t(icons >> 8 * (kTracks + i));
        go_on();
    }

    void gain_step(int track) {
        int kind = 0;
        while (s_.pending[kind] == 0) ++kind;
        add_steps(realm(), track, 1);
        s_.track = std::uint8_t(--s_.pending[kind] == 0 ? 0 : track);
        go_on();
    }

    // What is due next in the turn: gains, a swap, Farmsteads, then the action or the purchases.
    void go_on() {
        if (pending() != 0) {
            const unsigned open = open_tracks(t_, realm());
            for (int kind = 0; kind < kChoices; ++kind) {
                if (s_.pending[kind] == 0) continue;
                if ((open & kTracksOf[kind]) != 0) {
                    s_.step = Step::gain;
                    return;
                }
                s_.pending[kind] = s_.track = 0;
            }
        }
        if (s_.swap) {
            s_.step = Step::swap;
            if (swap_cells(realm()) != 0) return;
            s_.swap = 0;
        }
        if (s_.farms > 0) {
            s_.step = Step::farms;
            if (farm_cells(realm()) != 0) return;
            s_.farms = 0;
            s_.last = 0;
        }
        if (s_.phase == Phase::action)
            ask_main();
        else
            ask_buy();
    }

    unsigned pending() const {
        return unsigned(s_.pending[0] | s_.pending[1] | s_.pending[2] | s_.pending[3]);
    }

    void ask_main() {
        const Choices c = main_choices(t_, s_, me());
        if (c.set == 1 && c.rest == 0)
            finish_turn();
        else
            s_.step = Step::main;
    }

    void done() {
        if (s_.step == Step::main)
            finish_turn();
        else
            end_buying();
    }

    void explore(int cell) {
        const Board& board = t_.boards[board_of(me())];
        const bool cheap =
            board.terrain[cell] == Terrain::mountains && has_ivory(t_, me(), Ivory::peaks);
        add_steps(realm(), compass, cheap - (int(board.terrain[cell]) + 1));
        realm().land |= bit(cell);
        s_.main = Main::explore;
        s_.last = std::uint8_t(has(board.quiet, cell) ? int(Last::explore) << 5 | cell : 0);
        if (board.icon[cell] == Icon::bonus) gain(board.gain[cell]);
        if (board.icon[cell] == Icon::iron && iron_effect()) return;
        go_on();
    }

    // Returns whether a decision of its own is due.
    bool iron_effect() {  // SG33
        const auto ask = [&](Step step, bool possible) {
            if (possible) s_.step = step;
            return possible;
        };
        switch (t_.milestones[milestone_of(me())].iron) {
            case Iron::farms: s_.farms = 3; return false;
            case Iron::village: return ask(Step::village, village_cells(realm()) != 0);
            case Iron::gift: gain({{0, 0, 0}, 0, 1, 0, 1}); return false;
            case Iron::boost: return ask(Step::boost, open_tracks(t_, realm()) != 0);
            default:
                return ask(Step::guest,
                           revealed(me()) != 0 && on_offer(t_, s_, realm(), kMostCost) != 0);
        }
    }

    void farm(int cell) {
        if (s_.farms == 0) return expand(Last::farm, cell);
        const bool founded = place(Last::farm, cell);
        const bool more = --s_.farms > 0;
        s_.last = std::uint8_t(more && !founded ? int(Last::farm) << 5 | cell : 0);
        go_on();
    }

    void village(int cell) {
        if (s_.step == Step::main) return expand(Last::village, cell);
        place(Last::village, cell);
        go_on();
    }

    void expand(Last kind, int cell) {
        add_steps(realm(), hammer, -(int(kind) - int(Last::explore)));
        s_.main = Main::expand;
        const bool founded = place(kind, cell);
        s_.last = std::uint8_t(founded ? 0 : int(kind) << 5 | cell);
        go_on();
    }

    // SG18, SG19: the row bonus and, for a Prefecture, its bonus. Returns whether one was founded.
    bool place(Last kind, int cell) {
        Realm& r = realm();
        const Board& board = t_.boards[board_of(me())];
        place_token(r.land, kind, cell);
        if (kind == Last::village) gain(board.village_row);
        if (kind == Last::city) gain(board.city_row);
        if (!founds(t_, r.land, r.goods, cell)) return false;
        gain(board.prefecture[prefectures(r)]);
        r.goods |= bit(cell);
        s_.swap = has_ivory(t_, me(), Ivory::swap);
        return true;
    }

    void swap(int cell) {  // SG21, SG47: no placement in the sense of SG22
        s_.swap = 0;
        if (cell >= 0) place(Last::city, cell);
        go_on();
    }

    void boost(int track) {
        add_steps(t_, realm(), track, 4);
        go_on();
    }

    void develop() {
        Realm& r = realm();
        const int age = Age::get(r.land) + 1;
        add_steps(r, book, -int(t_.age_cost[age]));
        Age::set(r.land, age);
        s_.main = Main::develop;
        go_on();
    }

    // -- Gains (D2)

    void add_silver(int n) {
        std::uint64_t& goods = realm().goods;
        Silver::set(goods, std::min(kMostSilver, Silver::get(goods) + n));
    }
    void add_pilgrims(int n) {
        std::uint64_t& goods = realm().goods;
        Pilgrims::set(goods, std::min(kMostPilgrims, Pilgrims::get(goods) + n));
    }

    void gain(const Gain& g) {
        add_silver(g.silver);
        add_pilgrims(g.pilgrims);
        for (int i = 0; i < kTracks; ++i) add_steps(t_, realm(), i, g.tracks[i]);
        s_.pending[any_track] = std::uint8_t(s_.pending[any_track] + g.any);  // SG43
        if (g.vp > 0) add_vp(g.vp);
    }

    void add_vp(int vp) {  // SG28
        std::uint64_t& goods = realm().goods;
        const int before = Score::get(goods), after = std::min(kMostScore, before + vp);
        Score::set(goods, after);
        const auto passes = [&](int space) { return before < space && after >= space; };
        if (passes(kFirstReward)) gain(t_.rewards[s_.rewards & 15]);
        if (passes(kSecondReward)) gain(t_.rewards[s_.rewards >> 4]);
        if (s_.phase == Phase::recruit) take_five(t_, s_, acting_seat(s_));
    }

    // -- ir_guest (SG26) and Recruit

    void recruit(int card) {
        const int place = free_place(s_, card);
        s_.taken = std::uint16_t(s_.taken | 1 << place);
        if (s_.step == Step::guest) {
            s_.guest[acting_seat(s_)] = std::uint8_t(place + 1);
            s_.step = Step::guest_replace;
            return;
        }
        const int cost = t_.cards[card].cost, paid = std::min<int>(cost, s_.gold);
        s_.gold = std::uint8_t(s_.gold - paid);
        add_silver(paid - cost);
        ask_buy();
    }

    void replace(int card) {
        Player& p = me();
        const int slot = slot_of(p, revealed(p), card);
        if (s_.step == Step::guest_replace) {
            std::uint8_t& guest = s_.guest[acting_seat(s_)];
            guest = std::uint8_t(guest | (slot + 1) << 4);
            return go_on();
        }
        const int place = lowest(s_.taken);
        exchange(p, slot, s_.display[place]);
        clear_place(s_, place);
        s_.replaced = std::uint8_t(card);
        if (s_.taken == 0) end_replacing();
    }

    void begin_recruit() {  // SG24
        const Player& p = me();
        if (Skips::get(p.realm.goods) == skips_recruit) return finish_turn();
        std::uint64_t bonus = 0;
        Gain sum{};
        for_each_card(p, revealed(p), [&](int card) {
            bonus += t_.bonuses[card];
            add_special(t_.cards[card].special, p, sum);
        });
        s_.gold = std::uint8_t(bonus);
        sum.silver = std::uint8_t(sum.silver + (bonus >> 8 & 0xff));
        sum.pilgrims = std::uint8_t(sum.pilgrims + (bonus >> 16 & 0xff));
        sum.vp = std::uint8_t(sum.vp + (bonus >> 24 & 0xff));
        gain(sum);
        go_on();
    }

    void add_special(Special special, const Player& p, Gain& sum) const {
        if (special == Special::none) return;
        const Realm& r = p.realm;
        const Board& board = t_.boards[board_of(p)];
        const int f = count(farms_on(r)), v = count(villages_on(r)), c = count(cities_on(r));
        const auto tiles = [&](Terrain terrain) {
            return count(covered(r) & board.of_terrain[int(terrain)]);
        };
        const auto add = [](std::uint8_t& to, int n) { to = std::uint8_t(to + n); };
        switch (special) {
            case Special::vp_prefectures: add(sum.vp, 2 * prefectures(r)); break;
            case Special::pilgrim_sets: add(sum.pilgrims, std::min({f, v, c})); break;
            case Special::vp_sets: add(sum.vp, std::min({f, v, c})); break;
            case Special::vp_cities: add(sum.vp, c); break;
            case Special::vp_villages: add(sum.vp, v / 2); break;
            case Special::vp_farms: add(sum.vp, f / 3); break;
            case Special::vp_revealed: add(sum.vp, count(p.place_high & kSlots) / 4); break;
            case Special::silver_farms: add(sum.silver, f / 3); break;
            case Special::silver_villages: add(sum.silver, v / 2); break;
            case Special::silver_cities: add(sum.silver, c); break;
            case Special::step_forest: add(sum.any, tiles(Terrain::forest) / 4); break;
            case Special::vp_hills: add(sum.vp, tiles(Terrain::hills) / 3); break;
            case Special::vp_mountains: add(sum.vp, tiles(Terrain::mountains) / 2); break;
            case Special::none: break;
        }
    }

    void ask_buy() {
        s_.step = Step::buy;
        if (buyable(t_, s_, me()) == 0) end_buying();
    }

    void end_buying() {
        s_.gold = 0;
        s_.step = Step::replace;
        if (s_.taken == 0) end_replacing();
    }

    void end_replacing() {
        s_.replaced = 0;
        fill();
    }

    // -- The display (SG27)

    void fill() {
        if (row_to_fill(s_) < kAges) {
            s_.step = Step::refill;
            return;
        }
        switch (s_.phase) {
            case Phase::setup: begin_round(); break;
            case Phase::restock:
                s_.phase = Phase::recruit;
                begin_turn();
                break;
            default: finish_turn(); break;
        }
    }

    void refill(int card) {
        take_from_deck(t_, s_, card);
        put_on_display(s_, t_.cards[card].age - 1, card);
        fill();
    }

    const Tables& t_;
    State& s_;
};

inline State initial(const Tables& t) {
    State s{};
    s.count = std::uint8_t(t.players);
    s.rewards = kNoReward << 4 | kNoReward;
    s.deck_low = ~std::uint64_t{0};
    s.deck_high = std::uint32_t(bit(kAgeCards[2]) - 1);
    for (std::uint8_t& place : s.display) place = kNoCard;
    for (int i = 0; i < t.players; ++i) {
        Player& p = s.players[i];
        for (int slot = 0; slot < kOwnCards; ++slot) set_card(p, slot, t.start_cards[slot]);
        Age::set(p.realm.land, 1);
        Silver::set(p.realm.goods, t.start_silver);
        for (int track = 0; track < kTracks; ++track) add_steps(p.realm, track, t.track_start);
        if (!t.flower) p.realm.land |= bit(t.boards[0].start);
    }
    return s;
}

inline void apply(const Tables& t, State& s, Action a) { Flow(t, s).apply(a); }

// Uniform play to the end; the same games as the plain loop over legal and apply.
inline int playout(const Tables& t, State& s, Rng& rng) {
    Flow flow(t, s);
    int plies = 0;
    while (s.step != Step::end) {
        if (is_chance(s.step)) {
            flow.apply(sample_chance(t, s, rng));
            continue;
        }
        const Choices c = choices(t, s);
        flow.apply(c.nth(rng.below(c.number())));
        ++plies;
    }
    return plies;
}

// ---- Scoring (E)

// What a seat gets from its tokens of one pile. Returns how many it has.
inline int add_tokens(unsigned pile, const std::uint8_t* vps, int seat, int& total) {
    int tokens = 0;
    for (int i = 0; pile >> 4 * i != 0; ++i) {
        if (int(pile >> 4 * i & 15) != seat + 1) continue;
        total += vps[i];
        ++tokens;
    }
    return tokens;
}

inline int rows_vp(const Board& board, const Realm& r) {  // SG18
    return board.farm_vp[count(farms_on(r))] + board.village_vp[count(villages_on(r))] +
           board.city_vp[count(cities_on(r))];
}

// Places of the display whose cards a seat has recruited and not yet put in the place of its own
// (SG48: they count, and so do those to be replaced).
inline Bits recruited_last(const State& s, int seat) {
    if (s.phase == Phase::recruit) return acting_seat(s) == seat ? s.taken : 0;
    const int guest = s.guest[seat];
    return guest != 0 && guest >> 4 == 0 ? bit(guest - 1) : 0;
}

// `now` is the position of which `s` is the settled one.
inline int score_of(const Tables& t, const State& s, const State& now, int seat) {
    const Player& p = s.players[seat];
    const Realm& r = p.realm;
    const Board& board = t.boards[board_of(p)];
    int total = Score::get(r.goods) + rows_vp(board, r);
    if (s.five == seat + 1) total += t.five_vp;

    int lost = 0, humble = 0, developments = 0, shrines = 0;
    const auto add_card = [&](int card) {
        const int vp = t.cards[card].end_vp;
        total += std::max(vp, 0);
        lost += std::max(-vp, 0);
        humble += vp == 0;
    };
    for_each_card(p, kSlots, add_card);
    for_each_bit(recruited_last(now, seat), [&](int place) { add_card(now.display[place]); });
    for (int i = 0; i < 4; ++i)
        developments += add_tokens(s.development[i], t.development_vp[i], seat, total);
    for (int i = 0; i < kMostPrefectures; ++i)
        add_tokens(s.prefecture[i], t.prefecture_vp[i], seat, total);
    for (int i = 0; i < prefectures(r); ++i) total += board.prefecture_vp[i];
    const bool has_map = !t.flower || board_of(p) != 0;  // dealt during the setup (SG3)
    const Cells open = has_map ? board.within[0][3] & ~covered(r) : 0;
    for_each_bit(open, [&](int cell) { lost += board.penalty[cell]; });
    for (const int cell : board.milestone) shrines += has_covered(r, cell);
    if (has_covered(r, board.milestone[2])) {
        switch (t.milestones[milestone_of(p)].gold) {
            case Gold::forgive: lost = 0; break;
            case Gold::humble: total += 2 * humble; break;
            case Gold::villages: total += 2 * count(villages_on(r)); break;
            case Gold::learning: total += 3 * developments; break;
            case Gold::shrines: total += t.shrines_vp[shrines]; break;
        }
    }
    int left = Silver::get(r.goods) + Pilgrims::get(r.goods);  // SG30
    for (int track = 0; track < kTracks; ++track) left += steps(r, track);
    return total + left / 5 - lost;
}

// As if the game ended here (SG48).
inline void scores(const Tables& t, const State& s, int* out) {
    if (s.phase == Phase::action) {
        State settled = s;
        settle(t, settled);
        for (int p = 0; p < s.count; ++p) out[p] = score_of(t, settled, s, p);
        return;
    }
    for (int p = 0; p < s.count; ++p) out[p] = score_of(t, s, s, p);
}

// By score, then yokai on the own cards, then the score track (SG31).
inline void ranks(const Tables& t, const State& s, int* out) {
    int scored[kMaxPlayers]{};
    scores(t, s, scored);
    int order[kMaxPlayers];
    for (int p = 0; p < s.count; ++p) {
        int yokai = 0;
        for_each_card(s.players[p], kSlots, [&](int card) { yokai += t.yokai[card]; });
        order[p] = (scored[p] * 64 + yokai) * 128 + Score::get(s.players[p].realm.goods);
    }
    for (int p = 0; p < s.count; ++p)
        out[p] = 1 + int(std::count_if(order, order + s.count,
                                       [&](int other) { return other > order[p]; }));
}

inline void utilities(const Tables& t, const State& s, Utility* out) {
    int ranked[kMaxPlayers];
    ranks(t, s, ranked);
    const int winners = std::max(1, int(std::count(ranked, ranked + s.count, 1)));
    for (int p = 0; p < s.count; ++p) out[p] = ranked[p] == 1 ? Utility(kUtilityOne / winners) : 0;
}

}  // namespace shugendo
HENRO_END
