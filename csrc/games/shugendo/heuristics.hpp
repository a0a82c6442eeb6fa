// Shugendo: a rule of thumb for every decision, used by the greedy baseline and in informed
// playouts. Ratings are in tenths of a VP and look at what the deciding seat knows.
#pragma once

#include <limits>

#include "core/real.hpp"
#include "games/shugendo/rules.hpp"

HENRO_BEGIN
namespace shugendo {

inline constexpr int kStepValue[kTracks] = {10, 10, 8};

// Chance in 1/1000 that the next card brings the total to Mischief, after `calmed` yokai less.
inline int bust_risk(const Tables& t, const Player& p, int calmed) {
    const std::uint8_t* yokai = yokai_table(t, p);
    const int room = t.mischief - total_yokai(t, p) + calmed;
    unsigned slots = slots_in(p, in_deck);
    if (slots == 0) slots = slots_in(p, in_discard);
    int bad = 0;
    for_each_card(p, slots, [&](int card) { bad += yokai[card] >= room; });
    return 1000 * bad / count(Bits{slots});
}

// What a further card is worth at that risk: a bust costs the lesser of two phases, and the more
// the more cards lie there.
inline int reveal_value(const Player& p, int risk) {
    return 15 * 1000 - risk * (10 + 3 * count(Bits{revealed(p)}));
}

class Rating {
public:
    Rating(const Tables& t, const State& s)
        : t_(t),
          s_(s),
          p_(s.players[acting_seat(s)]),
          r_(p_.realm),
          board_(t.boards[board_of(p_)]),
          tokens_(tokens_on(r_)) {}

    int of(Action a) const {
        const int object = object_of(a);
        switch (verb_of(a)) {
            case Verb::reveal: return reveal_value(p_, bust_risk(t_, p_, 0));
            case Verb::pilgrim: return reveal_value(p_, bust_risk(t_, p_, object + 1)) - 3500;
            case Verb::mischief: return object == 0 ? action_value() : recruit_value();
            case Verb::gain: return step_value(object);
            case Verb::boost:
                return step_value(object) * std::min(4, t_.track_end[object] - steps(r_, object));
            case Verb::explore: return explore(object) + opening(Main::explore);
            case Verb::farm: return place(Last::farm, object) + opening(Main::expand);
            case Verb::village: return place(Last::village, object) + opening(Main::expand);
            case Verb::city: return place(Last::city, object) + opening(Main::expand);
            case Verb::swap: return place(Last::city, object);
            case Verb::develop: return develop(Age::get(r_.land) + 1) + opening(Main::develop);
            case Verb::recruit: return recruit(object);
            case Verb::replace: return -worth(object);
            default: return 0;
        }
    }

private:
    // -- Cards

    // The game lasts about ten rounds, and most cards are revealed in each.
    int worth(int card) const {
        const int rounds = std::max(1, 11 - s_.round);
        return 10 * t_.cards[card].end_vp + t_.use[card] * rounds * 9 / 10;
    }

    // The gain over the worst revealed cards, one of which goes for each card bought.
    int recruit(int card) const {
        std::array<int, kOwnCards> worths;
        int size = 0;
        for_each_card(p_, revealed(p_), [&](int c) { worths[size++] = worth(c); });
        const int bought = s_.step == Step::buy ? count(Bits{s_.taken}) : 0;
        std::nth_element(worths.begin(), worths.begin() + bought, worths.begin() + size);
        const int silver = std::max(0, t_.cards[card].cost - s_.gold);
        return worth(card) - worths[bought] - (s_.step == Step::buy ? 7 * silver : 0);
    }

    int action_value() const {
        int icons = 0;
        for_each_card(p_, revealed(p_), [&](int card) {
            for (int i = 0; i < kTracks + kChoices; ++i)
                icons += int(t_.icons[card] >> 8 * i & 255);
        });
        return 10 * icons + 15;
    }
    int recruit_value() const {
        int value = 0;
        for_each_card(p_, revealed(p_), [&](int card) {
            const Card& c = t_.cards[card];
            value += 5 * c.gold + 3 * c.silver + 8 * c.pilgrims + 10 * c.vp;
        });
        return value;
    }

    // -- Tracks: empty ones are dearer than full ones, Compasses where there is no room to build.

    int step_value(int track) const {
        int value =
            kStepValue[track] * 6 - kStepValue[track] * steps(r_, track) / t_.track_end[track];
        if (track == compass && count(covered(r_) & ~tokens_) < 3) value += 12;
        return value;
    }

    int gain_value(const Gain& g) const {
        int value = 12 * g.any + 4 * g.silver + 8 * g.pilgrims + 12 * g.vp;
        for (int i = 0; i < kTracks; ++i) value += kStepValue[i] * g.tracks[i];
        return value;
    }

    // -- Main action: first the kind, by all that its resource can pay, then the best step.

    int opening(Main kind) const {
        if (s_.main != Main::none) return 0;
        switch (kind) {
            case Main::explore: return 10 * steps(r_, compass);
            case Main::expand: return 6 * steps(r_, hammer);
            default: {
                const int age = Age::get(r_.land) + 1, left = steps(r_, book) - t_.age_cost[age];
                return age < kLastAge && left >= t_.age_cost[age + 1] ? develop(age + 1) : 0;
            }
        }
    }

    int explore(int cell) const {
        constexpr int kMilestone = 35;
        const int cost = int(board_.terrain[cell]) + 1;
        int value = 5 + 10 * board_.penalty[cell] + gain_value(board_.gain[cell]) - 4 * cost;
        switch (board_.icon[cell]) {
            case Icon::ivory:
            case Icon::iron:
            case Icon::gold: value += kMilestone; break;
            default: break;
        }
        return value + 5 * count(next_to(Cells(bit(cell))) & ~covered(r_));
    }

    int develop(int age) const {
        const int taken = tokens_taken(s_.development[age - 2]);
        const int vp =
            taken < t_.development_tokens[age - 2] ? t_.development_vp[age - 2][taken] : 0;
        return 10 * vp + 120;  // new cards, and nearer to the end
    }

    // A Prefecture founded, the change of the rows, and the way to the next Prefecture.
    int place(Last kind, int cell) const {
        std::uint64_t land = r_.land;
        place_token(land, kind, cell);
        const Realm after{land, r_.goods};
        int value = 10 * (rows_vp(board_, after) - rows_vp(board_, r_));
        if (kind == Last::village) value += gain_value(board_.village_row);
        if (kind == Last::city) value += gain_value(board_.city_row);
        if (founds(t_, land, r_.goods, cell)) return value + prefecture(prefectures(r_));
        const Cells marks = Cells(Marks::get(r_.goods));
        const Cells group = group_of(tokens_on(after), Cells(bit(cell)));
        if (prefectures(r_) == kMostPrefectures) return value + 1;
        if ((group & marks) != 0) return value + (kind == Last::farm ? -18 : -11);
        const int stars =
            count(group & Bits(Low::get(land))) + 2 * count(group & Bits(High::get(land)));
        return value + 15 * stars;
    }

    int prefecture(int k) const {
        const int taken = tokens_taken(s_.prefecture[k]);
        const int vp = taken < t_.prefecture_tokens[k] ? t_.prefecture_vp[k][taken] : 3;
        return 10 * (vp + board_.prefecture_vp[k]) + gain_value(board_.prefecture[k]);
    }

    const Tables& t_;
    const State& s_;
    const Player& p_;
    const Realm& r_;
    const Board& board_;
    const Cells tokens_;
};

// The best rated move of the seat to act; ties go to the lower action.
inline Action best_rated(const Tables& t, const State& s) {
    const Rating rating(t, s);
    Action best = 0;
    int best_value = std::numeric_limits<int>::min();
    choices(t, s).for_each([&](Action a) {
        if (const int value = rating.of(a); value > best_value) {
            best_value = value;
            best = a;
        }
    });
    return best;
}

// The first decision of a round: every seat has had the same number of turns.
inline bool between_rounds(const State& s) {
    return s.step == Step::reveal && s.turn == 0 && revealed(s.players[acting_seat(s)]) == 0;
}

// By the rule of thumb for every seat, with the draws for variety. Uniform opponents would seldom
// end the game before the round limit (SG32) nor press the seat that searches.
inline int informed_playout(const Tables& t, State& s, Rng& rng, int horizon) {
    Flow flow(t, s);
    int plies = 0;
    while (s.step != Step::end && !(plies >= horizon && between_rounds(s))) {
        if (is_chance(s.step)) {
            flow.apply(sample_chance(t, s, rng));
            continue;
        }
        flow.apply(best_rated(t, s));
        ++plies;
    }
    return plies;
}

// ---- What search goes by

inline constexpr int kUsualRounds = 11;

// What a seat's goods and cards may still bring, in tenths of a VP, beside the score as it is.
inline int prospects(const Tables& t, const State& s, int seat) {
    constexpr int kStep = 4, kSilver = 3, kPilgrim = 6, kStar = 5, kAge = 25, kCell = 8;
    const Player& p = s.players[seat];
    const Realm& r = p.realm;
    const int rounds = std::max(0, kUsualRounds - s.round);
    int value = kSilver * Silver::get(r.goods) + kPilgrim * Pilgrims::get(r.goods) +
                kAge * (Age::get(r.land) - 1) + kCell * count(covered(r));
    for (int i = 0; i < kTracks; ++i) value += kStep * steps(r, i);
    for_each_card(p, kSlots, [&](int card) { value += t.use[card] * rounds / 4; });
    return value + kStar * (count(Bits(Low::get(r.land))) + 2 * count(Bits(High::get(r.land))));
}

inline void evaluate(const Tables& t, const State& s, Utility* out) {
    int scored[kMaxPlayers];
    scores(t, s, scored);
    double shares[kMaxPlayers];
    for (int p = 0; p < s.count; ++p) shares[p] = 10 * scored[p] + prospects(t, s, p);
    softmax(shares, s.count, 40 + 10 * std::max(0, kUsualRounds - s.round));
    for (int p = 0; p < s.count; ++p) out[p] = Utility(kUtilityOne * shares[p]);
}

// Shares of the moves by their rating.
template <class Actions>
void priors(const Tables& t, const State& s, const Actions& actions, float* out) {
    // Of revealing the ratings are in thousands.
    const double scale = s.step == Step::reveal ? 2000 : 15;
    const Rating rating(t, s);
    const std::size_t n = actions.size();
    double shares[kCells + 2];
    for (std::size_t i = 0; i < n; ++i) shares[i] = rating.of(actions[i]);
    softmax(shares, n, scale);
    std::copy(shares, shares + n, out);
}

}  // namespace shugendo
HENRO_END
