// Shugendo: ids, actions, and how positions, views and observations are written.
#include "games/shugendo/text.hpp"

#include <utility>

#include "core/text.hpp"

HENRO_BEGIN
namespace shugendo {

// ---- Ids

namespace {

constexpr const char* kTrackIds[kTracks] = {"compass", "hammer", "book"};
constexpr const char* kHalfIds[] = {"action", "recruit"};  // what is left after Mischief (SG9)

constexpr int kIdCounts[] = {1,      kMaxPlayers, 3,        2,       kTracks,
                             kCells, kCards,      kRewards, kBoards, kMilestones};
constexpr const char* kIdWhats[] = {"",     "seat", "number of Yokai", "phase", "track",
                                    "cell", "card", "Reward tile",     "board", "Milestone card"};

}  // namespace

std::string id_text(const Setup& setup, Id type, int i) {
    const auto named = [&](const char* table) { return setup.names.at(table)[std::size_t(i)]; };
    switch (type) {
        case Id::seat: return "p" + std::to_string(i);
        case Id::yokai: return std::to_string(i + 1);
        case Id::half: return kHalfIds[i];
        case Id::track: return kTrackIds[i];
        case Id::cell: return {char('a' + i / kMapRow), char('1' + i % kMapRow)};
        case Id::card: return named("cards");
        case Id::reward: return named("rewards");
        case Id::board: return named("boards");
        case Id::milestone: return named("milestones");
        case Id::none: break;
    }
    return {};
}

std::optional<int> find_id(const Setup& setup, Id type, std::string_view text) {
    for (int i = 0; i < kIdCounts[int(type)]; ++i)
        if (id_text(setup, type, i) == text) return i;
    return std::nullopt;
}

const char* what_is(Id type) { return kIdWhats[int(type)]; }

// ---- Actions

namespace {

struct VerbText {
    const char* name;
    Id object;
};
constexpr VerbText kVerbTexts[] = {
    {"reveal", Id::none},   {"stop", Id::none},           {"pilgrim", Id::yokai},
    {"mischief", Id::half}, {"gain", Id::track},          {"done", Id::none},
    {"explore", Id::cell},  {"farm", Id::cell},           {"village", Id::cell},
    {"city", Id::cell},     {"develop", Id::none},        {"noswap", Id::none},
    {"swap", Id::cell},     {"boost", Id::track},         {"recruit", Id::card},
    {"replace", Id::card},  {"first", Id::seat},          {"reward", Id::reward},
    {"board", Id::board},   {"milestone", Id::milestone}, {"refill", Id::card},
    {"draw", Id::card}};
static_assert(std::size(kVerbTexts) == kVerbs);

}  // namespace

std::string Game::action_text(const Setup& setup, Action a) {
    const VerbText& verb = kVerbTexts[int(verb_of(a))];
    if (verb.object == Id::none) return verb.name;
    return std::string(verb.name) + ":" + id_text(setup, verb.object, object_of(a));
}

// SG46: others are told nothing of a sealed turn, not even that something has happened.
std::string Game::hidden_text(const Setup&, Action) { return {}; }

std::optional<Action> Game::parse_action(const Setup& setup, std::string_view text) {
    const std::size_t colon = text.find(':');
    for (int v = 0; v < kVerbs; ++v) {
        const auto& [name, type] = kVerbTexts[v];
        if (text.substr(0, colon) != name) continue;
        if (type == Id::none) {
            if (colon == std::string_view::npos) return make_action(Verb(v));
        } else if (colon != std::string_view::npos) {
            if (const auto object = find_id(setup, type, text.substr(colon + 1)))
                return make_action(Verb(v), *object);
        }
    }
    return std::nullopt;
}

// ---- Writing

namespace {

// Writes a view (with the observer's seat) or a position; "-" stands for nothing.
class Writer {
public:
    Writer(const Setup& setup, const State& s, const InfoSet* info)
        : setup_(setup), s_(s), info_(info) {}

    std::string line() {
        out_ = "shugendo";
        write_game();
        write_supplies();
        write_realms();
        write_cards();
        write_turn();
        return std::move(out_);
    }

private:
    void write_game() {
        const bool flower = has_flower(setup_);
        part("players", number(s_.count));
        part("components", setup_.components_id);
        part("flower", number(flower));
        if (info_ != nullptr) part("seat", number(int(info_->seat)));
        part("round", number(s_.round));
        part("first", s_.step == Step::first ? "-" : number(s_.first));
        part("phase", kPhaseWords[int(s_.phase)]);
        part("step", kStepWords[int(s_.step)]);
        part("turn", number(s_.turn));
        part("rewards", reward(s_.rewards & 15) + "," + reward(s_.rewards >> 4));
        part("boards", seats(',', [&](int p) {
                 return has_board(flower, s_, p) ? id(Id::board, board_of(s_.players[p])) : "-";
             }));
        part("milestones", seats(',', [&](int p) {
                 return has_milestone(flower, s_, p)
                            ? id(Id::milestone, milestone_of(s_.players[p]))
                            : "-";
             }));
    }

    void write_supplies() {
        part("display", listed(kAges, '/', [&](int age) {
                 return cards(kRows[age], kRows[age + 1],
                              [&](int place) { return s_.display[place] != kNoCard; });
             }));
        part("taken", cards(0, kDisplay, [&](int place) { return has(s_.taken, place); }));
        part("removed", removed());
        part("development", piles(s_.development));
        part("prefectures", piles(s_.prefecture));
        part("five", s_.five == 0 ? "-" : number(s_.five - 1));
    }

    void write_realms() {
        part("maps", realms('/', [&](const Realm& r) { return map(r); }));
        part("tracks", realms(',', [&](const Realm& r) {
                 return listed(kTracks, '.', [&](int track) { return number(steps(r, track)); });
             }));
        part("silver", realms(',', [](const Realm& r) { return number(Silver::get(r.goods)); }));
        part("pilgrims",
             realms(',', [](const Realm& r) { return number(Pilgrims::get(r.goods)); }));
        part("score", realms(',', [](const Realm& r) { return number(Score::get(r.goods)); }));
        part("age", realms(',', [](const Realm& r) { return number(Age::get(r.land)); }));
    }

    void write_cards() {
        part("deck", hands([](const Player& p) { return slots_in(p, in_deck); }));
        part("discard", seats('/', [&](int seat) {
                 const Player& p = s_.players[seat];
                 const unsigned now = slots_in(p, in_discard);
                 const unsigned then = s_.phase == Phase::reveal ? p.old_discard : now;
                 return since(hand(p, now), hand(p, then));
             }));
        part("revealed", hands([](const Player& p) { return slots_in(p, is_revealed); }));
        part("recruited", hands([](const Player& p) { return slots_in(p, is_recruited); }));
        part("calmed", flags([](std::uint64_t goods) { return number(Calmed::get(goods)); }));
        part("bust", flags([](std::uint64_t goods) { return number(Bust::get(goods)); }));
        part("skips",
             flags([](std::uint64_t goods) { return std::string(kSkipWords[Skips::get(goods)]); }));
    }

    void write_turn() {
        part("guests", seats(',', [&](int p) { return guest(p); }));
        part("choices", choices());
        part("track", s_.step == Step::gain ? id(Id::track, s_.track) : "-");
        part("main", kMainWords[int(s_.main)]);
        part("last", s_.last == 0 ? "-"
                                  : std::string(kLastWords[int(last_kind(s_))]) + ":" +
                                        id(Id::cell, last_cell(s_)));
        part("farms", number(s_.farms));
        part("swap", number(s_.swap));
        part("gold", number(s_.gold));
        part("replaced", s_.replaced == 0 ? "-" : id(Id::card, s_.replaced));
    }

    // -- Pieces of text

    static std::string number(int value) { return std::to_string(value); }
    std::string id(Id type, int i) const { return id_text(setup_, type, i); }

    void part(const char* key, const std::string& value) {
        out_ += std::string(" ") + key + "=" + value;
    }

    template <class F>
    std::string listed(int size, char separator, F&& entry) const {
        std::string out;
        for (int i = 0; i < size; ++i) {
            if (i > 0) out += separator;
            out += entry(i);
        }
        return out;
    }
    template <class F>
    std::string seats(char separator, F&& entry) const {
        return listed(s_.count, separator, entry);
    }

    // "now<then": what has changed since the sealed phase began.
    static std::string since(const std::string& now, const std::string& then) {
        return now == then ? now : now + "<" + then;
    }

    template <class F>
    std::string realms(char separator, F&& text) const {
        return seats(separator, [&](int seat) {
            const Player& p = s_.players[seat];
            const std::string now = text(p.realm);
            return is_sealed(s_.phase) ? since(now, text(p.before)) : now;
        });
    }

    template <class F>
    std::string flags(F&& text) const {
        return seats(',', [&](int p) { return text(s_.players[p].realm.goods); });
    }

    template <class F>
    std::string hands(F&& slots) const {
        return seats('/', [&](int p) { return hand(s_.players[p], slots(s_.players[p])); });
    }
    std::string hand(const Player& p, unsigned slots) const {
        std::string out;
        for_each_card(p, slots, [&](int card) { append(out, card); });
        return out.empty() ? "-" : out;
    }
    void append(std::string& list, int card) const {
        list += (list.empty() ? "" : ",") + id(Id::card, card);
    }

    // The cards in some places of the display.
    template <class F>
    std::string cards(int from, int to, F&& is_listed) const {
        std::string out;
        for (int place = from; place < to; ++place)
            if (is_listed(place)) append(out, s_.display[place]);
        return out.empty() ? "-" : out;
    }

    std::string reward(int tile) const { return tile == kNoReward ? "-" : id(Id::reward, tile); }

    // "02--/0---/----/-": who has the tokens of each pile, the highest first.
    template <std::size_t N>
    std::string piles(const std::uint16_t (&owners)[N]) const {
        return listed(int(N), '/', [&](int i) {
            std::string out;
            for (int token = 0; token < tokens_in(i, int(N), s_.count); ++token) {
                const int owner = owners[i] >> 4 * token & 15;
                out += owner == 0 ? '-' : char('0' + owner - 1);
            }
            return out;
        });
    }

    // "c2f,d3v*": cells with a Terrain tile, tokens and Prefectures.
    std::string map(const Realm& r) const {
        std::string out;
        for_each_bit(covered(r), [&](int cell) {
            const int token = int(has(Bits(Low::get(r.land)), cell)) +
                              2 * int(has(Bits(High::get(r.land)), cell));
            out += (out.empty() ? "" : ",") + id(Id::cell, cell);
            if (token != 0) out += kTokenLetters[token];
            if (has(Bits(Marks::get(r.goods)), cell)) out += kMark;
        });
        return out.empty() ? "-" : out;
    }

    // Folk cards that have left the game.
    std::string removed() const {
        std::string out;
        const auto& rows = setup_.tables.at("cards");
        int first = 0;  // Folk cards of the designs before
        for (int card = 0; card < kCards; ++card) {
            const auto& row = rows[std::size_t(card)];
            if (row[0] == 0) continue;
            int copies = int(row[1]);
            for (int i = first; i < first + int(row[1]); ++i) copies -= in_age_deck(i);
            first += int(row[1]);
            for (const int shown : s_.display) copies -= shown == card;
            for (int p = 0; p < s_.count; ++p)
                for_each_card(s_.players[p], kSlots, [&](int own) { copies -= own == card; });
            for (; copies > 0; --copies) append(out, card);
        }
        return out.empty() ? "-" : out;
    }
    bool in_age_deck(int copy) const {
        return copy < 64 ? has(s_.deck_low, copy) : has(s_.deck_high, copy - 64);
    }

    // "hunter>scout": a guest and the card it replaces, if that is chosen.
    std::string guest(int seat) const {
        const int guest = s_.guest[seat];
        if (guest == 0) return "-";
        const std::string card = id(Id::card, s_.display[(guest & 15) - 1]);
        return guest >> 4 == 0
                   ? card
                   : card + ">" + id(Id::card, card_in(s_.players[seat], (guest >> 4) - 1));
    }

    std::string choices() const {
        const std::string out =
            listed(kChoices, '.', [&](int kind) { return number(s_.pending[kind]); });
        return out == "0.0.0.0" ? "-" : out;
    }

    const Setup& setup_;
    const State& s_;
    const InfoSet* info_;
    std::string out_;
};

}  // namespace

std::string Game::position_text(const Setup& setup, const State& s) {
    return Writer(setup, s, nullptr).line();
}
std::string Game::view_text(const Setup& setup, const InfoSet& info) {
    return Writer(setup, info.shown, &info).line();
}

// ---- The observation

namespace {

// Rows of the observation: one of each of these, then `kSeatRows` for each seat.
enum Row {
    moment_row,
    supplies_row,
    display_row,
    taken_row,
    deck_row,
    replaced_row,
    first_seat_row
};
// Of a seat: goods, tiles and Prefectures, Farmsteads and Villages, Cities and what is new on the
// map since the sealed phase began, then its cards in deck, discard, revealed and recruited.
constexpr int kSeatRows = 8;
constexpr int kColumns = kCards;

// VP of a seat's tokens in a pile.
int vp_of(unsigned pile, const std::uint8_t* vp, int seat) {
    int total = 0;
    for (; pile != 0; pile >>= 4, ++vp)
        if (int(pile & 15) == seat + 1) total += *vp;
    return total;
}

// Fills the columns of a row from left to right.
class Columns {
public:
    explicit Columns(float* row) : next_(row), end_(row + kColumns) {}
    void number(double value) {
        HENRO_ASSERT(next_ < end_);
        *next_++ = float(value);
    }
    void one_of(int size, int value) {  // none of them if the value is negative
        for (int i = 0; i < size; ++i) number(i == value);
    }
    void set(int size, Bits bits) {
        for (int i = 0; i < size; ++i) number(has(bits, i));
    }

private:
    float *next_, *end_;
};

}  // namespace

std::array<std::size_t, 2> Game::tensor_shape(const Tables& tables) {
    return {std::size_t(first_seat_row + kSeatRows * tables.players), std::size_t(kColumns)};
}

// Seats are counted from the observer; numbers are scaled to about 0..1.
void Game::tensor(const Tables& t, const InfoSet& info, float* rows) {
    const State& s = info.shown;
    const int n = s.count, seat = int(info.seat);
    const auto row = [&](int index) { return rows + std::ptrdiff_t{index} * kColumns; };
    const auto relative = [&](int p) { return (p - seat + n) % n; };

    Columns moment(row(moment_row));
    moment.one_of(int(Step::between), int(s.step));
    moment.one_of(int(std::size(kPhaseWords)), int(s.phase));
    moment.one_of(kMaxPlayers, actor(s) >= 0 ? relative(acting_seat(s)) : -1);
    moment.one_of(kMaxPlayers, relative(s.first));
    moment.number(double(s.turn) / n);
    moment.number(double(s.round) / t.round_limit);
    moment.one_of(int(std::size(kMainWords)), int(s.main));
    for (const int icons : s.pending) moment.number(icons / 10.0);
    moment.one_of(kTracks, s.step == Step::gain ? s.track : -1);
    moment.number(s.farms / 3.0);
    moment.number(s.swap);
    moment.number(s.gold / 20.0);

    Columns supplies(row(supplies_row));
    supplies.one_of(kRewards, (s.rewards & 15) == kNoReward ? -1 : s.rewards & 15);
    supplies.one_of(kRewards, s.rewards >> 4 == kNoReward ? -1 : s.rewards >> 4);
    supplies.one_of(kMaxPlayers, s.five == 0 ? -1 : relative(s.five - 1));
    supplies.one_of(int(std::size(kLastWords)), int(last_kind(s)));
    supplies.one_of(kCells, s.last == 0 ? -1 : last_cell(s));

    for (int place = 0; place < kDisplay; ++place) {
        const int card = s.display[place];
        if (card == kNoCard) continue;
        row(display_row)[card] += 1.0f / 3;
        if (has(s.taken, place)) row(taken_row)[card] += 1.0f / 3;
    }
    for (int age = 0; age < kAges; ++age)
        for_each_bit(deck(s, age),
                     [&](int i) { row(deck_row)[t.copy_of[kDeckStarts[age] + i]] += 1.0f / 3; });
    if (s.replaced != 0) row(replaced_row)[s.replaced] = 1;

    for (int p = 0; p < n; ++p) {
        const Player& player = s.players[p];
        const Realm& r = player.realm;
        const int first = first_seat_row + kSeatRows * relative(p);
        Columns goods(row(first));
        for (int track = 0; track < kTracks; ++track)
            goods.number(double(steps(r, track)) / kMostTrack);
        goods.number(Silver::get(r.goods) / 20.0);
        goods.number(Pilgrims::get(r.goods) / 10.0);
        goods.number(Score::get(r.goods) / 20.0);
        goods.one_of(kLastAge + 1, Age::get(r.land));
        goods.number(Calmed::get(r.goods) / 3.0);
        goods.number(Bust::get(r.goods));
        goods.one_of(int(std::size(kSkipWords)), Skips::get(r.goods));
        goods.one_of(kBoards, has_board(t.flower, s, p) ? board_of(player) : -1);
        goods.one_of(kMilestones, has_milestone(t.flower, s, p) ? milestone_of(player) : -1);
        for (int i = 0; i < int(std::size(s.development)); ++i)
            goods.number(vp_of(s.development[i], t.development_vp[i], p) / 15.0);
        for (int i = 0; i < kMostPrefectures; ++i)
            goods.number(vp_of(s.prefecture[i], t.prefecture_vp[i], p) / 15.0);

        Columns tiles(row(first + 1)), tokens(row(first + 2)), cities(row(first + 3));
        tiles.set(kCells, covered(r));
        tiles.set(kCells, Bits(Marks::get(r.goods)));
        tokens.set(kCells, farms_on(r));
        tokens.set(kCells, villages_on(r));
        cities.set(kCells, cities_on(r));
        cities.set(kCells, is_sealed(s.phase) ? covered(r) & ~covered(player.before) : 0);
        for (int place = in_deck; place <= is_recruited; ++place)
            for_each_card(player, slots_in(player, Place(place)),
                          [&](int card) { row(first + 4 + place)[card] += 1.0f / 3; });
    }
}

}  // namespace shugendo
HENRO_END
