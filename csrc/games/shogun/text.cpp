// Shogun: texts of actions, of positions and views, and the observation. reader.cpp reads the
// positions and views.
#include "games/shogun/text.hpp"

#include <utility>

#include "core/text.hpp"
#include "games/shogun/game.hpp"

HENRO_BEGIN
namespace shogun {
namespace {

std::string number(int value) { return std::to_string(value); }

// ---- Actions: a verb and up to two parts, numbered as in rules.hpp: part one * parts two + two.

enum class Part {
    none,
    province,
    size,
    action,
    plan_card,
    bid_card,
    special,
    moved,
    open_slot,
    color,
    cubes,
    event,
    field,
    slot,
    seat
};
constexpr int kPartCounts[] = {1,         kProvinces, kGroupSizes, kActions,  kPlanCards,
                               kBidCards, kSpecials,  kMaxMoved,   2,         kColors,
                               kOuts,     kEvents,    kActions,    kSpecials, kMaxPlayers};
constexpr int count_of(Part part) { return kPartCounts[int(part)]; }

// A card on a planning space, the bid's included.
std::string card_text(int card) {
    if (card::is_province(card)) return kProvinceIds[card];
    if (card::is_chest_bid(card)) return number(card - card::chest0);
    switch (card) {
        case card::blank: return kBlankId;
        case card::empty: return kEmptyId;
        case card::lost: return kLostId;
        default: return "?";
    }
}

std::string part_text(Part part, int i) {
    switch (part) {
        case Part::province: return kProvinceIds[i];
        case Part::size: return number(i + kSmallestGroup);
        case Part::action: return kActionIds[i];
        case Part::plan_card: return card_text(i);
        case Part::bid_card: return card_text(shogun::bid_card(i));
        case Part::special: return kSpecialIds[i];
        case Part::moved:
        case Part::open_slot:
        case Part::field:
        case Part::slot: return number(i + 1);
        case Part::color:
        case Part::seat: return kColorIds[i];
        case Part::cubes: return number(i);
        case Part::event: return kEventIds[i];
        case Part::none: break;
    }
    return {};
}

std::optional<int> find_part(Part part, std::string_view text) {
    for (int i = 0; i < count_of(part); ++i)
        if (part_text(part, i) == text) return i;
    return std::nullopt;
}

struct VerbText {
    const char* name;
    Part one = Part::none, two = Part::none;
};
constexpr VerbText kVerbTexts[] = {{"claim", Part::province},
                                   {"blind"},
                                   {"group", Part::size},
                                   {"plan", Part::action, Part::plan_card},
                                   {"bid", Part::bid_card},
                                   {"pick", Part::special},
                                   {"stay"},
                                   {"move", Part::province, Part::moved},
                                   {"revolt", Part::province},
                                   {"open", Part::open_slot, Part::province},
                                   {"draw", Part::province},
                                   {"tower", Part::color, Part::cubes},
                                   {"face", Part::event},
                                   {"field", Part::field, Part::action},
                                   {"special", Part::slot, Part::special},
                                   {"event", Part::event},
                                   {"tie", Part::seat},
                                   {"winter", Part::province}};
static_assert([] {
    if (std::size(kVerbTexts) != kVerbs) return false;
    for (int v = 0; v < kVerbs; ++v)
        if (count_of(kVerbTexts[v].one) * count_of(kVerbTexts[v].two) != kVerbSizes[v])
            return false;
    return true;
}());

// ---- Positions and views

// Writes a view (with the observer's seat) or a position; "-" stands for nothing.
class Writer {
public:
    Writer(const Setup& setup, const State& s, const InfoSet* info)
        : setup_(setup), options_(options(setup)), n_(setup.players), s_(s), info_(info) {}

    std::string line() {
        out_ = "shogun";
        part("players", number(n_));
        part("components", setup_.components_id);
        part("board", kBoardIds[options_.board]);
        part("setup", kSetupIds[options_.setup]);
        part("tower", kTowerIds[options_.tower]);
        if (info_ != nullptr) part("seat", number(info_->seat));
        part("year", number(year_of(s_)));
        part("season", kSeasonIds[season_of(s_)]);
        part("step", kStepIds[int(s_.step)]);
        part("active", has_active(s_) ? number(s_.active) : "-");
        part("victim", is_revolting(s_) ? number(victim(s_)) : "-");
        part("field", is_executing(s_) ? number(s_.index + 1) : "-");
        part("event", s_.event == no_event ? "-" : kEventIds[s_.event]);
        part("faceup", ids(kEventIds, s_.face_up));
        part("used", ids(kEventIds, s_.opened & ~s_.face_up & ~(1 << s_.event)));
        part("fields", listed(kActions, ',', [&](int i) { return field(i); }));
        part("specials", listed(kSpecials, ',', [&](int i) { return slot(i); }));
        part("lands", seats('/', [&](int p) { return lands(p); }));
        part("chests", seats(',', [&](int p) { return number(s_.chests[p]); }));
        part("rice", seats(',', [&](int p) { return number(s_.rice[p]); }));
        part("points", seats(',', [&](int p) { return number(s_.points[p]); }));
        part("stuck", cubes(s_.tower));
        part("tray", cubes(s_.tray));
        part("throw", running_throw());
        write_draft();
        const bool round = has_plans(s_);
        part("plans", round ? seats('/', [&](int p) { return plan(p); }) : "-");
        part("changed", round ? ids(kProvinceIds, s_.plans.changed) : "-");
        const bool revolting = is_revolting(s_);
        part("drawn", revolting ? ids(kProvinceIds, s_.winter.drawn) : "-");
        part("draws", revolting ? number(s_.winter.to_draw) : "-");
        part("extra", revolting ? number(s_.winter.extra) : "-");
        return std::move(out_);
    }

private:
    void part(const char* key, const std::string& value) {
        out_ += std::string(" ") + key + "=" + value;
    }

    template <class F>
    static std::string listed(int size, char separator, F&& entry) {
        std::string out;
        for (int i = 0; i < size; ++i) {
            if (i > 0) out += separator;
            out += entry(i);
        }
        return out;
    }
    template <class F>
    std::string seats(char separator, F&& entry) const {
        return listed(n_, separator, entry);
    }
    template <std::size_t N>
    static std::string ids(const char* const (&words)[N], Bits set) {
        std::string out;
        for_each_bit(set & (bit(N) - 1), [&](int i) {
            if (!out.empty()) out += ',';
            out += words[i];
        });
        return out.empty() ? "-" : out;
    }

    std::string field(int i) const {
        return s_.fields[i] == kActions ? "-" : kActionIds[s_.fields[i]];
    }

    // "six:2": laid and taken by seat 2.
    std::string slot(int i) const {
        const int special = special_in(s_, i), taker = taker_of(s_, i);
        if (special == no_special) return "-";
        return kSpecialIds[special] + (taker == kNobody ? "" : ":" + number(taker));
    }

    // "kai:5,omi:3+castle+temple!1": provinces with their armies, buildings and revolt markers.
    std::string lands(int seat) const {
        std::string out;
        for_each_bit(s_.owned[seat], [&](int i) {
            out += (out.empty() ? "" : ",") + std::string(kProvinceIds[i]) + ":" +
                   number(s_.armies[i]);
            for (int kind = 0; kind < kBuildings; ++kind)
                if (has(s_.buildings[kind], i)) out += std::string("+") + kBuildingIds[kind];
            if (const int markers = markers_in(s_, i)) out += "!" + number(markers);
        });
        return out.empty() ? "-" : out;
    }

    // Of each seat, and the farmers.
    std::string cubes(const std::uint8_t (&colors)[kColors]) const {
        return seats(',', [&](int p) { return number(colors[p]); }) + "," + number(colors[kGreen]);
    }

    // "9/p2/omi": cubes thrown, the color that falls next, the province fought for if any.
    std::string running_throw() const {
        if (s_.step != Step::tower) return "-";
        return number(s_.thrown) + "/" + kColorIds[s_.color] + "/" + province_or_none(s_.target);
    }
    static std::string province_or_none(int province) {
        return province == kNoProvince ? "-" : kProvinceIds[province];
    }

    void write_draft() {
        if (!is_drafting(s_)) {
            for (const char* key : {"open", "card", "stale", "under", "groups"}) part(key, "-");
            return;
        }
        const Draft& draft = s_.draft;
        part("open", listed(2, ',', [&](int i) { return province_or_none(draft.open[i]); }));
        part("card", province_or_none(draft.card));
        part("stale", number(draft.stale));
        part("under", draft.buried == 0 ? "-" : listed(draft.buried, ',', [&](int i) {
                 return kProvinceIds[draft.under[i]];
             }));
        part("groups", seats('/', [&](int p) { return groups(draft.groups[p]); }));
    }

    static std::string groups(const std::uint8_t (&left)[kGroupSizes]) {
        std::string out;
        for (int i = kGroupSizes - 1; i >= 0; --i)
            for (int k = 0; k < left[i]; ++k)
                out += (out.empty() ? "" : ",") + number(i + kSmallestGroup);
        return out.empty() ? "-" : out;
    }

    // The spaces planned so far.
    std::string plan(int seat) const {
        std::string out;
        for (const int card : s_.plans.cards[seat])
            if (card != card::unset) out += (out.empty() ? "" : ",") + card_text(card);
        return out.empty() ? "-" : out;
    }

    const Setup& setup_;
    Options options_;
    int n_;
    const State& s_;
    const InfoSet* info_;
    std::string out_;
};

// ---- The observation

// Rows of the observation: these, then `kSeatRows` for each seat. Provinces are columns.
enum Row {
    moment_row,  // step, season, year, executed field
    event_row,   // open, face up and current
    field_row,   // action cards by the field they lie on, specials by their slot
    cube_row,    // stuck, tray and next color by color from the observer on, the size of the throw
    in_play_row,
    building_rows,
    marker_row = building_rows + kBuildings,
    changed_row,
    target_row,
    origin_row,
    drawn_row,
    open_rows,
    card_row = open_rows + 2,
    under_row,
    first_seat_row
};
constexpr int kColumns = kProvinces;

// Rows of a seat: armies, the planning space of each province card, planning spaces without one,
// goods.
enum SeatRow { army_row, plan_row, space_row, goods_row, kSeatRows };
enum SpaceMark { blank_mark, empty_mark, lost_mark, hidden_mark, kSpaceMarks };
static_assert(kSpaces * kSpaceMarks <= kColumns);

// Seats are counted from the observer; numbers are scaled to about 0..1.
class Observation {
public:
    Observation(const Tables& t, const InfoSet& info, float* rows)
        : t_(t), s_(info.shown), seat_(info.seat), rows_(rows) {}

    void fill() {
        fill_moment();
        fill_cards();
        fill_cubes();
        fill_provinces();
        if (is_drafting(s_)) fill_draft();
        for (int p = 0; p < t_.players; ++p) fill_seat(p);
    }

private:
    float* row(int index) { return rows_ + std::ptrdiff_t{index} * kColumns; }
    void mark(int index, Bits set) {
        for_each_bit(set, [&](int i) { row(index)[i] = 1; });
    }
    int relative(int p) const { return (p - seat_ + t_.players) % t_.players; }

    void fill_moment() {
        float* moment = row(moment_row);
        moment[int(s_.step)] = 1;
        moment[17 + season_of(s_)] = 1;
        moment[22] = float(year_of(s_) - 1);
        moment[23] = float(s_.index) / kSpaces;
        if (has_active(s_)) moment[24 + relative(s_.active)] = 1;
        if (is_revolting(s_)) {
            moment[29 + relative(victim(s_))] = 1;
            moment[34] = float(s_.winter.to_draw) / 3;
            moment[35] = float(s_.winter.extra) / 3;
        }
        if (is_executing(s_)) moment[36] = float(s_.fields[s_.index] + 1) / kActions;
    }

    void fill_cards() {
        mark(event_row, Bits{s_.opened} | Bits{s_.face_up} << kEvents);
        if (s_.event != no_event) row(event_row)[2 * kEvents + s_.event] = 1;
        float* fields = row(field_row);
        for (int i = 0; i < kActions; ++i)
            if (s_.fields[i] < kActions) fields[s_.fields[i]] = float(i + 1) / kActions;
        for (int i = 0; i < kSpecials; ++i)
            if (special_in(s_, i) < kSpecials)
                fields[kActions + special_in(s_, i)] = float(i + 1) / kSpecials;
    }

    void fill_cubes() {
        float* cubes = row(cube_row);
        float* falling = cubes + std::ptrdiff_t{2} * kColors;
        const auto fill_color = [&](int color, int place) {
            cubes[place] = float(s_.tower[color]) / kFarmers;
            cubes[kColors + place] = float(s_.tray[color]) / kFarmers;
            if (s_.step == Step::tower) falling[place] = float(s_.color == color);
        };
        for (int p = 0; p < t_.players; ++p) fill_color(p, relative(p));
        fill_color(kGreen, kGreen);
        falling[kColors] = float(s_.thrown) / kArmies;
    }

    void fill_provinces() {
        mark(in_play_row, t_.in_play);
        for (int kind = 0; kind < kBuildings; ++kind)
            mark(building_rows + kind, s_.buildings[kind]);
        for (int i = 0; i < kProvinces; ++i)
            row(marker_row)[i] = float(markers_in(s_, i)) / kMaxMarkers;
        if (s_.step == Step::tower && s_.target != kNoProvince) row(target_row)[s_.target] = 1;
        if (has_plans(s_)) mark(changed_row, s_.plans.changed);
        if (is_executing(s_)) row(origin_row)[moved_from(s_)] = 1;
        if (is_revolting(s_)) mark(drawn_row, s_.winter.drawn);
    }

    void fill_draft() {
        const Draft& draft = s_.draft;
        for (int i = 0; i < 2; ++i)
            if (draft.open[i] != kNoProvince) row(open_rows + i)[draft.open[i]] = 1;
        if (draft.card != kNoProvince) row(card_row)[draft.card] = 1;
        for (int i = 0; i < draft.buried; ++i)
            row(under_row)[draft.under[i]] = float(i + 1) / float(sizeof draft.under);
    }

    void fill_seat(int p) {
        const int first = first_seat_row + kSeatRows * relative(p);
        for_each_bit(s_.owned[p], [&](int i) {
            row(first + army_row)[i] = float(s_.armies[i] + 1) / 10;  // 0 armies: fought for
        });
        float* goods = row(first + goods_row);
        goods[0] = float(s_.chests[p]) / 20;
        goods[1] = float(s_.rice[p]) / kMaxRice;
        goods[2] = float(s_.points[p]) / 100;
        goods[3] = float(s_.supply[p]) / kArmies;
        for (int i = 0; i < kSpecials; ++i)
            if (taker_of(s_, i) == p) {
                goods[4 + special_in(s_, i)] = 1;
                goods[9] = float(i + 1) / kSpecials;
            }
        if (is_drafting(s_)) {
            for (int i = 0; i < kGroupSizes; ++i)
                goods[10 + i] = float(s_.draft.groups[p][i]) / kMaxGroups;
            goods[14] = float(s_.draft.stale) / kMaxPlayers;
        }
        if (has_plans(s_)) fill_plan(p, first, goods);
    }

    void fill_plan(int p, int first, float* goods) {
        for (int i = 0; i < kSpaces; ++i) {
            const int card = s_.plans.cards[p][i];
            const auto mark_space = [&](SpaceMark mark) {
                row(first + space_row)[i * kSpaceMarks + mark] = 1;
            };
            if (card::is_province(card)) row(first + plan_row)[card] = float(i + 1) / kSpaces;
            if (card::is_chest_bid(card)) goods[15 + card - card::chest0] = 1;
            if (card == card::blank) mark_space(blank_mark);
            if (card == card::empty) mark_space(empty_mark);
            if (card == card::lost) mark_space(lost_mark);
            if (card == card::hidden) mark_space(hidden_mark);
        }
    }

    const Tables& t_;
    const State& s_;
    int seat_;
    float* rows_;
};

}  // namespace

std::string Game::action_text(const Setup&, Action a) {
    const VerbText& verb = kVerbTexts[int(verb_of(a))];
    const int object = object_of(a), seconds = count_of(verb.two);
    std::string out = verb.name;
    if (verb.one != Part::none) out += ":" + part_text(verb.one, object / seconds);
    if (verb.two != Part::none) out += ":" + part_text(verb.two, object % seconds);
    return out;
}

// Only plans and bids are ever hidden.
std::string Game::hidden_text(const Setup&, Action a) {
    return std::string(kVerbTexts[int(verb_of(a))].name) + ":?";
}

std::optional<Action> Game::parse_action(const Setup&, std::string_view text) {
    const auto pieces = split(text, ':');
    for (int v = 0; v < kVerbs; ++v) {
        const auto& [name, one, two] = kVerbTexts[v];
        const std::size_t parts = std::size_t(one != Part::none) + std::size_t(two != Part::none);
        if (pieces[0] != name || pieces.size() != 1 + parts) continue;
        const auto first = parts > 0 ? find_part(one, pieces[1]) : 0;
        const auto second = parts > 1 ? find_part(two, pieces[2]) : 0;
        if (first && second) return make_action(Verb(v), *first * count_of(two) + *second);
    }
    return std::nullopt;
}

std::string Game::position_text(const Setup& setup, const State& s) {
    return Writer(setup, s, nullptr).line();
}
std::string Game::view_text(const Setup& setup, const InfoSet& info) {
    return Writer(setup, info.shown, &info).line();
}

std::array<std::size_t, 2> Game::tensor_shape(const Tables& tables) {
    return {std::size_t(first_seat_row + kSeatRows * tables.players), std::size_t(kColumns)};
}
void Game::tensor(const Tables& t, const InfoSet& info, float* rows) {
    Observation(t, info, rows).fill();
}

}  // namespace shogun
HENRO_END
