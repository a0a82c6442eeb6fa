// Shikoku: a learned evaluation of round starts, a small neural network over all hands. Integers
// throughout, so that it says the same on every machine. bench/learn_shikoku.py fits the weights.
#pragma once

#include <algorithm>

#include "core/real.hpp"
#include "games/shikoku/rules.hpp"

HENRO_BEGIN
namespace shikoku {

// The network for a table, or none: it was fitted to the default component set, known by its icons.
const Network* network_for(const Tables& tables);

inline int first_turn(int players) { return (players - 3) * (players + 2) / 2; }

inline void add_row(std::int32_t* sum, const Network::Row& row) {
    for (int k = 0; k < Network::kWidth; ++k) sum[k] += row[k];
}

inline std::int32_t dot(const Network::Row& a, const std::int16_t* b) {
    std::int32_t sum = 0;
    for (int k = 0; k < Network::kWidth; ++k) sum += std::int32_t(a[k]) * b[k];
    return sum;
}

// Probability of each of N seats to win from the start of a round.
template <int N>
void evaluate_round(const Network& net, const State& s, Utility* out) {
    constexpr int W = Network::kWidth;
    std::int32_t common[W]{}, shared[W];
    std::int16_t seats[N][W], total[W]{};
    add_row(common, net.seat_bias);
    add_row(common, net.deck[std::min(count(s.deck), 2)]);
    for_each_bit(s.previous, [&](int card) { add_row(common, net.previous[card - 1]); });
    for (int k = 0; k < N; ++k) {
        const int seat = s.order[k];
        std::int32_t sum[W];
        std::copy_n(common, W, sum);
        add_row(sum, net.turn[first_turn(N) + k]);
        add_row(sum, net.step[s.steps[seat]]);
        for_each_bit(s.hands[seat], [&](int card) { add_row(sum, net.hand[card - 1]); });
        for (int j = 0; j < W; ++j) {
            seats[seat][j] = std::int16_t(std::clamp(sum[j], 0, Network::kMostSeat));
            total[j] = std::int16_t(total[j] + seats[seat][j]);
        }
    }
    for (int k = 0; k < W; ++k)
        shared[k] = net.hidden_bias[k] * Network::kOne + dot(net.all[k], total);
    for (int p = 0; p < N; ++p) {
        std::int32_t distance[W]{};
        for (int q = 0; q < N; ++q)
            if (q != p) add_row(distance, net.distance[s.steps[q] - s.steps[p] + kPagoda - 1]);
        std::int32_t rating = net.win_bias * Network::kOne;
        for (int k = 0; k < W; ++k) {
            const std::int32_t hidden =
                shared[k] + distance[k] * Network::kOne + dot(net.own[k], seats[p]);
            rating += std::clamp(hidden, 0, Network::kMostHidden) / Network::kOne * net.win[k];
        }
        const double odds = exp_of(-std::abs(rating) / double(Network::kOne * Network::kOne));
        out[p] = Utility(kUtilityOne * (rating < 0 ? odds : 1) / (1 + odds));
    }
}

inline void evaluate_round(const Network& net, const State& s, Utility* out) {
    switch (s.players) {
        case 3: return evaluate_round<3>(net, s, out);
        case 4: return evaluate_round<4>(net, s, out);
        case 5: return evaluate_round<5>(net, s, out);
        case 6: return evaluate_round<6>(net, s, out);
        case 7: return evaluate_round<7>(net, s, out);
        default: return evaluate_round<8>(net, s, out);
    }
}

}  // namespace shikoku
HENRO_END
