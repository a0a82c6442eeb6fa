// Shikoku: what a seat knows, and worlds drawn from it.
#pragma once

#include "core/hash.hpp"
#include "games/shikoku/rules.hpp"

HENRO_BEGIN
namespace shikoku {

inline InfoSet observe(const State& s, int seat) {
    InfoSet info{s, std::uint64_t(seat)};
    for (int p = 0; p < s.players; ++p) {
        if (p == seat) continue;
        info.shown.deck |= s.hands[p] & ~s.known;
        info.shown.hands[p] &= s.known;
    }
    return info;
}

inline const State& public_state(const InfoSet& info) { return info.shown; }

inline std::uint64_t key(const InfoSet& info) { return hash_bytes(info); }

// Cards in p's hand that the observer cannot name.
inline int hidden_cards(const InfoSet& info, int p) {
    return hand_size(info.shown, p) - count(info.shown.hands[p]);
}

// Every unseen card is equally likely to lie in any hidden place of a hand or in the deck.
inline State sample(const InfoSet& info, Rng& rng) {
    State s = info.shown;
    int unseen = count(s.deck);
    for (int p = 0; p < s.players; ++p) {
        if (p == int(info.seat)) continue;
        for (int hidden = hidden_cards(info, p); hidden > 0; --hidden) {
            const Bits card = bit(select(s.deck, rng.below(unseen--)));
            s.deck ^= card;
            s.hands[p] |= card;
        }
    }
    return s;
}

// Invariants of every position that play can reach, hand-written ones included.
inline bool consistent(const Tables& tables, const State& s) {
    const int n = s.players;
    if (n != tables.players) return false;
    Bits seen = 0, hands = 0;
    int cards = 0;
    const auto place = [&](Bits set) {
        seen |= set;
        cards += count(set);
    };
    for (int p = 0; p < n; ++p) {
        hands |= s.hands[p];
        place(s.hands[p]);
        if (count(s.hands[p]) != hand_size(s, p)) return false;
        if (s.steps[p] < 1 || s.steps[p] > kPagoda) return false;
        if (s.row[p] != 0) place(bit(s.row[p]));
    }
    place(s.previous);
    place(s.deck);
    place(s.removed);
    return seen == kAllCards && cards == kCards && (s.known & ~hands) == 0;
}

}  // namespace shikoku
HENRO_END
