// Jinja: the rules, in the order of play (S1..E4).
#pragma once

#include <algorithm>
#include <cstring>

#include "games/jinja/state.hpp"

HENRO_BEGIN
namespace jinja {

// ---- Actions: kinds of choices and chance events, each with a run of numbers of its own.

enum class Verb {
    place,
    fox,
    take,
    build,
    discard,
    search,
    keep,
    return_card,
    draft,
    pick,
    flip,
    noflip,
    gain,
    sell,
    buy,
    done,
    choose,
    omit,
    skip,
    use,
    pay,
    lantern,
    deal_omikuji,
    deal_deed,
    draw,
    draw_omikuji,
    kitsune,
    die
};
inline constexpr int kVerbs = 28;
inline constexpr int kVerbSizes[kVerbs] = {kPlaces,
                                           kPlaces,
                                           1,
                                           kDeeds,
                                           kDeeds,
                                           kDeeds,
                                           1,
                                           kOmikuji,
                                           kDeeds,
                                           kTerritories,
                                           kTerritories,
                                           1,
                                           kTerritories,
                                           kKinds,
                                           kKinds,
                                           1,
                                           kKinds,
                                           kKinds,
                                           1,
                                           kDeeds,
                                           1,
                                           kLanterns,
                                           kOmikuji,
                                           kDeeds,
                                           kKinds,
                                           kOmikuji,
                                           kKitsune,
                                           kFaces};
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

// ---- Packed parts of the state.

inline int nibble(const std::uint8_t* bytes, int i) { return bytes[i / 2] >> (i % 2 * 4) & 15; }
inline void set_nibble(std::uint8_t* bytes, int i, int value) {
    const int shift = i % 2 * 4;
    bytes[i / 2] = std::uint8_t((bytes[i / 2] & ~(15 << shift)) | value << shift);
}

inline constexpr Bits kAllDeeds = bit(kDeeds) - 1;

inline int deed_at(const State& s, int deed) {
    int place = 0;
    for (int i = 0; i < 4; ++i) place |= int(s.deed_planes[i] >> deed & 1) << i;
    return place;
}
inline void move_deed(State& s, int deed, int to) {
    for (int i = 0; i < 4; ++i)
        s.deed_planes[i] = (s.deed_planes[i] & ~(1u << deed)) | std::uint32_t(to >> i & 1) << deed;
}
inline Bits deeds_at(const State& s, int place) {
    std::uint32_t set = kAllDeeds;
    for (int i = 0; i < 4; ++i) set &= s.deed_planes[i] ^ (std::uint32_t(place >> i & 1) - 1);
    return set;
}

inline Slot slot_of(const State& s, int deed) {
    const int at_bit = deed * 6, byte = at_bit / 8;
    const unsigned pair = s.memory[byte] | (byte + 1 < 21 ? s.memory[byte + 1] << 8 : 0);
    const unsigned six = pair >> at_bit % 8 & 63;
    return {int(six & 7), int(six >> 3)};
}
inline void remember(State& s, int deed, Slot slot) {
    const int at_bit = deed * 6, byte = at_bit / 8, shift = at_bit % 8;
    const unsigned six = unsigned(slot.pack) | unsigned(slot.round) << 3;
    const unsigned cleared = ~(63u << shift), value = six << shift;
    s.memory[byte] = std::uint8_t((s.memory[byte] & cleared) | value);
    if (byte + 1 < 21)
        s.memory[byte + 1] = std::uint8_t((s.memory[byte + 1] & cleared >> 8) | value >> 8);
}

// The words of a row of bytes, zero beyond its end.
template <int N>
std::uint64_t word_at(const std::uint8_t (&bytes)[N], int from) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + from, std::size_t(std::min(8, N - from)));
    return word;
}
inline constexpr std::uint64_t kEachByte = 0x0101010101010101u;

// Bit i for the lowest bit of byte i.
inline Bits gather(std::uint64_t word) { return (word & kEachByte) * 0x0102040810204080u >> 56; }

inline Bits omikuji_at(const State& s, int place) {
    Bits set = 0;
    for (int from = 0; from < kOmikuji; from += 8) {
        const std::uint64_t differ = word_at(s.omikuji_at, from) ^ std::uint64_t(place) * kEachByte;
        // Places are below 128: adding 127 carries into the highest bit of every byte but zero.
        set |= gather(~(differ + 0x7f * kEachByte) >> 7) << from;
    }
    return set & (bit(kOmikuji) - 1);
}

inline int token(const State& s, int territory, int kind) {
    return s.tokens[territory] >> 4 * kind & 15;
}

inline int lantern_of(const State& s, int territory) {
    return int(s.lanterns >> 4 * territory & 7);
}
inline bool is_red(const State& s, int territory) { return s.lanterns >> (4 * territory + 3) & 1; }
inline void flip(State& s, int territory) { s.lanterns ^= 8u << 4 * territory; }
inline Bonus visible_bonus(const Tables& t, const State& s, int territory) {
    return t.lanterns[lantern_of(s, territory)][is_red(s, territory)];
}

// Tokens of each kind in the bag, a byte a kind (J13: the 80 tokens are limited).
inline std::uint32_t bag(const State& s) {
    std::uint32_t out = 0;
    for (int p = 0; p < s.count; ++p) {
        std::uint32_t own;
        std::memcpy(&own, s.players[p].structures, 4);
        out += own;
    }
    std::uint64_t low, high = 0;
    std::memcpy(&low, s.tokens, 8);
    std::memcpy(&high, s.tokens + 4, 6);
    constexpr std::uint64_t kLow = 0x0f0f0f0f0f0f0f0fu;
    // Kinds 0 and 2 are the low nibbles of the two bytes of a territory, kinds 1 and 3 the high.
    std::uint64_t even = (low & kLow) + (high & kLow);
    std::uint64_t odd = (low >> 4 & kLow) + (high >> 4 & kLow);
    even += even >> 32;
    odd += odd >> 32;
    even += even >> 16;
    odd += odd >> 16;
    out += std::uint32_t((even & 0xff) | (odd & 0xff) << 8 | (even & 0xff00) << 8 |
                         (odd & 0xff00) << 16);
    return kTokensOfKind * 0x01010101u - out;
}
inline int in_bag(std::uint32_t bag, int kind) { return int(bag >> 8 * kind & 0xff); }
inline int total(std::uint32_t bag) { return int((bag * 0x01010101u) >> 24); }
inline Bits kinds_in(std::uint32_t bag) { return gather((bag + 0x7f7f7f7fu) >> 7) & 15; }

inline int pack_size(const Tables& t) { return t.players == 5 ? 5 : 6; }
inline int holder(const State& s, Slot slot) { return (slot.pack + slot.round - 1) % s.count; }
inline int pack_held(const State& s, int seat, int round) {
    return (seat - (round - 1) % s.count + s.count) % s.count;
}
inline int draft_round(const State& s) { return s.placed / s.count + 1; }
// Seats in a circle, up to one turn on.
inline int seat_after(const State& s, int seat, int turns) {
    const int sum = seat + turns;
    return sum < s.count ? sum : sum - s.count;
}
inline int season_seat(const State& s, int turn) { return (s.first + turn) % s.count; }

// ---- What a player may build (J14).

inline std::uint32_t word_of(const std::uint8_t* four) {
    std::uint32_t word;
    std::memcpy(&word, four, 4);
    return word;
}

inline bool can_pay(const State& s, const Player& p, const Deed& deed) {
    if (s.kitsune != k_mason) {
        constexpr std::uint32_t kHigh = 0x80808080u;
        return (((word_of(p.structures) | kHigh) - word_of(deed.structures)) & kHigh) == kHigh;
    }
    int missing = 0;
    for (int k = 0; k < kKinds; ++k)
        missing += std::max(0, int(deed.structures[k]) - int(p.structures[k]));
    return missing <= 1;
}

inline Bits all_built(const State& s) {
    // at::built are the places from 8 on but for the last two, at::seen and at::unseen.
    const std::uint32_t* plane = s.deed_planes;
    return plane[3] & ~(plane[2] & (plane[1] | plane[0]));
}

inline bool has_space(const Tables& t, Bits built, int territory) {
    return count(built & t.of_territory[territory]) < t.spaces[territory];
}

// Deeds of `hand` that the player can build now.
inline Bits buildable(const Tables& t, const State& s, int seat, Bits hand) {
    const Bits built = all_built(s);
    Bits set = 0;
    for_each_bit(hand, [&](int d) {
        const Deed& deed = t.deeds[d];
        if (can_pay(s, s.players[seat], deed) && has_space(t, built, deed.territory)) set |= bit(d);
    });
    return set;
}

// ---- Whose turn it is.

inline int actor(const State& s) {
    if (s.step == Step::end) return kTerminal;
    return is_chance(s.step) ? kChance : s.active;
}

// Who takes the next token: three for the active player, then one for each opponent (J25).
inline int draw_target(const State& s) {
    return s.drawn < 3 ? s.active : seat_after(s, s.active, s.drawn - 2);
}

inline int subject(const Tables& t, const State& s) {
    switch (s.step) {
        case Step::goods: return s.placed / 2;
        case Step::deal_omikuji: return s.placed / kDealtOmikuji;
        case Step::deal_deed: return s.placed / pack_size(t);
        case Step::draw: return draw_target(s);
        case Step::draw_omikuji:
        case Step::die: return s.active;
        default: return kChance;
    }
}

// ---- Legal choices.

// What the active Kitsune makes 1 Gold cheaper.
enum Discount { no_discount, alms_discount, grace_discount };
constexpr Bits kDiscounted[] = {0, bit(minor_offering) | bit(major_offering),
                                bit(deed_buyback) | bit(territory_build) | bit(random_structures)};
inline Discount discount(const State& s) {
    return s.kitsune == k_alms    ? alms_discount
           : s.kitsune == k_grace ? grace_discount
                                  : no_discount;
}

inline int cost(const Tables& t, const State& s, int place) {
    return t.costs[place] - has(kDiscounted[discount(s)], place);
}

// J8: of `places`, those at which the player could act.
inline Bits usable(const Tables& t, const State& s, int seat, Bits places) {
    const Bits hand = deeds_at(s, at::hand(seat));
    places &= t.affordable[discount(s)][std::min(Gold::get(s.players[seat]), kMostCost)];
    if (hand == 0) places &= ~bit(deed_exchange);
    if (deeds_at(s, at::pile) == 0) places &= ~bit(deed_buyback);
    if (has(places, territory_build) && buildable(t, s, seat, hand) == 0)
        places &= ~bit(territory_build);
    return places;
}

// The market (J24): kinds that may be sold and bought now.
struct Market {
    int sold, last, buys, bought;

    explicit Market(const State& s)
        : sold(s.market & 15),
          last(s.market >> 4 & 3),
          buys(s.market >> 6 & 7),
          bought(s.market >> 9 & 1) {}
    void store(State& s) const {
        s.market = std::uint16_t(sold | last << 4 | buys << 6 | bought << 9);
    }
    Bits may_sell(const State& s) const {
        return bought ? 0 : kinds_in(word_of(s.players[s.active].structures)) & from_last();
    }
    Bits may_buy(const State& s) const {
        if (buys >= kMostBuys || Gold::get(s.players[s.active]) < price(s)) return 0;
        return kinds_in(bag(s)) & ~Bits(sold) & (bought ? from_last() : ~Bits{0});
    }
    Bits from_last() const { return ~Bits{0} << last; }
    static int price(const State& s) { return s.kitsune == k_crafts ? 1 : 2; }
};

// Choices as runs of actions: in each the actions first + i for i in set. The runs ascend.
class Choices {
public:
    void add(Verb verb, Bits objects) {
        if (objects != 0) runs_.push({make_action(verb), objects});
    }
    void add(Verb verb) { add(verb, 1); }

    int size() const {
        int sum = 0;
        for (const Run& run : runs_) sum += count(run.set);
        return sum;
    }
    Action nth(int n) const {
        for (const Run& run : runs_) {
            const int here = count(run.set);
            if (n < here) return Action(run.first + select(run.set, n));
            n -= here;
        }
        return 0;
    }
    bool contain(Action a) const {
        return std::any_of(runs_.begin(), runs_.end(), [&](const Run& run) {
            return a >= run.first && a - run.first < 64 && has(run.set, a - run.first);
        });
    }
    template <class F>
    void for_each(F&& visit) const {
        for (const Run& run : runs_)
            for_each_bit(run.set, [&](int i) { visit(Action(run.first + i)); });
    }

private:
    struct Run {
        Action first;
        Bits set;
    };
    List<Run, 3> runs_;
};

// Places whose circles are all taken (J6).
inline Bits full_places(const Tables& t, const State& s) {
    Bits full = 0;
    for (int from = 0; from < kPlaces; from += 8) {
        const std::uint64_t marks = word_at(s.workers, from) & word_at(t.full_mark, from);
        full |= gather(marks >> 5 | marks >> 6) << from;
    }
    return full;
}

// Places with a worker of somebody else.
inline Bits contested_places(const State& s, int seat) {
    Bits set = 0;
    for (int from = 0; from < kPlaces; from += 8) {
        const std::uint64_t others =
            word_at(s.workers, from) & std::uint64_t(31 & ~(1 << seat)) * kEachByte;
        set |= gather((others + 31 * kEachByte) >> 5) << from;
    }
    return set;
}

// Cards of the pack that the seat to draft holds.
inline Bits cards_held(const State& s) {
    const int pack = pack_held(s, s.active, draft_round(s));
    Bits cards = 0;
    for_each_bit(deeds_at(s, at::pack), [&](int d) {
        if (slot_of(s, d).pack == pack) cards |= bit(d);
    });
    return cards;
}

// P17: kinds on the Deed without one of which the player could pay.
inline Bits omissible(const Deed& deed, const Player& me) {
    Bits kinds = 0;
    for (int k = 0; k < kKinds; ++k) {
        bool rest = deed.structures[k] > 0;
        for (int i = 0; i < kKinds; ++i) rest &= me.structures[i] + (i == k) >= deed.structures[i];
        kinds |= Bits{rest} << k;
    }
    return kinds;
}

// P20: of the Deeds whose bonus is due the lowest of each code.
inline Bits lowest_of_each_code(const Tables& t, Bits deeds) {
    Bits set = 0;
    unsigned codes = 0;
    for_each_bit(deeds, [&](int d) {
        const unsigned code = 1u << int(t.deeds[d].bonus);
        if (!(codes & code)) set |= bit(d);
        codes |= code;
    });
    return set;
}

inline Choices choices(const Tables& t, const State& s) {
    const int seat = s.active;
    const Player& me = s.players[seat];
    const auto hand = [&] { return deeds_at(s, at::hand(seat)); };
    constexpr Bits kEvery = bit(kTerritories) - 1;
    Choices out;
    switch (s.step) {
        case Step::return_setup: {  // P1: the lower of the two first
            const Bits cards = omikuji_at(s, 1 + seat);
            out.add(Verb::return_card, s.placed % 2 == 0
                                           ? cards & ~std::bit_floor(cards)
                                           : cards & ~(bit(ReturnedLow::get(me) + 1) - 1));
            break;
        }
        case Step::draft: out.add(Verb::draft, cards_held(s)); break;
        case Step::place: {  // P3, J7
            const Bits full = full_places(t, s);
            const Bits fox = Fox::get(me) ? full & contested_places(s, seat) : 0;
            const Bits open = usable(t, s, seat, (t.places & ~full) | fox);
            out.add(Verb::place, open & ~full);
            out.add(Verb::fox, open & full);
            break;
        }
        case Step::territory:  // P4
            out.add(Verb::take);
            out.add(Verb::build, buildable(t, s, seat, hand() & t.of_territory[s.where]));
            break;
        case Step::discard: out.add(Verb::discard, hand()); break;
        case Step::search: out.add(Verb::search, deeds_at(s, at::pile)); break;
        case Step::keep:
            out.add(Verb::build, bit(s.deed));
            out.add(Verb::keep);
            break;
        case Step::return_card: out.add(Verb::return_card, omikuji_at(s, 1 + seat)); break;
        case Step::pick: {
            Bits filled = 0;
            for (int i = 0; i < kTerritories; ++i) filled |= Bits{s.tokens[i] != 0} << i;
            out.add(Verb::pick, filled);
            break;
        }
        case Step::build: out.add(Verb::build, buildable(t, s, seat, hand())); break;
        case Step::vow:  // P19
            out.add(Verb::build, buildable(t, s, seat, hand()));
            out.add(Verb::skip);
            break;
        case Step::flip_first: out.add(Verb::flip, kEvery & ~bit(kyushu)); break;
        case Step::lights:  // P18
            out.add(Verb::flip, kEvery & ~bit(kyushu));
            out.add(Verb::skip);
            break;
        case Step::flip_second:
            out.add(Verb::flip, kEvery & ~(bit((s.flipped & 7) + 1) - 1));
            break;
        case Step::gain: out.add(Verb::gain, bit(s.flipped & 7) | bit(s.flipped >> 3)); break;
        case Step::star:
            out.add(Verb::flip, kEvery);
            out.add(Verb::noflip);
            break;
        case Step::flip_one: out.add(Verb::flip, kEvery); break;
        case Step::market: {
            const Market market(s);
            out.add(Verb::sell, market.may_sell(s));
            out.add(Verb::buy, market.may_buy(s));
            out.add(Verb::done);
            break;
        }
        case Step::choose: out.add(Verb::choose, kinds_in(bag(s))); break;
        case Step::omit: out.add(Verb::omit, omissible(t.deeds[s.deed], me)); break;
        case Step::use: out.add(Verb::use, lowest_of_each_code(t, s.pending_deeds)); break;
        case Step::donate:
            out.add(Verb::skip);
            out.add(Verb::pay);
            break;
        default: break;
    }
    return out;
}

// ---- Chance: each event is uniform over objects, tokens of the bag and sides of the die among
// them, so that every outcome has a whole weight.

// Events that stand for one object each.
inline Choices cards_to_come(const State& s) {
    Choices out;
    switch (s.step) {
        case Step::lantern: {
            Bits left = bit(kLanterns) - 1;
            for (int i = 0; i < s.placed; ++i) left &= ~bit(lantern_of(s, i));
            out.add(Verb::lantern, left);
            break;
        }
        case Step::deal_omikuji: out.add(Verb::deal_omikuji, omikuji_at(s, kInDeck)); break;
        case Step::deal_deed: out.add(Verb::deal_deed, deeds_at(s, at::aside)); break;
        case Step::kitsune: out.add(Verb::kitsune, (bit(kKitsune) - 1) & ~Bits{s.revealed}); break;
        case Step::draw_omikuji: {  // J23
            const Bits deck = omikuji_at(s, kInDeck);
            out.add(Verb::draw_omikuji, deck != 0 ? deck : omikuji_at(s, kOrdered));
            break;
        }
        default: break;
    }
    return out;
}

// Weights a byte a kind or face, where an event stands for several objects.
struct Weights {
    Verb verb;
    std::uint32_t bytes;  // 0 if each event stands for one object
};
inline Weights weights(const Tables& t, const State& s) {
    switch (s.step) {
        case Step::goods:
        case Step::fill:
        case Step::draw: return {Verb::draw, bag(s)};
        case Step::die: return {Verb::die, word_of(t.faces)};
        default: return {Verb::die, 0};
    }
}

template <class F>
void for_each_outcome(const Tables& t, const State& s, F&& visit) {  // visit(action, weight)
    const auto [verb, bytes] = weights(t, s);
    for (int i = 0; i < 4; ++i)
        if (const int weight = in_bag(bytes, i); weight > 0) visit(make_action(verb, i), weight);
    if (bytes == 0) cards_to_come(s).for_each([&](Action a) { visit(a, 1); });
}

inline Action sample_chance(const Tables& t, const State& s, Rng& rng) {
    const auto [verb, bytes] = weights(t, s);
    if (bytes == 0) {
        const Choices cards = cards_to_come(s);
        return cards.nth(rng.below(cards.size()));
    }
    const std::uint32_t sums = bytes * 0x01010101u;  // a byte the weights up to and with its own
    const int drawn = rng.below(int(sums >> 24));
    int i = 0;
    for (int byte = 0; byte < 3; ++byte) i += drawn >= int(sums >> 8 * byte & 0xff);
    return make_action(verb, i);
}

// ---- The course of the game. Each function leaves `step` at the next decision or chance event.

class Flow {
public:
    Flow(const Tables& tables, State& state) : t_(tables), s_(state) {}

    void apply(Action a) {
        const int object = object_of(a);
        switch (s_.step) {
            case Step::lantern: place_lantern(object); break;
            case Step::goods: draw_goods(object); break;
            case Step::deal_omikuji: deal_omikuji(object); break;
            case Step::return_setup: return_setup(object); break;
            case Step::deal_deed: deal_deed(object); break;
            case Step::draft: draft(object); break;
            case Step::fill: fill(object); break;
            case Step::kitsune: reveal_kitsune(object); break;
            case Step::place: place(object, verb_of(a) == Verb::fox); break;
            case Step::territory:
                if (verb_of(a) == Verb::take)
                    take(s_.where);
                else
                    build(object);
                break;
            case Step::discard: discard(object); break;
            case Step::search: search(object); break;
            case Step::keep:
                if (verb_of(a) == Verb::keep)
                    finish();
                else
                    build(object);
                break;
            case Step::draw_omikuji: draw_omikuji(object); break;
            case Step::return_card: return_card(object); break;
            case Step::pick:
                collect(object);
                finish();
                break;
            case Step::build: build(object); break;
            case Step::vow:
                if (verb_of(a) == Verb::skip) {
                    finish();
                } else {
                    Gold::add(me(), -1);  // J50
                    build(object);
                }
                break;
            case Step::omit: pay_deed(object); break;
            case Step::lights:
            case Step::flip_first:
                if (verb_of(a) == Verb::skip) {
                    finish();
                } else {
                    flip(s_, object);
                    s_.flipped = std::uint8_t(object);
                    s_.step = Step::flip_second;
                }
                break;
            case Step::flip_second:
                flip(s_, object);
                s_.flipped = std::uint8_t(s_.flipped | object << 3);
                s_.step = Step::gain;
                break;
            case Step::gain:
                s_.flipped = 0;
                if (!bonus(visible_bonus(t_, s_, object))) finish();
                break;
            case Step::star:
                s_.star = 0;
                if (verb_of(a) == Verb::flip) flip(s_, object);
                finish();
                break;
            case Step::flip_one:
                flip(s_, object);
                if (!bonus(visible_bonus(t_, s_, object))) finish();
                break;
            case Step::die: roll(object); break;
            case Step::draw: draw(object); break;
            case Step::choose:
                ++me().structures[object];
                after_gain();
                break;
            case Step::market: trade(verb_of(a), object); break;
            case Step::use:
                if (!use(object)) finish();
                break;
            case Step::donate:
                if (verb_of(a) == Verb::pay) {
                    Gold::add(me(), -1);
                    Honor::add(me(), 2);
                }
                finish();
                break;
            case Step::end: break;
        }
    }

private:
    Player& me() { return s_.players[s_.active]; }
    int n() const { return t_.players; }

    // -- Setup

    void enter(Step step) {
        s_.step = step;
        s_.placed = 0;
    }

    void place_lantern(int lantern) {
        s_.lanterns |= std::uint32_t(lantern) << 4 * s_.placed;
        if (++s_.placed == kTerritories) enter(Step::goods);
    }

    void draw_goods(int kind) {
        const int seat = s_.placed / 2;
        ++s_.players[seat].structures[kind];
        if (++s_.placed % 2 == 1) return;
        Gold::set(s_.players[seat], t_.start_gold[seat]);
        Fox::set(s_.players[seat], t_.start_fox[seat]);
        if (s_.placed == 2 * n()) enter(Step::deal_omikuji);
    }

    void deal_omikuji(int card) {
        s_.omikuji_at[card] = std::uint8_t(1 + s_.placed / kDealtOmikuji);
        if (++s_.placed == kDealtOmikuji * n()) {
            enter(Step::return_setup);
            s_.active = 0;
        }
    }

    void return_setup(int card) {
        if (s_.placed % 2 == 0)
            ReturnedLow::set(me(), card);
        else
            ReturnedHigh::set(me(), card);
        ++s_.placed;
        s_.active = std::uint8_t(s_.placed / 2);
        if (s_.placed < kReturnedOmikuji * n()) return;
        for (int p = 0; p < n(); ++p) {
            s_.omikuji_at[ReturnedLow::get(s_.players[p])] = kInDeck;
            s_.omikuji_at[ReturnedHigh::get(s_.players[p])] = kInDeck;
        }
        s_.active = 0;
        enter(Step::deal_deed);
    }

    void deal_deed(int deed) {
        move_deed(s_, deed, at::pack);
        remember(s_, deed, {s_.placed / pack_size(t_), 0});
        if (++s_.placed == pack_size(t_) * n()) enter(Step::draft);
    }

    void draft(int deed) {
        const int round = draft_round(s_);
        move_deed(s_, deed, at::hand(s_.active));
        remember(s_, deed, {pack_held(s_, s_.active, round), round});
        ++s_.placed;
        s_.active = std::uint8_t(s_.placed % n());
        if (s_.placed == n() * (pack_size(t_) - 1)) end_draft();
    }

    void end_draft() {  // J35: the last card of a pack goes to the next seat; then the pile opens
        for_each_bit(deeds_at(s_, at::pack), [&](int d) {
            const Slot slot{slot_of(s_, d).pack, pack_size(t_)};
            move_deed(s_, d, at::hand(holder(s_, slot)));
            remember(s_, d, slot);
        });
        for_each_bit(deeds_at(s_, at::aside), [&](int d) { move_deed(s_, d, at::pile); });
        start_season();
    }

    // -- Beginning a season

    void start_season() {
        s_.placed = s_.drawn = s_.turn = 0;
        s_.active = s_.first;
        s_.stage = Stage::setup;
        s_.step = total(bag(s_)) > 0 ? Step::fill : Step::kitsune;
    }

    void fill(int kind) {
        s_.tokens[s_.drawn] = std::uint16_t(s_.tokens[s_.drawn] + (1 << 4 * kind));
        if (++s_.drawn < kTerritories && total(bag(s_)) > 0) return;
        s_.drawn = 0;
        s_.step = Step::kitsune;
    }

    void reveal_kitsune(int card) {
        s_.revealed = std::uint16_t(s_.revealed | 1 << card);
        s_.kitsune = std::uint8_t(card);
        s_.stage = Stage::kitsune;
        s_.turn = 0;
        next_kitsune();
    }

    // D6: an immediate card is performed by each player in season order.
    void next_kitsune() {
        for (; s_.kitsune <= k_vow && s_.turn < n(); ++s_.turn) {
            s_.active = std::uint8_t(season_seat(s_, s_.turn));
            if (perform_kitsune()) return;
        }
        s_.turn = 0;
        if (t_.circles[supplement_gold] > 0)  // J29
            s_.supplement = std::uint8_t(s_.supplement == 0 ? 2 : s_.supplement + 1);
        s_.stage = Stage::work;
        s_.active = s_.first;
        s_.step = Step::place;
    }

    bool perform_kitsune() {
        switch (s_.kitsune) {
            case k_fortune: return start_omikuji(2);
            case k_trade: return ask(Step::market);
            case k_lights: return ask(Step::lights);
            case k_purse: s_.where = roll_gold; return ask(Step::die);
            case k_gift: return start_draws(2);
            default: return Gold::get(me()) > 0 && ask(Step::vow);
        }
    }

    // -- Placing workers

    bool ask(Step step) {
        s_.step = step;
        return true;
    }

    void place(int where, bool fox) {
        Gold::add(me(), -cost(t_, s_, where));
        if (fox) Fox::set(me(), 0);
        s_.workers[where] = std::uint8_t((s_.workers[where] | 1 << s_.active) + (fox ? 0 : 32));
        if (!perform(where)) finish();
    }

    // Returns whether a decision or chance event is due before the turn ends.
    bool perform(int where) {
        s_.where = std::uint8_t(where);
        switch (where) {
            case deed_exchange: return ask(Step::discard);
            case deed_buyback: return ask(Step::search);
            case omikuji: return start_omikuji(2);
            case gain_territory: return any_tokens() && ask(Step::pick);
            case territory_build: return ask(Step::build);
            case change_lantern: return ask(Step::flip_first);
            case major_offering: Honor::add(me(), 6); return false;
            case market: return ask(Step::market);
            case random_structures: return start_draws(2);
            case supplement_gold:
                Gold::add(me(), s_.supplement);
                s_.supplement = 0;
                return false;
            case minor_offering:
            case roll_structures:
            case roll_gold: return ask(Step::die);
            default: return ask(Step::territory);
        }
    }

    bool any_tokens() const {
        return std::any_of(s_.tokens, s_.tokens + kTerritories, [](int x) { return x != 0; });
    }

    void collect(int territory) {  // J10
        for (int k = 0; k < kKinds; ++k)
            me().structures[k] = std::uint8_t(me().structures[k] + token(s_, territory, k));
        s_.tokens[territory] = 0;
    }

    void take(int territory) {
        collect(territory);
        if (s_.kitsune == k_pilgrims) Gold::add(me(), 1);
        finish();
    }

    // J19: reveal, omit (k_mason), pay, honor (k_praise).
    void build(int deed) {
        leave_hand(deed, at::built(s_.active));
        s_.deed = std::uint8_t(deed);
        if (s_.kitsune == k_mason)
            s_.step = Step::omit;
        else
            pay_deed(-1);
    }

    void pay_deed(int omitted) {
        for (int k = 0; k < kKinds; ++k)
            me().structures[k] =
                std::uint8_t(me().structures[k] - t_.deeds[s_.deed].structures[k] + (k == omitted));
        s_.deed = 0;
        if (s_.kitsune == k_praise) Honor::add(me(), 2);
        finish();
    }

    // Once everybody has seen a Deed, where it came from no longer matters.
    void leave_hand(int deed, int to) {
        move_deed(s_, deed, to);
        remember(s_, deed, {0, 0});
        s_.open_deeds &= ~std::uint32_t(bit(deed));
    }

    void discard(int deed) {  // J25
        leave_hand(deed, at::pile);
        if (!start_draws(3 + n() - 1)) finish();
    }

    void search(int deed) {  // J17, J37
        move_deed(s_, deed, at::hand(s_.active));
        s_.open_deeds |= std::uint32_t(bit(deed));
        s_.deed = std::uint8_t(deed);
        const bool present = s_.workers[t_.deeds[deed].territory] >> s_.active & 1;
        if (present && buildable(t_, s_, s_.active, bit(deed)) != 0) {
            s_.step = Step::keep;
            return;
        }
        finish();
    }

    // -- Gains

    bool start_draws(int number) {
        if (total(bag(s_)) == 0) return false;  // J46
        s_.drawn = 0;
        s_.to_draw = std::uint8_t(number);
        return ask(Step::draw);
    }

    void draw(int kind) {
        ++s_.players[draw_target(s_)].structures[kind];
        if (++s_.drawn < s_.to_draw && total(bag(s_)) > 0) return;
        after_gain();
    }

    void after_gain() {  // J21: a star's flip comes after the gain
        if (s_.star)
            s_.step = Step::star;
        else
            finish();
    }

    void roll(int face) {
        const bool red = face % 2 == 1 || s_.kitsune == k_omen;  // J47
        s_.star = face >= 2;
        switch (s_.where) {
            case minor_offering: Honor::add(me(), red ? 5 : 3); break;
            case roll_gold: Gold::add(me(), red ? 3 : 2); break;
            default:
                if (red ? choose_one() : start_draws(2)) return;
        }
        after_gain();
    }

    bool choose_one() { return total(bag(s_)) > 0 && ask(Step::choose); }

    bool start_omikuji(int number) {  // J22, J23
        s_.drawn = 0;
        s_.to_draw = std::uint8_t(std::min(number, count(omikuji_at(s_, kInDeck)) + s_.ordered));
        return s_.to_draw > 0 && ask(Step::draw_omikuji);
    }

    void draw_omikuji(int card) {
        if (s_.omikuji_at[card] >= kOrdered) {
            for (int c = 0; c < kOmikuji; ++c)
                if (s_.omikuji_at[c] > kOrdered) --s_.omikuji_at[c];
            for (int i = 0; i + 1 < kMostOrdered; ++i)
                set_nibble(s_.placer, i, nibble(s_.placer, i + 1));
            set_nibble(s_.placer, --s_.ordered, 0);
        }
        s_.omikuji_at[card] = std::uint8_t(1 + s_.active);
        Drew::set(me(), 1);
        if (++s_.drawn == s_.to_draw) s_.step = Step::return_card;
    }

    void return_card(int card) {
        s_.omikuji_at[card] = std::uint8_t(kOrdered + s_.ordered);
        set_nibble(s_.placer, s_.ordered++, s_.active);
        finish();
    }

    void trade(Verb verb, int kind) {
        Market market(s_);
        if (verb == Verb::done) return finish();
        if (verb == Verb::sell) {
            --me().structures[kind];
            Gold::add(me(), 1);
            market.sold |= 1 << kind;
        } else {
            ++me().structures[kind];
            Gold::add(me(), -Market::price(s_));
            market.bought = 1;
            ++market.buys;
        }
        market.last = kind;
        market.store(s_);
    }

    // Returns whether a decision or chance event is due before it is done.
    bool bonus(Bonus code) {
        switch (code) {
            case Bonus::gold1: Gold::add(me(), 1); return false;
            case Bonus::gold2: Gold::add(me(), 2); return false;
            case Bonus::honor1: Honor::add(me(), 1); return false;
            case Bonus::honor2: Honor::add(me(), 2); return false;
            case Bonus::rand1: return start_draws(1);
            case Bonus::rand2: return start_draws(2);
            case Bonus::choice1: return choose_one();
            case Bonus::harvest: return any_tokens() && ask(Step::pick);
            case Bonus::lantern: return ask(Step::flip_one);
            case Bonus::omikuji: return start_omikuji(1);
            case Bonus::donate: return Gold::get(me()) > 0 && ask(Step::donate);
        }
        return false;
    }

    // -- After an effect

    void finish() {
        s_.drawn = s_.to_draw = s_.deed = s_.flipped = 0;
        s_.market = 0;
        switch (s_.stage) {
            case Stage::kitsune:
                s_.where = 0;
                ++s_.turn;
                next_kitsune();
                break;
            case Stage::work:
                s_.where = 0;
                if (++s_.placed == n() * t_.workers)
                    end_placements();
                else {
                    s_.active = std::uint8_t(seat_after(s_, s_.active, 1));
                    s_.step = Step::place;
                }
                break;
            case Stage::lanterns: next_lantern(); break;
            case Stage::deeds: next_deed(); break;
            case Stage::setup: break;
        }
    }

    // -- Ending a season

    void end_placements() {  // E1
        s_.kitsune = k_none;
        s_.placed = 0;
        std::memset(s_.workers, 0, sizeof s_.workers);
        s_.stage = Stage::lanterns;
        s_.turn = s_.where = 0;
        s_.active = s_.first;
        next_lantern();
    }

    void next_lantern() {  // D7, J26, J27
        for (; int(s_.turn) < n(); ++s_.turn, s_.where = 0) {
            s_.active = std::uint8_t(season_seat(s_, s_.turn));
            const Bits own = deeds_at(s_, at::built(s_.active));
            for (int i = s_.where & 31; i < kTerritories; ++i) {
                const int times = std::min(2, count(own & t_.of_territory[i]));
                for (int done = (s_.where & 31) == i ? s_.where >> 5 : 0; done < times;) {
                    s_.where = std::uint8_t(i | ++done << 5);
                    if (bonus(visible_bonus(t_, s_, i))) return;
                }
            }
        }
        s_.stage = Stage::deeds;
        s_.turn = s_.where = 0;
        start_deeds();
    }

    void start_deeds() {  // D8, J28
        for (; int(s_.turn) < n(); ++s_.turn) {
            s_.active = std::uint8_t(season_seat(s_, s_.turn));
            const Bits own = deeds_at(s_, at::built(s_.active));
            for_each_bit(own & t_.automatic, [&](int d) { bonus(t_.deeds[d].bonus); });
            s_.pending_deeds = std::uint32_t(own & ~t_.automatic);
            if (due_deed()) return;
        }
        end_season();
    }

    // Resolves what asks no choice of order; returns whether a step is due.
    bool due_deed() {
        while (s_.pending_deeds != 0) {
            const int first = lowest(s_.pending_deeds);
            bool single = true;
            for_each_bit(s_.pending_deeds,
                         [&](int d) { single &= t_.deeds[d].bonus == t_.deeds[first].bonus; });
            if (!single) return ask(Step::use);
            if (use(first)) return true;
        }
        return false;
    }

    bool use(int deed) {
        s_.pending_deeds &= ~std::uint32_t(bit(deed));
        return bonus(t_.deeds[deed].bonus);
    }

    void next_deed() {
        if (due_deed()) return;
        ++s_.turn;
        start_deeds();
    }

    void end_season() {  // E4
        s_.turn = 0;
        if (s_.season + 1 == kSeasons) {
            s_.stage = Stage::deeds;
            s_.active = 0;
            s_.step = Step::end;
            return;
        }
        ++s_.season;
        s_.first = std::uint8_t(seat_after(s_, s_.first, 1));
        start_season();
    }

    const Tables& t_;
    State& s_;
};

inline State initial(const Tables& t) {
    State s{};
    s.count = std::uint8_t(t.players);
    s.kitsune = k_none;
    for (int p = 0; p < t.players; ++p) {
        ReturnedLow::set(s.players[p], kNoCard);
        ReturnedHigh::set(s.players[p], kNoCard);
    }
    return s;
}

inline void apply(const Tables& t, State& s, Action a) { Flow(t, s).apply(a); }

// ---- Scoring

inline bool fulfilled(const Tables& t, const State& s, int seat, const OmikujiCard& card) {
    const Bits own = deeds_at(s, at::built(seat));
    const auto in_territory = [&](int i) { return own & t.of_territory[i]; };
    const Bits sized = own & t.of_size[int(card.size)];
    int territories = 0;
    unsigned regions = 0;
    bool all = true;
    for (int i = 0; i < kTerritories; ++i) {
        const bool present = in_territory(i) != 0;
        territories += present;
        regions |= unsigned(present) << kRegionOf[i];
        all &= present || !(card.where >> i & 1);
    }
    switch (card.condition) {
        case Condition::size_terr: return (sized & t.of_territory[card.where]) != 0;
        case Condition::size_reg:
            for (int i = 0; i < kTerritories; ++i)
                if (kRegionOf[i] == card.where && (sized & t.of_territory[i]) != 0) return true;
            return false;
        case Condition::all: return all;
        case Condition::most: {  // J31
            int best = 0;
            for (int p = 0; p < s.count; ++p)
                best = std::max(best, count(deeds_at(s, at::built(p)) & t.of_size[int(card.size)]));
            return sized != 0 && count(sized) == best;
        }
        case Condition::distinct: return territories >= card.where;
        case Condition::regions: return regions == (1u << kRegions) - 1;
    }
    return false;
}

inline void scores(const Tables& t, const State& s, int* out) {
    int shrines[kRegions][kMaxPlayers] = {};
    for (int p = 0; p < s.count; ++p) {
        const Player& player = s.players[p];
        int goods = Gold::get(player);
        for (const int tokens : player.structures) goods += tokens;
        out[p] = Honor::get(player) + 2 * (goods / 5) + 3 * Fox::get(player);  // J33
        for_each_bit(deeds_at(s, at::built(p)), [&](int d) {
            out[p] += t.deeds[d].honor;
            ++shrines[kRegionOf[t.deeds[d].territory]][p];
        });
        for_each_bit(omikuji_at(s, 1 + p), [&](int c) {
            if (fulfilled(t, s, p, t.omikuji[c])) out[p] += t.omikuji[c].honor;
        });
    }
    for (const auto& region : shrines) {  // J32
        const int best = *std::max_element(region, region + s.count);
        const int leaders = int(std::count(region, region + s.count, best));
        for (int p = 0; best > 0 && p < s.count; ++p)
            if (region[p] == best) out[p] += (8 + leaders - 1) / leaders;
    }
}

inline void ranks(const Tables& t, const State& s, int* out) {  // J34
    int scored[kMaxPlayers];
    scores(t, s, scored);
    std::uint64_t order[kMaxPlayers];
    for (int p = 0; p < s.count; ++p) {
        const Bits own = deeds_at(s, at::built(p));
        order[p] = std::uint64_t(scored[p]) << 24 | std::uint64_t(count(own)) << 16 |
                   std::uint64_t(count(own & t.of_size[int(Size::large)])) << 8 |
                   std::uint64_t(count(own & t.of_size[int(Size::medium)]));
    }
    for (int p = 0; p < s.count; ++p)
        out[p] = 1 + int(std::count_if(order, order + s.count,
                                       [&](std::uint64_t other) { return other > order[p]; }));
}

inline void utilities(const Tables& t, const State& s, Utility* out) {
    int ranked[kMaxPlayers];
    ranks(t, s, ranked);
    const int winners = std::max(1, int(std::count(ranked, ranked + s.count, 1)));
    for (int p = 0; p < s.count; ++p) out[p] = ranked[p] == 1 ? Utility(kUtilityOne / winners) : 0;
}

}  // namespace jinja
HENRO_END
