// Shugendo: component tables from a set, refused where the rules cannot play with them.
#include <algorithm>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <set>
#include <utility>

#include "core/handle.hpp"
#include "core/text.hpp"
#include "games/shugendo/game.hpp"

HENRO_BEGIN
namespace shugendo {
namespace {

constexpr const char* kTableIds[] = {"cards",       "boards",     "cells",   "milestones",
                                     "development", "prefecture", "rewards", "rules"};

class TableReader {
public:
    explicit TableReader(const Setup& setup) : setup_(setup) {
        for (const auto& [table, rows] : setup.tables)
            if (std::find(std::begin(kTableIds), std::end(kTableIds), table) == std::end(kTableIds))
                fail("has no table '" + table + "'");
        tables_.players = setup.players;
        check_ids();
        read_rules();
        read_cards();
        read_boards();
        read_cells();
        read_milestones();
        read_tokens();
        read_rewards();
        tables_.flower = setup_.options.at("flower") == "1";
        complete(tables_);
    }

    Tables tables() const { return tables_; }

private:
    using Row = std::vector<std::int64_t>;
    using Range = std::pair<int, int>;
    using Columns = std::vector<Range>;

    // What the numbers of a set may be: small enough for every sum and field of a state.
    static constexpr Range kIcons = {0, 9}, kVp = {0, 50};

    [[noreturn]] static void fail(const std::string& rule) {
        throw Error(ErrorKind::component, "shugendo: " + rule);
    }
    [[noreturn]] static void fail(const char* table, std::size_t row, const std::string& rule) {
        fail("table '" + std::string(table) + "', row " + std::to_string(row + 1) + ": " + rule);
    }

    static Columns joined(std::initializer_list<Columns> pieces) {
        Columns all;
        for (const Columns& piece : pieces) all.insert(all.end(), piece.begin(), piece.end());
        return all;
    }
    static Columns times(std::size_t number, Range range) { return Columns(number, range); }

    // The rows of a table, with each column in its range.
    const std::vector<Row>& rows(const char* table, int size, const Columns& columns) const {
        const auto found = setup_.tables.find(table);
        if (found == setup_.tables.end()) fail("needs the table '" + std::string(table) + "'");
        if (found->second.size() != std::size_t(size))
            fail("table '" + std::string(table) + "' must have " + std::to_string(size) + " rows");
        for (std::size_t i = 0; i < found->second.size(); ++i) {
            const Row& row = found->second[i];
            bool good = row.size() == columns.size();
            for (std::size_t c = 0; good && c < columns.size(); ++c)
                good = row[c] >= columns[c].first && row[c] <= columns[c].second;
            if (!good) fail(table, i, "a number is missing, left over or out of range");
        }
        return found->second;
    }

    const std::vector<std::string>& ids(const char* table, int size) const {
        const auto found = setup_.names.find(table);
        if (found == setup_.names.end() || found->second.size() != std::size_t(size))
            fail("table '" + std::string(table) + "' must name " + std::to_string(size) + " rows");
        return found->second;
    }

    // Ids stand in moves, views and lists.
    void check_ids() const {
        const auto check = [&](const char* table, int size) {
            std::set<std::string_view> taken;
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
        check("cards", kCards);
        check("boards", kBoards);
        check("milestones", kMilestones);
        check("rewards", kRewards);
    }

    // Takes the numbers of a row one after the other.
    class Cursor {
    public:
        explicit Cursor(const Row& row) : next_(row.begin()) {}
        std::uint8_t number() { return std::uint8_t(*next_++); }
        int whole() { return int(*next_++); }
        template <class T, std::size_t N>
        void fill(T (&numbers)[N], std::size_t from = 0) {
            for (std::size_t i = from; i < N; ++i) numbers[i] = T(*next_++);
        }
        Gain gain() {
            Gain gain{};
            fill(gain.tracks);
            gain.any = number();
            gain.silver = number();
            gain.pilgrims = number();
            gain.vp = number();
            return gain;
        }

    private:
        Row::const_iterator next_;
    };
    static constexpr std::size_t kGain = 7;  // numbers of a gain

    void read_rules() {
        struct Rule {
            const char* id;
            Range range;
            std::uint8_t* value;  // none: fixed in the code
        };
        Tables& t = tables_;
        const Range end = {1, kMostTrack}, books = {1, kMostTrack};
        const auto row = [](int age) {
            return Range(kRows[age + 1] - kRows[age], kRows[age + 1] - kRows[age]);
        };
        const Rule rules[] = {{"start_silver", {0, kMostSilver}, &t.start_silver},
                              {"track_start", {0, kMostTrack}, &t.track_start},
                              {"compass_end", end, &t.track_end[compass]},
                              {"hammer_end", end, &t.track_end[hammer]},
                              {"book_end", end, &t.track_end[book]},
                              {"display_1", row(0), nullptr},
                              {"display_2", row(1), nullptr},
                              {"display_3", row(2), nullptr},
                              {"mischief", {1, 60}, &t.mischief},
                              {"prefecture_stars", {1, 60}, &t.prefecture_stars},
                              {"round_limit", {1, 250}, &t.round_limit},
                              {"age_cost_2", books, &t.age_cost[2]},
                              {"age_cost_3", books, &t.age_cost[3]},
                              {"age_cost_4", books, &t.age_cost[4]},
                              {"age_cost_5", books, &t.age_cost[5]},
                              {"shrines_1", kVp, &t.shrines_vp[1]},
                              {"shrines_2", kVp, &t.shrines_vp[2]},
                              {"shrines_3", kVp, &t.shrines_vp[3]},
                              {"five_vp", kVp, &t.five_vp},
                              {"end_vp", {kSecondReward, kMostScore}, &t.end_vp}};
        const auto& names = ids("rules", int(std::size(rules)));
        const auto& values = rows("rules", int(std::size(rules)), {{0, 255}});
        for (std::size_t i = 0; i < std::size(rules); ++i) {
            const auto& [id, range, value] = rules[i];
            const std::int64_t number = values[i][0];
            if (names[i] != id)
                fail("rules", i, "must be '" + std::string(id) + "', not " + quoted(names[i]));
            if (number < range.first || number > range.second)
                fail("rules", i, "'" + std::string(id) + "' cannot be " + std::to_string(number));
            if (value != nullptr) *value = std::uint8_t(number);
        }
        for (const int end_of_track : t.track_end)
            if (t.track_start > end_of_track) fail("table 'rules': a track ends before its start");
    }

    void read_cards() {
        const auto& table = rows("cards", kCards,
                                 joined({{{0, kAges}, {1, kOwnCards}, {0, kMostCost}, {0, 3}},
                                         times(kTracks + kChoices + 4, kIcons),
                                         {{int(Special::none), int(Special::vp_mountains)}},
                                         {{-kVp.second, kVp.second}}}));
        int copies[kAges + 1] = {};
        for (std::size_t i = 0; i < table.size(); ++i) {
            Card& card = tables_.cards[i];
            Cursor row(table[i]);
            card.age = row.number();
            card.copies = row.number();
            card.cost = row.number();
            card.yokai = row.number();
            row.fill(card.tracks);
            row.fill(card.choices);
            card.gold = row.number();
            card.silver = row.number();
            card.pilgrims = row.number();
            card.vp = row.number();
            card.special = Special(row.whole());
            card.end_vp = std::int16_t(row.whole());
            if (i > 0 && card.age < tables_.cards[i - 1].age)
                fail("cards", i, "the cards of an Age stand together, the starting cards first");
            copies[card.age] += card.copies;
        }
        for (int age = 0; age <= kAges; ++age) {
            const int wanted = age == 0 ? kOwnCards : kAgeCards[age - 1];
            if (copies[age] != wanted)
                fail("table 'cards': " + std::to_string(copies[age]) + " cards of Age " +
                     std::to_string(age) + ", must be " + std::to_string(wanted));
        }
    }

    void read_boards() {
        const Columns prefecture = joined({times(kGain, kIcons), {kVp}});
        const Columns columns =
            joined({times(kMostFarms + kMostVillages + kMostCities, kVp), times(2 * kGain, kIcons),
                    prefecture, prefecture, prefecture});
        const auto& table = rows("boards", kBoards, columns);
        for (std::size_t i = 0; i < table.size(); ++i) {
            Board& board = tables_.boards[i];
            Cursor row(table[i]);
            row.fill(board.farm_vp, 1);
            row.fill(board.village_vp, 1);
            row.fill(board.city_vp, 1);
            board.village_row = row.gain();
            board.city_row = row.gain();
            for (int k = 0; k < kMostPrefectures; ++k) {
                board.prefecture[k] = row.gain();
                board.prefecture_vp[k] = row.number();
            }
        }
    }

    void read_cells() {
        const auto& table = rows("cells", kBoards * kCells,
                                 joined({{{0, kBoards - 1},
                                          {0, kCells - 1},
                                          {int(Terrain::forest), int(Terrain::lake)},
                                          {int(Icon::none), int(Icon::bonus)},
                                          kIcons},
                                         times(kGain, kIcons)}));
        for (std::size_t i = 0; i < table.size(); ++i) {
            Cursor row(table[i]);
            const int number = row.whole(), cell = row.whole();
            if (number * kCells + cell != int(i)) fail("cells", i, "is not of the cell due here");
            Board& board = tables_.boards[number];
            board.terrain[cell] = Terrain(row.number());
            board.icon[cell] = Icon(row.number());
            board.penalty[cell] = row.number();
            board.gain[cell] = row.gain();
            if (board.terrain[cell] == Terrain::lake && board.icon[cell] != Icon::none)
                fail("cells", i, "a lake has no icon");
        }
        for (int i = 0; i < kBoards; ++i) check_map(i);
    }

    void check_map(int number) const {
        const Board& board = tables_.boards[number];
        const std::string name = "board '" + setup_.names.at("boards")[std::size_t(number)] + "'";
        if (std::count(board.terrain, board.terrain + kCells, Terrain::lake) != kLakes)
            fail(name + " must have " + std::to_string(kLakes) + " lakes");
        for (const Icon icon : {Icon::start, Icon::ivory, Icon::iron, Icon::gold})
            if (std::count(board.icon, board.icon + kCells, icon) != 1)
                fail(name + " must have one start and one cell for each part of a Milestone card");
    }
    static constexpr int kLakes = 4;

    void read_milestones() {
        const auto& table = rows("milestones", kMilestones, times(3, {0, int(Iron::guest)}));
        for (std::size_t i = 0; i < table.size(); ++i) {
            const Row& row = table[i];
            tables_.milestones[i] = {Ivory(row[0]), Iron(row[1]), Gold(row[2])};
        }
    }

    // SG38: a token is in play with as many players as it has dots, or more.
    template <std::size_t Piles>
    void read_piles(const char* name, int first, std::uint8_t (&sizes)[Piles],
                    std::uint8_t (&vp)[Piles][4]) {
        const int last = first + int(Piles) - 1;
        const auto& table = rows(name, 4 * int(Piles - 1) + 1, {{first, last}, {1, 4}, kVp});
        std::set<std::pair<std::int64_t, std::int64_t>> seen;
        for (std::size_t i = 0; i < table.size(); ++i) {
            const Row& row = table[i];
            const std::size_t pile = std::size_t(row[0] - first);
            if (!seen.insert({row[0], row[1]}).second || (pile + 1 == Piles && row[1] != 1))
                fail(name, i, "there is one token for each number of dots, in the last pile one");
            if (row[1] <= tables_.players) vp[pile][sizes[pile]++] = std::uint8_t(row[2]);
        }
        for (std::size_t pile = 0; pile < Piles; ++pile)
            std::sort(vp[pile], vp[pile] + sizes[pile], std::greater<>());
    }

    void read_tokens() {
        read_piles("development", 2, tables_.development_tokens, tables_.development_vp);
        read_piles("prefecture", 1, tables_.prefecture_tokens, tables_.prefecture_vp);
    }

    void read_rewards() {
        const auto& table = rows("rewards", kRewards, joined({{{1, 2}}, times(kGain, kIcons)}));
        for (std::size_t i = 0; i < table.size(); ++i) {
            Cursor row(table[i]);
            if (row.whole() != (int(i) < kRewards / 2 ? 1 : 2))
                fail("rewards", i, "five tiles of level 1 stand before five of level 2");
            tables_.rewards[i] = row.gain();
        }
    }

    const Setup& setup_;
    Tables tables_;
};

}  // namespace

std::vector<GameOption> Game::options() { return {{"flower", {"0", "1"}}}; }

Tables Game::tables(const Setup& setup) { return TableReader(setup).tables(); }

}  // namespace shugendo
HENRO_END
