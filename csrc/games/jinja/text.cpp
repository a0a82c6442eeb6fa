// Jinja: component tables, and every text a person or program reads or writes.
#include "core/text.hpp"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <set>
#include <utility>

#include "core/handle.hpp"
#include "games/jinja/game.hpp"

HENRO_BEGIN
namespace jinja {
namespace {

// ---- Ids

constexpr const char* kKindIds[kKinds] = {"honden", "kitsune_statue", "torii_gate", "chozuya"};
constexpr const char* kTerritoryIds[kTerritories] = {"hokkaido", "tohoku",  "kanto", "kansai",
                                                     "chugoku",  "shikoku", "kyushu"};
constexpr const char* kActivityIds[kActivities] = {
    "deed_exchange",     "deed_buyback",    "omikuji",        "gain_territory", "territory_build",
    "change_lantern",    "minor_offering",  "major_offering", "market",         "roll_structures",
    "random_structures", "supplement_gold", "roll_gold"};
constexpr const char* kKitsuneIds[kKitsune] = {
    "k_fortune", "k_trade",    "k_lights", "k_purse",  "k_gift", "k_vow",  "k_mason",
    "k_praise",  "k_pilgrims", "k_alms",   "k_crafts", "k_omen", "k_grace"};
constexpr const char* kFaceIds[kFaces] = {"blue", "red", "blue_star", "red_star"};
constexpr const char* kLanternIds[kLanterns] = {"lantern_1", "lantern_2", "lantern_3", "lantern_4",
                                                "lantern_5", "lantern_6", "lantern_7"};
constexpr const char* kStageIds[] = {"setup", "kitsune", "work", "lanterns", "deeds"};
constexpr const char* kStepIds[] = {
    "lantern",      "goods",    "deal_omikuji", "deal_deed", "fill",  "kitsune",    "draw",
    "draw_omikuji", "die",      "return_setup", "draft",     "place", "territory",  "discard",
    "search",       "keep",     "return_card",  "pick",      "build", "flip_first", "flip_second",
    "gain",         "star",     "market",       "choose",    "omit",  "lights",     "vow",
    "use",          "flip_one", "donate",       "end"};
static_assert(std::size(kStepIds) == std::size_t(Step::end) + 1);

// What the object of an action, or an entry of a list, is.
enum class Id { none, place, territory, deed, omikuji, kind, lantern, kitsune, face };
constexpr int kIdCounts[] = {1,      kPlaces,   kTerritories, kDeeds, kOmikuji,
                             kKinds, kLanterns, kKitsune,     kFaces};
constexpr const char* kIdWhats[] = {"",          "place",   "territory",    "Deed",    "Omikuji",
                                    "structure", "Lantern", "Kitsune card", "die face"};

std::string_view id_text(const Setup& setup, Id type, int i) {
    const auto named = [&](const char* table) -> std::string_view {
        return setup.names.at(table)[std::size_t(i)];
    };
    switch (type) {
        case Id::place: return i < kTerritories ? kTerritoryIds[i] : kActivityIds[i - kTerritories];
        case Id::territory: return kTerritoryIds[i];
        case Id::deed: return named("deeds");
        case Id::omikuji: return named("omikuji");
        case Id::kind: return kKindIds[i];
        case Id::lantern: return kLanternIds[i];
        case Id::kitsune: return kKitsuneIds[i];
        case Id::face: return kFaceIds[i];
        case Id::none: break;
    }
    return {};
}

std::optional<int> find_id(const Setup& setup, Id type, std::string_view text) {
    for (int i = 0; i < kIdCounts[int(type)]; ++i)
        if (id_text(setup, type, i) == text) return i;
    return std::nullopt;
}

struct VerbText {
    const char* name;
    Id object;
};
constexpr VerbText kVerbTexts[] = {
    {"place", Id::place},     {"fox", Id::place},      {"take", Id::none},
    {"build", Id::deed},      {"discard", Id::deed},   {"search", Id::deed},
    {"keep", Id::none},       {"return", Id::omikuji}, {"draft", Id::deed},
    {"pick", Id::territory},  {"flip", Id::territory}, {"noflip", Id::none},
    {"gain", Id::territory},  {"sell", Id::kind},      {"buy", Id::kind},
    {"done", Id::none},       {"choose", Id::kind},    {"omit", Id::kind},
    {"skip", Id::none},       {"use", Id::deed},       {"pay", Id::none},
    {"lantern", Id::lantern}, {"deal", Id::omikuji},   {"deal", Id::deed},
    {"draw", Id::kind},       {"draw", Id::omikuji},   {"kitsune", Id::kitsune},
    {"die", Id::face}};
static_assert(std::size(kVerbTexts) == kVerbs);

// ---- Component tables

// Reads the tables of a set, and refuses those that the rules cannot play with.
class TableReader {
public:
    explicit TableReader(const Setup& setup) : setup_(setup) {
        for (const auto& [table, rows] : setup.tables)
            if (std::find(std::begin(kNames), std::end(kNames), table) == std::end(kNames))
                fail("has no table '" + table + "'");
        tables_.players = setup.players;
        check_ids();
        read_setup();
        read_places();
        read_lanterns();
        read_deeds();
        read_omikuji();
        check_kitsune();
        read_die();
    }

    Tables tables() const { return tables_; }

private:
    using Row = std::vector<std::int64_t>;
    using Range = std::pair<int, int>;
    static constexpr const char* kNames[] = {"territories", "lanterns",   "deeds", "omikuji",
                                             "kitsune",     "activities", "setup", "die"};

    [[noreturn]] static void fail(const std::string& rule) {
        throw Error(ErrorKind::component, "jinja: " + rule);
    }

    // The rows of a table, with each column in its range.
    const std::vector<Row>& rows(const char* table, int size, std::vector<Range> columns) const {
        const auto found = setup_.tables.find(table);
        if (found == setup_.tables.end()) fail("needs the table '" + std::string(table) + "'");
        if (found->second.size() != std::size_t(size))
            fail("table '" + std::string(table) + "' must have " + std::to_string(size) + " rows");
        for (const Row& row : found->second) {
            bool good = row.size() == columns.size();
            for (std::size_t c = 0; good && c < columns.size(); ++c)
                good = row[c] >= columns[c].first && row[c] <= columns[c].second;
            if (!good)
                fail("table '" + std::string(table) + "', row " +
                     std::to_string(1 + &row - found->second.data()) +
                     ": a number is missing, left over or out of range");
        }
        return found->second;
    }

    const std::vector<std::string>& ids(const char* table, int size) const {
        const auto found = setup_.names.find(table);
        if (found == setup_.names.end() || found->second.size() != std::size_t(size))
            fail("table '" + std::string(table) + "' must name " + std::to_string(size) + " rows");
        return found->second;
    }

    template <std::size_t N>
    void expect_ids(const char* table, const char* const (&expected)[N]) const {
        const auto& found = ids(table, int(N));
        for (std::size_t i = 0; i < N; ++i)
            if (found[i] != expected[i])
                fail("table '" + std::string(table) + "', row " + std::to_string(i + 1) +
                     " must be '" + expected[i] + "', not " + quoted(found[i]));
    }

    // Cards have free ids; "deal:" and "draw:" must say which kind of thing they name.
    void check_ids() const {
        expect_ids("territories", kTerritoryIds);
        expect_ids("lanterns", kLanternIds);
        expect_ids("activities", kActivityIds);
        expect_ids("kitsune", kKitsuneIds);
        expect_ids("die", kFaceIds);
        std::set<std::string_view> taken(std::begin(kKindIds), std::end(kKindIds));
        const auto check = [&](const char* table, int size) {
            for (const std::string& id : ids(table, size)) {
                const bool plain = !id.empty() && id.size() <= 64 &&
                                   id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") ==
                                       std::string::npos;
                if (!plain)
                    fail("table '" + std::string(table) + "': the id " + quoted(id) +
                         " may have lower-case letters, digits and '_' only");
                if (!taken.insert(id).second)
                    fail("table '" + std::string(table) + "': the id '" + id + "' is taken");
            }
        };
        check("deeds", kDeeds);
        check("omikuji", kOmikuji);
    }

    void read_setup() {
        std::vector<Range> columns = {{kMinPlayers, kMaxPlayers}, {1, 10}};
        columns.insert(columns.end(), kMaxPlayers, {0, 9});
        columns.insert(columns.end(), kMaxPlayers, {0, 1});
        const auto& table = rows("setup", kMaxPlayers - kMinPlayers + 1, columns);
        for (std::size_t i = 0; i < table.size(); ++i)
            if (table[i][0] != kMinPlayers + int(i))
                fail("table 'setup' is for 2, 3, 4 and 5 players in this order");
        const Row& row = table.begin()[tables_.players - kMinPlayers];
        tables_.workers = std::uint8_t(row[1]);
        for (int p = 0; p < tables_.players; ++p) {
            tables_.start_gold[p] = std::uint8_t(row.begin()[2 + p]);
            tables_.start_fox[p] = std::uint8_t(row.begin()[2 + kMaxPlayers + p]);
        }
    }

    // J9: nobody passes, because there are circles enough that everybody may always use.
    void read_places() {
        const auto& territories = rows("territories", kTerritories, {{1, kDeeds}});
        for (int i = 0; i < kTerritories; ++i) {
            tables_.spaces[i] = std::uint8_t(territories[std::size_t(i)][0]);
            tables_.circles[i] = 1;  // J5
        }
        const auto& activities = rows("activities", kActivities,
                                      {{0, kMostCost},
                                       {0, kMostCircles},
                                       {0, kMostCircles},
                                       {0, kMostCircles},
                                       {0, kMostCircles}});
        int always = kTerritories;
        for (int i = 0; i < kActivities; ++i) {
            const Row& row = activities[std::size_t(i)];
            const int place = kTerritories + i;
            const auto circles = row.begin()[1 + tables_.players - kMinPlayers];
            tables_.costs[place] = std::uint8_t(row[0]);
            tables_.circles[place] = std::uint8_t(circles);
            const bool conditional =
                place == deed_exchange || place == deed_buyback || place == territory_build;
            if (row[0] == 0 && !conditional) always += int(circles);
        }
        for (const int place :
             {minor_offering, major_offering, deed_buyback, territory_build, random_structures})
            if (tables_.costs[place] == 0)
                fail("activity '" + std::string(kActivityIds[place - kTerritories]) +
                     "' must cost Gold: a Kitsune card makes it cheaper");
        derive_places();
        if (always < tables_.players * tables_.workers)
            fail("with " + std::to_string(tables_.players) + " players " + std::to_string(always) +
                 " circles can be used whatever a player has, fewer than the workers");
    }

    void derive_places() {
        for (int place = 0; place < kPlaces; ++place) {
            const int circles = tables_.circles[place];
            if (circles == 0) continue;
            tables_.places |= bit(place);
            tables_.full_mark[place] = std::uint8_t(32 * circles);
            for (int kitsune = 0; kitsune < 3; ++kitsune)
                for (int gold = 0; gold <= kMostCost; ++gold)
                    if (gold >= tables_.costs[place] - has(kDiscounted[kitsune], place))
                        tables_.affordable[kitsune][gold] |= bit(place);
        }
    }

    // The cards are known to the rules; so is which of them act at once.
    void check_kitsune() const {
        const auto& table = rows("kitsune", kKitsune, {{0, 1}});
        for (int card = 0; card < kKitsune; ++card)
            if (table[std::size_t(card)][0] != (card > k_vow))
                fail("Kitsune card '" + std::string(kKitsuneIds[card]) +
                     (card > k_vow ? "' acts for a season" : "' acts at once"));
    }

    void read_lanterns() {
        const Range codes = {int(Bonus::gold1), int(Bonus::choice1)};  // D7
        const auto& table = rows("lanterns", kLanterns, {codes, codes});
        for (int i = 0; i < kLanterns; ++i)
            for (int side = 0; side < 2; ++side)
                tables_.lanterns[i][side] = Bonus(table[std::size_t(i)][std::size_t(side)]);
    }

    void read_deeds() {
        const Range structures = {0, kTokensOfKind};
        const auto& table = rows("deeds", kDeeds,
                                 {{0, kTerritories - 1},
                                  {int(Size::small), int(Size::large)},
                                  structures,
                                  structures,
                                  structures,
                                  structures,
                                  {0, 50},
                                  {int(Bonus::gold1), int(Bonus::donate)}});
        for (int d = 0; d < kDeeds; ++d) {
            const Row& row = table[std::size_t(d)];
            Deed& deed = tables_.deeds[d];
            deed.territory = std::uint8_t(row[0]);
            deed.size = Size(row[1]);
            int tokens = 0;
            for (int k = 0; k < kKinds; ++k) {
                deed.structures[k] = std::uint8_t(row.begin()[2 + k]);
                tokens += deed.structures[k];
            }
            if (tokens == 0)
                fail("Deed '" + setup_.names.at("deeds")[std::size_t(d)] + "' costs no structure");
            deed.honor = std::uint8_t(row[6]);
            deed.bonus = Bonus(row[7]);
            tables_.of_territory[deed.territory] |= bit(d);
            tables_.of_size[int(deed.size)] |= bit(d);
            if (deed.bonus <= Bonus::honor2) tables_.automatic |= bit(d);
        }
    }

    void read_omikuji() {
        constexpr int kAllTerritories = (1 << kTerritories) - 1;
        constexpr Range kWheres[] = {{0, kTerritories - 1}, {0, kRegions - 1},
                                     {1, kAllTerritories},  {0, 0},
                                     {1, kTerritories},     {0, 0}};  // by condition
        const auto& table = rows("omikuji", kOmikuji,
                                 {{int(Condition::size_terr), int(Condition::regions)},
                                  {int(Size::small), int(Size::large)},
                                  {0, kAllTerritories},
                                  {0, 50}});
        for (int c = 0; c < kOmikuji; ++c) {
            const Row& row = table[std::size_t(c)];
            const auto [low, high] = kWheres[row[0]];
            if (row[2] < low || row[2] > high)
                fail("Omikuji '" + setup_.names.at("omikuji")[std::size_t(c)] +
                     "' names no such place or number");
            tables_.omikuji[c] = {Condition(row[0]), Size(row[1]), std::uint8_t(row[2]),
                                  std::uint8_t(row[3])};
        }
    }

    void read_die() {
        const auto& table = rows("die", kFaces, {{0, 6}});
        int sides = 0;
        for (int f = 0; f < kFaces; ++f) {
            tables_.faces[f] = std::uint8_t(table[std::size_t(f)][0]);
            sides += tables_.faces[f];
        }
        if (sides != 6) fail("table 'die': six sides, not " + std::to_string(sides));
    }

    const Setup& setup_;
    Tables tables_;
};

// ---- What the position says about its own parts, for writing and reading alike.

// Before the first season: nothing but cards, first structures and Lanterns.
bool opening(const State& s) { return before_draft(s.step) || s.step == Step::draft; }

// While a worker's effect, an immediate Kitsune card or the Lanterns are carried out.
enum class Where { none, place, kitsune, lantern };
Where where_kind(const State& s) {
    switch (s.stage) {
        case Stage::work: return s.step == Step::place ? Where::none : Where::place;
        case Stage::kitsune: return s.kitsune == k_purse ? Where::kitsune : Where::none;
        case Stage::lanterns: return Where::lantern;
        default: return Where::none;
    }
}

bool asks_deed(const State& s) { return s.step == Step::keep || s.step == Step::omit; }

// Writes a view (with the observer's knowledge) or a position; "-" stands for nothing.
class Writer {
public:
    Writer(const Setup& setup, const State& s, const InfoSet* info)
        : setup_(setup), s_(s), info_(info) {}

    std::string line() {
        out_ = "jinja";
        part("players", number(s_.count));
        part("components", setup_.components_id);
        if (info_ != nullptr) part("seat", number(info_->seat));
        part("season", number(s_.season + 1));
        part("first", number(s_.first));
        part("stage", kStageIds[int(s_.stage)]);
        part("step", kStepIds[int(s_.step)]);
        part("active", number(s_.active));
        part("placed", number(s_.placed));
        part("kitsune", s_.kitsune == k_none ? "-" : kKitsuneIds[s_.kitsune]);
        part("revealed", ids(Id::kitsune, s_.revealed));
        part("supplement", number(s_.supplement));
        part("lanterns", listed(kTerritories, ',', [&](int i) { return lantern(i); }));
        part("tokens", listed(kTerritories, ',', [&](int i) {
                 return structures([&](int k) { return token(s_, i, k); });
             }));
        part("workers", workers());
        part("structures", seats(',', [&](int p) {
                 return structures([&](int k) { return int(s_.players[p].structures[k]); });
             }));
        part("gold", seats(',', [&](int p) { return number(Gold::get(s_.players[p])); }));
        part("honor", seats(',', [&](int p) { return number(Honor::get(s_.players[p])); }));
        part("fox", seats(',', [&](int p) { return number(Fox::get(s_.players[p])); }));
        part("built", seats('/', [&](int p) { return ids(Id::deed, deeds_at(s_, at::built(p))); }));
        part("hands", seats('/', [&](int p) { return hand(p); }));
        part("pile", ids(Id::deed, deeds_at(s_, at::pile)));
        part("packs", seats('/', [&](int pack) { return pack_text(pack); }));
        if (info_ != nullptr) part("seen", seen());
        part("omikuji", seats('/', [&](int p) { return omikuji_hand(p); }));
        part("ordered", ordered());
        part("deck", number(deck()));
        part("returned", seats('/', [&](int p) { return returned(p); }));
        part("drew", seats(',', [&](int p) { return number(Drew::get(s_.players[p])); }));
        part("draws",
             s_.drawn == 0 && s_.to_draw == 0 ? "-" : number(s_.drawn) + "/" + number(s_.to_draw));
        part("where", where());
        part("deed", asks_deed(s_) ? id(Id::deed, s_.deed) : "-");
        part("star", number(s_.star));
        part("flipped", flipped());
        part("market", market_text());
        part("pending", ids(Id::deed, s_.pending_deeds));
        return std::move(out_);
    }

private:
    static std::string number(int value) { return std::to_string(value); }
    std::string id(Id type, int i) const { return std::string(id_text(setup_, type, i)); }

    void part(const char* key, const std::string& value) {
        out_ += std::string(" ") + key + "=" + value;
    }

    std::string ids(Id type, Bits set) const {
        std::string out;
        for_each_bit(set, [&](int i) { out += (out.empty() ? "" : ",") + id(type, i); });
        return out.empty() ? "-" : out;
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

    // "2.0.1.0": a number of each kind.
    template <class F>
    std::string structures(F&& have) const {
        const std::string out = listed(kKinds, '.', [&](int k) { return number(have(k)); });
        return out == "0.0.0.0" ? "-" : out;
    }

    std::string lantern(int territory) const {
        if (s_.step == Step::lantern && territory >= s_.placed) return "-";
        return id(Id::lantern, lantern_of(s_, territory)) + (is_red(s_, territory) ? ":red" : "");
    }

    // "kanto:02/1": seats 0 and 2 have workers there, one circle is taken.
    std::string workers() const {
        std::string out;
        for (int place = 0; place < kPlaces; ++place) {
            if (s_.workers[place] == 0) continue;
            out += (out.empty() ? "" : ",") + id(Id::place, place) + ":";
            for_each_bit(s_.workers[place] & 31, [&](int p) { out += number(p); });
            out += "/" + number(s_.workers[place] >> 5);
        }
        return out.empty() ? "-" : out;
    }

    bool others(int seat) const { return info_ != nullptr && seat != info_->seat; }

    // "?2,kanto_s@3,kyushu_l": cards nobody but the owner can name, then a Deed kept in round 3 of
    // the draft, then one that everybody saw being taken.
    std::string hand(int seat) const {
        const Bits deeds = deeds_at(s_, at::hand(seat));
        const int hidden = others(seat) ? info_->deeds_in_hand[seat] - count(deeds) : 0;
        std::string out = hidden > 0 ? "?" + number(hidden) : "";
        for_each_bit(deeds, [&](int d) {
            out += (out.empty() ? "" : ",") + id(Id::deed, d);
            if (!has(s_.open_deeds, d)) out += "@" + number(slot_of(s_, d).round);
        });
        return out.empty() ? "-" : out;
    }

    std::string pack_text(int pack) const {
        Bits deeds = 0;
        for_each_bit(deeds_at(s_, at::pack),
                     [&](int d) { deeds |= Bits{slot_of(s_, d).pack == pack} << d; });
        const int size = cards_in_pack(tables(), s_, pack);
        return deeds == 0 && size > 0 ? "?" + number(size) : ids(Id::deed, deeds);
    }

    // "0@1:kanto_s,kyushu_l,kansai_s:2,3": three Deeds last seen in pack 0 in round 1, of which one
    // was kept in round 2 and one in round 3.
    std::string seen() const {
        std::string out;
        const Bits all = deeds_at(s_, at::seen);
        for (int pack = 0; pack < s_.count; ++pack)
            for (int visit = 1; visit < 8; ++visit) {
                Bits deeds = 0;
                for_each_bit(all, [&](int d) {
                    const Slot slot = slot_of(s_, d);
                    deeds |= Bits{slot.pack == pack && slot.round == visit} << d;
                });
                if (deeds == 0) continue;
                std::string rounds;
                for (int round = visit + 1; round < visit + s_.count; ++round)
                    if (has(info_->open_rounds[pack], round))
                        rounds += (rounds.empty() ? ":" : ",") + number(round);
                out += (out.empty() ? "" : "/") + number(pack) + "@" + number(visit) + ":" +
                       ids(Id::deed, deeds) + rounds;
            }
        return out.empty() ? "-" : out;
    }

    std::string omikuji_hand(int seat) const {
        const int size = info_ != nullptr ? info_->omikuji_in_hand[seat] : 0;
        if (others(seat) && size > 0) return "?" + number(size);
        return ids(Id::omikuji, omikuji_at(s_, 1 + seat));
    }

    // "1:?,0:most_large": who put the card down, the oldest first, and the card if known.
    std::string ordered() const {
        std::string cards[kMostOrdered], out;
        for (int c = 0; c < kOmikuji; ++c)
            if (s_.omikuji_at[c] >= kOrdered)
                cards[s_.omikuji_at[c] - kOrdered] = id(Id::omikuji, c);
        for (int i = 0; i < s_.ordered; ++i)
            out += (i == 0 ? "" : ",") + number(nibble(s_.placer, i)) + ":" +
                   (cards[i].empty() ? "?" : cards[i]);
        return out.empty() ? "-" : out;
    }

    int deck() const {
        int cards = kOmikuji - s_.ordered;
        for (int p = 0; p < s_.count; ++p)
            cards -= info_ != nullptr ? info_->omikuji_in_hand[p] : count(omikuji_at(s_, 1 + p));
        return cards;
    }

    std::string returned(int seat) const {
        std::string out;
        for (const int c :
             {ReturnedLow::get(s_.players[seat]), ReturnedHigh::get(s_.players[seat])})
            if (c != kNoCard) out += (out.empty() ? "" : ",") + id(Id::omikuji, c);
        return out.empty() ? "-" : out;
    }

    std::string where() const {
        switch (where_kind(s_)) {
            case Where::place:
            case Where::kitsune: return id(Id::place, s_.where);
            case Where::lantern:
                return id(Id::territory, s_.where & 31) + ":" + number(s_.where >> 5);
            case Where::none: break;
        }
        return "-";
    }

    std::string flipped() const {
        if (s_.step != Step::flip_second && s_.step != Step::gain) return "-";
        const std::string first = id(Id::territory, s_.flipped & 7);
        return s_.step == Step::gain ? first + "," + id(Id::territory, s_.flipped >> 3) : first;
    }

    // "honden,chozuya/2:torii_gate": kinds sold, how many bought, the last of them.
    std::string market_text() const {
        const Market market(s_);
        if (market.sold == 0 && market.buys == 0) return "-";
        const std::string bought = market.buys > 0 ? ":" + id(Id::kind, market.last) : "";
        return ids(Id::kind, Bits(market.sold)) + "/" + number(market.buys) + bought;
    }

    // All that the shared helpers look up in them is the number of players.
    Tables tables() const {
        Tables t;
        t.players = s_.count;
        return t;
    }

    const Setup& setup_;
    const State& s_;
    const InfoSet* info_;
    std::string out_;
};

// ---- Reading

// More than play can give: Gold and structures together, and honor, that one season may bring.
constexpr int kWealthASeason = 95, kHonorASeason = 80;
constexpr int kLargest = 511;  // of the fields for Gold and honor

constexpr Bits steps(std::initializer_list<Step> list) {
    Bits set = 0;
    for (const Step step : list) set |= bit(int(step));
    return set;
}

// Steps at which a bonus may wait.
Bits steps_of(Bonus code) {
    switch (code) {
        case Bonus::rand1:
        case Bonus::rand2: return steps({Step::draw});
        case Bonus::choice1: return steps({Step::choose});
        case Bonus::harvest: return steps({Step::pick});
        case Bonus::lantern: return steps({Step::flip_one, Step::draw, Step::choose});
        case Bonus::omikuji: return steps({Step::draw_omikuji, Step::return_card});
        case Bonus::donate: return steps({Step::donate});
        default: return 0;
    }
}

// Steps of a worker's effect.
Bits steps_of(int place) {
    switch (place) {
        case deed_exchange: return steps({Step::discard, Step::draw});
        case deed_buyback: return steps({Step::search, Step::keep, Step::omit});
        case omikuji: return steps({Step::draw_omikuji, Step::return_card});
        case gain_territory: return steps({Step::pick});
        case territory_build: return steps({Step::build, Step::omit});
        case change_lantern:
            return steps(
                {Step::flip_first, Step::flip_second, Step::gain, Step::draw, Step::choose});
        case minor_offering:
        case roll_gold: return steps({Step::die, Step::star});
        case market: return steps({Step::market});
        case roll_structures: return steps({Step::die, Step::draw, Step::choose, Step::star});
        case random_structures: return steps({Step::draw});
        case major_offering:
        case supplement_gold: return 0;
        default: return steps({Step::territory, Step::omit});
    }
}

// Steps of an immediate Kitsune card.
Bits steps_of_card(int kitsune) {
    switch (kitsune) {
        case k_fortune: return steps_of(omikuji);
        case k_trade: return steps_of(market);
        case k_lights:
            return steps({Step::lights, Step::flip_second, Step::gain, Step::draw, Step::choose});
        case k_purse: return steps_of(roll_gold);
        case k_gift: return steps_of(random_structures);
        case k_vow: return steps({Step::vow});
        default: return 0;
    }
}

// Reads a view (with seat) or a position (without) and checks that play can reach it, as far as the
// rules and the sampling rely on it.
class Reader {
public:
    Reader(const Setup& setup, const Tables& tables, std::string_view text, bool view)
        : view_(view),
          setup_(setup),
          t_(tables),
          n_(tables.players),
          fields_(view ? ErrorKind::view : ErrorKind::position, text, "jinja", keys(view)) {
        if (number("players", kMinPlayers, kMaxPlayers) != n_)
            fail("players", "this game has " + std::to_string(n_));
        if (fields_["components"] != setup.components_id)
            fail("components", "this game uses " + setup.components_id);
        s_.count = std::uint8_t(n_);
        if (view) seat_ = number("seat", 0, n_ - 1);
        read_moment();
        read_kitsune();
        read_lanterns();
        read_goods();
        read_tokens();
        read_workers();
        read_deeds();
        read_omikuji();
        read_context();
        check_context();
        check_step();
        info_.shown = s_;
        info_.seat = std::uint8_t(seat_);
        if (view)
            check_view();
        else if (!consistent(t_, s_))
            fail("step", "play cannot reach this position");
    }

    State position() const { return s_; }
    InfoSet info() const { return info_; }

private:
    static std::vector<std::string_view> keys(bool view) {
        std::vector<std::string_view> all = {
            "players",    "components", "season",   "first",      "stage",    "step",   "active",
            "placed",     "kitsune",    "revealed", "supplement", "lanterns", "tokens", "workers",
            "structures", "gold",       "honor",    "fox",        "built",    "hands",  "pile",
            "packs",      "omikuji",    "ordered",  "deck",       "returned", "drew",   "draws",
            "where",      "deed",       "star",     "flipped",    "market",   "pending"};
        if (view) {
            all.push_back("seat");
            all.push_back("seen");
        }
        return all;
    }

    // -- Pieces of text

    [[noreturn]] void fail(std::string_view key, const std::string& rule) const {
        fields_.fail(key, rule);
    }
    void require(bool good, std::string_view key, const std::string& rule) const {
        if (!good) fail(key, rule);
    }
    int number(std::string_view key, int low, int high) const {
        return fields_.number(key, low, high);
    }
    int number(std::string_view key, std::string_view text, int low, int high) const {
        return fields_.number(key, text, low, high);
    }
    std::vector<std::string_view> seats(std::string_view key, char separator) const {
        return fields_.list(key, std::size_t(n_), separator);
    }
    static std::string seat_text(int p) { return "seat " + std::to_string(p); }
    std::string name(Id type, int i) const {
        return std::string(kIdWhats[int(type)]) + " '" + std::string(id_text(setup_, type, i)) +
               "'";
    }

    int id(std::string_view key, Id type, std::string_view text) const {
        const auto found = find_id(setup_, type, text);
        if (!found) fail(key, quoted(text) + " is no " + kIdWhats[int(type)]);
        return *found;
    }

    Bits id_set(std::string_view key, Id type, std::string_view text) const {
        Bits set = 0;
        if (text == "-") return set;
        for (const std::string_view entry : split(text, ',')) {
            const int i = id(key, type, entry);
            require(!has(set, i), key, name(type, i) + " comes twice");
            set |= bit(i);
        }
        return set;
    }

    template <std::size_t N>
    int word(std::string_view key, const char* const (&words)[N]) const {
        for (std::size_t i = 0; i < N; ++i)
            if (fields_[key] == words[i]) return int(i);
        fail(key, "is no " + std::string(key));
    }

    // "2.0.1.0" or "-".
    std::array<int, kKinds> structures(std::string_view key, std::string_view text,
                                       int most) const {
        std::array<int, kKinds> out{};
        if (text == "-") return out;
        const auto numbers = split(text, '.');
        require(numbers.size() == kKinds, key, quoted(text) + " must be four numbers or '-'");
        for (std::size_t k = 0; k < kKinds; ++k) out[k] = number(key, numbers[k], 0, most);
        return out;
    }

    // -- When it is, and whose turn

    bool at_step(Bits set) const { return has(set, int(s_.step)); }
    bool between_seasons() const { return s_.stage == Stage::setup; }

    void read_moment() {
        s_.season = std::uint8_t(number("season", 1, kSeasons) - 1);
        s_.first = std::uint8_t(number("first", 0, n_ - 1));
        require(s_.first == s_.season % n_, "first",
                "the first player of this season is seat " + std::to_string(s_.season % n_));
        s_.stage = Stage(word("stage", kStageIds));
        s_.step = Step(word("step", kStepIds));
        constexpr Bits kSetup =
            steps({Step::lantern, Step::goods, Step::deal_omikuji, Step::return_setup,
                   Step::deal_deed, Step::draft, Step::fill, Step::kitsune});
        require(at_step(kSetup) == between_seasons(), "step",
                "belongs to another stage than " + std::string(fields_["stage"]));
        require(!opening(s_) || s_.season == 0, "season", "the first season has not begun");
        s_.placed = std::uint8_t(number("placed", 0, std::max(1, plies()) - 1));
        read_active();
    }

    // What `placed` counts.
    int plies() const {
        switch (s_.step) {
            case Step::lantern: return kTerritories;
            case Step::goods: return 2 * n_;
            case Step::deal_omikuji: return kDealtOmikuji * n_;
            case Step::return_setup: return kReturnedOmikuji * n_;
            case Step::deal_deed: return pack_size(t_) * n_;
            case Step::draft: return (pack_size(t_) - 1) * n_;
            default: return s_.stage == Stage::work ? n_ * t_.workers : 0;
        }
    }

    void read_active() {
        s_.active = std::uint8_t(number("active", 0, n_ - 1));
        int expected = s_.first;
        if (s_.step == Step::return_setup)
            expected = s_.placed / kReturnedOmikuji;
        else if (s_.step == Step::draft)
            expected = s_.placed % n_;
        else if (s_.stage == Stage::work)
            expected = season_seat(s_, s_.placed);
        else if (s_.step == Step::end)
            expected = 0;
        else if (!between_seasons()) {
            s_.turn = std::uint8_t((s_.active - s_.first + n_) % n_);
            return;
        }
        require(s_.active == expected, "active", "it is " + seat_text(expected) + "'s turn");
    }

    void read_kitsune() {
        s_.revealed = std::uint16_t(id_set("revealed", Id::kitsune, fields_["revealed"]));
        require(count(s_.revealed) == s_.season + !between_seasons(), "revealed",
                "one card is revealed each season");
        const bool active = s_.stage == Stage::kitsune || s_.stage == Stage::work;
        require((fields_["kitsune"] != "-") == active, "kitsune",
                active ? "a card acts in this stage" : "no card acts in this stage");
        s_.kitsune =
            std::uint8_t(active ? id("kitsune", Id::kitsune, fields_["kitsune"]) : int(k_none));
        require(!active || has(s_.revealed, s_.kitsune), "kitsune", "is not among the revealed");
        s_.supplement = std::uint8_t(number("supplement", 0, opening(s_) ? 0 : s_.season + 2));
        require(s_.supplement == 0 || t_.circles[supplement_gold] > 0, "supplement",
                "there is none with " + std::to_string(n_) + " players");
    }

    void read_lanterns() {
        const auto entries = fields_.list("lanterns", kTerritories);
        Bits used = 0;
        for (int i = 0; i < kTerritories; ++i) {
            const std::string_view entry = entries[std::size_t(i)];
            const bool placed = s_.step != Step::lantern || i < s_.placed;
            require(placed == (entry != "-"), "lanterns",
                    std::string(kTerritoryIds[i]) +
                        (placed ? " must have a Lantern" : " has no Lantern yet"));
            if (!placed) continue;
            const std::size_t colon = entry.find(':');
            const int lantern = id("lanterns", Id::lantern, entry.substr(0, colon));
            require(!has(used, lantern), "lanterns", name(Id::lantern, lantern) + " comes twice");
            used |= bit(lantern);
            const bool red = colon != std::string_view::npos;
            require(!red || entry.substr(colon) == ":red", "lanterns",
                    quoted(entry) + " may end in ':red' only");
            require(!red || !opening(s_), "lanterns", "all start with the blue side");
            s_.lanterns |= std::uint32_t(lantern | red << 3) << 4 * i;
        }
    }

    // -- Goods

    void read_goods() {
        const auto tokens = seats("structures", ','), gold = seats("gold", ','),
                   honor = seats("honor", ','), fox = seats("fox", ',');
        for (int p = 0; p < n_; ++p) {
            const std::size_t i = std::size_t(p);
            Player& player = s_.players[p];
            int total = 0;
            const auto kinds = structures("structures", tokens[i], kTokensOfKind);
            for (std::size_t k = 0; k < kKinds; ++k) {
                player.structures[k] = std::uint8_t(kinds[k]);
                total += kinds[k];
            }
            Gold::set(player, number("gold", gold[i], 0, kLargest));
            Honor::set(player, number("honor", honor[i], 0, kLargest));
            Fox::set(player, number("fox", fox[i], 0, 1));
            if (opening(s_))
                check_start(p, total);
            else
                check_limits(p, total);
        }
    }

    void check_start(int p, int structures) const {
        const Player& player = s_.players[p];
        const int drawn = s_.step == Step::lantern ? 0
                          : s_.step == Step::goods ? std::clamp(int(s_.placed) - 2 * p, 0, 2)
                                                   : 2;
        const int gold = drawn == 2 ? t_.start_gold[p] : 0, fox = drawn == 2 ? t_.start_fox[p] : 0;
        require(structures == drawn, "structures",
                seat_text(p) + " has drawn " + std::to_string(drawn));
        require(Gold::get(player) == gold, "gold",
                seat_text(p) + " has " + std::to_string(gold) + " before the first season");
        require(Fox::get(player) == fox, "fox",
                seat_text(p) + " has " + std::to_string(fox) + " before the first season");
        require(Honor::get(player) == 0, "honor", "is 0 before the first season");
    }

    // What is still to come must fit the fields, too.
    void check_limits(int p, int structures) const {
        const Player& player = s_.players[p];
        const int left = kSeasons - s_.season;
        require(Gold::get(player) + structures <= kLargest - left * kWealthASeason, "gold",
                seat_text(p) + " cannot own so much in this season");
        require(Honor::get(player) <= kLargest - left * kHonorASeason, "honor",
                seat_text(p) + " cannot have so much in this season");
    }

    void read_tokens() {
        const auto entries = fields_.list("tokens", kTerritories);
        std::array<int, kKinds> used{};
        for (int p = 0; p < n_; ++p)
            for (std::size_t k = 0; k < kKinds; ++k) used[k] += s_.players[p].structures[k];
        for (int i = 0; i < kTerritories; ++i) {
            const auto kinds = structures("tokens", entries[std::size_t(i)], kSeasons);
            int total = 0;
            for (std::size_t k = 0; k < kKinds; ++k) {
                s_.tokens[i] = std::uint16_t(s_.tokens[i] | kinds[k] << 4 * int(k));
                used[k] += kinds[k];
                total += kinds[k];
            }
            require(opening(s_) ? total == 0 : total <= s_.season + 1, "tokens",
                    std::string(kTerritoryIds[i]) + " gets one token each season");
        }
        for (std::size_t k = 0; k < kKinds; ++k)
            require(used[k] <= kTokensOfKind, "tokens",
                    "there are only 20 tokens of " + std::string(kKindIds[k]) + ", not " +
                        std::to_string(used[k]));
    }

    // -- Workers

    int placements() const {
        return s_.stage == Stage::work ? s_.placed + (s_.step != Step::place) : 0;
    }

    void read_workers() {
        if (fields_["workers"] != "-")
            for (const std::string_view entry : split(fields_["workers"], ',')) read_worker(entry);
        int circles = 0, extra = 0, foxes = 0, places[kMaxPlayers] = {}, turns[kMaxPlayers] = {};
        for (const int here : s_.workers) {
            circles += here >> 5;
            extra += std::max(0, count(Bits(here & 31)) - (here >> 5));
            for_each_bit(Bits(here & 31), [&](int p) { ++places[p]; });
        }
        for (int i = 0; i < placements(); ++i) ++turns[season_seat(s_, i)];
        for (int p = 0; p < n_; ++p) {
            foxes += 1 - Fox::get(s_.players[p]);
            require(places[p] <= turns[p], "workers",
                    seat_text(p) + " has placed " + std::to_string(turns[p]) + " this season");
        }
        const int by_fox = placements() - circles;
        require(by_fox >= extra && by_fox <= foxes, "workers",
                std::to_string(placements()) + " were placed, " + std::to_string(circles) +
                    " circles are taken, and the others need a Fox each");
    }

    // "kanto:02/1"
    void read_worker(std::string_view entry) {
        const std::size_t colon = entry.find(':'), slash = entry.find('/');
        require(colon < slash && slash != std::string_view::npos, "workers",
                quoted(entry) + " must be a place, ':', its seats, '/' and its circles taken");
        const int place = id("workers", Id::place, entry.substr(0, colon));
        require(s_.workers[place] == 0, "workers", name(Id::place, place) + " comes twice");
        require(t_.circles[place] > 0, "workers", name(Id::place, place) + " is not in use");
        Bits there = 0;
        for (const char c : entry.substr(colon + 1, slash - colon - 1)) {
            const int p = number("workers", {&c, 1}, 0, n_ - 1);
            require(!has(there, p), "workers", seat_text(p) + " comes twice");
            there |= bit(p);
        }
        require(there != 0, "workers", quoted(entry) + " names no seat");
        const int circles = number("workers", entry.substr(slash + 1), 1, t_.circles[place]);
        s_.workers[place] = std::uint8_t(int(there) | circles << 5);
    }

    // -- Deeds

    bool drafted() const { return !opening(s_); }
    bool others(int p) const { return view_ && p != seat_; }

    // Rounds of the draft in which a seat has kept a Deed.
    int picks(int p) const {
        if (s_.step == Step::draft) return draft_round(s_) - 1 + (p < s_.active);
        return drafted() ? pack_size(t_) : 0;
    }

    void put(std::string_view key, Bits deeds, int place) {
        for_each_bit(deeds, [&](int d) {
            require(!has(listed_, d), key, name(Id::deed, d) + " is in two places");
            move_deed(s_, d, place);
        });
        listed_ |= deeds;
    }

    void read_deeds() {
        for (int d = 0; d < kDeeds; ++d) move_deed(s_, d, view_ ? at::unseen : at::aside);
        read_built();
        put("pile", id_set("pile", Id::deed, fields_["pile"]), at::pile);
        require(drafted() || fields_["pile"] == "-", "pile", "opens after the draft");
        read_packs();
        const auto hands = seats("hands", '/');
        for (int p = 0; p < n_; ++p) read_hand(p, hands[std::size_t(p)]);
        if (view_) {
            read_seen();
            check_unseen();
        } else {
            const Bits left = bit(kDeeds) - 1 - listed_;
            require(!drafted() || left == 0, "hands",
                    name(Id::deed, lowest(left | bit(kDeeds - 1))) + " is missing");
        }
    }

    void read_built() {
        const auto entries = seats("built", '/');
        for (int p = 0; p < n_; ++p)
            put("built", id_set("built", Id::deed, entries[std::size_t(p)]), at::built(p));
        const Bits built = all_built(s_);
        require(drafted() || built == 0, "built", "nothing is built before the first season");
        for (int i = 0; i < kTerritories; ++i)
            require(
                count(built & t_.of_territory[i]) <= t_.spaces[i], "built",
                std::string(kTerritoryIds[i]) + " has " + std::to_string(t_.spaces[i]) + " spaces");
    }

    void read_packs() {
        const auto entries = seats("packs", '/');
        for (int pack = 0; pack < n_; ++pack) {
            const std::string_view entry = entries[std::size_t(pack)];
            const int size = cards_in_pack(t_, s_, pack);
            const int looks = s_.step == Step::draft ? holder(s_, {pack, draft_round(s_)}) : pack;
            if (others(looks) && size > 0) {
                require(entry == "?" + std::to_string(size), "packs",
                        "pack " + std::to_string(pack) + " is hidden: write '?" +
                            std::to_string(size) + "'");
                continue;
            }
            const Bits deeds = id_set("packs", Id::deed, entry);
            require(count(deeds) == size, "packs",
                    "pack " + std::to_string(pack) + " has " + std::to_string(size) + " Deeds");
            put("packs", deeds, at::pack);
            for_each_bit(deeds, [&](int d) { remember(s_, d, {pack, 0}); });
        }
    }

    void read_hand(int p, std::string_view entry) {
        int size = 0;
        if (entry != "-")
            for (const std::string_view card : split(entry, ',')) {
                if (!card.starts_with('?')) {
                    read_held(p, card);
                    ++size;
                    continue;
                }
                require(others(p), "hands", seat_text(p) + " sees its own cards: no '?'");
                require(size == 0, "hands", "a number of hidden cards comes once, and first");
                size = number("hands", card.substr(1), 1, kDeeds);
            }
        info_.deeds_in_hand[p] = std::uint8_t(size);
        require(drafted() || size == picks(p), "hands",
                seat_text(p) + " has kept " + std::to_string(picks(p)) + " Deeds");
    }

    // "kanto_s@3", kept in round 3 of the draft, or "kanto_s", which everybody saw being taken.
    void read_held(int p, std::string_view card) {
        const std::size_t mark = card.find('@');
        const int d = id("hands", Id::deed, card.substr(0, mark));
        put("hands", bit(d), at::hand(p));
        if (mark == std::string_view::npos) {
            require(drafted(), "hands",
                    name(Id::deed, d) + " needs '@' and the round in which it was kept");
            s_.open_deeds |= std::uint32_t(bit(d));
            return;
        }
        const int round = number("hands", card.substr(mark + 1), 1, pack_size(t_));
        require(round <= picks(p), "hands",
                seat_text(p) + " has not kept a Deed in round " + std::to_string(round));
        require(!has(kept_[p], round), "hands",
                seat_text(p) + " kept one Deed in round " + std::to_string(round));
        kept_[p] |= bit(round);
        remember(s_, d, {pack_held(s_, p, round), round});
    }

    // -- Deeds that the seat of a view knows in part

    void read_seen() {
        if (fields_["seen"] == "-") return;
        Bits groups[kMaxPlayers] = {};
        for (const std::string_view group : split(fields_["seen"], '/')) {
            const auto pieces = split(group, ':');
            const auto head = split(pieces[0], '@');
            require(pieces.size() <= 3 && pieces.size() >= 2 && head.size() == 2, "seen",
                    quoted(group) + " must be pack@round:Deeds or pack@round:Deeds:rounds");
            const int pack = number("seen", head[0], 0, n_ - 1);
            const int visit = number("seen", head[1], 1, pack_size(t_));
            require(pack_held(s_, seat_, visit) == pack && visit < rounds_begun(t_, s_), "seen",
                    seat_text(seat_) + " did not pass on pack " + std::string(head[0]) +
                        " in round " + std::string(head[1]));
            require(!has(groups[pack], visit), "seen", quoted(pieces[0]) + " comes twice");
            groups[pack] |= bit(visit);
            read_group({pack, visit}, pieces[1], pieces.size() == 3 ? pieces[2] : "");
        }
    }

    void read_group(Slot slot, std::string_view names, std::string_view rounds) {
        const Bits deeds = id_set("seen", Id::deed, names);
        put("seen", deeds, at::seen);
        for_each_bit(deeds, [&](int d) { remember(s_, d, slot); });
        const int begun = rounds_begun(t_, s_);
        int size = last_visit(s_, seat_, slot.pack, begun) == slot.round
                       ? cards_in_pack(t_, s_, slot.pack)
                       : 0;
        std::uint8_t& open = info_.open_rounds[slot.pack];
        if (!rounds.empty())
            for (const std::string_view entry : split(rounds, ',')) {
                const int round = number("seen", entry, slot.round + 1,
                                         std::min(slot.round + n_ - 1, pack_size(t_)));
                const int keeper = holder(s_, {slot.pack, round});
                require(
                    round <= picks(keeper) && !has(kept_[keeper], round) && !has(open, round),
                    "seen",
                    "the Deed kept in round " + std::string(entry) + " is not among the unknown");
                open = std::uint8_t(open | 1 << round);
                ++size;
            }
        require(count(deeds) == size && size > 1, "seen",
                "pack " + std::to_string(slot.pack) + " of round " + std::to_string(slot.round) +
                    " has " + std::to_string(count(deeds)) + " Deeds where " +
                    std::to_string(size) + " are open, and one alone would be known");
    }

    bool covered(int p, int round) const {
        return has(kept_[p], round) || has(info_.open_rounds[pack_held(s_, p, round)], round);
    }

    // Deeds in the hand of `p` that the seat never saw.
    int unseen_in_hand(int p) const {
        int cards = info_.deeds_in_hand[p] - deeds_in_hand(s_, p);
        for (int round = 1; round <= pack_size(t_); ++round)
            cards -= has(info_.open_rounds[pack_held(s_, p, round)], round);
        return cards;
    }

    int dealt() const {
        if (s_.step == Step::deal_deed) return s_.placed;
        return s_.step == Step::draft ? n_ * pack_size(t_) : 0;
    }

    // Counts that the sampling relies on.
    void check_unseen() const {
        const Bits unseen = bit(kDeeds) - 1 - listed_;
        int cards = drafted() ? 0 : kDeeds - dealt();  // put aside
        for (int p = 0; p < n_; ++p) {
            if (p == seat_) continue;
            int before = 0;  // rounds in which p kept a Deed of a pack not yet seen
            for (int round = 1; round <= picks(p); ++round) {
                const int pack = pack_held(s_, p, round);
                const bool early = round < first_visit(s_, seat_, pack);
                before += early;
                require(early || drafted() || covered(p, round), "hands",
                        "it is not said which Deed " + seat_text(p) + " kept in round " +
                            std::to_string(round));
            }
            const int own = unseen_in_hand(p);
            require(own >= 0 && own <= before, "hands",
                    seat_text(p) + " holds " + std::to_string(own) + " Deeds that " +
                        seat_text(seat_) + " never saw, where 0 to " + std::to_string(before) +
                        " are possible");
            cards += own;
        }
        for (int pack = 0; pack < n_; ++pack)
            if (first_visit(s_, seat_, pack) > rounds_begun(t_, s_))
                cards += cards_in_pack(t_, s_, pack);
        require(count(unseen) == cards, "hands",
                std::to_string(count(unseen)) + " Deeds are not listed where " +
                    std::to_string(cards) + " are unknown");
    }

    // -- Omikuji

    void read_omikuji() {
        const auto drew = seats("drew", ','), hands = seats("omikuji", '/'),
                   returned = seats("returned", '/');
        for (int p = 0; p < n_; ++p) {
            const std::size_t i = std::size_t(p);
            Drew::set(s_.players[p], number("drew", drew[i], 0, opening(s_) ? 0 : 1));
            read_omikuji_hand(p, hands[i]);
        }
        read_ordered();
        int deck = kOmikuji - s_.ordered;
        for (int p = 0; p < n_; ++p) deck -= info_.omikuji_in_hand[p];
        require(deck >= 0, "omikuji", "there are only 34 cards");
        require(number("deck", 0, kOmikuji) == deck, "deck",
                "the hands and the ordered part leave " + std::to_string(deck));
        deck_ = deck;
        for (int p = 0; p < n_; ++p) read_returned(p, returned[std::size_t(p)]);
        check_returned();
    }

    void put_omikuji(std::string_view key, Bits cards, int place) {
        for_each_bit(cards, [&](int c) {
            require(s_.omikuji_at[c] == kInDeck, key, name(Id::omikuji, c) + " is in two places");
            s_.omikuji_at[c] = std::uint8_t(place);
        });
    }

    void read_omikuji_hand(int p, std::string_view entry) {
        int size = 0;
        if (entry.starts_with('?')) {
            require(others(p), "omikuji", seat_text(p) + " sees its own cards: no '?'");
            size = number("omikuji", entry.substr(1), 1, kOmikuji);
        } else {
            const Bits cards = id_set("omikuji", Id::omikuji, entry);
            require(!others(p) || cards == 0, "omikuji",
                    seat_text(p) + " alone can name its cards: write '?' and their number");
            put_omikuji("omikuji", cards, 1 + p);
            size = count(cards);
        }
        info_.omikuji_in_hand[p] = std::uint8_t(size);
        constexpr int kKept = kDealtOmikuji - kReturnedOmikuji;
        int least = kKept;
        if (s_.step == Step::lantern || s_.step == Step::goods) least = 0;
        if (s_.step == Step::deal_omikuji)
            least = std::clamp(int(s_.placed) - kDealtOmikuji * p, 0, kDealtOmikuji);
        if (s_.step == Step::return_setup) least = kDealtOmikuji;
        require(Drew::get(s_.players[p]) ? size >= least : size == least, "omikuji",
                seat_text(p) + " has " + std::to_string(size) + " cards where " +
                    std::to_string(least) + " are needed, or more once it has drawn");
    }

    void read_ordered() {
        if (fields_["ordered"] == "-") return;
        const auto entries = split(fields_["ordered"], ',');
        require(entries.size() <= std::size_t(kOmikuji - 3 * n_), "ordered", "is too long");
        for (const std::string_view entry : entries) {
            const std::size_t colon = entry.find(':');
            require(colon != std::string_view::npos, "ordered",
                    quoted(entry) + " must be a seat, ':' and a card");
            const int p = number("ordered", entry.substr(0, colon), 0, n_ - 1);
            require(Drew::get(s_.players[p]) != 0, "ordered",
                    seat_text(p) + " has drawn no card: see drew");
            const std::string_view card = entry.substr(colon + 1);
            require((card == "?") == others(p), "ordered",
                    quoted(entry) +
                        (others(p) ? ": that seat alone knows the card" : ": the card is known"));
            if (card != "?")
                put_omikuji("ordered", bit(id("ordered", Id::omikuji, card)),
                            kOrdered + s_.ordered);
            set_nibble(s_.placer, s_.ordered++, p);
        }
    }

    // How many cards a seat has put back at setup.
    int put_back(int p) const {
        if (s_.step == Step::return_setup)
            return std::clamp(int(s_.placed) - kReturnedOmikuji * p, 0, kReturnedOmikuji);
        return before_draft(s_.step) && s_.step != Step::deal_deed ? 0 : kReturnedOmikuji;
    }

    void read_returned(int p, std::string_view entry) {
        const Bits cards = id_set("returned", Id::omikuji, entry);
        const int size = others(p) ? 0 : put_back(p);
        require(count(cards) == size, "returned",
                others(p) ? seat_text(p) + " alone knows its cards: write '-'"
                          : seat_text(p) + " has put back " + std::to_string(size));
        require((returned_ & cards) == 0, "returned", "a card comes twice");
        returned_ |= cards;
        ReturnedLow::set(s_.players[p], size > 0 ? lowest(cards) : kNoCard);
        ReturnedHigh::set(s_.players[p], size > 1 ? lowest(without_lowest(cards)) : kNoCard);
        if (s_.step != Step::return_setup || size == 0) return;
        const Bits hand = omikuji_at(s_, 1 + p);
        require((cards & ~hand) == 0, "returned", "the cards are in the hand until all are back");
        require(size > 1 || cards != std::bit_floor(hand), "returned",
                "the first of two cards is not the highest of the hand");
    }

    // Cards put back at setup went to the deck, so only those who drew since can have them.
    void check_returned() const {
        if (s_.step == Step::return_setup) return;
        int room = deck_;
        for (int i = 0; i < s_.ordered; ++i) room += others(nibble(s_.placer, i));
        for (int p = 0; p < n_; ++p) {
            if (Drew::get(s_.players[p]) != 0) {
                room += others(p) ? info_.omikuji_in_hand[p] : 0;
                continue;
            }
            require((omikuji_at(s_, 1 + p) & returned_) == 0, "returned",
                    seat_text(p) + " has drawn no card: see drew");
        }
        require(count(omikuji_at(s_, kInDeck) & returned_) <= room, "returned",
                "the cards can be nowhere");
    }

    // -- The effect being carried out

    void read_context() {
        if (fields_["draws"] != "-") {
            const auto numbers = fields_.list("draws", 2, '/');
            s_.drawn = std::uint8_t(number("draws", numbers[0], 0, kMaxPlayers + 2));
            s_.to_draw = std::uint8_t(number("draws", numbers[1], 0, kMaxPlayers + 2));
            require(s_.drawn + s_.to_draw > 0, "draws", "no draw at all is '-'");
        }
        read_where();
        if (asks_deed(s_))
            s_.deed = std::uint8_t(id("deed", Id::deed, fields_["deed"]));
        else
            require(fields_["deed"] == "-", "deed", "is '-' unless a Deed is in question");
        s_.star = std::uint8_t(number("star", 0, 1));
        read_flipped();
        read_market();
        s_.pending_deeds = std::uint32_t(id_set("pending", Id::deed, fields_["pending"]));
    }

    void read_where() {
        const std::string_view text = fields_["where"];
        switch (where_kind(s_)) {
            case Where::none: require(text == "-", "where", "is '-' at this step"); break;
            case Where::place:
            case Where::kitsune: s_.where = std::uint8_t(id("where", Id::place, text)); break;
            case Where::lantern: {
                const auto pieces = fields_.list("where", 2, ':');
                const int territory = id("where", Id::territory, pieces[0]);
                const Bits own = deeds_at(s_, at::built(s_.active)) & t_.of_territory[territory];
                require(own != 0, "where", seat_text(s_.active) + " has no Shrine there");
                const int times = number("where", pieces[1], 1, std::min(2, count(own)));
                s_.where = std::uint8_t(territory | times << 5);
                break;
            }
        }
    }

    void read_flipped() {
        const bool two = s_.step == Step::gain;
        if (!two && s_.step != Step::flip_second) {
            require(fields_["flipped"] == "-", "flipped", "is '-' at this step");
            return;
        }
        const Bits flipped = id_set("flipped", Id::territory, fields_["flipped"]);
        require(count(flipped) == 1 + two, "flipped", two ? "needs two" : "needs one territory");
        require(two || flipped != bit(kyushu), "flipped", "the second must be higher");
        s_.flipped = std::uint8_t(lowest(flipped));
        if (two) s_.flipped = std::uint8_t(s_.flipped | lowest(without_lowest(flipped)) << 3);
    }

    void read_market() {
        if (fields_["market"] == "-") return;
        require(s_.step == Step::market, "market", "is '-' at this step");
        const auto pieces = fields_.list("market", 2, '/');
        const auto bought = split(pieces[1], ':');
        Market market(s_);
        const Bits sold = id_set("market", Id::kind, pieces[0]);
        market.sold = int(sold);
        market.buys = number("market", bought[0], 0, kMostBuys);
        market.bought = market.buys > 0;
        require(sold != 0 || market.bought, "market", "no trade at all is '-'");
        require(bought.size() == (market.bought ? 2u : 1u), "market",
                "the last kind bought follows the number bought");
        market.last =
            market.bought ? id("market", Id::kind, bought[1]) : lowest(std::bit_floor(sold));
        require(!market.bought || !has(sold, market.last), "market",
                "a kind sold cannot be bought in the same use");
        market.store(s_);
    }

    Bits own_built() const { return deeds_at(s_, at::built(s_.active)); }
    Bits own_hand() const { return deeds_at(s_, at::hand(s_.active)); }

    // Steps at which this moment of the game can be.
    Bits possible_steps() const {
        switch (s_.stage) {
            case Stage::setup: return ~Bits{0};
            case Stage::kitsune: return steps_of_card(s_.kitsune);
            case Stage::work: return s_.step == Step::place ? ~Bits{0} : steps_of(int(s_.where));
            case Stage::lanterns: return steps_of(visible_bonus(t_, s_, s_.where & 31));
            case Stage::deeds: break;
        }
        Bits set = steps({Step::use, Step::end});
        for_each_bit(own_built() & ~t_.automatic & ~Bits{s_.pending_deeds},
                     [&](int d) { set |= steps_of(t_.deeds[d].bonus); });
        return set;
    }

    void check_context() const {
        require(at_step(possible_steps()), "step",
                "cannot come here: see stage, kitsune and where");
        require(s_.step != Step::omit || s_.kitsune == k_mason, "step",
                "nothing is left out without k_mason");
        if (s_.stage == Stage::kitsune && where_kind(s_) == Where::kitsune)
            require(s_.where == roll_gold, "where", "k_purse is like roll_gold");
        if (s_.stage == Stage::work && s_.step != Step::place)
            require(has(s_.workers[s_.where] & 31, s_.active), "where",
                    seat_text(s_.active) + " has no worker there");
        const bool pending = s_.stage == Stage::deeds && s_.step != Step::end;
        require((s_.pending_deeds & ~(pending ? own_built() & ~t_.automatic : 0)) == 0, "pending",
                "Deeds are pending whose owner is choosing their order");
        const bool star =
            s_.step == Step::star || (s_.stage == Stage::work && s_.where == roll_structures &&
                                      at_step(steps({Step::draw, Step::choose})));
        require(s_.star ? star : s_.step != Step::star, "star",
                star ? "a star waits at this step" : "no star can wait at this step");
        check_draws();
    }

    // How many draws an effect may be of.
    std::pair<int, int> draws() const {
        if (s_.step == Step::fill) return {0, 0};
        if (s_.stage == Stage::lanterns) {
            const int number = 1 + (visible_bonus(t_, s_, s_.where & 31) == Bonus::rand2);
            return {number, number};
        }
        if (s_.stage == Stage::deeds) return {1, s_.step == Step::draw ? 2 : 1};
        if (s_.stage == Stage::work && s_.where == deed_exchange) return {n_ + 2, n_ + 2};
        const bool two = s_.stage == Stage::kitsune
                             ? s_.kitsune == k_gift
                             : s_.where == random_structures || s_.where == roll_structures;
        return {two && s_.step == Step::draw ? 2 : 1, 2};
    }

    void check_draws() const {
        const int left = s_.to_draw - s_.drawn;
        const auto within = [&] {
            const auto [low, high] = draws();
            return s_.to_draw >= low && s_.to_draw <= high;
        };
        bool good = s_.drawn == 0 && s_.to_draw == 0;
        switch (s_.step) {
            case Step::fill: good = s_.to_draw == 0 && s_.drawn < kTerritories; break;
            case Step::draw: good = within() && left > 0; break;
            case Step::draw_omikuji:
                good = within() && left > 0 && left <= deck_ + s_.ordered;
                break;
            case Step::return_card: good = within() && left == 0; break;
            case Step::star:
                good |= s_.stage == Stage::work && s_.where == roll_structures && s_.drawn > 0 &&
                        left >= 0 && s_.to_draw == 2;
                break;
            default: break;
        }
        require(good, "draws", "does not fit the step");
        if (at_step(steps({Step::draw_omikuji, Step::return_card}))) {
            const bool drew = Drew::get(s_.players[s_.active]) != 0;
            require(drew || s_.drawn == 0, "drew", seat_text(s_.active) + " has just drawn");
            require(info_.omikuji_in_hand[s_.active] >= kDealtOmikuji - kReturnedOmikuji + s_.drawn,
                    "omikuji", seat_text(s_.active) + " has just drawn");
        }
    }

    // -- The player to act has a choice, and every choice can be carried out.

    void check_step() const {
        const int gold = Gold::get(s_.players[s_.active]);
        const bool tokens = total(bag(s_)) > 0;
        const auto need = [&](bool good, const char* what) {
            require(good, "step", "needs " + std::string(what));
        };
        switch (s_.step) {
            case Step::fill:
            case Step::draw:
            case Step::choose: need(tokens, "a token in the bag"); break;
            case Step::pick:
                need(std::any_of(s_.tokens, s_.tokens + kTerritories, [](int x) { return x != 0; }),
                     "a territory with tokens");
                break;
            case Step::discard: need(info_.deeds_in_hand[s_.active] > 0, "a Deed in hand"); break;
            case Step::search: need(deeds_at(s_, at::pile) != 0, "a Deed in the pile"); break;
            case Step::vow:
            case Step::donate: need(gold > 0, "a player with Gold"); break;
            case Step::build:
                need(buildable(t_, s_, s_.active, possible_hand()) != 0,
                     "a Deed that can be built");
                break;
            case Step::keep: check_keep(); break;
            case Step::omit: check_omit(); break;
            case Step::use: check_use(); break;
            case Step::end:
                require(s_.season + 1 == kSeasons, "season", "the game ends after the fifth");
                break;
            default: break;
        }
    }

    // Deeds that can be in the hand of the active player.
    Bits possible_hand() const {
        const int p = s_.active;
        Bits deeds = own_hand();
        if (!others(p)) return deeds;
        for_each_bit(deeds_at(s_, at::seen), [&](int d) {
            const Slot seen = slot_of(s_, d);
            for (int round = seen.round + 1; round < seen.round + n_; ++round)
                if (has(info_.open_rounds[seen.pack], round) && holder(s_, {seen.pack, round}) == p)
                    deeds |= bit(d);
        });
        return unseen_in_hand(p) > 0 ? deeds | deeds_at(s_, at::unseen) : deeds;
    }

    void check_keep() const {
        const int d = s_.deed;
        require(has(own_hand() & s_.open_deeds, d), "deed",
                "must be in the hand of " + seat_text(s_.active) + ", known to all");
        require(has(s_.workers[t_.deeds[d].territory] & 31, s_.active), "deed",
                seat_text(s_.active) + " has no worker in that territory");
        require(buildable(t_, s_, s_.active, bit(d)) != 0, "deed", "cannot be built");
    }

    void check_omit() const {
        const int d = s_.deed;
        require(has(own_built(), d), "deed", "must be built by " + seat_text(s_.active));
        require(can_pay(s_, s_.players[s_.active], t_.deeds[d]), "deed", "cannot be paid");
        require(s_.where >= kTerritories || t_.deeds[d].territory == s_.where, "deed",
                "is of another territory");
    }

    void check_use() const {
        unsigned codes = 0;
        for_each_bit(s_.pending_deeds, [&](int d) { codes |= 1u << int(t_.deeds[d].bonus); });
        require(std::popcount(codes) > 1, "pending", "a choice of order needs two sorts of bonus");
    }

    // The seat must know exactly this in some position.
    void check_view() const {
        Rng rng(0);
        const State world = sample(t_, info_, rng);
        const InfoSet again = observe(t_, world, seat_);
        require(consistent(t_, world) && key(again) == key(info_), "hands",
                "in no position does " + seat_text(seat_) + " know just this");
    }

    bool view_;
    const Setup& setup_;
    const Tables& t_;
    int n_, seat_ = 0;
    Fields fields_;
    State s_{};
    InfoSet info_{};
    Bits listed_ = 0;              // Deeds
    Bits kept_[kMaxPlayers] = {};  // rounds of the draft whose Deed is listed
    Bits returned_ = 0;
    int deck_ = 0;
};

}  // namespace

std::vector<GameOption> Game::options() { return {}; }

Tables Game::tables(const Setup& setup) { return TableReader(setup).tables(); }

std::string Game::action_text(const Setup& setup, Action a) {
    const VerbText& verb = kVerbTexts[int(verb_of(a))];
    if (verb.object == Id::none) return verb.name;
    return std::string(verb.name) + ":" + std::string(id_text(setup, verb.object, object_of(a)));
}

std::string Game::hidden_text(const Setup&, Action a) {
    return std::string(kVerbTexts[int(verb_of(a))].name) + ":?";
}

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

std::string Game::position_text(const Setup& setup, const State& s) {
    return Writer(setup, s, nullptr).line();
}
std::string Game::view_text(const Setup& setup, const InfoSet& info) {
    return Writer(setup, info.shown, &info).line();
}
State Game::parse_position(const Setup& setup, const Tables& tables, std::string_view text) {
    return Reader(setup, tables, text, false).position();
}
InfoSet Game::parse_view(const Setup& setup, const Tables& tables, std::string_view text) {
    return Reader(setup, tables, text, true).info();
}

// ---- The observation

namespace {

// Rows of the observation: one of each of these, then `kSeatRows` for each seat.
enum Row {
    step_row,
    moment_row,
    kitsune_row,
    circles_row,
    territory_rows,
    where_row = territory_rows + kTerritories,
    own_omikuji_row,
    ordered_row,
    returned_row,
    pile_row,
    deed_row,
    pending_row,
    pack_row,
    seen_row,
    unseen_row,
    first_seat_row
};
constexpr int kSeatRows = 5;  // goods, hand, public part of it, built, workers
constexpr int kColumns = kOmikuji;

}  // namespace

std::array<std::size_t, 2> Game::tensor_shape(const Tables& tables) {
    return {std::size_t(first_seat_row + kSeatRows * tables.players), std::size_t(kColumns)};
}

// Seats are counted from the observer; numbers are scaled to about 0..1.
void Game::tensor(const Tables& t, const InfoSet& info, float* rows) {
    const State& s = info.shown;
    const int n = s.count, seat = info.seat;
    const auto row = [&](int index) { return rows + std::ptrdiff_t{index} * kColumns; };
    const auto fill = [&](int index, Bits set) {
        for_each_bit(set, [&](int i) { row(index)[i] = 1; });
    };
    const auto relative = [&](int p) { return (p - seat + n) % n; };

    row(step_row)[int(s.step)] = 1;
    float* moment = row(moment_row);
    moment[s.season] = 1;
    moment[5 + int(s.stage)] = 1;
    if (actor(s) >= 0) moment[10 + relative(s.active)] = 1;
    moment[15 + relative(s.first)] = 1;
    moment[20] = float(s.placed) / float(n * t.workers);
    moment[21] = float(s.drawn) / 7;
    moment[22] = float(s.to_draw) / 7;
    moment[23] = float(s.star);
    moment[24] = float(s.supplement) / 6;
    moment[25] = float(s.ordered) / kMostOrdered;
    const std::uint32_t tokens = bag(s);
    for (int k = 0; k < kKinds; ++k) moment[26 + k] = float(in_bag(tokens, k)) / kTokensOfKind;

    fill(kitsune_row, s.revealed);
    if (s.kitsune != k_none) row(kitsune_row)[kKitsune + s.kitsune] = 1;
    for (int i = 0; i < kPlaces; ++i)
        if (t.circles[i] > 0) row(circles_row)[i] = float(s.workers[i] >> 5) / float(t.circles[i]);

    const Bits built = all_built(s);
    for (int i = 0; i < kTerritories; ++i) {
        float* place = row(territory_rows + i);
        if (s.step != Step::lantern || i < s.placed) place[lantern_of(s, i)] = 1;
        place[7] = float(is_red(s, i));
        for (int k = 0; k < kKinds; ++k) place[8 + k] = float(token(s, i, k)) / kSeasons;
        place[12] = float(t.spaces[i] - count(built & t.of_territory[i])) / float(t.spaces[i]);
    }

    float* where = row(where_row);
    const Where kind = where_kind(s);
    if (kind != Where::none) where[kind == Where::lantern ? s.where & 31 : s.where] = 1;
    if (kind == Where::lantern) where[kPlaces] = float(s.where >> 5) / 2;
    const Market market(s);
    for (int k = 0; k < kKinds; ++k) where[21 + k] = float(market.sold >> k & 1);
    if (market.bought || market.sold != 0) where[25 + market.last] = 1;
    where[29] = float(market.buys) / kMostBuys;
    if (s.step == Step::flip_second || s.step == Step::gain) {
        where[30] = float((s.flipped & 7) + 1) / kTerritories;
        where[31] = s.step == Step::gain ? float((s.flipped >> 3) + 1) / kTerritories : 0;
    }

    fill(own_omikuji_row, omikuji_at(s, 1 + seat));
    for (int c = 0; c < kOmikuji; ++c)
        if (s.omikuji_at[c] >= kOrdered)
            row(ordered_row)[c] = float(s.omikuji_at[c] - kOrdered + 1) / kMostOrdered;
    for (const int c : {ReturnedLow::get(s.players[seat]), ReturnedHigh::get(s.players[seat])})
        if (c != kNoCard) row(returned_row)[c] = 1;
    fill(pile_row, deeds_at(s, at::pile));
    if (asks_deed(s)) row(deed_row)[s.deed] = 1;
    fill(pending_row, s.pending_deeds);
    fill(pack_row, deeds_at(s, at::pack));
    fill(seen_row, deeds_at(s, at::seen));
    fill(unseen_row, deeds_at(s, at::unseen));

    for (int p = 0; p < n; ++p) {
        const int first = first_seat_row + kSeatRows * relative(p);
        const Player& player = s.players[p];
        float* goods = row(first);
        for (int k = 0; k < kKinds; ++k) goods[k] = float(player.structures[k]) / kTokensOfKind;
        goods[4] = float(Gold::get(player)) / 50;
        goods[5] = float(Honor::get(player)) / 100;
        goods[6] = float(Fox::get(player));
        goods[7] = float(Drew::get(player));
        goods[8] = float(info.deeds_in_hand[p]) / kDeeds;
        goods[9] = float(info.omikuji_in_hand[p]) / kOmikuji;
        const Bits hand = deeds_at(s, at::hand(p));
        fill(first + 1, hand);
        fill(first + 2, hand & s.open_deeds);
        fill(first + 3, deeds_at(s, at::built(p)));
        for (int i = 0; i < kPlaces; ++i) row(first + 4)[i] = float(s.workers[i] >> p & 1);
    }
}

}  // namespace jinja
HENRO_END
