// Shugendo: component tables, the position and what one seat knows of it.
#pragma once

#include <array>
#include <cstdint>

#include "core/bits.hpp"
#include "core/game.hpp"

HENRO_BEGIN
namespace shugendo {

inline constexpr int kMinPlayers = 2, kMaxPlayers = 4;
inline constexpr int kCards = 54;     // designs, the starting ones first
inline constexpr int kOwnCards = 13;  // of each player, always
inline constexpr int kAges = 3;       // of Folk cards
inline constexpr int kAgeCards[kAges] = {34, 30, 26}, kFolkCards = 90;
inline constexpr int kDisplay = 12;
inline constexpr int kRows[kAges + 1] = {0, 5, 9, 12};  // the display: where each Age's row starts
inline constexpr int kBoards = 5, kMilestones = 6, kRewards = 10;
inline constexpr int kCells = 20, kMapRow = 5;
inline constexpr int kMostFarms = 8, kMostVillages = 6, kMostCities = 4;
inline constexpr int kMostPrefectures = 3, kLastAge = 5;
inline constexpr int kMostSilver = 255, kMostPilgrims = 63, kMostScore = 127;  // SG2
inline constexpr int kMostTrack = 15;  // what a track has room for; the tables say where it ends
inline constexpr int kNoCard = 63;     // a gap in the display
inline constexpr int kMostCost = 15;   // of a card
inline constexpr int kNoReward = 15;   // not drawn yet
inline constexpr int kFirstReward = 5, kSecondReward = 10;  // score that earns a Reward tile

enum Track { compass, hammer, book };
inline constexpr int kTracks = 3;
enum Choice {
    compass_hammer,
    compass_book,
    hammer_book,
    any_track
};  // icons, in the order of SG11
inline constexpr int kChoices = 4;
inline constexpr unsigned kTracksOf[kChoices] = {0b011, 0b101, 0b110, 0b111};

enum class Terrain : std::uint8_t { forest, hills, mountains, lake };
enum class Icon : std::uint8_t { none, start, ivory, iron, gold, penalty, bonus };
enum class Ivory : std::uint8_t { swap, leap, calm, alms, peaks };
enum class Iron : std::uint8_t { farms, village, gift, boost, guest };
enum class Gold : std::uint8_t { forgive, humble, villages, learning, shrines };
enum class Special : std::int8_t {
    none = -1,
    vp_prefectures,
    pilgrim_sets,
    vp_sets,
    vp_cities,
    vp_villages,
    vp_farms,
    vp_revealed,
    silver_farms,
    silver_villages,
    silver_cities,
    step_forest,
    vp_hills,
    vp_mountains
};

struct Gain {
    std::uint8_t tracks[kTracks];  // fixed steps
    std::uint8_t any, silver, pilgrims, vp;
};

struct Card {
    std::uint8_t age, copies, cost, yokai;
    std::uint8_t tracks[kTracks], choices[kChoices];  // action icons
    std::uint8_t gold, silver, pilgrims, vp;          // recruit bonus
    Special special;
    std::int16_t end_vp;
};

struct Board {
    // By the number of tokens on the map; none is worth nothing.
    std::uint8_t farm_vp[kMostFarms + 1], village_vp[kMostVillages + 1], city_vp[kMostCities + 1];
    Gain village_row, city_row;
    Gain prefecture[kMostPrefectures];
    std::uint8_t prefecture_vp[kMostPrefectures];
    Terrain terrain[kCells];
    Icon icon[kCells];
    std::uint8_t penalty[kCells];
    Gain gain[kCells];
    // Derived by complete().
    std::uint32_t quiet;               // cells without icon or with a penalty (SG13)
    std::uint32_t of_terrain[3];       // forest, hills, mountains
    std::uint32_t within[2][4];        // cells for at most 0..3 Compasses; [1] with iv_peaks
    std::uint8_t start, milestone[3];  // cells; ivory, iron, gold
};

struct Milestone {
    Ivory ivory;
    Iron iron;
    Gold gold;
};

struct Tables {
    int players = 0;
    bool flower = false;
    Card cards[kCards]{};  // starting cards (age 0), then Ages 1, 2, 3
    Board boards[kBoards]{};
    Milestone milestones[kMilestones]{};
    Gain rewards[kRewards]{};  // five of level 1, five of level 2
    // Tokens in play with so many players (SG38), the highest VP of each pile first.
    std::uint8_t development_tokens[4]{}, development_vp[4][4]{};  // Ages 2..5
    std::uint8_t prefecture_tokens[kMostPrefectures]{}, prefecture_vp[kMostPrefectures][4]{};
    // Rule figures.
    std::uint8_t start_silver = 2, track_start = 1, track_end[kTracks] = {10, 10, 12};
    std::uint8_t mischief = 7, prefecture_stars = 6, round_limit = 60;
    std::uint8_t age_cost[kLastAge + 1] = {0, 0, 5, 7, 8, 10};  // Books, by Age
    std::uint8_t shrines_vp[4] = {0, 2, 4, 8}, five_vp = 5, end_vp = 15;
    // Derived by complete().
    std::uint8_t start_cards[kOwnCards]{};               // ascending
    std::uint8_t copy_of[kFolkCards]{};                  // the design of each Folk card, ascending
    std::uint8_t first_copy[kCards]{};                   // the first Folk card of a design
    std::uint64_t icons[kCards]{};                       // a byte a kind: tracks, choices
    std::uint32_t bonuses[kCards]{};                     // a byte each: gold, S, P, V
    std::uint8_t yokai[kCards]{}, calm_yokai[kCards]{};  // under iv_calm 2 for 3
    std::int16_t use[kCards]{};  // what revealing it is worth by rule of thumb, in tenths of a VP
};

// Fills in what follows from the rest of the tables. The cards' ages ascend and their numbers are
// 13, 34, 30, 26; icons and bonuses of a card are at most 9 each, so that sums over 13 cards fit a
// byte; every board has one cell each of start, ivory, iron and gold.
inline void complete(Tables& t) {
    int starts = 0, copies = 0;
    for (int c = 0; c < kCards; ++c) {
        const Card& card = t.cards[c];
        t.first_copy[c] = std::uint8_t(copies);
        for (int i = 0; i < card.copies; ++i) {
            std::uint8_t& copy = card.age == 0 ? t.start_cards[starts++] : t.copy_of[copies++];
            copy = std::uint8_t(c);
        }
        t.icons[c] = t.bonuses[c] = 0;
        for (int i = 0; i < kTracks; ++i) t.icons[c] |= std::uint64_t{card.tracks[i]} << 8 * i;
        for (int i = 0; i < kChoices; ++i)
            t.icons[c] |= std::uint64_t{card.choices[i]} << 8 * (kTracks + i);
        t.bonuses[c] = std::uint32_t(card.gold | card.silver << 8 | card.pilgrims << 16) |
                       std::uint32_t{card.vp} << 24;
        constexpr int kUse[] = {8, 12, 10, 11, 9, 11, 12};  // of an icon
        int use = 4 * card.gold + 3 * card.silver + 8 * card.pilgrims + 10 * card.vp +
                  8 * (card.special != Special::none) - 12 * card.yokai;
        for (int i = 0; i < kTracks + kChoices; ++i)
            use += kUse[i] * int(t.icons[c] >> 8 * i & 0xff);
        t.use[c] = std::int16_t(use);
        t.yokai[c] = card.yokai;
        t.calm_yokai[c] = card.yokai == 3 ? 2 : card.yokai;
    }
    for (Board& board : t.boards) {
        board.quiet = 0;
        for (std::uint32_t& cells : board.of_terrain) cells = 0;
        for (int i = 0; i < kCells; ++i) {
            const std::uint32_t cell = 1u << i;
            if (board.terrain[i] != Terrain::lake) board.of_terrain[int(board.terrain[i])] |= cell;
            switch (board.icon[i]) {
                case Icon::start: board.start = std::uint8_t(i); break;
                case Icon::ivory:
                case Icon::iron:
                case Icon::gold:
                    board.milestone[int(board.icon[i]) - int(Icon::ivory)] = std::uint8_t(i);
                    break;
                case Icon::bonus: break;
                default: board.quiet |= cell; break;
            }
        }
        const auto [forest, hills, mountains] = board.of_terrain;
        const std::uint32_t all = forest | hills | mountains;
        board.quiet &= all;
        const std::uint32_t plain[] = {0, forest, forest | hills, all};
        const std::uint32_t peaks[] = {0, forest, all, all};
        for (int i = 0; i < 4; ++i) {
            board.within[0][i] = plain[i];
            board.within[1][i] = peaks[i];
        }
    }
}

// ---- The position

// What is due next. The first block is chance, the second decisions.
enum class Step : std::uint8_t {
    first,
    reward,
    board,
    milestone,
    refill,
    draw,
    reveal,
    mischief,
    gain,
    main,
    swap,
    farms,          // ir_farms
    village,        // ir_village
    boost,          // ir_boost
    guest,          // ir_guest
    guest_replace,  // which card the guest replaces
    buy,
    replace,
    end,
    sealed,   // in an InfoSet alone: another seat is in its sealed turn
    between,  // inside the rules alone: a turn is over
};
constexpr bool is_chance(Step step) { return step < Step::reveal; }

enum class Phase : std::uint8_t { setup, reveal, action, restock, recruit };
constexpr bool is_sealed(Phase phase) { return phase == Phase::reveal || phase == Phase::action; }

enum class Main : std::uint8_t { none, explore, expand, develop };

// A run of bits in a word by hand: the language leaves the layout of bit fields open.
template <class Word, int Shift, int Width>
struct Field {
    static constexpr Word kMask = Word((Word{1} << Width) - 1);
    static constexpr int get(Word word) { return int(word >> Shift & kMask); }
    static constexpr void set(Word& word, int value) {
        HENRO_ASSERT(value >= 0 && Word(value) <= kMask);
        word = Word((word & ~(kMask << Shift)) | Word(value) << Shift);
    }
};

// All that a seat owns besides its cards. `land`: the map. Tokens have two planes: a Farmstead is
// in `low`, a Village in `high`, a City in both, so that low + 2 * high are its stars (SG16).
struct Realm {
    std::uint64_t land, goods;

    friend bool operator==(const Realm&, const Realm&) = default;
};
using Covered = Field<std::uint64_t, 0, 20>;  // of land: cells with a Terrain tile
using Low = Field<std::uint64_t, 20, 20>;
using High = Field<std::uint64_t, 40, 20>;
using Age = Field<std::uint64_t, 60, 3>;    // 1..5
using Marks = Field<std::uint64_t, 0, 20>;  // of goods: a cell a Prefecture, so many founded (SG19)
// Bits 20..31: a nibble a track.
inline int steps(const Realm& r, int track) { return int(r.goods >> (20 + 4 * track) & 15); }
inline void add_steps(Realm& r, int track, int n) {
    r.goods += std::uint64_t(std::int64_t(n)) << (20 + 4 * track);
}
using Silver = Field<std::uint64_t, 32, 8>;
using Pilgrims = Field<std::uint64_t, 40, 6>;
using Score = Field<std::uint64_t, 46, 7>;
// Of this round, zero again when it ends:
using Calmed = Field<std::uint64_t, 53, 2>;  // yokai under the Pilgrim placed, 0 without one
using Bust = Field<std::uint64_t, 55, 1>;
using Skips = Field<std::uint64_t, 56, 2>;  // what a busted seat chose: see Skip
enum Skip { skips_none, skips_recruit, skips_action };

// Where a card of a player is.
enum Place { in_deck, in_discard, is_revealed, is_recruited };

// 48 bytes. The 13 cards lie in slots, ascending by design, and equal ones ascending by place.
struct Player {
    Realm realm;
    // In a sealed phase: the realm as it was when the phase began, all that others know of it.
    // Otherwise zero.
    Realm before;
    std::uint8_t cards[10];    // six bits a slot: card_in, set_card
    std::uint16_t place_low;   // a bit a slot; bits 13..15: OnBoard
    std::uint16_t place_high;  // a bit a slot; bits 13..15: OnMilestone
    // In the Reveal phase: the slots whose cards (as a multiset, of equal ones the higher) were in
    // the discard pile when the phase began; all others were in the deck. Otherwise zero.
    std::uint16_t old_discard;

    friend bool operator==(const Player&, const Player&) = default;
};
using OnBoard = Field<std::uint16_t, 13, 3>;  // of place_low: 0 is board_common, or not dealt yet
using OnMilestone = Field<std::uint16_t, 13, 3>;  // of place_high: 0 is ms_common, or not dealt yet
inline constexpr unsigned kSlots = (1u << kOwnCards) - 1;

// The two bytes that hold a slot's six bits, and where in them.
constexpr int card_byte(int slot) { return slot * 3 / 4 - slot / (kOwnCards - 1); }
constexpr int card_shift(int slot) { return 6 * slot - 8 * card_byte(slot); }
inline int card_in(const Player& p, int slot) {
    const std::uint8_t* bytes = p.cards + card_byte(slot);
    return (bytes[0] | bytes[1] << 8) >> (card_shift(slot) & 15) & 63;
}
inline void set_card(Player& p, int slot, int card) {
    std::uint8_t* bytes = p.cards + card_byte(slot);
    const int shift = card_shift(slot);
    const int pair = ((bytes[0] | bytes[1] << 8) & ~(63 << shift)) | card << shift;
    bytes[0] = std::uint8_t(pair);
    bytes[1] = std::uint8_t(pair >> 8);
}
inline Place place_of(const Player& p, int slot) {
    return Place((p.place_low >> slot & 1) | (p.place_high >> slot & 1) << 1);
}
inline void set_place(Player& p, int slot, Place place) {
    const unsigned clear = ~(1u << slot), low = place & 1, high = unsigned(place) >> 1;
    p.place_low = std::uint16_t((p.place_low & clear) | low << slot);
    p.place_high = std::uint16_t((p.place_high & clear) | high << slot);
}
inline int board_of(const Player& p) { return OnBoard::get(p.place_low); }
inline int milestone_of(const Player& p) { return OnMilestone::get(p.place_high); }

// 256 bytes. Seats that do not play are zero. The acting seat is (first + turn) % count.
//
// What a sealed phase takes from shared supplies is settled when it ends, in turn order: nothing in
// the phase depends on it (SG34). Until then Development tokens, Prefecture tokens, the 5-VP token
// and the cards of the seats are those of its start; scores() reckons as if it were settled.
struct State {
    Player players[kMaxPlayers];
    // The Age decks, a bit a card in the order of Tables::copy_of: Age 1 in bits 0..33 and Age 2 in
    // bits 34..63 of deck_low, Age 3 in deck_high. Of the copies of a design the lowest are left.
    std::uint64_t deck_low;
    std::uint32_t deck_high;
    // Places of the display whose card is spoken for: bought in this Recruit turn and not yet put
    // in the place of a revealed card, or taken by guests (SG26) in this Action phase. Of equal
    // cards the first are taken.
    std::uint16_t taken;
    std::uint16_t development[4];    // owners, a nibble a token, 0 or 1 + seat; Ages 2..5
    std::uint16_t prefecture[3];     // the same for the three piles
    std::uint8_t display[kDisplay];  // each row ascending, gaps (kNoCard) last
    // By seat, in the Action phase: place of the display + 1 of the card that came as a guest, and
    // slot + 1 of the card it replaces << 4 (0 until that is chosen). Settled when the phase ends.
    std::uint8_t guest[kMaxPlayers];
    std::uint8_t pending[kChoices];    // choice icons still to be gained; the first kind is due
    std::uint8_t count, round, first;  // round from 1, 0 during setup
    std::uint8_t turn;  // seats that have had their turn of the phase; setup: events of the step
    Phase phase;
    Step step;
    std::uint8_t rewards;  // rows of the two Reward tiles, level 1 | level 2 << 4, or kNoReward
    std::uint8_t five;     // who has the 5-VP token: 0 or 1 + seat
    std::uint8_t track;    // last choice of the batch of gains
    Main main;             // kind of main action chosen
    // Last step of the running action that may restrict the next (SG13, SG22): Last kind << 5 |
    // cell.
    std::uint8_t last;
    std::uint8_t farms;     // Farmsteads that ir_farms still places
    std::uint8_t swap;      // 1: iv_swap is due after a founding
    std::uint8_t gold;      // of the Recruit turn, not spent yet
    std::uint8_t replaced;  // design replaced last in this Recruit turn
    std::uint8_t zero;

    friend bool operator==(const State&, const State&) = default;
};
static_assert(sizeof(State) == 256, "the architecture allows 256 bytes");

enum class Last : std::uint8_t { none, explore, farm, village, city };  // explore: of a quiet cell

inline int seat_of_turn(const State& s, int turn) {
    const int seat = s.first + turn;
    return seat < s.count ? seat : seat - s.count;
}
inline int acting_seat(const State& s) { return seat_of_turn(s, s.turn); }

// What `seat` knows: everything outside sealed phases. In a sealed phase (SG46) the other seats are
// shown as they were when it began (realm == before, no card revealed in the Reveal phase, no
// guest), and while another seat is in its turn, that turn stands at its start, as Step::sealed.
// `taken` then holds what the seat has seen taken when its own guest was due, and its own guest.
struct InfoSet {
    State shown;
    std::uint64_t seat;
};

}  // namespace shugendo
HENRO_END
