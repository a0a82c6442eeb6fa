// Shikoku: a rule of thumb one ply deep: the greedy baseline, evaluation and priors.
#pragma once

#include <algorithm>

#include "core/real.hpp"
#include "games/shikoku/network.hpp"

HENRO_BEGIN
namespace shikoku {

// How good the seat's place is if the climb came now, with the cards that lie in the row: a winning
// step first (the higher the better), then any step below the leaders, then being in the lead.
inline int rate_play(const Tables& tables, const State& s, int seat, int card) {
    State after = s;
    after.row[seat] = std::uint8_t(card);
    Bits cards = 0;
    for (int p = 0; p < s.players; ++p)
        if (after.row[p] != 0) cards |= bit(after.row[p]);
    const int played = count(cards);
    for (int p = 0; p < s.players; ++p) {
        if (after.row[p] == 0) continue;
        const int rank = count(cards & (bit(after.row[p]) - 1));
        const bool still = rank == 1 || (s.players >= 5 && rank == played - 2);
        if (!still)
            after.steps[p] =
                std::uint8_t(std::min(after.steps[p] + tables.icons[after.row[p]], kPagoda));
    }
    // Winning is to stand where the winners would if the leaders were on the pagoda.
    int top = 0;
    for (int p = 0; p < s.players; ++p) top = std::max(top, int(after.steps[p]));
    const int step = after.steps[seat];
    for (int p = 0; p < s.players; ++p)
        if (after.steps[p] == top) after.steps[p] = kPagoda;
    if (has(winners(after.steps, s.players), seat)) return 200 + step;
    return step < top ? 100 + step : 100 - step;
}

// `play`: the place after the card; `take`: the icons of the card.
inline int rate(const Tables& tables, const State& s, int card) {
    return s.phase == Phase::play ? rate_play(tables, s, actor(s), card)
                                  : int(tables.icons[std::size_t(card)]);
}

// The best rated move of the seat to act; ties go to the lower card.
inline Action best_rated(const Tables& tables, const State& s) {
    int best = -1, best_rating = -1;
    for_each_bit(choices(s), [&](int card) {
        if (const int rating = rate(tables, s, card); rating > best_rating) {
            best_rating = rating;
            best = card;
        }
    });
    return make_action(kind_to_act(s), best);
}

// The network at the start of a round. Elsewhere, or with other icons, shares of the winners to
// come: those who would win now count the more, the nearer the pagoda.
inline void evaluate(const Tables& tables, const State& s, Utility* out) {
    if (tables.network && starts_round(s)) return evaluate_round(*tables.network, s, out);
    const int n = s.players;
    std::uint8_t steps[kMaxPlayers];
    std::copy(s.steps, s.steps + n, steps);
    const int top = *std::max_element(steps, steps + n);
    std::replace(steps, steps + n, std::uint8_t(top), std::uint8_t(kPagoda));
    const Bits ahead = winners(steps, n);
    double weights[kMaxPlayers], sum = 0;
    const double near = double(top) / kPagoda;
    for (int p = 0; p < n; ++p) sum += weights[p] = 1 + (has(ahead, p) ? 8 * near * near : 0);
    const int places = n >= 5 ? 2 : 1;
    for (int p = 0; p < n; ++p)
        out[p] = Utility(kUtilityOne * std::min(1.0, places * weights[p] / sum));
}

template <class Actions>
void priors(const Tables& tables, const State& s, const Actions& actions, float* out) {
    const double scale = s.phase == Phase::play ? 40 : 2;
    double shares[kMaxPlayers];
    const std::size_t n = actions.size();
    for (std::size_t i = 0; i < n; ++i) shares[i] = rate(tables, s, card_of(actions[i]));
    softmax(shares, n, scale);
    std::copy(shares, shares + n, out);
}

}  // namespace shikoku
HENRO_END
