// Shogun: reads positions and views, and refuses what play cannot reach.
#include <algorithm>
#include <initializer_list>
#include <utility>

#include "core/text.hpp"
#include "games/shogun/game.hpp"
#include "games/shogun/text.hpp"

HENRO_BEGIN
namespace shogun {
namespace {

constexpr Bits steps(std::initializer_list<Step> list) {
    Bits set = 0;
    for (const Step step : list) set |= bit(int(step));
    return set;
}
constexpr Bits kDraftSteps = steps({Step::open, Step::draw, Step::claim, Step::group});
constexpr Bits kLayingSteps = steps({Step::face, Step::special});
constexpr Bits kPlanSteps = steps({Step::plan, Step::bid});
constexpr Bits kPickSteps = steps({Step::tie, Step::pick});
constexpr Bits kRoundSteps = kLayingSteps | kPlanSteps | kPickSteps |
                             steps({Step::field, Step::event, Step::move, Step::tower});
constexpr Bits kWinterSteps = steps({Step::winter, Step::revolt, Step::tower, Step::end});
constexpr int kSeasons = 3;  // of a year, winter left out

// Actions that can end with cubes in the tower.
constexpr Bits kThrowing = bit(rice) | bit(tax) | bit(battlea) | bit(battleb);

// Reads a view (with seat) or a position (without) and checks that play can reach it, as far as it
// shows. Parts are read in an order in which each can rely on the parts before.
class Reader {
public:
    Reader(const Setup& setup, const Tables& tables, std::string_view text, bool view)
        : view_(view),
          setup_(setup),
          t_(tables),
          n_(tables.players),
          fields_(view ? ErrorKind::view : ErrorKind::position, text, "shogun", keys(view)) {
        read_game();
        read_moment();
        read_fields();
        read_specials();
        read_events();
        read_active();
        read_lands();
        read_cubes();
        read_goods();
        if (is_drafting(s_))
            read_draft();
        else
            read_no_draft();
        if (has_plans(s_))
            read_plans();
        else
            read_no_plans();
        read_winter();
        read_throw();
        check_move();
        check_start();
        if (view_)
            check_view();
        else if (!consistent(t_, s_))
            fail("step", "play cannot reach this position");
    }

    State position() const { return s_; }
    InfoSet info() const { return {s_, std::uint8_t(seat_), {}}; }

private:
    static std::vector<std::string_view> keys(bool view) {
        std::vector<std::string_view> all = {
            "players", "components", "board",  "setup",  "tower", "year",   "season",
            "step",    "active",     "victim", "field",  "event", "faceup", "used",
            "fields",  "specials",   "lands",  "chests", "rice",  "points", "stuck",
            "tray",    "throw",      "open",   "card",   "stale", "under",  "groups",
            "plans",   "changed",    "drawn",  "draws",  "extra"};
        if (view) all.push_back("seat");
        return all;
    }

    // -- Pieces of text

    [[noreturn]] void fail(std::string_view key, const std::string& rule) const {
        fields_.fail(key, rule);
    }
    void require(bool good, std::string_view key, const std::string& rule) const {
        if (!good) fail(key, rule);
    }
    int number(std::string_view key, std::string_view text, int low, int high) const {
        return fields_.number(key, text, low, high);
    }
    int number(std::string_view key, int low, int high) const {
        return fields_.number(key, low, high);
    }
    std::vector<std::string_view> seats(std::string_view key, char separator) const {
        return fields_.list(key, std::size_t(n_), separator);
    }
    void nothing(std::string_view key, const std::string& when) const {
        require(fields_[key] == "-", key, "is '-' " + when);
    }
    static std::string seat_text(int p) { return "seat " + std::to_string(p); }
    static std::string name(int province) {
        return "'" + std::string(kProvinceIds[province]) + "'";
    }

    template <std::size_t N>
    int word(std::string_view key, std::string_view text, const char* const (&words)[N],
             const char* what) const {
        const auto found = find_word(words, text);
        if (!found) fail(key, quoted(text) + " is no " + what);
        return *found;
    }

    int province(std::string_view key, std::string_view text) const {
        const int found = word(key, text, kProvinceIds, "province");
        require(has(t_.in_play, found), key, name(found) + " is not in play with 3 players");
        return found;
    }

    template <std::size_t N>
    Bits word_set(std::string_view key, const char* const (&words)[N], const char* what) const {
        Bits set = 0;
        if (fields_[key] == "-") return set;
        for (const std::string_view text : split(fields_[key], ',')) {
            const int i = word(key, text, words, what);
            require(!has(set, i), key, quoted(text) + " comes twice");
            set |= bit(i);
        }
        return set;
    }

    Bits province_set(std::string_view key) const {
        const Bits set = word_set(key, kProvinceIds, "province");
        require((set & ~t_.in_play) == 0, key, "names a province that is not in play");
        return set;
    }

    // -- Which game it is, and when

    void read_game() {
        if (number("players", kMinPlayers, kMaxPlayers) != n_)
            fail("players", "this game has " + std::to_string(n_));
        if (fields_["components"] != setup_.components_id)
            fail("components", "this game uses " + setup_.components_id);
        const Options game = options(setup_);
        const auto same = [&](const char* key, std::string_view here) {
            require(fields_[key] == here, key, "this game has '" + std::string(here) + "'");
        };
        same("board", kBoardIds[game.board]);
        same("setup", kSetupIds[game.setup]);
        same("tower", kTowerIds[game.tower]);
        if (view_) seat_ = number("seat", 0, n_ - 1);
        s_.target = kNoProvince;
    }

    bool at_step(Bits set) const { return has(set, int(s_.step)); }

    void read_moment() {
        const int year = number("year", 1, 2);
        const int season = word("season", fields_["season"], kSeasonIds, "season");
        s_.step = Step(word("step", fields_["step"], kStepIds, "step"));
        require(season != 0 || year == 1, "year", "the first year follows the setup");
        s_.round = std::uint8_t(season == 0 ? 0 : (year - 1) * (kSeasons + 1) + season);
        const Bits possible = season == 0     ? (t_.lineup ? 0 : kDraftSteps) | steps({Step::tower})
                              : is_winter(s_) ? kWinterSteps
                                              : kRoundSteps;
        require(at_step(possible), "step", "does not come in " + std::string(kSeasonIds[season]));
        require(s_.step != Step::face || season == 1, "step", "comes in spring");
        require(s_.step != Step::end || year == 2, "step", "comes in the second year");
        read_executed_field();
    }

    int season() const { return season_of(s_); }

    // -- Action cards, specials and events

    void read_executed_field() {
        if (is_executing(s_))
            s_.index = std::uint8_t(number("field", 1, kActions) - 1);
        else
            nothing("field", "unless an action is carried out");
    }

    void read_fields() {
        const auto entries = fields_.list("fields", kActions);
        int laid = 0;
        Bits actions = 0;
        for (std::size_t i = 0; i < kActions; ++i) {
            s_.fields[i] = kActions;
            if (entries[i] == "-") continue;
            require(laid == int(i), "fields", "the cards are turned up from field 1 on");
            const int action = word("fields", entries[i], kActionIds, "action");
            require(!has(actions, action), "fields", quoted(entries[i]) + " comes twice");
            actions |= bit(action);
            s_.fields[i] = std::uint8_t(action);
            ++laid;
        }
        if (s_.step == Step::field) {
            require(laid < kActions, "fields", "a card is still to be laid");
            s_.index = std::uint8_t(laid);
            return;
        }
        const int wanted = !has_plans(s_) || s_.step == Step::face ? 0
                           : is_executing(s_) ? std::min(kActions, kFaceUpFields + s_.index)
                                              : kFaceUpFields;
        require(laid == wanted, "fields", std::to_string(wanted) + " cards are seen at this step");
    }

    // Whether cards are laid still for a round.
    bool before_specials() const {
        return s_.step == Step::face || (s_.step == Step::field && s_.index < kFaceUpFields);
    }
    // Whether the event of the season is known, and all bids.
    bool after_event() const { return has_plans(s_) && bids_shown(s_); }

    // Fields whose action has been carried out or is, as a set of actions.
    Bits actions_shown() const { return shown_spaces(s_) & ~bit(bid_space); }

    void read_specials() {
        const auto entries = fields_.list("specials", kSpecials);
        int laid = 0;
        Bits specials = 0, takers = 0;
        for (std::size_t i = 0; i < kSpecials; ++i) {
            s_.slots[i] = no_special | kNobody << 4;
            if (entries[i] == "-") continue;
            require(laid == int(i), "specials", "are laid from slot 1 on");
            const std::size_t colon = entries[i].find(':');
            const int special =
                word("specials", entries[i].substr(0, colon), kSpecialIds, "special");
            require(!has(specials, special), "specials", "the special comes twice");
            specials |= bit(special);
            int taker = kNobody;
            if (colon != std::string_view::npos) {
                taker = number("specials", entries[i].substr(colon + 1), 0, n_ - 1);
                require(!has(takers, taker), "specials", seat_text(taker) + " took another");
                takers |= bit(taker);
            }
            s_.slots[i] = std::uint8_t(special | taker << 4);
            ++laid;
        }
        require(takers == 0 || is_winter(s_) || after_event(), "specials",
                "are taken after the event of the season");
        if (s_.step == Step::special) {
            require(laid < kSpecials, "specials", "one is still to be laid");
            s_.index = std::uint8_t(laid);
            return;
        }
        const int wanted = is_setup(s_) || before_specials() ? 0 : kSpecials;
        require(laid == wanted, "specials", std::to_string(wanted) + " lie there at this step");
    }

    void read_events() {
        const Bits face_up = word_set("faceup", kEventIds, "event"),
                   used = word_set("used", kEventIds, "event");
        const bool current = after_event();
        s_.event = no_event;
        if (current)
            s_.event = std::uint8_t(word("event", fields_["event"], kEventIds, "event"));
        else
            nothing("event", "until the event of the season is drawn");
        const Bits now = current ? bit(s_.event) : 0;
        require((face_up & used) == 0 && (now & (face_up | used)) == 0, "faceup",
                "an event is in two places");
        const int gone = kYearEvents * (year_of(s_) - 1) +
                         (s_.step == Step::end ? kYearEvents : std::max(0, season() - 1));
        require(count(used) == gone, "used", std::to_string(gone) + " events are out of the game");
        if (s_.step == Step::face) {
            require(count(face_up) < kYearEvents, "faceup", "one is still to be turned up");
        } else {
            const int open = is_setup(s_) || s_.step == Step::end
                                 ? 0
                                 : kYearEvents - (season() - 1) - int(current);
            require(count(face_up) == open, "faceup",
                    std::to_string(open) + " events lie face up at this step");
        }
        s_.face_up = std::uint16_t(face_up);
        s_.opened = std::uint16_t(face_up | used | now);
    }

    // -- Who acts

    void read_active() {
        if (has_active(s_))
            s_.active = std::uint8_t(number("active", 0, n_ - 1));
        else
            nothing("active", "when no seat acts");
        if (is_executing(s_)) s_.turn = std::uint8_t(slot_of("active", s_.active));
        if (!is_revolting(s_)) return nothing("victim", "outside winter");
        const int victim = number("victim", 0, n_ - 1);
        s_.turn = std::uint8_t(slot_of("victim", victim));
        const int left = (victim + 1) % n_;
        require(s_.step != Step::revolt || s_.active == left, "active",
                seat_text(left) + " chooses for its neighbor (SU47)");
    }

    int slot_of(std::string_view key, int seat) const {
        for (int i = 0; i < kSpecials; ++i)
            if (taker_of(s_, i) == seat) return i;
        fail(key, seat_text(seat) + " took no special");
    }

    // -- The board

    void read_lands() {
        const auto entries = seats("lands", '/');
        for (int p = 0; p < n_; ++p)
            if (entries[std::size_t(p)] != "-")
                for (const std::string_view land : split(entries[std::size_t(p)], ','))
                    read_land(p, land);
        for (int kind = 0; kind < kBuildings; ++kind) {
            const int rounds = rounds_with(bit(kind)), built = count(s_.buildings[kind]);
            require(built <= t_.buildings[kind], "lands",
                    "there are only " + std::to_string(t_.buildings[kind]) + " tiles '" +
                        kBuildingIds[kind] + "'");
            require(
                built <= n_ * rounds, "lands",
                "not so many tiles '" + std::string(kBuildingIds[kind]) + "' can have been built");
        }
    }

    // "omi:3+castle+temple!1"
    void read_land(int seat, std::string_view land) {
        const std::size_t mark = land.find('!');
        const auto pieces = split(land.substr(0, mark), '+');
        const auto head = split(pieces[0], ':');
        require(head.size() == 2, "lands", quoted(land) + " must be a province, ':' and armies");
        const int i = province("lands", head[0]);
        require(!has(all_owned(s_), i), "lands", name(i) + " comes twice");
        s_.owned[seat] |= bit(i);
        // Nobody stands in a province while its armies are in the tower.
        s_.armies[i] = std::uint8_t(number("lands", head[1], s_.step != Step::tower, t_.armies));
        for (std::size_t b = 1; b < pieces.size(); ++b) {
            const int kind = word("lands", pieces[b], kBuildingIds, "building");
            require(!has(s_.buildings[kind], i), "lands",
                    name(i) + " has at most one " + kBuildingIds[kind]);
            s_.buildings[kind] |= bit(i);
        }
        require(buildings_in(s_, i) <= t_.spaces[i], "lands",
                name(i) + " has " + std::to_string(t_.spaces[i]) + " spaces");
        if (mark == std::string_view::npos) return;
        const int most = std::min(kMaxMarkers, rounds_of_year_with(bit(rice) | bit(tax)));
        const int markers = number("lands", land.substr(mark + 1), 1, kMaxMarkers);
        require(markers <= most, "lands",
                name(i) + " can have " + std::to_string(most) + " revolt markers at most");
        for (int b = 0; b < 2; ++b) s_.markers[b] |= Bits(markers >> b & 1) << i;
    }

    // Rounds in which one of the actions has been carried out, this year or in all.
    int rounds_of_year_with(Bits actions) const {
        return std::max(0, season() - 1) + int((actions_shown() & actions) != 0);
    }
    int rounds_with(Bits actions) const {
        return kSeasons * (year_of(s_) - 1) + rounds_of_year_with(actions);
    }

    // -- Cubes and goods

    void read_cubes() {
        read_colors("stuck", s_.tower);
        read_colors("tray", s_.tray);
        for (int p = 0; p < n_; ++p) {
            int used = s_.tower[p] + s_.tray[p];
            for_each_bit(s_.owned[p], [&](int i) { used += s_.armies[i]; });
            require(used <= t_.armies, "lands",
                    seat_text(p) + " has only " + std::to_string(t_.armies) + " cubes, not " +
                        std::to_string(used));
            s_.supply[p] = std::uint8_t(t_.armies - used);
        }
        require(farmer_supply(t_, s_) >= 0, "tray",
                "there are only " + std::to_string(t_.farmers) + " farmers");
        if (is_drafting(s_)) {
            nobody("stuck", s_.tower);
            nobody("tray", s_.tray);
        }
        // Nothing has been thrown since the seeding, after which the tray was emptied.
        if (is_setup(s_) || rounds_with(kThrowing) > 0) return;
        nobody("tray", s_.tray);
        for (int c = 0; c < kColors; ++c)
            require(s_.tower[c] <= seed(c), "stuck",
                    std::to_string(seed(c)) + " cubes of a color were thrown at most");
    }

    // Of each seat, and the farmers.
    void read_colors(const char* key, std::uint8_t (&colors)[kColors]) const {
        const auto entries = fields_.list(key, std::size_t(n_) + 1);
        for (int p = 0; p < n_; ++p)
            colors[p] = std::uint8_t(number(key, entries[std::size_t(p)], 0, t_.armies));
        colors[kGreen] = std::uint8_t(number(key, entries.back(), 0, t_.farmers));
    }

    void nobody(const char* key, const std::uint8_t (&colors)[kColors]) const {
        for (const int cubes : colors) require(cubes == 0, key, "has no cubes yet");
    }

    // Cubes of a color that are thrown into the empty tower.
    int seed(int color) const { return color == kGreen ? t_.seed_farmers : t_.seed_armies; }

    void read_goods() {
        const auto chests = seats("chests", ','), rice_track = seats("rice", ','),
                   points = seats("points", ',');
        // An income may be lifted to 6 chests or 4 rice by an event and by one more by a special.
        const int most_chests = *std::max_element(t_.chests, t_.chests + kProvinces),
                  most_rice = *std::max_element(t_.rice, t_.rice + kProvinces);
        const int chest_limit =
            t_.start_chests + rounds_with(bit(tax)) * (std::max(most_chests, 6) + 1);
        const int loss = is_revolting(s_) ? t_.winter_loss[lowest(s_.face_up)] : 0;
        const int rice_limit =
            std::min(kMaxRice, rounds_of_year_with(bit(rice)) * (std::max(most_rice, 4) + 1));
        const int points_limit = scorings() * most_points();
        for (int p = 0; p < n_; ++p) {
            const std::size_t i = std::size_t(p);
            s_.chests[p] = std::uint8_t(number("chests", chests[i], 0, chest_limit));
            s_.rice[p] =
                std::uint8_t(number("rice", rice_track[i], 0, std::max(0, rice_limit - loss)));
            s_.points[p] =
                std::uint16_t(number("points", points[i], least_points(p), points_limit));
        }
    }

    int scorings() const { return year_of(s_) - 1 + int(s_.step == Step::end); }

    // What provinces and buildings brought if nothing has changed since the last scoring.
    int least_points(int p) const {
        const bool scored = s_.step == Step::end || (year_of(s_) == 2 && before_actions());
        int points = scored ? count(s_.owned[p]) : 0;
        for (int kind = 0; kind < kBuildings && scored; ++kind)
            points += count(s_.owned[p] & s_.buildings[kind]);
        return points;
    }

    // Whether the year's first action is still to come.
    bool before_actions() const { return season() <= 1 && fields_shown(s_) == 0; }

    // More than one scoring can bring.
    int most_points() const {
        int points = count(t_.in_play);
        for (int kind = 0; kind < kBuildings; ++kind)
            points += t_.buildings[kind] + kRegions * (kBuildings - kind);
        return points;
    }

    // -- The draft

    void read_no_draft() const {
        for (const char* key : {"open", "card", "stale", "under", "groups"})
            nothing(key, "after the draft");
    }

    void read_draft() {
        s_.turn = std::uint8_t(count(all_owned(s_)));
        require(s_.turn < n_ * groups_of_seat(t_), "lands", "a province is still to be drafted");
        const int drafting = s_.turn % n_;
        require(!has_active(s_) || s_.active == drafting, "active",
                "it is " + seat_text(drafting) + "'s turn");
        read_groups();
        Draft& draft = s_.draft;
        Bits cards = all_owned(s_);
        const auto card = [&](const char* key, std::string_view text) {
            const int i = province(key, text);
            require(!has(cards, i), key, name(i) + " is in two places");
            cards |= bit(i);
            return std::uint8_t(i);
        };
        const auto open = fields_.list("open", 2);
        int missing = 0;
        for (std::size_t i = 0; i < 2; ++i) {
            draft.open[i] = open[i] == "-" ? std::uint8_t{kNoProvince} : card("open", open[i]);
            missing += open[i] == "-";
        }
        draft.card = kNoProvince;
        if (s_.step == Step::group)
            draft.card = card("card", fields_["card"]);
        else
            nothing("card", "unless its army group is to be chosen");
        if (fields_["under"] != "-")
            for (const std::string_view text : split(fields_["under"], ',')) {
                require(draft.buried < 2 * (s_.turn / n_), "under", "so many cannot lie there yet");
                draft.under[draft.buried++] = card("under", text);
            }
        require((t_.in_play & ~cards) == 0 || draft.buried % 2 == 0, "under",
                "the pair is put there together");
        draft.stale = std::uint8_t(number("stale", 0, n_));
        check_pair(missing);
    }

    void read_groups() {
        const auto entries = seats("groups", '/');
        for (int p = 0; p < n_; ++p) {
            std::uint8_t (&left)[kGroupSizes] = s_.draft.groups[p];
            if (entries[std::size_t(p)] != "-")
                for (const std::string_view text : split(entries[std::size_t(p)], ',')) {
                    const int size =
                        number("groups", text, kSmallestGroup, kSmallestGroup + kGroupSizes - 1);
                    require(left[size - kSmallestGroup] < kMaxGroups, "groups",
                            "there are not so many");
                    ++left[size - kSmallestGroup];
                }
            const int turns = s_.turn / n_ + int(p < s_.turn % n_);
            require(count(s_.owned[p]) == turns, "lands",
                    seat_text(p) + " has drafted " + std::to_string(turns));
            check_groups(p, left);
        }
    }

    // Army groups that stand in a seat's provinces or are still to be placed: those of the start.
    void check_groups(int seat, const std::uint8_t (&left)[kGroupSizes]) const {
        int missing[kArmies + 1] = {};
        for (const int size : t_.groups) ++missing[size];
        for (int i = 0; i < kGroupSizes; ++i) missing[i + kSmallestGroup] -= left[i];
        for_each_bit(s_.owned[seat], [&](int i) { --missing[s_.armies[i]]; });
        for (int size = 1; size <= kArmies; ++size)
            require(missing[size] == 0, is_drafting(s_) ? "groups" : "lands",
                    seat_text(seat) + " does not start with these army groups");
    }

    // How many cards of the open pair are missing, and since when it has not changed (SU7).
    void check_pair(int missing) const {
        const Draft& draft = s_.draft;
        switch (s_.step) {
            case Step::open:
                require(missing > 0, "open", "a card is still to be opened");
                require(missing == 1 || s_.turn == 0 || draft.buried >= 2, "open",
                        "only one card has been claimed");
                require(s_.turn > 0 || missing == 2 || draft.open[0] != kNoProvince, "open",
                        "the first card of all lies in slot 1");
                require(draft.stale == 0, "stale", "the pair changes");
                break;
            case Step::group:
                require(missing <= 1, "open", "one card has been claimed at most");
                require((draft.stale > 0) == (missing == 0), "stale",
                        "counts blind draws since the pair changed");
                require(draft.stale <= s_.turn + 1, "stale", "there were not so many turns");
                break;
            default:
                require(missing == 0, "open", "two cards lie open at this step");
                require(s_.step != Step::claim || draft.stale < n_, "stale",
                        "the pair would have been replaced");
                require(s_.step != Step::draw || draft.stale > 0, "stale",
                        "counts the draw that is due");
                require(draft.stale <= s_.turn + int(s_.step == Step::draw), "stale",
                        "there were not so many turns");
        }
    }

    // -- Plans and bids

    bool others(int p) const { return view_ && p != seat_; }

    void read_no_plans() const {
        for (const char* key : {"plans", "changed"}) nothing(key, "outside a round of actions");
    }

    void read_plans() {
        s_.plans.changed = province_set("changed");
        for (auto& cards : s_.plans.cards) std::fill(cards, cards + kSpaces, card::unset);
        const auto entries = seats("plans", '/');
        for (int p = 0; p < n_; ++p) read_plan(p, entries[std::size_t(p)]);
        if (at_step(kPlanSteps)) s_.index = std::uint8_t(planned_[s_.active]);
        for (int p = 0; p < n_; ++p) check_plan(p);
        check_shared();
        check_changed();
        if (at_step(kPickSteps)) check_picks();
    }

    void read_plan(int p, std::string_view entry) {
        std::uint8_t (&cards)[kSpaces] = s_.plans.cards[p];
        int& space = planned_[p];
        if (entry != "-")
            for (const std::string_view text : split(entry, ',')) {
                require(space < kSpaces, "plans",
                        "seats have " + std::to_string(kSpaces) + " spaces");
                cards[space] = std::uint8_t(read_card(p, space, text));
                ++space;
            }
        const int wanted = spaces_planned(p);
        require(wanted == space, "plans",
                seat_text(p) + " has planned " + std::to_string(wanted) + " spaces");
    }

    // How many spaces a seat has planned (SU14, SU50).
    int spaces_planned(int p) const {
        const bool plays = s_.owned[p] != 0;
        if (at_step(kPlanSteps)) {
            require(p != s_.active || plays, "active", "has no province and does not plan");
            if (p != s_.active) return plays && p < s_.active ? kSpaces : 0;
            return s_.step == Step::bid ? bid_space : std::min(planned_[p], bid_space - 1);
        }
        if (s_.step == Step::event || after_event())  // who lost all provinces has planned
            return plays || has_lost_all(p) ? kSpaces : 0;
        return 0;
    }

    // Whether the seat planned this round and has no province any more.
    bool has_lost_all(int p) const {
        return s_.owned[p] == 0 && s_.plans.changed != 0 && planned_[p] != 0;
    }

    int read_card(int p, int space, std::string_view text) const {
        const bool bid = space == bid_space;
        if (text == "?") {
            require(others(p), "plans", "there is no '?' where the cards are known");
            require(!has(shown_spaces(s_), space), "plans", "the card is turned over: no '?'");
            return card::hidden;
        }
        const bool open = text == kEmptyId || text == kLostId;
        require(!others(p) || has(shown_spaces(s_), space) || (open && !at_step(kPlanSteps)),
                "plans", "the cards of " + seat_text(p) + " lie face down: write '?'");
        if (text == kEmptyId) return card::empty;
        if (text == kLostId) {
            require(s_.plans.changed != 0, "plans", "no province has been lost");
            return card::lost;
        }
        if (text == kBlankId) {
            require(!bid, "plans", "a chest card has its value on the bid space");
            return card::blank;
        }
        if (bid && text.size() == 1 && text[0] >= '0' && text[0] < '0' + kChestCards)
            return card::chest0 + text[0] - '0';
        return province("plans", text);
    }

    // Provinces that a seat owned when it planned and has not lost since.
    Bits kept(int p) const { return s_.owned[p] & ~s_.plans.changed; }

    void check_plan(int p) const {
        if (planned_[p] == 0) return;
        const std::uint8_t (&cards)[kSpaces] = s_.plans.cards[p];
        Bits provinces = 0;
        int chests = 0, empties = 0, lost = 0, hidden = 0;
        for (int i = 0; i < planned_[p]; ++i) {
            const int card = cards[i];
            chests += card == card::blank || card::is_chest_bid(card);
            empties += card == card::empty;
            lost += card == card::lost;
            hidden += card == card::hidden;
            if (!card::is_province(card)) continue;
            require(!has(provinces, card), "plans", name(card) + " comes twice");
            require(has(has_executed(p, i) ? s_.owned[p] | s_.plans.changed : kept(p), card),
                    "plans", seat_text(p) + " does not own " + name(card));
            provinces |= bit(card);
        }
        require(chests <= kChestCards, "plans",
                seat_text(p) + " has " + std::to_string(kChestCards) + " chest cards");
        const int bid = cards[bid_space];
        require(after_event() || !card::is_chest_bid(bid) || bid - card::chest0 <= s_.chests[p],
                "plans", seat_text(p) + " cannot pay its bid");
        require(hidden == 0 || SealedCards(s_, p).ways() > 0, "plans",
                seat_text(p) + " has not so many cards that could lie face down");
        if (at_step(kPlanSteps)) {
            require(empties <= empties_of(count(s_.owned[p])), "plans",
                    seat_text(p) + " cannot leave so many spaces empty");
            if (planned_[p] < kSpaces || hidden > 0) return;
        }
        check_empties(p, empties, count(provinces) + lost, count(kept(p) & ~provinces));
    }

    // With fewer than six provinces all cards lie on spaces (SU15).
    void check_empties(int p, int empties, int provinces, int unplaced) const {
        constexpr int kEnough = kSpaces - kChestCards;
        const int owned = kEnough - empties;
        if (empties > 0)
            require(owned > 0 && provinces + unplaced == owned, "plans",
                    seat_text(p) + " leaves a space empty for lack of cards only");
        else
            require(count(kept(p)) + count(s_.plans.changed) >= kEnough, "plans",
                    seat_text(p) + " has not cards enough for all spaces");
    }

    // Whether the seat's turn with a planning space has come.
    bool has_executed(int p, int space) const {
        if (space == bid_space || !has(shown_spaces(s_), space)) return false;
        if (!is_executing(s_) || s_.fields[s_.index] != space) return true;
        for (int i = 0; i <= s_.turn; ++i)
            if (taker_of(s_, i) == p) return true;
        return false;
    }

    // Each province had one owner when all planned, and each lost card one province.
    void check_shared() const {
        Bits placed = 0, planners = 0;
        int lost = 0;
        for (int p = 0; p < n_; ++p) {
            planners |= Bits{planned_[p] > 0} << p;
            for (const int card : s_.plans.cards[p]) {
                lost += card == card::lost;
                if (!card::is_province(card)) continue;
                require(!has(placed, card), "plans", name(card) + " comes twice");
                placed |= bit(card);
            }
        }
        require(lost <= count(s_.plans.changed & ~placed), "plans",
                "more cards are void than provinces were lost");
        if (!after_event() || at_step(kPickSteps)) return;
        require(takers(s_) == planners, "specials", "each seat that planned took one, no other");
    }

    // A province changes hands when one of these actions has been carried out.
    void check_changed() const {
        int done = 0;
        for (int p = 0; p < n_; ++p)
            for_each_bit(kThrowing, [&](int action) {
                const bool running =
                    is_executing(s_) && s_.active == p && s_.fields[s_.index] == action;
                done += !running && has_executed(p, action) &&
                        card::is_province(s_.plans.cards[p][action]);
            });
        require(count(s_.plans.changed) <= done, "changed",
                std::to_string(done) + " provinces at most have changed hands");
    }

    // Higher bids pick first (SU43, SU44).
    void check_picks() const {
        const Bits served = takers(s_), next = next_pickers(s_);
        for (int p = 0; p < n_; ++p)
            require(!has(served, p) || planned_[p] > 0, "specials",
                    seat_text(p) + " has not planned");
        require(next != 0, "specials", "all seats have taken one");
        const int highest = bid_rank(s_.plans.cards[lowest(next)][bid_space]);
        for_each_bit(served, [&](int p) {
            require(bid_rank(s_.plans.cards[p][bid_space]) >= highest, "specials",
                    seat_text(p) + " has bid less than others who are still to pick");
        });
        if (s_.step == Step::tie)
            require(count(next) > 1, "step", "no seats have equal bids");
        else
            require(has(next, s_.active), "active", "another seat has the highest bid");
    }

    // -- Winter

    void read_winter() {
        for (int p = 0; p < n_ && is_winter(s_); ++p)
            require(s_.owned[p] == 0 || has(takers(s_), p), "specials",
                    seat_text(p) + " had provinces, so it took one");
        if (!is_revolting(s_)) {
            for (const char* key : {"drawn", "draws", "extra"}) nothing(key, "unless revolts come");
            return;
        }
        const Bits own = s_.owned[victim(s_)];
        Winter& winter = s_.winter;
        winter.drawn = province_set("drawn");
        require((winter.drawn & ~own) == 0, "drawn", "the victim does not own them all");
        winter.to_draw = std::uint8_t(number("draws", 0, kProvinces));
        winter.extra = std::uint8_t(number("extra", 0, t_.farmers));
        require((winter.to_draw > 0) == (s_.step == Step::winter), "draws",
                "revolts begin when all provinces are drawn");
        require(s_.step != Step::revolt || winter.drawn != 0, "drawn", "a revolt is still to come");
        check_provisions();
    }

    // As many revolts as rice was missing before the first of them (C.7).
    void check_provisions() const {
        const int seat = victim(s_), drawn = count(s_.winter.drawn) + s_.winter.to_draw;
        const int running = s_.step == Step::tower;
        for (int lost = 0; lost <= kProvinces; ++lost) {
            const int owned = count(s_.owned[seat]) + lost;
            const int missing = std::clamp(owned - s_.rice[seat], 0, kProvisions - 1);
            const int over = t_.revolts[missing] - drawn - running;
            const bool good = s_.step == Step::winter ? over == 0 : over >= lost;
            if (good && t_.extra_farmers[missing] == s_.winter.extra) return;
            if (s_.step == Step::winter) break;
        }
        fail(s_.step == Step::winter ? "draws" : "drawn",
             "the rice of " + seat_text(seat) + " does not bring such revolts");
    }

    // -- The running throw

    bool is_revolt() const { return is_winter(s_) || at(rice) || at(tax); }
    bool at(int action) const { return s_.fields[s_.index] == action; }

    void read_throw() {
        if (s_.step != Step::tower) return nothing("throw", "unless cubes are in the tower");
        const auto pieces = fields_.list("throw", 3, '/');
        s_.thrown = std::uint16_t(number("throw", pieces[0], 1, kMaxThrow));
        s_.color = std::uint8_t(word("throw", pieces[1], kColorIds, "color"));
        require(s_.tray[s_.color] + s_.tower[s_.color] > 0, "throw", "the color has no cubes");
        if (is_setup(s_)) {
            require(pieces[2] == "-", "throw", "nobody fights for a province yet");
            return check_seeding();
        }
        s_.target = std::uint8_t(province("throw", pieces[2]));
        for_each_bit(all_owned(s_), [&](int i) {
            require((s_.armies[i] == 0) == (i == s_.target), "lands",
                    "no armies stand in the province that is fought for, and there alone");
        });
        if (is_winter(s_))
            check_revolt(victim(s_), s_.winter.extra + markers_in(s_, s_.target));
        else
            check_action_throw();
    }

    void check_seeding() const {
        int all = t_.seed_farmers;
        for (int p = 0; p < n_; ++p) all += t_.seed_armies;
        require(s_.thrown == all, "throw", std::to_string(all) + " cubes are thrown at the start");
        for (int c = 0; c < kColors; ++c) {
            if (c >= n_ && c != kGreen) continue;
            const int stuck = s_.tower[c], sum = stuck + s_.tray[c];
            require(sum == seed(c) && (c < s_.color || stuck == 0), "tray",
                    std::to_string(seed(c)) + " cubes of " + kColorIds[c] + " are thrown");
        }
        for_each_bit(all_owned(s_), [&](int i) {
            require(s_.armies[i] > 0, "lands", name(i) + " has no armies");
        });
    }

    void check_action_throw() const {
        const int own = own_card();
        if (is_revolt()) {
            require(own == s_.target, "throw",
                    seat_text(s_.active) + " carries the action out in another province");
            require(markers_in(s_, own) > 0, "lands", "without a marker no revolt comes");
            return check_revolt(s_.active, markers_in(s_, own));
        }
        require(at(battlea) || at(battleb), "field", "the action brings no battle");
        const Bits enemy = targets(t_, s_, s_.active, own, battlea) & ~s_.owned[s_.active];
        require(has(enemy, s_.target), "throw", "cannot be attacked from " + name(own));
        const int defender = owner_of(s_, s_.target);
        if (defender == kNobody) check_farmers(s_.event == e_farmers2 ? 2 : 1);
        check_size(bit(s_.active) | (defender == kNobody ? 0 : bit(defender)));
    }

    void check_revolt(int seat, int farmers) const {
        require(has(s_.owned[seat], s_.target), "throw", "is not owned by " + seat_text(seat));
        require(!is_winter(s_) || !has(s_.winter.drawn, s_.target), "drawn",
                "a province in revolt is not among them any more");
        check_farmers(farmers);
        check_size(bit(seat));
    }

    // The farmers fall last, so that all of them are still in the tray (SU32).
    void check_farmers(int thrown) const {
        require(s_.tray[kGreen] >= std::min(thrown, t_.farmers - s_.tower[kGreen]), "tray",
                std::to_string(thrown) + " farmers have been thrown");
    }

    // The cubes thrown in all are those of the colors to come and some of the others, at least one
    // of each side.
    void check_size(Bits sides) const {
        int low = 0, high = 0;
        for (int c = 0; c < kColors; ++c) {
            const int fighting = has(sides, c), cubes = s_.tray[c] + s_.tower[c];
            require((c < s_.color ? cubes : s_.tray[c]) >= fighting, "tray",
                    "cubes of " + std::string(kColorIds[c]) + " have been thrown");
            low += c < s_.color ? fighting : s_.tray[c];
            high += c < s_.color ? cubes : s_.tray[c];
        }
        require(s_.thrown >= low && s_.thrown <= high, "throw",
                "from " + std::to_string(low) + " to " + std::to_string(high) +
                    " cubes can have been thrown");
    }

    // -- Moves

    // The province on the space of the action that the active seat carries out.
    int own_card() const {
        const int card = moved_from(s_);
        require(card::is_province(card) && has(kept(s_.active), card), "plans",
                seat_text(s_.active) + " carries out no action in this field");
        return card;
    }

    void check_move() const {
        if (s_.step != Step::move) return;
        require(at(deploy1) || at(battlea) || at(battleb), "field", "the action moves no armies");
        const int from = own_card();
        require(s_.armies[from] >= 2, "lands", name(from) + " has no armies to spare");
        require(targets(t_, s_, s_.active, from, s_.fields[s_.index]) != 0, "lands",
                "no province next to " + name(from) + " can be entered");
    }

    // -- Until the first action nothing on the board changes.

    void check_start() const {
        if (year_of(s_) > 1 || !before_actions()) return;
        for (int p = 0; p < n_; ++p) {
            if (!is_drafting(s_)) check_groups(p, {});
            const int bid = after_event() ? s_.plans.cards[p][bid_space] : int{card::unset};
            const int paid = card::is_chest_bid(bid) ? bid - card::chest0 : 0;
            require(s_.chests[p] + paid == t_.start_chests, "chests",
                    seat_text(p) + " starts with " + std::to_string(t_.start_chests));
            for (int g = 0; t_.lineup && g < groups_of_seat(t_); ++g)
                require(s_.armies[t_.lineups[p][g]] == t_.groups[g] &&
                            has(s_.owned[p], t_.lineups[p][g]),
                        "lands", seat_text(p) + " does not have its line-up");
        }
    }

    // The seat must know exactly this in some position.
    void check_view() const {
        Rng rng(0);
        const InfoSet info = this->info();
        const State world = sample(t_, info, rng);
        require(consistent(t_, world) && Game::key(observe(t_, world, seat_)) == Game::key(info),
                "step", "in no position does " + seat_text(seat_) + " know just this");
    }

    bool view_;
    const Setup& setup_;
    const Tables& t_;
    int n_, seat_ = 0;
    Fields fields_;
    State s_{};
    int planned_[kMaxPlayers] = {};  // spaces planned by each seat
};

}  // namespace

State Game::parse_position(const Setup& setup, const Tables& tables, std::string_view text) {
    return Reader(setup, tables, text, false).position();
}
InfoSet Game::parse_view(const Setup& setup, const Tables& tables, std::string_view text) {
    return Reader(setup, tables, text, true).info();
}

}  // namespace shogun
HENRO_END
