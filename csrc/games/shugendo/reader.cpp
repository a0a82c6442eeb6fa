// Shugendo: how positions and views are read, and refused where play cannot reach them.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <vector>

#include "core/text.hpp"
#include "games/shugendo/text.hpp"

HENRO_BEGIN
namespace shugendo {
namespace {

constexpr Bits steps_in(std::initializer_list<Step> list) {
    Bits set = 0;
    for (const Step step : list) set |= bit(int(step));
    return set;
}

constexpr Bits steps_of(Phase phase) {
    switch (phase) {
        case Phase::setup:
            return steps_in(
                {Step::first, Step::reward, Step::board, Step::milestone, Step::refill});
        case Phase::reveal: return steps_in({Step::draw, Step::reveal, Step::sealed});
        case Phase::action:
            return steps_in({Step::mischief, Step::gain, Step::main, Step::swap, Step::farms,
                             Step::village, Step::boost, Step::guest, Step::guest_replace,
                             Step::sealed});
        case Phase::restock: return steps_in({Step::refill});
        case Phase::recruit: break;
    }
    return steps_in({Step::gain, Step::buy, Step::replace, Step::refill, Step::end});
}

// Kinds of main action during which the steps of the Action phase can come.
constexpr Bits mains_of(Step step) {
    const auto set = [](std::initializer_list<Main> list) {
        Bits mains = 0;
        for (const Main main : list) mains |= bit(int(main));
        return mains;
    };
    switch (step) {
        case Step::gain: return set({Main::none, Main::explore, Main::expand});
        case Step::main: return set({Main::none, Main::explore, Main::expand, Main::develop});
        case Step::swap: return set({Main::explore, Main::expand});
        case Step::farms:
        case Step::village:
        case Step::boost:
        case Step::guest:
        case Step::guest_replace: return set({Main::explore});
        default: return set({Main::none});
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
          fields_(view ? ErrorKind::view : ErrorKind::position, text, "shugendo", keys(view)) {
        read_game();
        read_moment();
        read_rewards();
        read_boards();
        read_realms();
        read_cards();
        read_display();
        read_tokens();
        read_turn();
        for (int p = 0; p < n_; ++p) check_seat(p);
        check_turn();
        if (view_)
            check_view();
        else if (!consistent(t_, s_))
            fail("step", "play cannot reach this position");
    }

    State position() const { return s_; }
    InfoSet info() const { return {s_, std::uint64_t(seat_)}; }

private:
    static std::vector<std::string_view> keys(bool view) {
        std::vector<std::string_view> all = {
            "players", "components", "flower",      "round",       "first",      "phase",
            "step",    "turn",       "rewards",     "boards",      "milestones", "display",
            "taken",   "removed",    "development", "prefectures", "five",       "maps",
            "tracks",  "silver",     "pilgrims",    "score",       "age",        "deck",
            "discard", "revealed",   "recruited",   "calmed",      "bust",       "skips",
            "guests",  "choices",    "track",       "main",        "last",       "farms",
            "swap",    "gold",       "replaced"};
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
        return std::string(what_is(type)) + " '" + id_text(setup_, type, i) + "'";
    }

    int id(std::string_view key, Id type, std::string_view text) const {
        const auto found = find_id(setup_, type, text);
        if (!found) fail(key, quoted(text) + " is no " + what_is(type));
        return *found;
    }

    template <std::size_t N>
    int word(std::string_view key, std::string_view text, const char* const (&words)[N]) const {
        for (std::size_t i = 0; i < N; ++i)
            if (text == words[i]) return int(i);
        fail(key, quoted(text) + " is not known here");
    }
    template <std::size_t N>
    int word(std::string_view key, const char* const (&words)[N]) const {
        return word(key, fields_[key], words);
    }

    // "scout,scout,digger" or "-".
    std::vector<int> cards(std::string_view key, std::string_view text) const {
        std::vector<int> list;
        if (text == "-") return list;
        for (const std::string_view entry : split(text, ','))
            list.push_back(id(key, Id::card, entry));
        std::sort(list.begin(), list.end());
        return list;
    }

    // -- What is played, and when it is

    bool at_step(std::initializer_list<Step> list) const {
        return has(steps_in(list), int(s_.step));
    }
    bool in_setup() const { return s_.phase == Phase::setup; }
    bool in_round() const { return !in_setup() && s_.step != Step::end; }
    bool sealed() const { return is_sealed(s_.phase); }
    bool others(int p) const { return view_ && p != seat_; }
    // Turns in which a seat has begun and has ended its turn of the phase.
    int turn_of(int p) const { return (p - s_.first + n_) % n_; }
    bool is_acting(int p) const { return turn_of(p) == s_.turn; }
    bool has_played(int p) const { return turn_of(p) < s_.turn; }

    void read_game() {
        if (number("players", kMinPlayers, kMaxPlayers) != n_)
            fail("players", "this game has " + std::to_string(n_));
        if (fields_["components"] != setup_.components_id)
            fail("components", "this game uses " + setup_.components_id);
        if (number("flower", 0, 1) != int(t_.flower))
            fail("flower", "this game has flower=" + std::to_string(t_.flower));
        s_.count = std::uint8_t(n_);
        if (view_) seat_ = number("seat", 0, n_ - 1);
    }

    void read_moment() {
        s_.phase = Phase(word("phase", kPhaseWords));
        s_.step = Step(word("step", kStepWords));
        require(has(steps_of(s_.phase), int(s_.step)), "step",
                "does not come in the phase " + std::string(fields_["phase"]));
        require(t_.flower || !at_step({Step::board, Step::milestone}), "step",
                "nothing is dealt without the option flower");
        s_.round =
            std::uint8_t(in_setup() ? number("round", 0, 0) : number("round", 1, t_.round_limit));
        if (s_.step == Step::first)
            require(fields_["first"] == "-", "first", "is '-' until it is drawn");
        else
            s_.first = std::uint8_t(number("first", 0, n_ - 1));
        s_.turn = std::uint8_t(number("turn", 0, last_turn()));
        const bool hidden = view_ && sealed() && acting_seat(s_) != seat_;
        require((s_.step == Step::sealed) == hidden, "step",
                hidden ? "is 'sealed' in the turn of another seat"
                       : "is 'sealed' only in views, for the sealed turn of another seat");
    }

    int last_turn() const {
        if (s_.step == Step::reward) return 1;
        const bool by_seat = in_setup() ? at_step({Step::board, Step::milestone})
                                        : s_.phase != Phase::restock && s_.step != Step::end;
        return by_seat ? n_ - 1 : 0;
    }

    void read_rewards() {
        const auto entries = fields_.list("rewards", 2);
        s_.rewards = 0;
        for (int level = 0; level < 2; ++level) {
            const bool drawn =
                s_.step > Step::reward || (s_.step == Step::reward && level < s_.turn);
            const std::string_view entry = entries[std::size_t(level)];
            require(drawn == (entry != "-"), "rewards",
                    drawn ? "both are drawn" : "is '-' until it is drawn");
            const int tile = drawn ? id("rewards", Id::reward, entry) : kNoReward;
            require(!drawn || tile / (kRewards / 2) == level, "rewards",
                    quoted(entry) + " is of the other level");
            s_.rewards = std::uint8_t(s_.rewards | tile << 4 * level);
        }
    }

    void read_boards() {
        Bits boards = 0, milestones = 0;
        const auto of_boards = seats("boards", ','), of_milestones = seats("milestones", ',');
        for (int p = 0; p < n_; ++p) {
            const std::size_t i = std::size_t(p);
            Player& player = s_.players[p];
            OnBoard::set(player.place_low, dealt("boards", Id::board, of_boards[i],
                                                 has_board(t_.flower, s_, p), boards));
            OnMilestone::set(player.place_high, dealt("milestones", Id::milestone, of_milestones[i],
                                                      has_milestone(t_.flower, s_, p), milestones));
        }
    }

    // SG3: the first row is the common side, the others are one of a kind.
    int dealt(std::string_view key, Id type, std::string_view text, bool is_dealt,
              Bits& used) const {
        require(is_dealt == (text != "-"), key,
                is_dealt ? "every seat has one" : "is '-' until it is dealt");
        if (!is_dealt) return 0;
        const int side = id(key, type, text);
        require((side > 0) == t_.flower, key,
                name(type, side) + " belongs to games with flower=" + (t_.flower ? "0" : "1"));
        require(side == 0 || !has(used, side), key, name(type, side) + " comes twice");
        used |= bit(side);
        return side;
    }

    // -- Realms: as they are, and in a sealed phase as they were when it began ("now<then")

    template <class F>
    void read_realm(std::string_view key, char separator, F&& read) {
        const auto entries = seats(key, separator);
        for (int p = 0; p < n_; ++p) {
            const auto pieces = split(entries[std::size_t(p)], '<');
            require(pieces.size() <= 2, key, quoted(entries[std::size_t(p)]) + " has two '<'");
            if (pieces.size() == 2) {
                require(
                    s_.phase == Phase::action || (s_.phase == Phase::reveal && key == "pilgrims"),
                    key, "'<' tells what changes in a sealed phase, but this does not");
                require(!others(p), key, seat_text(p) + " alone knows what has changed: no '<'");
            }
            read(p, pieces.front(), s_.players[p].realm);
            read(p, pieces.back(), s_.players[p].before);
        }
    }

    void read_realms() {
        read_realm("maps", '/', [&](int p, std::string_view text, Realm& r) {
            read_map(text, r);
            if (!in_setup()) check_map(p, r);
        });
        read_realm("tracks", ',', [&](int, std::string_view text, Realm& r) {
            const auto numbers = split(text, '.');
            require(numbers.size() == kTracks, "tracks",
                    quoted(text) + " must be three numbers such as 1.1.1");
            for (int track = 0; track < kTracks; ++track)
                add_steps(r, track,
                          number("tracks", numbers[std::size_t(track)], 0, t_.track_end[track]));
        });
        read_realm("silver", ',', [&](int, std::string_view text, Realm& r) {
            Silver::set(r.goods, number("silver", text, 0, kMostSilver));
        });
        read_realm("pilgrims", ',', [&](int, std::string_view text, Realm& r) {
            Pilgrims::set(r.goods, number("pilgrims", text, 0, kMostPilgrims));
        });
        read_realm("score", ',', [&](int, std::string_view text, Realm& r) {
            Score::set(r.goods, number("score", text, 0, kMostScore));
        });
        read_realm("age", ',', [&](int, std::string_view text, Realm& r) {
            Age::set(r.land, number("age", text, 1, kLastAge));
        });
        for (int p = 0; p < n_; ++p) {
            Player& player = s_.players[p];
            if (!sealed()) player.before = {};
            if (in_setup()) check_start(p);
        }
        read_flags();
    }

    // "c2f,d3v*"
    void read_map(std::string_view text, Realm& r) const {
        if (text == "-") return;
        Bits tiles = 0, low = 0, high = 0, marks = 0;
        for (std::string_view entry : split(text, ',')) {
            const int cell = id("maps", Id::cell, entry.substr(0, 2));
            require(!has(tiles, cell), "maps", name(Id::cell, cell) + " comes twice");
            tiles |= bit(cell);
            std::string_view rest = entry.substr(2);
            for (int token = 1; token <= 3; ++token)
                if (rest.starts_with(kTokenLetters[token])) {
                    low |= Bits(token & 1) << cell;
                    high |= Bits(token >> 1) << cell;
                    rest.remove_prefix(1);
                    break;
                }
            if (rest.starts_with(kMark)) {
                marks |= bit(cell);
                rest.remove_prefix(1);
            }
            require(rest.empty(), "maps",
                    quoted(entry) + " may have f, v or c and '*' behind the cell");
        }
        r.land |= tiles | low << kCells | high << 2 * kCells;
        r.goods |= marks;
    }

    void check_map(int p, const Realm& r) const {
        const Player& player = s_.players[p];
        const Board& board = t_.boards[board_of(player)];
        const std::string who = seat_text(p);
        const Cells tiles = covered(r), tokens = tokens_on(r), marks = Cells(Marks::get(r.goods));
        require((tiles & ~board.within[0][3]) == 0, "maps", who + " has a tile on a lake");
        require(has_covered(r, board.start), "maps", who + " has a tile on its start");
        check_reach(p, tiles);
        require((tokens & ~tiles) == 0 && (marks & ~tokens) == 0, "maps",
                who + " has tokens on tiles and Prefectures on tokens");
        require(count(farms_on(r)) <= kMostFarms && count(villages_on(r)) <= kMostVillages &&
                    count(cities_on(r)) <= kMostCities,
                "maps", who + " has 8 Farmsteads, 6 Villages and 4 Cities");
        require(prefectures(r) <= kMostPrefectures, "maps", who + " may found three Prefectures");
        for (Cells left = tokens; left != 0;) {
            const Cells group = group_of(tokens, left & (0 - left));
            const int stars = count(Bits{group} & Bits(Low::get(r.land))) +
                              2 * count(Bits{group} & Bits(High::get(r.land)));
            const bool large = stars >= t_.prefecture_stars;
            require((group & marks) == 0 || large, "maps",
                    who + " has a Prefecture of too few stars");
            require((group & marks) != 0 || !large || prefectures(r) == kMostPrefectures, "maps",
                    who + " has a group of tokens that is a Prefecture, but none is marked");
            left &= ~group;
        }
    }

    // Tiles lie next to others; with iv_leap, once its cell is covered, two cells away (SG14).
    void check_reach(int p, Cells tiles) const {
        const Player& player = s_.players[p];
        const Board& board = t_.boards[board_of(player)];
        const Cells start = Cells(bit(board.start));
        const auto grown = [&](Cells from, bool leap) {
            for (;;) {
                const Cells more = (from | within_reach(from, leap)) & tiles;
                if (more == from) return from;
                from = more;
            }
        };
        Cells reached = grown(start, false);
        if (t_.milestones[milestone_of(player)].ivory == Ivory::leap &&
            has(reached, board.milestone[0]))
            reached = grown(reached, true);
        require(reached == tiles, "maps",
                seat_text(p) + " has tiles that no path from its start reaches");
    }

    void check_start(int p) const {
        const State start = initial(t_);
        Realm wanted = start.players[p].realm;
        const Player& player = s_.players[p];
        if (has_board(t_.flower, s_, p))
            Covered::set(wanted.land, int(bit(t_.boards[board_of(player)].start)));
        const auto same = [&](std::string_view key, bool good) {
            require(good, key, seat_text(p) + " starts otherwise");
        };
        const Realm& r = player.realm;
        same("maps", (r.land ^ wanted.land) << 4 == 0 && Marks::get(r.goods) == 0);
        same("age", Age::get(r.land) == Age::get(wanted.land));
        for (int track = 0; track < kTracks; ++track)
            same("tracks", steps(r, track) == steps(wanted, track));
        same("silver", Silver::get(r.goods) == Silver::get(wanted.goods));
        same("pilgrims", Pilgrims::get(r.goods) == 0);
        same("score", Score::get(r.goods) == 0);
    }

    // What becomes of this round's Reveal phase.
    void read_flags() {
        const auto calmed = seats("calmed", ','), bust = seats("bust", ','),
                   skips = seats("skips", ',');
        for (int p = 0; p < n_; ++p) {
            const std::size_t i = std::size_t(p);
            Player& player = s_.players[p];
            std::uint64_t& goods = player.realm.goods;
            Calmed::set(goods, number("calmed", calmed[i], 0, in_round() ? 3 : 0));
            Bust::set(goods, number("bust", bust[i], 0, in_round() ? 1 : 0));
            if (s_.phase == Phase::action) {
                Calmed::set(player.before.goods, Calmed::get(goods));
                Bust::set(player.before.goods, Bust::get(goods));
            }
            const int skip = word("skips", skips[i], kSkipWords);
            require(skip == skips_none || Bust::get(goods), "skips",
                    seat_text(p) + " skips nothing without Mischief");
            Skips::set(goods, skip);
        }
    }

    // -- Cards of the seats

    void read_cards() {
        constexpr std::string_view kKeys[] = {"deck", "discard", "revealed", "recruited"};
        std::vector<std::string_view> lists[std::size(kKeys)];
        for (std::size_t k = 0; k < std::size(kKeys); ++k) lists[k] = seats(kKeys[k], '/');
        for (int p = 0; p < n_; ++p) {
            std::vector<std::pair<int, Place>> all;
            std::string_view old = "-";
            for (std::size_t k = 0; k < std::size(kKeys); ++k) {
                auto pieces = split(lists[k][std::size_t(p)], '<');
                if (Place(k) == in_discard) {
                    old = pieces.back();
                    if (pieces.size() == 2) {
                        require(s_.phase == Phase::reveal && !others(p), "discard",
                                "'<' tells what the Reveal phase has changed for a seat that "
                                "knows it");
                        pieces.pop_back();
                    }
                }
                require(pieces.size() == 1, kKeys[k], "has a '<' too many");
                for (const int card : cards(kKeys[k], pieces.front()))
                    all.emplace_back(card, Place(k));
            }
            put_cards(p, all);
            if (s_.phase == Phase::reveal) put_old_discard(p, cards("discard", old));
        }
    }

    void put_cards(int p, std::vector<std::pair<int, Place>>& all) {
        require(all.size() == kOwnCards, "deck",
                seat_text(p) + " has " + std::to_string(all.size()) +
                    " cards in deck, discard, revealed and recruited, must have 13");
        std::sort(all.begin(), all.end());
        Player& player = s_.players[p];
        int copies[kCards] = {};
        for (int slot = 0; slot < kOwnCards; ++slot) {
            const auto [card, place] = all[std::size_t(slot)];
            set_card(player, slot, card);
            set_place(player, slot, place);
            require(++copies[card] <= t_.cards[card].copies, "deck",
                    seat_text(p) + " has too many of " + name(Id::card, card));
            require(!in_setup() || (card == t_.start_cards[slot] && place == in_deck), "deck",
                    seat_text(p) + " starts with the 13 starting cards");
        }
        require(s_.step != Step::end || (player.place_high & kSlots) == 0, "revealed",
                "all cards are discarded at the end");
    }

    // Of equal cards the higher slots were in the discard pile.
    void put_old_discard(int p, const std::vector<int>& old) {
        Player& player = s_.players[p];
        std::size_t left = old.size();
        for (int slot = kOwnCards; slot-- > 0;)
            if (left > 0 && old[left - 1] == card_in(player, slot)) {
                player.old_discard = std::uint16_t(player.old_discard | 1 << slot);
                --left;
            }
        require(left == 0, "discard", seat_text(p) + " does not have the cards of its pile");
    }

    // -- The display, the Age decks and what has left the game

    void read_display() {
        const auto rows = fields_.list("display", kAges, '/');
        int found[kCards] = {};
        for (int age = 0; age < kAges; ++age) {
            int place = kRows[age];
            const auto row = cards("display", rows[std::size_t(age)]);
            require(int(row.size()) <= kRows[age + 1] - place, "display",
                    "Age " + std::to_string(age + 1) + " shows " +
                        std::to_string(kRows[age + 1] - place) + " cards at most");
            for (const int card : row) {
                require(t_.cards[card].age == age + 1, "display",
                        name(Id::card, card) + " is of another Age");
                ++found[card];
                s_.display[place++] = std::uint8_t(card);
            }
            while (place < kRows[age + 1]) s_.display[place++] = kNoCard;
        }
        for (const int card : cards("removed", fields_["removed"])) {
            require(t_.cards[card].age > 0, "removed",
                    name(Id::card, card) + " is a starting card: only Folk cards are listed");
            require(!in_setup(), "removed", "is '-' in the setup");
            ++found[card];
        }
        for (int p = 0; p < n_; ++p)
            for_each_card(s_.players[p], kSlots, [&](int card) { ++found[card]; });
        fill_decks(found);
        check_gaps();
    }

    void fill_decks(const int (&found)[kCards]) {
        for (int card = 0; card < kCards; ++card) {
            if (t_.cards[card].age == 0) continue;
            const int left = t_.cards[card].copies - found[card];
            require(left >= 0, "display",
                    std::to_string(found[card]) + " of " + name(Id::card, card) +
                        " are in the game, must be " + std::to_string(t_.cards[card].copies) +
                        " at most");
            for (int copy = t_.first_copy[card]; copy < t_.first_copy[card] + left; ++copy)
                if (copy < kDeckStarts[2])
                    s_.deck_low |= bit(copy);
                else
                    s_.deck_high |= std::uint32_t(bit(copy - kDeckStarts[2]));
        }
    }

    // SG27: gaps are left by an empty deck, or by cards that have just been taken.
    void check_gaps() const {
        const int row = row_to_fill(s_);
        require(s_.step != Step::refill || row < kAges, "display", "has no place to refill");
        if (in_setup()) {
            const int place = s_.step == Step::refill ? kRows[row + 1] : 0;
            require(std::all_of(s_.display + place, s_.display + kDisplay,
                                [](int card) { return card == kNoCard; }),
                    "display", "the setup fills it Age by Age");
        } else if (!at_step({Step::refill, Step::replace})) {
            require(row == kAges, "display", "is full as far as the Age decks go");
        }
    }

    // -- Development and Prefecture tokens, the 5-VP token (SG20, SG23, SG34)

    // The realm for which shared supplies have been handed out.
    const Realm& settled(int p) const {
        return s_.phase == Phase::action ? s_.players[p].before : s_.players[p].realm;
    }

    template <std::size_t N>
    void read_piles(std::string_view key, std::uint16_t (&owners)[N]) {
        const auto piles = fields_.list(key, N, '/');
        for (std::size_t i = 0; i < N; ++i) {
            const std::size_t size = std::size_t(tokens_in(int(i), int(N), n_));
            require(piles[i].size() == size, key,
                    quoted(piles[i]) + " must have a seat or '-' for each of " +
                        std::to_string(size) + " tokens");
            for (std::size_t token = 0; token < size; ++token) {
                const std::string_view owner = piles[i].substr(token, 1);
                if (owner == "-") continue;
                require(token == 0 || piles[i][token - 1] != '-', key,
                        "the highest token is taken first");
                owners[i] =
                    std::uint16_t(owners[i] | (1 + number(key, owner, 0, n_ - 1)) << 4 * token);
            }
        }
    }

    static int taken_in(unsigned pile) { return (int(std::bit_width(pile)) + 3) / 4; }
    static int owned_in(unsigned pile, int p) {
        int tokens = 0;
        for (; pile != 0; pile >>= 4) tokens += int(pile & 15) == p + 1;
        return tokens;
    }

    void read_tokens() {
        read_piles("development", s_.development);
        read_piles("prefectures", s_.prefecture);
        const std::string_view five = fields_["five"];
        if (five != "-") s_.five = std::uint8_t(1 + number("five", five, 0, n_ - 1));
        check_development();
        check_prefectures();
        Bits winners = 0;
        for (int p = 0; p < n_; ++p)
            winners |= Bits{Score::get(settled(p).goods) >= t_.end_vp} << p;
        require(s_.five == 0 ? winners == 0 : has(winners, s_.five - 1), "five",
                "goes to the first seat with " + std::to_string(t_.end_vp) + " VP");
    }

    void check_development() const {
        for (int age = 2; age <= kLastAge; ++age) {
            const unsigned pile = s_.development[age - 2];
            int holders = 0;
            for (int p = 0; p < n_; ++p) {
                const bool unlocked = Age::get(settled(p).land) >= age;
                holders += unlocked;
                require(owned_in(pile, p) <= int(unlocked), "development",
                        seat_text(p) + " takes one token of an Age that it unlocks");
            }
            const int wanted = std::min(holders, int(t_.development_tokens[age - 2]));
            require(
                taken_in(pile) == wanted, "development",
                std::to_string(wanted) + " tokens of Age " + std::to_string(age) + " are taken");
        }
    }

    // As long as nobody has three, each seat has the tokens of its own piles.
    void check_prefectures() const {
        int most = 0;
        for (int p = 0; p < n_; ++p) most = std::max(most, prefectures(settled(p)));
        for (int p = 0; p < n_; ++p) {
            const int founded = prefectures(settled(p));
            int tokens = 0;
            for (int k = 0; k < kMostPrefectures; ++k) {
                const int own = owned_in(s_.prefecture[k], p);
                tokens += own;
                require(most == kMostPrefectures || own == int(k < founded), "prefectures",
                        seat_text(p) + " has a token for each Prefecture founded");
            }
            require(tokens <= founded, "prefectures",
                    seat_text(p) + " has more tokens than Prefectures");
        }
        require((taken_in(s_.prefecture[2]) > 0) == (most == kMostPrefectures), "prefectures",
                "the last token goes with the first third Prefecture");
    }

    // -- What is under way in the turn

    void read_turn() {
        read_taken();
        read_guests();
        read_choices();
        s_.main = Main(word("main", kMainWords));
        const Bits mains = s_.phase == Phase::action ? mains_of(s_.step) : bit(int(Main::none));
        require(has(mains, int(s_.main)), "main", "does not fit the step");
        read_last();
        s_.farms = std::uint8_t(number("farms", 0, kIronFarms));
        s_.swap = std::uint8_t(number("swap", 0, 1));
        const bool paying = s_.phase == Phase::recruit && at_step({Step::gain, Step::buy});
        s_.gold = std::uint8_t(number("gold", 0, paying ? kMostIcons : 0));
        if (fields_["replaced"] == "-") return;
        require(s_.step == Step::replace, "replaced", "is '-' at this step");
        s_.replaced = std::uint8_t(id("replaced", Id::card, fields_["replaced"]));
        require(s_.replaced > 0, "replaced", "the first card restricts nothing: write '-'");
    }
    static constexpr int kIronFarms = 3;
    static constexpr int kMostIcons = 9 * kOwnCards;  // of one kind

    // Of equal cards on display the first are taken.
    void read_taken() {
        for (const int card : cards("taken", fields_["taken"])) {
            const Bits places = places_of(card) & ~Bits{s_.taken};
            require(places != 0, "taken", name(Id::card, card) + " is not on display so often");
            s_.taken = std::uint16_t(s_.taken | bit(lowest(places)));
        }
        require(s_.taken == 0 || s_.phase == Phase::action ||
                    (s_.phase == Phase::recruit && at_step({Step::buy, Step::replace})),
                "taken", "is '-' at this step");
    }
    Bits places_of(int card) const {
        Bits places = 0;
        for (int place = 0; place < kDisplay; ++place)
            places |= Bits{s_.display[place] == card} << place;
        return places;
    }

    // "hunter>scout" (SG26)
    void read_guests() {
        const auto entries = seats("guests", ',');
        Bits used = 0;
        for (int turn = 0; turn < n_; ++turn) {
            const int p = seat_of_turn(s_, turn);
            const std::string_view entry = entries[std::size_t(p)];
            if (entry == "-") continue;
            require(s_.phase == Phase::action && !others(p), "guests",
                    "a guest is there in the Action phase, and only its seat knows it");
            const std::size_t arrow = entry.find('>');
            const int card = id("guests", Id::card, entry.substr(0, arrow));
            const Bits places = places_of(card) & Bits{s_.taken} & ~used;
            require(places != 0, "guests", name(Id::card, card) + " is not among the taken");
            // A seat knows of equal cards taken before its own.
            const int place = view_ ? int(std::bit_width(places)) - 1 : lowest(places);
            used |= bit(place);
            require(place < open_places(s_.players[p].realm), "guests",
                    seat_text(p) + " has not unlocked the Age of " + name(Id::card, card));
            const bool chosen = arrow != std::string_view::npos;
            s_.guest[p] = std::uint8_t(
                place + 1 + (chosen ? (1 + replaced_slot(p, entry.substr(arrow + 1))) << 4 : 0));
            require(chosen != (is_acting(p) && s_.step == Step::guest_replace), "guests",
                    "at the step 'guest_replace' the acting seat has a guest that replaces "
                    "nothing yet, and no other has");
        }
        require(view_ || s_.phase != Phase::action || used == s_.taken, "taken",
                "are the cards of the guests");
    }

    int replaced_slot(int p, std::string_view text) const {
        const Player& player = s_.players[p];
        const int card = id("guests", Id::card, text);
        Bits slots = 0;
        for_each_bit(revealed(player),
                     [&](int slot) { slots |= Bits{card_in(player, slot) == card} << slot; });
        require(slots != 0, "guests", seat_text(p) + " has not revealed " + name(Id::card, card));
        return lowest(slots);
    }

    // "1.0.0.2"
    void read_choices() {
        const std::string_view text = fields_["choices"];
        require((text != "-") == (s_.step == Step::gain), "choices",
                "choice icons wait at the step 'gain', and only there");
        require((fields_["track"] != "-") == (s_.step == Step::gain), "track",
                "is told at the step 'gain', and only there");
        if (text == "-") return;
        const auto numbers = fields_.list("choices", kChoices, '.');
        int due = kChoices;
        for (int kind = kChoices; kind-- > 0;) {
            s_.pending[kind] =
                std::uint8_t(number("choices", numbers[std::size_t(kind)], 0, kMostIcons));
            if (s_.pending[kind] > 0) due = kind;
        }
        require(due < kChoices, "choices", "none at all is '-'");
        const int track = id("track", Id::track, fields_["track"]);
        require(track == 0 || has(kTracksOf[due], track), "track",
                "is none of the icon that is due");
        s_.track = std::uint8_t(track);
    }

    // "farm:c3"
    void read_last() {
        if (fields_["last"] == "-") return;
        require(at_step({Step::main, Step::gain, Step::farms}), "last", "is '-' at this step");
        const auto pieces = fields_.list("last", 2, ':');
        const int kind = word("last", pieces[0], kLastWords);
        const int cell = id("last", Id::cell, pieces[1]);
        const Player& player = s_.players[acting_seat(s_)];
        const Realm& r = player.realm;
        const auto is = [&](Last wanted) { return Last(kind) == wanted; };
        const Cells cells = is(Last::explore)   ? covered(r) & ~covered(player.before) &
                                                      t_.boards[board_of(player)].quiet
                            : is(Last::farm)    ? farms_on(r)
                            : is(Last::village) ? villages_on(r)
                            : is(Last::city)    ? cities_on(r)
                                                : 0;
        require(has(cells, cell), "last", "does not fit the map");
        const bool fits = is(Last::explore) ? s_.main == Main::explore && s_.step == Step::main
                                            : s_.main == Main::expand ||
                                                  (is(Last::farm) && s_.step == Step::farms);
        require(fits, "last", "does not fit the main action and the step");
        s_.last = std::uint8_t(kind << 5 | cell);
    }

    // -- What the phases allow

    bool is_open(int p) const { return !sealed() || !others(p); }  // nothing of its turn is hidden
    bool has_begun(int p) const { return is_open(p) && (has_played(p) || is_acting(p)); }

    void check_seat(int p) const {
        switch (s_.phase) {
            case Phase::setup: return;
            case Phase::reveal: check_reveal(p); break;
            case Phase::action: check_action(p); break;
            default: check_recruit(p); break;
        }
        for_each_card(s_.players[p], kSlots, [&](int card) {
            require(t_.cards[card].age <= Age::get(settled(p).land), "deck",
                    seat_text(p) + " has not unlocked the Age of " + name(Id::card, card));
        });
        if (!sealed()) return;
        const Realm& then = s_.players[p].before;
        const std::string_view key = Score::get(then.goods) >= t_.end_vp     ? "score"
                                     : prefectures(then) == kMostPrefectures ? "maps"
                                                                             : "age";
        require(!triggers_end(t_, then), key, seat_text(p) + " has ended the game before");
    }

    void check_reveal(int p) const {
        const Player& player = s_.players[p];
        const std::uint64_t goods = player.realm.goods;
        const int calmed = Calmed::get(goods), then = Pilgrims::get(player.before.goods);
        require(slots_in(player, is_recruited) == 0, "recruited", "is '-' in the Reveal phase");
        if (!has_begun(p)) {
            require(revealed(player) == 0, "revealed", seat_text(p) + " has revealed nothing yet");
            require(slots_in(player, in_discard) == player.old_discard, "discard",
                    seat_text(p) + " has not drawn yet");
        } else {
            check_draws(p);
        }
        check_yokai(p, player);
        require(calmed == 0 || then > 0, "pilgrims", seat_text(p) + " had no Pilgrim to place");
        const int left = then - (calmed > 0);
        const bool alms = Bust::get(goods) && has_ivory(t_, player, Ivory::alms);
        require(Pilgrims::get(goods) == std::min(kMostPilgrims, left + alms), "pilgrims",
                seat_text(p) + " must have " + std::to_string(left + alms));
    }

    // SG6: the discard pile is drawn from once the deck is empty.
    void check_draws(int p) const {
        const Player& player = s_.players[p];
        const unsigned drawn = revealed(player);
        const bool drawing = is_acting(p) && s_.step == Step::draw;
        std::array<int, kCards> pile{}, deck{},
            now{};  // of the old pile, the old deck, today's pile
        for_each_card(player, kSlots & ~unsigned(player.old_discard), [&](int c) { ++deck[c]; });
        for_each_card(player, player.old_discard, [&](int c) { ++pile[c]; });
        for_each_card(player, slots_in(player, in_discard), [&](int c) { ++now[c]; });
        std::array<int, kCards> shown{};
        for_each_card(player, drawn, [&](int c) { ++shown[c]; });
        const int deck_size = kOwnCards - count(Bits{player.old_discard});
        const int cards = count(Bits{drawn});
        bool shuffled = cards > deck_size || (cards == deck_size && drawing);
        const auto within = [](const auto& a, const auto& b) {
            return std::equal(a.begin(), a.end(), b.begin(), std::less_equal<>());
        };
        require(shuffled ? within(deck, shown) : within(shown, deck), "revealed",
                seat_text(p) + " draws from its deck first, then from its discard pile");
        require(shuffled ? slots_in(player, in_discard) == 0 : now == pile, "discard",
                seat_text(p) + (shuffled ? " has made its discard pile the new deck"
                                         : " has the discard pile of before"));
    }

    // `p` as it was when it revealed: its Milestone card may soothe Yokai since.
    void check_yokai(int seat, const Player& p) const {
        const std::uint64_t goods = p.realm.goods;
        const bool bust = Bust::get(goods) != 0;
        const int calmed = Calmed::get(goods);
        const std::uint8_t* yokai = yokai_table(t_, p);
        int most = 0, all = 0;
        bool soothed = calmed == 0;
        for_each_card(p, revealed(p), [&](int card) {
            most = std::max<int>(most, yokai[card]);
            all += yokai[card];
            soothed |= yokai[card] == calmed;
        });
        require(soothed && (calmed == 0 || all >= t_.mischief - 3), "calmed",
                seat_text(seat) + " has revealed no card for its Pilgrim");
        const int total = all - calmed;
        require(bust == (total >= t_.mischief), "bust",
                seat_text(seat) + " has " + std::to_string(total) + " Yokai");
        require(total - most < t_.mischief, "revealed",
                seat_text(seat) + " has revealed cards after Mischief");
    }

    void check_action(int p) const {
        const Player& player = s_.players[p];
        Player then = player;
        then.realm = player.before;
        require(slots_in(player, is_recruited) == 0, "recruited",
                "is '-' in the Action phase: a guest comes when it ends");
        check_yokai(p, then);
        const bool bust = Bust::get(player.realm.goods) != 0;
        const int skip = Skips::get(player.realm.goods);
        const bool chooses = is_acting(p) && s_.step == Step::mischief;
        const bool acts = has_begun(p) && !chooses && skip != skips_action;
        require((skip != skips_none) == (bust && has_begun(p) && !chooses), "skips",
                seat_text(p) + " skips a phase once it has chosen, after Mischief");
        require(skip != skips_action || !is_acting(p), "skips",
                seat_text(p) + " acts, so it skips no Action phase");
        require(bust || !chooses, "step", "comes after Mischief only");
        require(acts || player.realm == with_flags(player.before, player.realm), "maps",
                seat_text(p) + " has not acted in this phase, so nothing has changed: no '<'");
        require(acts || s_.guest[p] == 0, "guests", seat_text(p) + " has not acted");
        check_progress(p);
    }

    static Realm with_flags(Realm r, const Realm& flagged) {
        Skips::set(r.goods, Skips::get(flagged.goods));
        return r;
    }

    // What a turn of the Action phase can do to a map (SG12).
    void check_progress(int p) const {
        const Player& player = s_.players[p];
        const Realm &now = player.realm, &then = player.before;
        const Cells gone = (covered(then) & ~covered(now)) | (tokens_on(then) & ~tokens_on(now));
        require(gone == 0 && (Marks::get(then.goods) & ~Marks::get(now.goods)) == 0, "maps",
                seat_text(p) + " keeps tiles, tokens and Prefectures");
        require(Age::get(now.land) >= Age::get(then.land), "age", "never falls");
        require(Score::get(now.goods) >= Score::get(then.goods), "score", "never falls");
        const bool tiles = covered(now) != covered(then),
                   aged = Age::get(now.land) > Age::get(then.land);
        const bool built = ((now.land ^ then.land) >> kCells & (bit(2 * kCells) - 1)) != 0;
        require(!aged || (!tiles && !built), "age", "changes in a main action of its own");
        const auto newly = [&](int cell) {
            return has_covered(now, cell) && !has_covered(then, cell);
        };
        const int iron = t_.boards[board_of(player)].milestone[1];
        require(!tiles || !built || newly(iron), "maps",
                seat_text(p) + " explores or expands, unless it has covered its iron cell");
        require(s_.guest[p] == 0 || (newly(iron) && iron_of(p) == Iron::guest), "guests",
                seat_text(p) + " has no guest without a Milestone card for it");
        if (!has_begun(p) || !is_acting(p)) return;
        const bool done = s_.main == Main::explore   ? tiles
                          : s_.main == Main::expand  ? built && !tiles
                          : s_.main == Main::develop ? aged
                                                     : !tiles && !built && !aged;
        require(done, "main", "does not fit what has changed");
    }
    Iron iron_of(int p) const { return t_.milestones[milestone_of(s_.players[p])].iron; }

    // From the refill after the Action phase to the end.
    void check_recruit(int p) const {
        const Player& player = s_.players[p];
        const std::uint64_t goods = player.realm.goods;
        const bool bust = Bust::get(goods) != 0;
        require(bust == (Skips::get(goods) != skips_none), "skips",
                seat_text(p) + (bust ? " has chosen after Mischief" : " skips nothing"));
        if (s_.step == Step::end) return;
        const int recruited = count(Bits{slots_in(player, is_recruited)});
        const bool done = has_played(p) || (is_acting(p) && at_step({Step::replace, Step::refill}));
        if (s_.phase == Phase::recruit && done && Skips::get(goods) != skips_recruit) return;
        const bool guest = iron_of(p) == Iron::guest &&
                           has_covered(player.realm, t_.boards[board_of(player)].milestone[1]);
        require(recruited <= int(guest), "recruited", seat_text(p) + " has not recruited so many");
    }

    // -- The acting seat has a choice, and every choice can be carried out.

    const Player& acting() const { return s_.players[acting_seat(s_)]; }

    void need(bool good, std::string_view key, const char* what) const {
        require(good, key, "the step needs " + std::string(what));
    }

    void check_turn() const {
        check_main_action();
        const Player& p = acting();
        const Realm& r = p.realm;
        switch (s_.step) {
            case Step::draw: need(slots_in(p, in_deck) != 0, "deck", "a card to draw"); break;
            case Step::reveal:
                need(can_draw(p), "deck", "a card to draw");
                need(!Bust::get(r.goods), "bust", "a seat without Mischief");
                break;
            case Step::gain: check_gain(); break;
            case Step::main: {
                const Choices c = main_choices(t_, s_, p);
                need(c.set != 1 || c.rest != 0, "step", "something to choose");
                break;
            }
            case Step::swap: need(swap_cells(r) != 0, "maps", "a Farmstead and a City left"); break;
            case Step::farms: need(farm_cells(r) != 0, "maps", "room for a Farmstead"); break;
            case Step::village: need(village_cells(r) != 0, "maps", "a Farmstead"); break;
            case Step::boost: need(open_tracks(t_, r) != 0, "tracks", "a track not full"); break;
            case Step::guest:
                need(on_offer(t_, s_, r, kMostCost) != 0, "display", "a card on offer");
                need(revealed(p) != 0, "revealed", "a revealed card");
                break;
            case Step::guest_replace:
                need(s_.guest[acting_seat(s_)] != 0, "guests", "a guest");
                break;
            case Step::buy: check_buy(); break;
            case Step::replace: check_replace(); break;
            case Step::end: check_end(); break;
            case Step::sealed: check_sealed(); break;
            default: break;
        }
        if (s_.phase == Phase::recruit && s_.step != Step::end)
            require(Skips::get(r.goods) != skips_recruit, "skips",
                    "the acting seat skips the Recruit phase");
    }

    void check_main_action() const {
        const Player& p = acting();
        const Board& board = t_.boards[board_of(p)];
        const Milestone& milestone = t_.milestones[milestone_of(p)];
        const bool iron = s_.phase == Phase::action && s_.main == Main::explore &&
                          has_covered(p.realm, board.milestone[1]) &&
                          !has_covered(p.before, board.milestone[1]);
        const auto effect = [&](Iron wanted) { return iron && milestone.iron == wanted; };
        require(s_.step != Step::village || effect(Iron::village), "step", "needs ir_village");
        require(s_.step != Step::boost || effect(Iron::boost), "step", "needs ir_boost");
        require(!at_step({Step::guest, Step::guest_replace}) || effect(Iron::guest), "step",
                "needs ir_guest");
        const bool placing = effect(Iron::farms) && at_step({Step::farms, Step::gain, Step::swap});
        require(s_.farms == 0 || placing, "farms", "needs ir_farms");
        require(s_.step != Step::farms || s_.farms > 0, "farms", "is what is left to place");
        const bool swaps = s_.phase == Phase::action && s_.main != Main::none &&
                           has_ivory(t_, p, Ivory::swap) && at_step({Step::gain, Step::swap});
        require(s_.swap == 0 || swaps, "swap", "needs iv_swap and a Prefecture just founded");
        require(s_.step != Step::swap || s_.swap == 1, "swap", "is 1 at the step 'swap'");
    }

    void check_gain() const {
        require(gain_tracks(t_, s_, acting().realm) != 0, "tracks",
                "those of the icon that is due are full");
        const bool gathering = s_.phase == Phase::action && s_.main == Main::none;
        for (int kind = 0; kind < any_track; ++kind)
            require(gathering || s_.pending[kind] == 0, "choices",
                    "icons of two tracks are gathered before the main action");
    }

    void check_buy() const {
        const Player& p = acting();
        need(buyable(t_, s_, p) != 0, "display", "a card to buy");
        require(s_.taken < 1u << open_places(p.realm), "taken", "the Age is not unlocked");
    }

    void check_replace() const {
        const Player& p = acting();
        int open = 0;
        for_each_card(p, revealed(p), [&](int card) { open += card >= s_.replaced; });
        need(s_.taken != 0, "taken", "a card that has been bought");
        require(count(Bits{s_.taken}) <= open, "revealed",
                "has too few cards that the bought ones can replace");
        require(s_.taken < 1u << open_places(p.realm), "taken", "the Age is not unlocked");
    }

    void check_end() const {
        bool over = s_.round == t_.round_limit;
        for (int p = 0; p < n_; ++p) over |= triggers_end(t_, s_.players[p].realm);
        require(over, "step", "nothing has ended the game");
    }

    // A turn without a decision is over at once.
    void check_sealed() const {
        State start = s_;
        start.taken = 0;
        Flow flow(t_, start);
        flow.begin_turn();
        require(start.step != Step::between, "step",
                seat_text(acting_seat(s_)) + " has nothing to decide in its turn");
    }

    // The seat must know exactly this in some position.
    void check_view() const {
        if (s_.phase == Phase::action) check_seen();
        Rng rng(0);
        const State world = sample(t_, info(), rng);
        require(consistent(t_, world) && key(observe(t_, world, seat_)) == key(info()), "step",
                "in no position does " + seat_text(seat_) + " know just this");
    }

    // What its own guest has shown a seat of the display: at most a guest of each earlier seat.
    void check_seen() const {
        int earlier = 0;
        for (int turn = 0; turn < turn_of(seat_); ++turn) {
            const int p = seat_of_turn(s_, turn);
            const Player& player = s_.players[p];
            earlier += iron_of(p) == Iron::guest &&
                       !has_covered(player.realm, t_.boards[board_of(player)].milestone[1]);
        }
        const int seen = count(Bits{s_.taken}) - (s_.guest[seat_] != 0);
        require(seen <= (saw_display(t_, s_, seat_) ? earlier : 0), "taken",
                seat_text(seat_) + " cannot know of so many cards taken");
    }

    bool view_;
    const Setup& setup_;
    const Tables& t_;
    int n_, seat_ = 0;
    Fields fields_;
    State s_{};
};

}  // namespace

State Game::parse_position(const Setup& setup, const Tables& tables, std::string_view text) {
    return Reader(setup, tables, text, false).position();
}
InfoSet Game::parse_view(const Setup& setup, const Tables& tables, std::string_view text) {
    return Reader(setup, tables, text, true).info();
}

}  // namespace shugendo
HENRO_END
