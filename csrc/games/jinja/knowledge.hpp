// Jinja: what a seat knows, and worlds drawn from it (J36, J37, J45).
#pragma once

#include "core/error.hpp"
#include "core/hash.hpp"
#include "games/jinja/rules.hpp"

HENRO_BEGIN
namespace jinja {

// ---- Draft memory. Seat P holds pack q in the rounds first_visit, first_visit + n, ...

inline int first_visit(const State& s, int seat, int pack) {
    return (seat - pack + s.count) % s.count + 1;
}

inline bool before_draft(Step step) {
    return step == Step::lantern || step == Step::goods || step == Step::deal_omikuji ||
           step == Step::return_setup || step == Step::deal_deed;
}

// The last round whose packs have been taken up; a seat sees its own pack while it is dealt.
inline int rounds_begun(const Tables& t, const State& s) {
    if (s.step == Step::draft) return draft_round(s);
    if (s.step == Step::deal_deed) return 1;
    return before_draft(s.step) ? 0 : pack_size(t);
}

// Cards that lie in a pack now.
inline int cards_in_pack(const Tables& t, const State& s, int pack) {
    const int size = pack_size(t);
    if (s.step == Step::deal_deed) return std::clamp(int(s.placed) - pack * size, 0, size);
    if (s.step != Step::draft) return 0;
    const int round = draft_round(s);
    return size - (round - 1) - (holder(s, {pack, round}) < s.active);
}

// The last round up to `round` in which the seat held the pack, 0 if it has not yet.
inline int last_visit(const State& s, int seat, int pack, int round) {
    const int first = first_visit(s, seat, pack);
    return round < first ? 0 : round - (round - first) % s.count;
}

inline int deeds_in_hand(const State& s, int seat) { return count(deeds_at(s, at::hand(seat))); }

// Whether a Deed lies where the draft put it: then its memory says from where, and only some know.
inline bool is_drafted(const State& s, int deed) {
    const int place = deed_at(s, deed);
    return place == at::pack ||
           (place >= at::hand0 && place < at::built0 && !has(s.open_deeds, deed));
}

inline InfoSet observe(const Tables& t, const State& s, int seat) {
    InfoSet info{};
    info.shown = s;
    info.seat = std::uint8_t(seat);
    State& shown = info.shown;
    const int begun = rounds_begun(t, s);

    // Deeds: a drafted one is placed exactly if it is the seat's own, lies in the pack it holds, or
    // was the only one taken between two of its visits.
    Bits groups[kMaxPlayers][8] = {};  // by pack and last round seen: candidates
    for (int d = 0; d < kDeeds; ++d) {
        const int place = deed_at(s, d);
        if (place == at::aside) move_deed(shown, d, at::unseen);
        if (!is_drafted(s, d) || place == at::hand(seat)) continue;
        const Slot slot = slot_of(s, d);
        const int seen =
            last_visit(s, seat, slot.pack, slot.round == 0 ? begun : std::min(slot.round, begun));
        if (seen == 0) {
            move_deed(shown, d, at::unseen);
            remember(shown, d, {0, 0});
        } else if (slot.round != 0 || seen != begun) {
            groups[slot.pack][seen] |= bit(d);
        }
    }
    for (int pack = 0; pack < t.players; ++pack)
        for (int seen = 1; seen < 8; ++seen) {
            const Bits group = groups[pack][seen];
            if (count(group) <= 1) continue;  // known by elimination
            for_each_bit(group, [&](int d) {
                const int round = slot_of(s, d).round;
                if (round != 0)
                    info.open_rounds[pack] = std::uint8_t(info.open_rounds[pack] | 1 << round);
                move_deed(shown, d, at::seen);
                remember(shown, d, {pack, seen});
            });
        }

    // Omikuji: the own hand and the own cards of the ordered part (J45).
    for (int p = 0; p < t.players; ++p) {
        info.deeds_in_hand[p] = std::uint8_t(deeds_in_hand(s, p));
        info.omikuji_in_hand[p] = std::uint8_t(count(omikuji_at(s, 1 + p)));
        if (p == seat) continue;
        ReturnedLow::set(shown.players[p], kNoCard);
        ReturnedHigh::set(shown.players[p], kNoCard);
    }
    for (std::uint8_t& place : shown.omikuji_at) {
        const bool own =
            place == 1 + seat || (place >= kOrdered && nibble(s.placer, place - kOrdered) == seat);
        if (!own) place = kInDeck;
    }
    return info;
}

inline const State& public_state(const InfoSet& info) { return info.shown; }

inline std::uint64_t key(const InfoSet& info) { return hash_bytes(info); }

// ---- Sampling

class Sampler {
public:
    Sampler(const Tables& t, const InfoSet& info, Rng& rng)
        : t_(t), info_(info), s_(info.shown), rng_(rng), begun_(rounds_begun(t, info.shown)) {}

    State world() {
        constexpr int kMostTries = 100'000;  // only an impossible view needs as many
        for (int tries = 0; tries < kMostTries; ++tries) {
            s_ = info_.shown;
            place_seen_deeds();
            place_unseen_deeds();
            if (!can_act()) continue;
            place_omikuji();
            return s_;
        }
        throw Error(ErrorKind::view, "view: hands: the seat to move can build no Deed it may hold");
    }

private:
    // J51: Territory Build is open only to those who can build (J8).
    bool can_act() const {
        return s_.step != Step::build ||
               buildable(t_, s_, s_.active, deeds_at(s_, at::hand(s_.active))) != 0;
    }

    int take(Bits& set) {
        const int i = select(set, rng_.below(count(set)));
        set &= ~bit(i);
        return i;
    }

    void put_in_hand(int deed, Slot slot) {
        move_deed(s_, deed, at::hand(holder(s_, slot)));
        remember(s_, deed, slot);
    }

    void put_in_pack(int deed, int pack) {
        move_deed(s_, deed, at::pack);
        remember(s_, deed, {pack, 0});
    }

    // Cards taken between two visits, or after the last: all assignments are equally likely.
    void place_seen_deeds() {
        const Bits seen = deeds_at(s_, at::seen);
        for (int pack = 0; pack < t_.players; ++pack)
            for (int visit = first_visit(s_, info_.seat, pack); visit <= begun_;
                 visit += t_.players) {
                Bits group = 0;
                for_each_bit(seen, [&](int d) {
                    const Slot slot = slot_of(info_.shown, d);
                    if (slot.pack == pack && slot.round == visit) group |= bit(d);
                });
                const int next = visit + t_.players;
                for (int round = visit + 1; group != 0 && round < next; ++round)
                    if (has(info_.open_rounds[pack], round))
                        put_in_hand(take(group), {pack, round});
                // While the draft goes on the others are still in the pack.
                for_each_bit(group, [&](int d) { put_in_pack(d, pack); });
            }
    }

    // Cards of rounds before the first visit, of packs not visited yet, and of the set put aside.
    void place_unseen_deeds() {
        const int seat = info_.seat, n = t_.players;
        Bits unseen = deeds_at(s_, at::unseen);
        if (unseen == 0) return;
        for (int p = 0; p < n; ++p) {
            if (p == seat) continue;
            Bits packs = 0;  // from which p took a card that the seat never saw
            for (int pack = 0; pack < n; ++pack) {
                const int round = first_visit(s_, p, pack);
                if (round < first_visit(s_, seat, pack) && taken(p, round)) packs |= bit(pack);
            }
            for (int left = info_.deeds_in_hand[p] - deeds_in_hand(s_, p); left > 0; --left) {
                const int pack = take(packs);
                put_in_hand(take(unseen), {pack, first_visit(s_, p, pack)});
            }
        }
        for (int pack = 0; pack < n; ++pack) {
            if (first_visit(s_, seat, pack) <= begun_) continue;
            for (int left = cards_in_pack(t_, s_, pack); left > 0; --left)
                put_in_pack(take(unseen), pack);
        }
        for_each_bit(unseen, [&](int d) {
            move_deed(s_, d, at::aside);
            remember(s_, d, {0, 0});
        });
    }

    bool taken(int p, int round) const {
        return s_.step != Step::draft || round < begun_ || (round == begun_ && p < s_.active);
    }

    bool has_drawn(int p) const { return Drew::get(s_.players[p]) != 0; }

    // Unknown Omikuji go uniformly to the other hands, the unknown places of the ordered part and
    // the deck; but the two cards the seat put back at setup reach no hand that has not drawn
    // since.
    void place_omikuji() {
        const int seat = info_.seat, n = t_.players;
        Bits unknown = omikuji_at(s_, kInDeck);
        int open[kOmikuji], size = 0;  // places that any card may have
        Bits ordered = bit(s_.ordered) - 1;
        for (const int place : s_.omikuji_at)
            if (place >= kOrdered) ordered &= ~bit(place - kOrdered);
        for_each_bit(ordered, [&](int i) { open[size++] = kOrdered + i; });
        int closed = 0;  // cards in hands that have not drawn
        for (int p = 0; p < n; ++p) {
            if (p == seat) continue;
            if (!has_drawn(p)) closed += info_.omikuji_in_hand[p];
            for (int i = has_drawn(p) ? info_.omikuji_in_hand[p] : 0; i > 0; --i)
                open[size++] = 1 + p;
        }
        for (int left = count(unknown) - size - closed; left > 0; --left) open[size++] = kInDeck;
        const auto place = [&](int card) {
            const int i = rng_.below(size);
            s_.omikuji_at[card] = std::uint8_t(open[i]);
            open[i] = open[--size];
            unknown &= ~bit(card);
        };
        for_each_bit(returned(seat) & unknown, place);
        for (int p = 0; p < n; ++p)
            for (int i = p == seat || has_drawn(p) ? 0 : info_.omikuji_in_hand[p]; i > 0; --i)
                s_.omikuji_at[take(unknown)] = std::uint8_t(1 + p);
        for_each_bit(Bits{unknown}, place);
        place_returned();
    }

    Bits returned(int p) const {
        Bits cards = 0;
        for (const int c : {ReturnedLow::get(s_.players[p]), ReturnedHigh::get(s_.players[p])})
            if (c != kNoCard) cards |= bit(c);
        return cards;
    }

    // Which two cards each other seat put back at setup: any that may lie where they lie now.
    void place_returned() {
        const bool choosing = s_.step == Step::return_setup;
        if (before_draft(s_.step) && s_.step != Step::deal_deed && !choosing) return;
        Bits may = choosing ? 0 : omikuji_at(s_, kInDeck);
        for (int c = 0; c < kOmikuji; ++c) {
            const int place = s_.omikuji_at[c];
            if (place >= kOrdered || (place > kInDeck && has_drawn(place - 1))) may |= bit(c);
        }
        may &= ~returned(info_.seat);
        for (int p = 0; p < t_.players; ++p) {
            if (p == info_.seat) continue;
            const int done = choosing ? std::clamp(int(s_.placed) - 2 * p, 0, 2) : 2;
            if (done == 0) continue;
            Bits cards = choosing ? omikuji_at(s_, 1 + p) : may;
            const int a = take(cards), b = take(cards);
            ReturnedLow::set(s_.players[p], std::min(a, b));
            if (done == 2) ReturnedHigh::set(s_.players[p], std::max(a, b));
            may &= ~(bit(a) | bit(b));
        }
    }

    const Tables& t_;
    const InfoSet& info_;
    State s_;
    Rng& rng_;
    int begun_;
};

inline State sample(const Tables& t, const InfoSet& info, Rng& rng) {
    return Sampler(t, info, rng).world();
}

// Invariants of every position that play can reach, hand-written ones included.
inline bool consistent(const Tables& t, const State& s) {
    const int n = t.players;
    if (s.count != n || s.first >= n || s.active >= n || s.season >= kSeasons) return false;
    for (int k = 0; k < kKinds; ++k) {  // J13: 20 tokens of each kind
        int tokens = 0;
        for (int p = 0; p < n; ++p) tokens += s.players[p].structures[k];
        for (int i = 0; i < kTerritories; ++i) tokens += token(s, i, k);
        if (tokens > kTokensOfKind) return false;
    }
    Bits ordered = 0;
    for (const int place : s.omikuji_at) {
        if (place > n && place < kOrdered) return false;
        if (place >= kOrdered && has(ordered, place - kOrdered)) return false;
        if (place >= kOrdered) ordered |= bit(place - kOrdered);
    }
    if (ordered != bit(s.ordered) - 1) return false;
    const Bits built = all_built(s);
    for (int i = 0; i < kTerritories; ++i)
        if (count(built & t.of_territory[i]) > t.spaces[i]) return false;
    Bits slots[kMaxPlayers] = {};  // no two Deeds were taken from one pack in one round
    for (int d = 0; d < kDeeds; ++d) {
        if (deed_at(s, d) >= at::seen) return false;
        if (!is_drafted(s, d)) continue;
        const Slot slot = slot_of(s, d);
        if (slot.pack >= n || (slot.round == 0) != (deed_at(s, d) == at::pack)) return false;
        if (slot.round == 0) continue;
        if (deed_at(s, d) != at::hand(holder(s, slot)) || has(slots[slot.pack], slot.round))
            return false;
        slots[slot.pack] |= bit(slot.round);
    }
    for (int i = 0; i < kPlaces; ++i)
        if (s.workers[i] >> 5 > t.circles[i]) return false;
    return true;
}

}  // namespace jinja
HENRO_END
