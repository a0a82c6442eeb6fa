// Shikoku: the greedy baseline, one ply deep.
#include "games/shikoku/game.hpp"

HENRO_BEGIN
namespace shikoku {
namespace {

// How good the seat's place is if the climb came now, with the cards that lie in the row: a winning
// step first (the higher the better), then any step below the leaders, then being in the lead.
int rate_play(const Tables& tables, const State& s, int seat, int card) {
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

}  // namespace

// `play`: the card with the best rating; `take`: the card with the most icons. Ties go to the lower
// card.
Action Game::greedy(const Tables& tables, const InfoSet& info) {
    const State& s = info.shown;
    const int seat = actor(s);
    int best = -1, best_rating = -1;
    for_each_bit(choices(s), [&](int card) {
        const int rating = s.phase == Phase::play ? rate_play(tables, s, seat, card)
                                                  : int(tables.icons[std::size_t(card)]);
        if (rating > best_rating) {
            best_rating = rating;
            best = card;
        }
    });
    return make_action(kind_to_act(s), best);
}

}  // namespace shikoku
HENRO_END
