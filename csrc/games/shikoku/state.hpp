// Shikoku: component tables, the position and what one seat knows of it.
#pragma once

#include <array>
#include <cstdint>

#include "core/bits.hpp"
#include "core/game.hpp"

HENRO_BEGIN
namespace shikoku {

inline constexpr int kMinPlayers = 3, kMaxPlayers = 8;
inline constexpr int kCards = 33;    // numbered 1..33; card c is bit c of a card set
inline constexpr int kPagoda = 33;   // the last step
inline constexpr int kHandSize = 3;  // cards in hand when a round starts
inline constexpr Bits kAllCards = bit(kCards + 1) - 2;

// Every seat is encoded by the same first layer, from its hand, its step, its turn and what lies in
// the open; the second layer sees the seat, the sum over all seats and how far the others are from
// its step. Weights in 1/kOne.
struct Network {
    static constexpr int kWidth = 128, kOne = 256;
    static constexpr int kTurns = 33;  // 3 of 3 seats, then 4 of 4, up to 8 of 8
    static constexpr int kMostSeat = 2 * kOne, kMostHidden = 4 * kOne * kOne;  // activations
    using Row = std::int16_t[kWidth];

    Row hand[kCards];
    Row step[kPagoda + 1];
    Row turn[kTurns];
    Row previous[kCards];
    Row deck[3];  // 0, 1 or more cards
    Row seat_bias;
    Row own[kWidth];                // by hidden unit: weights of what the seat itself shows
    Row all[kWidth];                // and of what all seats show together
    Row distance[2 * kPagoda - 1];  // from 32 steps below to 32 above
    Row hidden_bias;
    Row win;
    std::int16_t win_bias;
};

struct Tables {
    int players = 0;
    std::array<std::uint8_t, kCards + 1> icons{};  // walking icons by card number; [0] is unused
    std::array<std::int16_t, kCards + 1> take_rating{};  // informed playouts: what to take first
    const Network* network = nullptr;  // of the learned evaluation; none with other icons
};

enum class Phase : std::uint8_t { deal, row, play, draw, take, end };

// Who sits where in `order` while seats decide: `turn` counts deals, rows, plays or takes done.
struct State {
    Bits hands[kMaxPlayers];
    Bits deck;
    Bits previous;  // the row that is taken from: the set-up row, then the row played last
    Bits removed;
    Bits known;                     // cards in hands that everybody saw being taken
    std::uint8_t row[kMaxPlayers];  // card played (or set up) by each seat, 0 = none yet
    std::uint8_t steps[kMaxPlayers];
    std::uint8_t order[kMaxPlayers];
    Phase phase;
    std::uint8_t turn;
    std::uint8_t players;
    std::uint8_t drew;  // in `take`: the last seat drew from the deck and takes nothing
    std::uint8_t zero[4];

    friend bool operator==(const State&, const State&) = default;
};
static_assert(sizeof(State) == 128, "the architecture allows 128 bytes at 8 players");

// What `seat` knows: the position with every card it cannot place moved into `deck`. How many of
// those lie in each hand follows from the phase (hand_size) and the cards known to be there.
struct InfoSet {
    State shown;
    std::uint64_t seat;
};

// Cards in a seat's hand, from public facts alone.
inline int hand_size(const State& s, int seat) {
    const auto before_turn = [&](int limit) {
        for (int k = 0; k < limit; ++k)
            if (s.order[k] == seat) return 1;
        return 0;
    };
    switch (s.phase) {
        case Phase::deal: {
            const int dealt = s.turn - kHandSize * seat;
            return dealt < 0 ? 0 : dealt > kHandSize ? kHandSize : dealt;
        }
        case Phase::row: return kHandSize;
        case Phase::play: return kHandSize - before_turn(s.turn);
        case Phase::take:
            return kHandSize - 1 + before_turn(s.turn) +
                   (s.drew && s.order[s.players - 1] == seat ? 1 : 0);
        case Phase::draw:
        case Phase::end: return kHandSize - 1;
    }
    return 0;
}

}  // namespace shikoku
HENRO_END
