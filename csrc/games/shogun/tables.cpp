// Shogun: options and component tables as the rules use them.
#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "core/handle.hpp"
#include "core/text.hpp"
#include "games/shogun/game.hpp"
#include "games/shogun/text.hpp"

HENRO_BEGIN
namespace shogun {
namespace {

enum Board { sun, moon };
enum SetupKind { draft, lineup };

// Reads the tables of a set, and refuses those that the rules cannot play with.
class TableReader {
public:
    explicit TableReader(const Setup& setup) : setup_(setup), options_(options(setup)) {
        for (const auto& [table, rows] : setup.tables)
            if (!find_word(kNames, table)) fail("has no table '" + table + "'");
        tables_.players = setup.players;
        tables_.lineup = options_.setup == lineup;
        read_provinces();
        read_links();
        read_supply();
        read_setup();
        read_lineups();
        read_actions();
        read_events();
        read_provisions();
        read_tower();
    }

    Tables tables() const { return tables_; }

private:
    using Row = std::vector<std::int64_t>;
    using Range = std::pair<int, int>;
    static constexpr const char* kNames[] = {"provinces",  "borders", "routes", "events",
                                             "actions",    "setup",   "supply", "towers",
                                             "provisions", "lineups"};
    static constexpr int kMaxChests = 20;  // at the start, and what a province brings
    static constexpr int kMaxDenominator = 1000;

    [[noreturn]] static void fail(const std::string& rule) {
        throw Error(ErrorKind::component, "shogun: " + rule);
    }
    static std::string at(const char* table, std::size_t row) {
        return "table '" + std::string(table) + "', row " + std::to_string(row + 1) + ": ";
    }

    // The rows of a table, with each column in its range.
    const std::vector<Row>& rows(const char* table, std::vector<Range> columns) const {
        const auto found = setup_.tables.find(table);
        if (found == setup_.tables.end()) fail("needs the table '" + std::string(table) + "'");
        for (const Row& row : found->second) {
            bool good = row.size() == columns.size();
            for (std::size_t c = 0; good && c < columns.size(); ++c)
                good = row[c] >= columns[c].first && row[c] <= columns[c].second;
            if (!good)
                fail(at(table, std::size_t(&row - found->second.data())) +
                     "a number is missing, left over or out of range");
        }
        return found->second;
    }

    // Of a table with so many rows.
    const std::vector<Row>& rows(const char* table, std::size_t size,
                                 std::vector<Range> columns) const {
        const auto& found = rows(table, std::move(columns));
        if (found.size() != size)
            fail("table '" + std::string(table) + "' must have " + std::to_string(size) + " rows");
        return found;
    }

    // Of a table whose rows have these names.
    template <std::size_t N>
    const std::vector<Row>& rows(const char* table, const char* const (&ids)[N],
                                 std::vector<Range> columns) const {
        const auto names = setup_.names.find(table);
        if (names == setup_.names.end() || names->second.size() != N)
            fail("table '" + std::string(table) + "' must name " + std::to_string(N) + " rows");
        for (std::size_t i = 0; i < N; ++i)
            if (names->second[i] != ids[i])
                fail(at(table, i) + "must be '" + ids[i] + "', not " + quoted(names->second[i]));
        return rows(table, N, std::move(columns));
    }

    // With three players the provinces left out do not exist (SU6).
    void read_provinces() {
        const Range region = {0, kRegions - 1}, flag = {0, 1};
        const auto& table =
            rows("provinces", kProvinceIds,
                 {region, region, {0, kMaxChests}, {0, kMaxRice}, {0, kBuildings}, flag, flag});
        for (std::size_t p = 0; p < kProvinces; ++p) {
            const Row& row = table[p];
            tables_.chests[p] = std::uint8_t(row[2]);
            tables_.rice[p] = std::uint8_t(row[3]);
            tables_.spaces[p] = std::uint8_t(row[4]);
            const bool left_out = row[5 + std::size_t(options_.board)] != 0;
            if (setup_.players == kMinPlayers && left_out) continue;
            tables_.in_play |= bit(int(p));
            tables_.regions[row[std::size_t(options_.board)]] |= bit(int(p));
        }
    }

    void read_links() {
        const Range province = {0, kProvinces - 1};
        const auto link = [&](const char* table, const Row& row) {
            const int a = int(row[0]), b = int(row[1]);
            if (a >= b) fail("table '" + std::string(table) + "': the lower province comes first");
            if (!has(tables_.in_play, a) || !has(tables_.in_play, b)) return;
            tables_.adjacent[a] |= bit(b);
            tables_.adjacent[b] |= bit(a);
        };
        for (const Row& row : rows("borders", {province, province})) link("borders", row);
        for (const Row& row : rows("routes", {province, province, {1, 3}}))
            if ((row[2] >> options_.board & 1) != 0) link("routes", row);  // SU52
        for (int p = 0; p < kProvinces; ++p)
            if (count(tables_.adjacent[p]) > kMaxDegree)
                fail("'" + std::string(kProvinceIds[p]) + "' has more than " +
                     std::to_string(kMaxDegree) + " neighbors");
    }

    void read_supply() {
        const auto& table = rows("supply", kSupplyIds, {{0, kProvinces * kBuildings}});
        const auto number = [&](std::size_t i, int most) {
            if (table[i][0] > most) fail(at("supply", i) + "is more than " + std::to_string(most));
            return std::uint8_t(table[i][0]);
        };
        tables_.armies = number(0, kArmies);
        tables_.farmers = number(1, kFarmers);
        for (std::size_t b = 0; b < kBuildings; ++b)
            tables_.buildings[b] = number(2 + b, kProvinces * kBuildings);
        tables_.seed_armies = number(5, tables_.armies);
        tables_.seed_farmers = number(6, tables_.farmers);
    }

    void read_setup() {
        constexpr std::size_t kCounts = kMaxPlayers - kMinPlayers + 1;
        std::vector<Range> columns = {{kMinPlayers, kMaxPlayers}, {0, kMaxChests}};
        columns.insert(columns.end(), kMaxGroups, {0, kSmallestGroup + kGroupSizes - 1});
        const auto& table = rows("setup", kCounts, columns);
        for (std::size_t i = 0; i < kCounts; ++i)
            if (table[i][0] != kMinPlayers + int(i))
                fail("table 'setup' is for 3, 4 and 5 players in this order");
        const std::size_t here = std::size_t(setup_.players - kMinPlayers);
        const Row& row = table[here];
        tables_.start_chests = std::uint8_t(row[1]);
        int groups = 0, armies = 0;
        for (std::size_t g = 0; g < kMaxGroups; ++g) {
            const auto size = row[2 + g];
            if (size == 1 || (g > 0 && size > row[1 + g]))
                fail(at("setup", here) + "groups descend and have " +
                     std::to_string(kSmallestGroup) + " armies at least");
            tables_.groups[g] = std::uint8_t(size);
            groups += size > 0;
            armies += int(size);
        }
        // Two cards lie open beside those taken.
        if (groups == 0 || groups * setup_.players + 2 > count(tables_.in_play))
            fail(at("setup", here) + "there are not so many provinces");
        if (armies + tables_.seed_armies > tables_.armies)
            fail(at("setup", here) + "there are not so many armies");
    }

    void read_lineups() {
        std::vector<Range> columns = {{kMinPlayers, kMaxPlayers}, {0, kMaxPlayers - 1}};
        columns.insert(columns.end(), kMaxGroups, {-1, kProvinces - 1});
        Bits taken = 0;
        int seats = 0;
        for (const Row& row : rows("lineups", columns)) {
            if (!tables_.lineup || row[0] != setup_.players) continue;
            const std::string seat = "table 'lineups': seat " + std::to_string(seats);
            if (row[1] != seats) fail(seat + " must come next");
            for (std::size_t g = 0; g < kMaxGroups; ++g) {
                const auto province = row[2 + g];
                if ((province >= 0) != (tables_.groups[g] > 0))
                    fail(seat + " must have a province for each group");
                if (province < 0) continue;
                if (!has(tables_.in_play & ~taken, int(province)))
                    fail(seat + " cannot have '" + kProvinceIds[province] + "'");
                taken |= bit(int(province));
                tables_.lineups[seats][g] = std::uint8_t(province);
            }
            ++seats;
        }
        if (tables_.lineup && seats != setup_.players)
            fail("table 'lineups' must have each of the seats");
    }

    void read_actions() {
        const Range deployed = {0, kArmies};
        const auto& table = rows("actions", kActionIds, {{0, kMaxChests}, deployed, deployed});
        for (std::size_t a = 0; a < kActions; ++a) {
            tables_.price[a] = std::uint8_t(table[a][0]);
            const bool deploys = a >= deploy5 && a <= deploy1;
            for (const std::size_t column : {std::size_t{1}, std::size_t{2}})
                if (deploys != (table[a][column] > 0))
                    fail(at("actions", a) + (deploys ? "must bring armies" : "brings no armies"));
            tables_.deploy[a] = std::uint8_t(table[a][1]);
            tables_.levy[a] = std::uint8_t(table[a][2]);
        }
    }

    void read_events() {
        const auto& table = rows("events", kEventIds, {{0, kMaxRice}});
        for (std::size_t e = 0; e < kEvents; ++e)
            tables_.winter_loss[e] = std::uint8_t(table[e][0]);
    }

    void read_provisions() {
        const auto& table =
            rows("provisions", kProvisions, {{0, kProvisions - 1}, {0, kProvinces}, {0, kFarmers}});
        for (std::size_t missing = 0; missing < kProvisions; ++missing) {
            const Row& row = table[missing];
            if (row[0] != int(missing)) fail("table 'provisions' is for 0 to 7 in this order");
            if (row[1] > row[0])  // SU47: there are as many provinces as rice is missing
                fail(at("provisions", missing) + "there may be fewer provinces than revolts");
            tables_.revolts[missing] = std::uint8_t(row[1]);
            tables_.extra_farmers[missing] = std::uint8_t(row[2]);
        }
    }

    void read_tower() {
        const Range top = {0, kMaxDenominator}, bottom = {1, kMaxDenominator};
        const auto& table =
            rows("towers", kTowerIds, {top, bottom, top, bottom, top, bottom, top, bottom});
        const Row& row = table[std::size_t(options_.tower)];
        double chances[4];
        for (std::size_t i = 0; i < std::size(chances); ++i) {
            const auto above = row[2 * i], below = row[2 * i + 1];
            const bool may_be_zero = i >= 2;
            if (above > below || (above == 0 && !may_be_zero))
                fail(at("towers", std::size_t(options_.tower)) + "no probability is " +
                     std::to_string(above) + "/" + std::to_string(below));
            chances[i] = double(above) / double(below);
        }
        tables_.tower = make_tower(chances[0], chances[1], chances[2], chances[3]);
    }

    const Setup& setup_;
    Options options_;
    Tables tables_;
};

}  // namespace

std::vector<GameOption> Game::options() {
    const auto all = [](const auto& words) {
        return std::vector<std::string>(std::begin(words), std::end(words));
    };
    return {{"board", all(kBoardIds)}, {"setup", all(kSetupIds)}, {"tower", all(kTowerIds)}};
}

Options options(const Setup& setup) {
    const auto read = [&](const char* name, const auto& words) {
        return find_word(words, setup.options.at(name)).value_or(0);
    };
    const Options found{read("board", kBoardIds), read("setup", kSetupIds),
                        read("tower", kTowerIds)};
    if (found.board == moon && found.setup == lineup)
        throw Error(ErrorKind::option,
                    "shogun: option 'setup' must be 'draft' on the moon side: "
                    "line-ups are known for the sun side only");
    return found;
}

Tables Game::tables(const Setup& setup) { return TableReader(setup).tables(); }

}  // namespace shogun
HENRO_END
