// Shikoku: component tables, and every text a person or program reads or writes.
#include "core/text.hpp"

#include <iterator>

#include "core/handle.hpp"
#include "games/shikoku/game.hpp"

HENRO_BEGIN
namespace shikoku {
namespace {

constexpr const char* kPhaseNames[] = {"deal", "row", "play", "draw", "take", "end"};

std::string cards_text(Bits cards) {
    std::string out;
    for_each_bit(cards, [&](int c) { out += (out.empty() ? "" : ",") + std::to_string(c); });
    return out;
}

template <class F>
std::string joined(int n, const char* separator, F&& entry) {
    std::string out;
    for (int p = 0; p < n; ++p) out += (p == 0 ? "" : separator) + std::string(entry(p));
    return out;
}

// "7,9+30": cards only the owner can name, then those everybody saw being taken. The cards of
// another seat that the observer cannot name are a number: "?2+30".
std::string hand_text(const State& s, int seat, int hidden) {
    const Bits known = s.hands[seat] & s.known, own = s.hands[seat] & ~s.known;
    std::string out = hidden > 0 ? "?" + std::to_string(hidden) : cards_text(own);
    if (known != 0) out += "+" + cards_text(known);
    return out.empty() ? "-" : out;
}

std::string text(const Setup& setup, const State& s, const InfoSet* info) {
    const int n = s.players;
    const bool ordered = s.phase != Phase::deal && s.phase != Phase::row;
    int deck = count(s.deck);
    const auto hidden = [&](int p) {
        return info == nullptr || p == int(info->seat) ? 0 : hidden_cards(*info, p);
    };
    for (int p = 0; p < n; ++p) deck -= hidden(p);
    std::string out = "shikoku players=" + std::to_string(n) + " components=" + setup.components_id;
    if (info != nullptr) out += " seat=" + std::to_string(info->seat);
    out += " phase=" + std::string(kPhaseNames[int(s.phase)]);
    out += " turn=" + std::to_string(s.turn);
    out += " order=" + (ordered ? joined(n, ",", [&](int k) { return std::to_string(s.order[k]); })
                                : std::string("-"));
    out += " steps=" + joined(n, ",", [&](int p) { return std::to_string(s.steps[p]); });
    out += " previous=" + (s.previous != 0 ? cards_text(s.previous) : std::string("-"));
    out += " row=" + joined(n, ",", [&](int p) {
               return s.row[p] != 0 ? std::to_string(s.row[p]) : std::string("-");
           });
    out += " removed=" + (s.removed != 0 ? cards_text(s.removed) : std::string("-"));
    out += " hands=" + joined(n, "/", [&](int p) { return hand_text(s, p, hidden(p)); });
    return out + " deck=" + std::to_string(deck);
}

// Reads a view (with seat) or a position (without) and checks that play can reach it.
class Reader {
public:
    Reader(const Setup& setup, const Tables& tables, std::string_view text, bool view)
        : view_(view),
          tables_(tables),
          n_(tables.players),
          fields_(view ? ErrorKind::view : ErrorKind::position, text, "shikoku", keys(view)) {
        if (fields_.number("players", kMinPlayers, kMaxPlayers) != n_)
            fields_.fail("players", "this game has " + std::to_string(n_));
        if (fields_["components"] != setup.components_id)
            fields_.fail("components", "this game uses " + setup.components_id);
        s_.players = std::uint8_t(n_);
        if (view) seat_ = fields_.number("seat", 0, n_ - 1);
        read_phase();
        read_order();
        read_steps();
        read_rows();
        s_.removed = card_set("removed", fields_["removed"]);
        read_hands();
        read_deck();
        check_order();
        check_first_round();
        check_taken();
        check_drawn();
        HENRO_ASSERT(view || consistent(tables, s_));
    }

    State position() const { return s_; }
    InfoSet info() const { return {s_, std::uint64_t(seat_)}; }

private:
    static std::vector<std::string_view> keys(bool view) {
        std::vector<std::string_view> all = {"players", "components", "phase",    "turn",
                                             "order",   "steps",      "previous", "row",
                                             "removed", "hands",      "deck"};
        if (view) all.push_back("seat");
        return all;
    }

    bool ordered() const { return s_.phase != Phase::deal && s_.phase != Phase::row; }

    // Every card lies in one place only.
    void place(std::string_view key, Bits cards) {
        if (const Bits twice = placed_ & cards; twice != 0)
            fields_.fail(key, "card " + std::to_string(lowest(twice)) + " is in two places");
        placed_ |= cards;
    }

    Bits card_set(std::string_view key, std::string_view text) {
        Bits set = 0;
        if (text == "-") return set;
        for (const std::string_view entry : split(text, ',')) {
            const Bits card = bit(fields_.number(key, entry, 1, kCards));
            if ((set & card) != 0) fields_.fail(key, "card " + std::string(entry) + " comes twice");
            set |= card;
        }
        place(key, set);
        return set;
    }

    void expect(std::string_view key, int have, int need) const {
        if (have != need)
            fields_.fail(key, "has " + std::to_string(have) + " cards where " +
                                  std::to_string(need) + " are needed in phase " +
                                  std::string(fields_["phase"]) + ", turn " +
                                  std::string(fields_["turn"]));
    }

    void read_phase() {
        std::size_t phase = 0;
        while (phase < std::size(kPhaseNames) && fields_["phase"] != kPhaseNames[phase]) ++phase;
        if (phase == std::size(kPhaseNames))
            fields_.fail("phase", "is none of deal, row, play, draw, take, end");
        s_.phase = Phase(phase);
        const int turns[] = {kHandSize * n_, n_, n_, 1, n_, 1};
        s_.turn = std::uint8_t(fields_.number("turn", 0, turns[phase] - 1));
    }

    void read_order() {
        if (!ordered()) {
            if (fields_["order"] != "-") fields_.fail("order", "is '-' until the set-up row lies");
            return;
        }
        Bits seats = 0;
        const auto entries = fields_.list("order", std::size_t(n_));
        for (int k = 0; k < n_; ++k) {
            const int seat = fields_.number("order", entries[std::size_t(k)], 0, n_ - 1);
            if (has(seats, seat))
                fields_.fail("order", "names seat " + std::to_string(seat) + " twice");
            seats |= bit(seat);
            s_.order[k] = std::uint8_t(seat);
        }
    }

    void read_steps() {
        const auto entries = fields_.list("steps", std::size_t(n_));
        bool reached = false;
        for (int p = 0; p < n_; ++p) {
            const int step = fields_.number("steps", entries[std::size_t(p)], 1, kPagoda);
            reached |= step == kPagoda;
            const bool started = ordered() || (s_.phase == Phase::row && p < s_.turn);
            if (started != (step > 1))
                fields_.fail("steps",
                             "seat " + std::to_string(p) +
                                 (started ? " has climbed its set-up card, so it is above step 1"
                                          : " is on step 1 until it has its set-up card"));
            s_.steps[p] = std::uint8_t(step);
        }
        if (reached != (s_.phase == Phase::end))
            fields_.fail("steps", reached ? "a pilgrim on step 33 ends the game: phase is 'end'"
                                          : "the game ends only with a pilgrim on step 33");
    }

    bool has_card_in_row(int seat) const {
        switch (s_.phase) {
            case Phase::deal: return false;
            case Phase::row: return seat < s_.turn;
            case Phase::play:
                for (int k = 0; k < s_.turn; ++k)
                    if (s_.order[k] == seat) return true;
                return false;
            default: return true;
        }
    }

    void read_rows() {
        s_.previous = card_set("previous", fields_["previous"]);
        expect("previous", count(s_.previous),
               !ordered()                ? 0
               : s_.phase == Phase::take ? n_ - s_.turn
                                         : n_);
        const auto entries = fields_.list("row", std::size_t(n_));
        for (int p = 0; p < n_; ++p) {
            const std::string_view entry = entries[std::size_t(p)];
            if ((entry != "-") != has_card_in_row(p))
                fields_.fail("row", "seat " + std::to_string(p) +
                                        (entry == "-" ? " must have a card there"
                                                      : " has no card there yet"));
            if (entry == "-") continue;
            const int card = fields_.number("row", entry, 1, kCards);
            place("row", bit(card));
            s_.row[p] = std::uint8_t(card);
            if (s_.phase == Phase::row && s_.steps[p] != 1 + tables_.icons[std::size_t(card)])
                fields_.fail("steps", "seat " + std::to_string(p) + " climbed card " +
                                          std::string(entry) + " from step 1 to step " +
                                          std::to_string(1 + tables_.icons[std::size_t(card)]));
        }
    }

    void read_hands() {
        const auto entries = fields_.list("hands", std::size_t(n_), '/');
        int sizes[kMaxPlayers] = {};
        for (int p = 0; p < n_; ++p) {
            const std::string_view entry = entries[std::size_t(p)];
            const std::size_t plus = entry.find('+');
            const std::string_view own = entry.substr(0, plus);
            const Bits known =
                plus == std::string_view::npos ? 0 : card_set("hands", entry.substr(plus + 1));
            if (plus != std::string_view::npos && known == 0)
                fields_.fail("hands", quoted(entry) + " names no card after '+'");
            const bool others = view_ && p != seat_;
            Bits cards = 0;
            if (!own.empty() && own[0] == '?') {
                if (!others)
                    fields_.fail("hands",
                                 "seat " + std::to_string(p) + " sees its own cards: no '?'");
                sizes[p] = fields_.number("hands", own.substr(1), 1, kHandSize);
            } else if (!own.empty()) {
                if (own == "-" && known != 0)
                    fields_.fail("hands", quoted(entry) + " has '-' before '+'");
                cards = card_set("hands", own);
                if (others && cards != 0)
                    fields_.fail(
                        "hands",
                        "seat " + std::to_string(p) +
                            " holds cards that only it can name: write '?' and their number");
            }
            sizes[p] += count(cards | known);
            s_.hands[p] = cards | known;
            s_.known |= known;
        }
        // Whether the last seat drew shows in its hand alone.
        s_.drew = s_.phase == Phase::take && sizes[s_.order[n_ - 1]] == kHandSize;
        if (s_.drew && s_.turn == n_ - 1)
            fields_.fail("turn", "the last seat drew from the deck and takes no card");
        for (int p = 0; p < n_; ++p) expect_hand(p, sizes[p]);
    }

    void expect_hand(int p, int size) const {
        const int need = hand_size(s_, p);
        if (size != need)
            fields_.fail("hands", "seat " + std::to_string(p) + " has " + std::to_string(size) +
                                      " cards where " + std::to_string(need) + " are needed");
    }

    void read_deck() {
        s_.deck = kAllCards & ~placed_;
        int size = count(s_.deck);
        if (view_)
            for (int p = 0; p < n_; ++p) size -= p == seat_ ? 0 : hidden_cards(info(), p);
        if (fields_.number("deck", 0, kCards) != size)
            fields_.fail("deck", "the cards listed leave " + std::to_string(size) + " in the deck");
        deck_size_ = size;
        if (s_.phase == Phase::draw && size == 0)
            fields_.fail("deck", "phase draw needs a card in the deck");
        if (s_.phase == Phase::take && !s_.drew && size != 0)
            fields_.fail("deck",
                         "the last seat of the order has not drawn: the deck must be empty");
    }

    // After a climb the order is that of the row just played, the lowest card last.
    void check_order() const {
        if (!ordered() || s_.phase == Phase::play) return;
        State sorted = s_;
        sort_order(sorted, true);
        if (!std::equal(s_.order, s_.order + n_, sorted.order))
            fields_.fail("order", "the row gives the order " + joined(n_, ",", [&](int k) {
                                      return std::to_string(sorted.order[k]);
                                  }));
    }

    // Everybody saw a card being taken, so it is known as long as it must still be in that hand:
    // until the taker's next play. (The last seat of the order may have drawn instead.)
    void check_taken() const {
        const bool playing = s_.phase == Phase::play && s_.removed != 0;
        if (!playing && s_.phase != Phase::take) return;
        const int first = playing ? s_.turn : 0, last = playing ? n_ - 1 : s_.turn;
        for (int k = first; k < last; ++k)
            if (const int p = s_.order[k]; (s_.hands[p] & s_.known) == 0)
                fields_.fail("hands", "seat " + std::to_string(p) +
                                          " took a card that everybody saw: write it after '+'");
    }

    // A drawn card can be named by the last seat alone until it is played. With a deck left, there
    // was a draw in the round before.
    void check_drawn() const {
        if (!s_.drew && (s_.phase != Phase::play || s_.removed == 0 || deck_size_ == 0)) return;
        const int p = s_.order[n_ - 1];
        if (count(s_.hands[p] & s_.known) == kHandSize)
            fields_.fail("hands",
                         "seat " + std::to_string(p) +
                             " drew a card that only it can name: not all stand after '+'");
    }

    // Nothing leaves the game before the first round ends, and nobody has taken a card before.
    void check_first_round() const {
        if (!ordered() || s_.removed != 0) {
            if (!ordered() && s_.known != 0)
                fields_.fail("hands", "no card has been taken yet: no '+'");
            if (!ordered() && s_.removed != 0)
                fields_.fail("removed", "no card has left the game yet");
            return;
        }
        for (int p = 0; p < n_; ++p) {
            bool took = false;
            for (int k = 0; s_.phase == Phase::take && k < s_.turn; ++k) took |= s_.order[k] == p;
            if (count(s_.hands[p] & s_.known) != took)
                fields_.fail("hands", "in the first round seat " + std::to_string(p) +
                                          " has taken " + (took ? "one card" : "no card yet"));
        }
        if (s_.phase != Phase::play) return;
        Bits cards = s_.previous;  // SK3: the set-up cards in ascending order belong to `order`
        for (int k = 0; k < n_; ++k, cards = without_lowest(cards)) {
            const int need = 1 + tables_.icons[std::size_t(lowest(cards))], seat = s_.order[k];
            if (s_.steps[seat] != need)
                fields_.fail("steps", "seat " + std::to_string(seat) + " set up card " +
                                          std::to_string(lowest(cards)) + " and stands on step " +
                                          std::to_string(need));
        }
    }

    bool view_;
    const Tables& tables_;
    int n_;  // at least kMinPlayers
    int seat_ = 0;
    Fields fields_;
    State s_{};
    Bits placed_ = 0;
    int deck_size_ = 0;
};

}  // namespace

std::vector<GameOption> Game::options() { return {}; }

Tables Game::tables(const Setup& setup) {
    const auto fail = [](const std::string& rule) {
        throw Error(ErrorKind::component, "shikoku: " + rule);
    };
    Tables tables;
    tables.players = setup.players;
    const auto found = setup.tables.find("cards");
    if (found == setup.tables.end() || setup.tables.size() != 1)
        fail("needs the one table 'cards'");
    if (found->second.size() != kCards) fail("table 'cards' must have 33 rows");
    for (const auto& row : found->second) {
        if (row.size() != 2 || row[0] < 1 || row[0] > kCards || row[1] < 1 || row[1] > 6 ||
            tables.icons[std::size_t(row[0])] != 0)
            fail("table 'cards': each row is a card number 1-33, each once, and its icons 1-6");
        tables.icons[std::size_t(row[0])] = std::uint8_t(row[1]);
        tables.take_rating[std::size_t(row[0])] = std::int16_t(rate_take(int(row[0]), int(row[1])));
    }
    tables.network = network_for(tables);
    return tables;
}

std::string Game::action_text(const Setup&, Action a) {
    return std::string(kKindNames[int(kind_of(a))]) + ":" + std::to_string(card_of(a));
}

std::string Game::hidden_text(const Setup&, Action a) {
    return std::string(kKindNames[int(kind_of(a))]) + ":?";
}

std::optional<Action> Game::parse_action(const Setup&, std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const std::string_view number = text.substr(colon + 1);
    for (int kind = 0; kind < kKinds; ++kind) {
        if (text.substr(0, colon) != kKindNames[kind]) continue;
        for (int card = 1; card <= kCards; ++card)
            if (number == std::to_string(card)) return make_action(Kind(kind), card);
    }
    return std::nullopt;
}

std::string Game::position_text(const Setup& setup, const State& s) {
    return text(setup, s, nullptr);
}
std::string Game::view_text(const Setup& setup, const InfoSet& info) {
    return text(setup, info.shown, &info);
}
State Game::parse_position(const Setup& setup, const Tables& tables, std::string_view text) {
    return Reader(setup, tables, text, false).position();
}
InfoSet Game::parse_view(const Setup& setup, const Tables& tables, std::string_view text) {
    return Reader(setup, tables, text, true).info();
}

std::array<std::size_t, 2> Game::tensor_shape(const Tables& tables) {
    return {std::size_t(5 + 4 * tables.players), std::size_t(kCards)};
}

// Planes of 33, seats counted from the observer: own hand; previous row; removed; phase and seat to
// act; icons / 6; then for each seat known cards in hand; row card; step; place in the order.
void Game::tensor(const Tables& tables, const InfoSet& info, float* planes) {
    const State& s = info.shown;
    const int n = s.players, seat = int(info.seat);
    const auto plane = [&](int index) { return planes + std::ptrdiff_t(index) * kCards; };
    const auto fill = [&](int index, Bits cards) {
        for_each_bit(cards, [&](int card) { plane(index)[card - 1] = 1; });
    };
    const auto relative = [&](int p) { return (p - seat + n) % n; };
    fill(0, s.hands[seat]);
    fill(1, s.previous);
    fill(2, s.removed);
    plane(3)[int(s.phase)] = 1;
    if (actor(s) >= 0) plane(3)[std::size(kPhaseNames) + std::size_t(relative(actor(s)))] = 1;
    for (int card = 1; card <= kCards; ++card)
        plane(4)[card - 1] = float(tables.icons[std::size_t(card)]) / 6;
    for (int p = 0; p < n; ++p) {
        const int first = 5 + 4 * relative(p);
        fill(first, s.hands[p] & s.known);
        if (s.row[p] != 0) fill(first + 1, bit(s.row[p]));
        plane(first + 2)[s.steps[p] - 1] = 1;
    }
    if (s.phase == Phase::deal || s.phase == Phase::row) return;
    for (int k = 0; k < n; ++k) plane(5 + 4 * relative(s.order[k]) + 3)[k] = 1;
}

}  // namespace shikoku
HENRO_END
