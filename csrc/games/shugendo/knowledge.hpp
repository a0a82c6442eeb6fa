// Shugendo: what a seat knows, and worlds drawn from it (F, SG46).
#pragma once

#include "core/error.hpp"
#include "core/hash.hpp"
#include "games/shugendo/rules.hpp"

HENRO_BEGIN
namespace shugendo {

// As if no turn were under way.
inline void clear_turn(State& s) {
    for (std::uint8_t& icons : s.pending) icons = 0;
    s.main = Main::none;
    s.track = s.last = s.farms = s.swap = 0;
}

inline unsigned guest_place(const State& s, int seat) {  // a set of places of the display
    return s.guest[seat] ? 1u << ((s.guest[seat] & 15) - 1) : 0;
}

// Whether ir_guest has shown the seat the display in this Action phase.
inline bool saw_display(const Tables& t, const State& s, int seat) {
    const Player& p = s.players[seat];
    const int iron = t.boards[board_of(p)].milestone[1];
    return s.phase == Phase::action && t.milestones[milestone_of(p)].iron == Iron::guest &&
           has_covered(p.realm, iron) && !has_covered(p.before, iron) && revealed(p) != 0;
}

// Places taken by the guests of the seats whose turn came before.
inline unsigned taken_before(const State& s, int seat) {
    unsigned taken = 0;
    for (int turn = 0; seat_of_turn(s, turn) != seat; ++turn)
        taken |= guest_place(s, seat_of_turn(s, turn));
    return taken;
}

inline InfoSet observe(const Tables& t, const State& s, int seat) {
    InfoSet info{s, std::uint64_t(seat)};
    if (!is_sealed(s.phase)) return info;
    State& shown = info.shown;
    for (int i = 0; i < kMaxPlayers; ++i) {
        if (i == seat) continue;
        Player& p = shown.players[i];
        p.realm = p.before;
        shown.guest[i] = 0;
        if (s.phase == Phase::action) continue;
        p.place_low = std::uint16_t((p.place_low & ~kSlots) | p.old_discard);
        p.place_high = std::uint16_t(p.place_high & ~kSlots);
    }
    shown.taken = saw_display(t, s, seat)
                      ? std::uint16_t(taken_before(s, seat) | guest_place(s, seat))
                      : std::uint16_t{0};
    if (acting_seat(s) != seat) {
        clear_turn(shown);
        shown.step = Step::sealed;
    }
    return info;
}

inline const State& public_state(const InfoSet& info) { return info.shown; }

inline std::uint64_t key(const InfoSet& info) { return hash_bytes(info); }

// ---- Sampling: turns of this phase that others have had are played again, uniformly.

class Sampler {
public:
    Sampler(const Tables& t, const InfoSet& info, Rng& rng)
        : t_(t), shown_(info.shown), seat_(int(info.seat)), rng_(rng), s_(info.shown) {}

    State world() {
        if (!is_sealed(shown_.phase)) return shown_;
        constexpr int kMostTries = 100'000;  // only an impossible view needs as many
        for (int tries = 0; tries < kMostTries; ++tries)
            if (replay()) return s_;
        throw Error(ErrorKind::view, "view: the earlier turns of this phase cannot have been");
    }

private:
    // Returns whether the world agrees with what the seat has seen of the display.
    bool replay() {
        s_ = shown_;
        clear_turn(s_);
        s_.taken = 0;
        for (int turn = 0; turn < shown_.turn; ++turn) {
            s_.turn = std::uint8_t(turn);
            if (acting_seat(s_) != seat_)
                play_turn();
            else if (!admit_own())
                return false;
        }
        s_.turn = shown_.turn;
        if (acting_seat(s_) != seat_) {
            Flow(t_, s_).begin_turn();
            return s_.step != Step::between;
        }
        if (!admit_own()) return false;
        resume_own();
        return true;
    }

    void play_turn() {
        Flow flow(t_, s_);
        flow.begin_turn();
        while (s_.step != Step::between) {
            if (is_chance(s_.step)) {
                flow.act(sample_chance(t_, s_, rng_));
            } else {
                const Choices c = choices(t_, s_);
                flow.act(c.nth(rng_.below(c.number())));
            }
        }
    }

    bool admit_own() {
        const unsigned own = guest_place(shown_, seat_);
        if (saw_display(t_, shown_, seat_) && (s_.taken | own) != shown_.taken) return false;
        if ((s_.taken & own) != 0) return false;
        s_.taken = std::uint16_t(s_.taken | own);
        return true;
    }

    void resume_own() {
        std::copy(shown_.pending, shown_.pending + kChoices, s_.pending);
        s_.step = shown_.step;
        s_.main = shown_.main;
        s_.track = shown_.track;
        s_.last = shown_.last;
        s_.farms = shown_.farms;
        s_.swap = shown_.swap;
    }

    const Tables& t_;
    const State& shown_;
    const int seat_;
    Rng& rng_;
    State s_;
};

inline State sample(const Tables& t, const InfoSet& info, Rng& rng) {
    return Sampler(t, info, rng).world();
}

// ---- Invariants of every position that play can reach, hand-written ones included.

inline bool consistent(const Tables& t, const Player& p, const Realm& r) {
    const Board& board = t.boards[board_of(p)];
    const Cells tiles = covered(r), tokens = tokens_on(r), marks = Cells(Marks::get(r.goods));
    if ((tiles & ~board.within[0][3]) != 0 || (tokens & ~tiles) != 0 || (marks & ~tokens) != 0)
        return false;
    if (count(farms_on(r)) > kMostFarms || count(villages_on(r)) > kMostVillages ||
        count(cities_on(r)) > kMostCities || prefectures(r) > kMostPrefectures)
        return false;
    for (int track = 0; track < kTracks; ++track)
        if (steps(r, track) > t.track_end[track]) return false;
    return Age::get(r.land) >= 1 && Age::get(r.land) <= kLastAge;
}

inline bool consistent(const Tables& t, const State& s, const Player& p) {
    for (int slot = 0; slot < kOwnCards; ++slot) {
        if (card_in(p, slot) >= kCards) return false;
        if (slot == 0 || card_in(p, slot - 1) < card_in(p, slot)) continue;
        if (card_in(p, slot - 1) > card_in(p, slot) || place_of(p, slot - 1) > place_of(p, slot))
            return false;
    }
    if (s.phase == Phase::setup) return true;
    if (!has_covered(p.realm, t.boards[board_of(p)].start) || !consistent(t, p, p.realm))
        return false;
    if (s.phase != Phase::reveal && p.old_discard != 0) return false;
    return is_sealed(s.phase) ? consistent(t, p, p.before) : p.before == Realm{};
}

// SG37: no more copies of a design than there are; replaced ones may have left the game.
inline bool cards_conserved(const Tables& t, const State& s) {
    int found[kCards] = {};
    for (int i = 0; i < s.count; ++i)
        for_each_card(s.players[i], kSlots, [&](int card) { ++found[card]; });
    for (int place = 0; place < kDisplay; ++place) {
        const int card = s.display[place], row = row_of(place);
        if (card == kNoCard) {
            if (s.taken >> place & 1) return false;
            continue;
        }
        if (card >= kCards || t.cards[card].age != row + 1) return false;
        if (place > kRows[row] && s.display[place - 1] > card) return false;
        ++found[card];
    }
    for (int age = 0; age < kAges; ++age)
        for_each_bit(deck(s, age), [&](int i) { ++found[t.copy_of[kDeckStarts[age] + i]]; });
    for (int card = 0; card < kCards; ++card)
        if (found[card] > t.cards[card].copies * (t.cards[card].age == 0 ? s.count : 1))
            return false;
    return true;
}

inline bool consistent(const Tables& t, const State& s) {
    if (s.count != t.players || s.first >= s.count || s.step > Step::end) return false;
    if (s.phase != Phase::setup && s.turn >= s.count) return false;
    unsigned guests = 0;
    for (int i = 0; i < s.count; ++i) {
        if (!consistent(t, s, s.players[i])) return false;
        if ((guests & guest_place(s, i)) != 0) return false;
        guests |= guest_place(s, i);
    }
    if (s.phase == Phase::action ? s.taken != guests : guests != 0) return false;
    if (s.phase != Phase::action && s.phase != Phase::recruit && s.taken != 0) return false;
    if (actor(s) >= 0 && choices(t, s).number() == 0) return false;
    return cards_conserved(t, s);
}

}  // namespace shugendo
HENRO_END
