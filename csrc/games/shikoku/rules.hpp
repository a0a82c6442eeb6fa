// Shikoku: the rules, in the order of the rulebook.
#pragma once

#include <algorithm>

#include "games/shikoku/state.hpp"

HENRO_BEGIN
namespace shikoku {

// An action is kind * 33 + card - 1; its text is "<kind>:<card>".
enum class Kind : int { play, take, deal, row, draw };
inline constexpr const char* kKindNames[] = {"play", "take", "deal", "row", "draw"};
inline constexpr int kKinds = 5;

constexpr Action make_action(Kind kind, int card) { return Action(int(kind) * kCards + card - 1); }
constexpr Kind kind_of(Action a) { return Kind(a / kCards); }
constexpr int card_of(Action a) { return a % kCards + 1; }

inline State initial(const Tables& tables) {
    State s{};
    s.deck = kAllCards;
    s.players = std::uint8_t(tables.players);
    for (int p = 0; p < tables.players; ++p) s.steps[p] = 1;
    return s;
}

inline int actor(const State& s) {
    switch (s.phase) {
        case Phase::play:
        case Phase::take: return s.order[s.turn];
        case Phase::end: return kTerminal;
        default: return kChance;
    }
}

// The seat a chance event deals to: seat by seat (deal, row), or the owner of the lowest card.
inline int subject(const State& s) {
    switch (s.phase) {
        case Phase::deal: return s.turn / kHandSize;
        case Phase::row: return s.turn;
        case Phase::draw: return s.order[s.players - 1];
        default: return kChance;
    }
}

inline Kind kind_to_act(const State& s) {
    constexpr Kind kinds[] = {Kind::deal, Kind::row,  Kind::play,
                              Kind::draw, Kind::take, Kind::take};  // nothing is due at the end
    return kinds[int(s.phase)];
}

// The cards that the next action may name.
inline Bits choices(const State& s) {
    switch (s.phase) {
        case Phase::play: return s.hands[s.order[s.turn]];
        case Phase::take: return s.previous;
        case Phase::end: return 0;
        default: return s.deck;
    }
}

// A choice or a chance event, each as likely.
inline Action random_action(const State& s, Rng& rng) {
    const Bits cards = choices(s);
    return make_action(kind_to_act(s), select(cards, rng.below(count(cards))));
}

inline bool is_legal(const State& s, Action a) {
    return s.phase != Phase::end && a < kKinds * kCards && kind_of(a) == kind_to_act(s) &&
           has(choices(s), card_of(a));
}

// Everybody sees everything but the cards dealt to and drawn by others.
inline bool visible(const State& s, Action a, int seat) {
    const Kind kind = kind_of(a);
    return (kind != Kind::deal && kind != Kind::draw) || subject(s) == seat;
}

// Which of the n sorted cards of a row stand still: the 2nd lowest, with five or more players
// also the 2nd highest.
constexpr bool stands_still(int rank, int players) {
    return rank == 1 || (players >= 5 && rank == players - 2);
}

// Seats by the number of their card in the row; with `rotate`, the lowest moves to the end.
inline void sort_order(State& s, bool rotate) {
    std::uint8_t owner[kCards + 1];
    Bits cards = 0;
    for (int p = 0; p < s.players; ++p) {
        cards |= bit(s.row[p]);
        owner[s.row[p]] = std::uint8_t(p);
    }
    int k = rotate ? s.players - 1 : 0;
    for (; cards != 0; cards = without_lowest(cards)) {
        s.order[k] = owner[lowest(cards)];
        k = k + 1 == s.players ? 0 : k + 1;
    }
}

inline void start_round(State& s) {
    for (int p = 0; p < s.players; ++p) {
        s.previous |= bit(s.row[p]);
        s.row[p] = 0;
    }
    s.phase = Phase::play;
    s.turn = 0;
    s.drew = 0;
}

inline bool starts_round(const State& s) { return s.phase == Phase::play && s.turn == 0; }

inline void start_taking(State& s, bool drew) {
    s.phase = Phase::take;
    s.turn = 0;
    s.drew = drew;
}

inline void climb(const Tables& tables, State& s) {
    const int n = s.players;
    sort_order(s, true);
    bool reached = false;
    for (int rank = 0; rank < n; ++rank) {
        if (stands_still(rank, n)) continue;
        const int seat = s.order[rank == 0 ? n - 1 : rank - 1];
        const int step = std::min(s.steps[seat] + tables.icons[s.row[seat]], kPagoda);
        s.steps[seat] = std::uint8_t(step);
        reached |= step == kPagoda;
    }
    s.turn = 0;
    if (reached)
        s.phase = Phase::end;
    else if (s.deck != 0)
        s.phase = Phase::draw;
    else
        start_taking(s, false);  // SK5: nobody draws, the last seat takes a card as well
}

inline void apply(const Tables& tables, State& s, Action a) {
    HENRO_ASSERT(is_legal(s, a));
    const int card = card_of(a), n = s.players;
    switch (s.phase) {
        case Phase::deal:
            s.deck &= ~bit(card);
            s.hands[s.turn / kHandSize] |= bit(card);
            if (++s.turn == kHandSize * n) {
                s.phase = Phase::row;
                s.turn = 0;
            }
            break;
        case Phase::row:  // SK2: everybody climbs the set-up card
            s.deck &= ~bit(card);
            s.row[s.turn] = std::uint8_t(card);
            s.steps[s.turn] = std::uint8_t(1 + tables.icons[card]);
            if (++s.turn == n) {
                sort_order(s, false);  // SK3
                start_round(s);        // SK4: the set-up row is round 1's previous row
            }
            break;
        case Phase::play: {
            const int seat = s.order[s.turn];
            s.hands[seat] &= ~bit(card);
            s.known &= ~bit(card);
            s.row[seat] = std::uint8_t(card);
            if (++s.turn == n) climb(tables, s);
            break;
        }
        case Phase::draw:
            s.deck &= ~bit(card);
            s.hands[s.order[n - 1]] |= bit(card);
            start_taking(s, true);
            break;
        case Phase::take: {
            s.previous &= ~bit(card);
            s.hands[s.order[s.turn]] |= bit(card);
            s.known |= bit(card);
            if (++s.turn == n - s.drew) {
                s.removed |= s.previous;
                s.previous = 0;
                start_round(s);
            }
            break;
        }
        case Phase::end: break;
    }
}

// Seats that stand on a winning position (SK6-SK8), as a set of seats.
template <class Steps>
inline Bits winners(const Steps& steps, int players) {
    Bits occupied = 0;
    for (int p = 0; p < players; ++p) occupied |= bit(int(steps[p]));
    const Bits below = occupied & ~bit(kPagoda);
    if (below == 0) return 0;              // SK6: all on the pagoda
    Bits winning = std::bit_floor(below);  // second from the top
    if (players >= 5) {
        // Second from the bottom; SK8: with two occupied steps that is the pagoda, which never
        // wins.
        const Bits second = without_lowest(below);
        winning |= second & (~second + 1);
    }
    Bits seats = 0;
    for (int p = 0; p < players; ++p) seats |= Bits{has(winning, int(steps[p]))} << p;
    return seats;
}

inline void utilities(const Tables&, const State& s, Utility* out) {
    const Bits won = winners(s.steps, s.players);
    for (int p = 0; p < s.players; ++p) out[p] = has(won, p) ? kUtilityOne : 0;  // SK10
}

inline void scores(const Tables&, const State& s, int* out) {
    for (int p = 0; p < s.players; ++p) out[p] = s.steps[p];
}

// SK9: the winners share rank 1, all others rank 2; with no winner (SK6) rank 1 stays empty.
inline void ranks(const Tables&, const State& s, int* out) {
    const Bits won = winners(s.steps, s.players);
    for (int p = 0; p < s.players; ++p) out[p] = has(won, p) ? 1 : 2;
}

}  // namespace shikoku
HENRO_END
