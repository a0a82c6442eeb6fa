// Shikoku: play to the end, fast: round by round, with the player count known to the compiler.
// Uniform playouts make the same choices from the same random numbers as the plain loop over legal
// and apply (a test compares them). In informed playouts every seat follows a rule of thumb.
#pragma once

#include <cstdlib>
#include <limits>

#include "games/shikoku/rules.hpp"

HENRO_BEGIN
namespace shikoku {

// What the rule of thumb makes of a card to take: one step or high numbers (they seldom stand still
// and can wait), then low ones. Weights were fitted to win share against uniform play.
inline int rate_take(int card, int icons) {
    return 13 * card + 18 * std::abs(card - 16) - 59 * icons + 49 * std::abs(2 * icons - 7);
}

template <int N>
class Playout {
public:
    Playout(const Tables& tables, const State& s, bool informed, Rng& rng)
        : tables_(tables), rng_(rng), informed_(informed), previous_(s.previous), deck_(s.deck) {
        for (int p = 0; p < N; ++p) {
            hands_[p] = s.hands[p];
            steps_[p] = s.steps[p];
            order_[p] = s.order[p];
            if (s.row[p] != 0) put(s.row[p], p);
        }
    }

    // From a decision or a draw to the end. Returns the number of decisions made.
    int run(Phase phase, int turn, bool drew) {
        int plies = 0;
        if (phase == Phase::play) {
            for (int k = turn; k < N; ++k) play(k);
            plies += N - turn;
            if (climb()) return plies;
            phase = Phase::draw;
        }
        if (phase == Phase::draw) {
            turn = 0;
            drew = draw();
        }
        plies += finish_round(turn, drew);
        for (;;) {
            for (int k = 0; k < N; ++k) play(k);
            plies += N;
            if (climb()) return plies;
            plies += finish_round(0, draw());
        }
    }

    void store(State& s) const {
        for (int p = 0; p < N; ++p) s.steps[p] = std::uint8_t(std::min(steps_[p], kPagoda));
        s.phase = Phase::end;
    }

private:
    void put(int card, int seat) {
        row_ |= bit(card);
        owner_[card] = std::uint8_t(seat);
    }

    void play(int k) {
        const int seat = order_[k];
        const int card =
            informed_ ? informed_play(k, seat) : select(hands_[seat], rng_.below(kHandSize));
        hands_[seat] ^= bit(card);
        put(card, seat);
    }

    // Ends up one step above the leader, rather by a low card, and not on the pagoda. The last seat
    // to play sees whether its card would stand still.
    int informed_play(int k, int seat) {
        int top = 0;
        for (const int step : steps_) top = std::max(top, step);
        std::uint64_t noise = rng_.next();
        int best = 0, best_rating = std::numeric_limits<int>::min();
        for_each_bit(hands_[seat], [&](int card) {
            const bool still = k == N - 1 && count(row_ & (bit(card) - 1)) == 1;
            const int step = steps_[seat] + (still ? 0 : tables_.icons[std::size_t(card)]);
            int rating =
                -60 * std::abs(step - top - 1) - 2 * card + int((noise & 0xffff) * 12 >> 16);
            if (step >= kPagoda) rating -= 270;
            noise >>= 16;
            if (rating > best_rating) {
                best_rating = rating;
                best = card;
            }
        });
        return best;
    }

    int informed_take() const {
        int best = 0, best_rating = std::numeric_limits<int>::min();
        for_each_bit(previous_, [&](int card) {
            if (const int rating = tables_.take_rating[std::size_t(card)]; rating > best_rating) {
                best_rating = rating;
                best = card;
            }
        });
        return best;
    }

    bool climb() {
        bool reached = false;
        Bits cards = row_;
        for (int rank = 0; rank < N; ++rank, cards = without_lowest(cards)) {
            const int card = lowest(cards);
            const int seat = owner_[card];
            order_[rank == 0 ? N - 1 : rank - 1] = std::uint8_t(seat);
            if (stands_still(rank, N)) continue;
            steps_[seat] += tables_.icons[std::size_t(card)];
            reached |= steps_[seat] >= kPagoda;
        }
        return reached;
    }

    bool draw() {
        if (deck_ == 0) return false;
        const Bits card = bit(select(deck_, rng_.below(count(deck_))));
        deck_ ^= card;
        hands_[order_[N - 1]] |= card;
        return true;
    }

    void take(int k) {
        const Bits card = bit(informed_ ? informed_take() : select(previous_, rng_.below(N - k)));
        previous_ ^= card;
        hands_[order_[k]] |= card;
    }

    int finish_round(int turn, bool drew) {
        for (int k = turn; k < N - 1; ++k) take(k);
        if (!drew) take(N - 1);
        previous_ = row_;
        row_ = 0;
        return N - turn - drew;
    }

    const Tables& tables_;
    Rng& rng_;
    const bool informed_;
    Bits previous_, deck_, row_ = 0;
    Bits hands_[N];
    int steps_[N];
    std::uint8_t order_[N];
    std::uint8_t owner_[64 + 1];  // by card; every value of lowest() is in range
};

template <int N>
int playout_of(const Tables& tables, State& s, bool informed, Rng& rng) {
    while (s.phase == Phase::deal || s.phase == Phase::row) apply(tables, s, random_action(s, rng));
    Playout<N> playout(tables, s, informed, rng);
    const int plies = playout.run(s.phase, s.turn, s.drew);
    playout.store(s);
    return plies;
}

// Returns the number of decisions made. Afterwards only steps and phase of `s` are meaningful: what
// utilities, scores and ranks read.
inline int playout(const Tables& tables, State& s, bool informed, Rng& rng) {
    if (s.phase == Phase::end) return 0;
    switch (s.players) {
        case 3: return playout_of<3>(tables, s, informed, rng);
        case 4: return playout_of<4>(tables, s, informed, rng);
        case 5: return playout_of<5>(tables, s, informed, rng);
        case 6: return playout_of<6>(tables, s, informed, rng);
        case 7: return playout_of<7>(tables, s, informed, rng);
        default: return playout_of<8>(tables, s, informed, rng);
    }
}

// At random to the first start of a round after `horizon` decisions.
inline int play_rounds(const Tables& tables, State& s, Rng& rng, int horizon) {
    int plies = 0;
    while (s.phase != Phase::end && !(starts_round(s) && plies >= horizon)) {
        plies += actor(s) != kChance;
        apply(tables, s, random_action(s, rng));
    }
    return plies;
}

}  // namespace shikoku
HENRO_END
