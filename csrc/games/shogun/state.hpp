// Shogun: component tables, the position and what one seat knows of it.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "core/bits.hpp"
#include "core/game.hpp"

HENRO_BEGIN
namespace shogun {

inline constexpr int kMinPlayers = 3, kMaxPlayers = 5;
inline constexpr int kProvinces = 45, kRegions = 5;  // brown, yellow, red, purple, green
inline constexpr int kMaxDegree = 9;                 // adjacent provinces, sea routes included
inline constexpr int kArmies = 62, kFarmers = 20;    // cubes of a seat, of the farmers, at most
inline constexpr int kMaxGroups = 9;                 // army groups of a seat at setup
inline constexpr int kSmallestGroup = 2, kGroupSizes = 4;
inline constexpr int kActions = 10, kFaceUpFields = 5, kSpecials = 5, kEvents = 12, kYearEvents = 4;
inline constexpr int kBuildings = 3, kMaxMarkers = 3, kMaxRice = 18;  // the rice track (SU41)
inline constexpr int kChestCards = 5, kSpaces = kActions + 1;  // planning spaces, the bid last
inline constexpr int kProvisions = 8;                          // rice missing, 7 or more the last
inline constexpr int kRounds = 8;  // spring, summer, fall and winter of two years
inline constexpr int kColors = kMaxPlayers + 1, kGreen = kMaxPlayers;  // of cubes; green: farmers
inline constexpr int kMaxThrow = kMaxPlayers * kArmies + kFarmers;

// Action cards in the order of the planning spaces; the first three also name the buildings.
enum ActionCard {
    castle,
    temple,
    theater,
    rice,
    tax,
    deploy5,
    deploy3,
    deploy1,
    battlea,
    battleb,
    bid_space  // the eleventh planning space
};

enum Special { s_attack, s_defend, s_chest, s_rice, s_six, no_special };

enum Event {
    e_tax_max5,
    e_tax_min6,
    e_rice_max3,
    e_rice_min4,
    e_levy,
    e_farmers2,
    e_temple_a,
    e_temple_b,
    e_castle_a,
    e_castle_b,
    e_theater_a,
    e_theater_b,
    no_event
};

// What lies on a planning space. Numbers below kProvinces are province cards.
namespace card {
inline constexpr int blank = kProvinces;  // some chest card on an action space: no action (SU16)
inline constexpr int empty = 46;          // no card (SU15)
inline constexpr int lost = 47;           // "void": the province was lost before its action (SU37)
inline constexpr int unset = 48;          // not planned yet, or the seat does not plan (SU50)
inline constexpr int hidden = 49;         // in an InfoSet: some card, or not a card, not to be seen
inline constexpr int chest0 = 50;         // on the bid space: chest0 + value, 0..4
constexpr bool is_province(int c) { return c < kProvinces; }
constexpr bool is_chest_bid(int c) { return c >= chest0; }
}  // namespace card
inline constexpr int kNoProvince = kProvinces;
inline constexpr int kNobody = 7;

// The cube tower (SU11): chances that a cube comes out, and the same as numbers of 53 bits, with
// which a random number is compared. Made by make_tower (tower.hpp).
struct Tower {
    double seed = 0, fresh = 0;        // a cube thrown at the seeding, a cube thrown later
    double stuck[kMaxThrow + 1] = {};  // a cube stuck before a throw of N cubes, by N
    std::uint64_t seed_below = 0, fresh_below = 0, stuck_below[kMaxThrow + 1] = {};
};

// Component data for a number of players, a side of the board and the other options of the game.
// The rules rely on: at most kMaxDegree neighbors and kBuildings spaces a province, group sizes of
// kSmallestGroup to kSmallestGroup + kGroupSizes - 1, two provinces more than groups of all seats,
// groups and seeding within the armies, armies and farmers within kArmies and kFarmers.
struct Tables {
    int players = 0;
    bool lineup = false;             // provinces are given out by `lineups` instead of the draft
    Bits in_play = 0;                // provinces; with three players eight do not exist (SU6)
    Bits adjacent[kProvinces] = {};  // by land and sea, provinces in play only (SU52)
    Bits regions[kRegions] = {};     // provinces in play of each region
    std::uint8_t chests[kProvinces] = {}, rice[kProvinces] = {}, spaces[kProvinces] = {};
    std::uint8_t start_chests = 0;
    std::uint8_t groups[kMaxGroups] = {};  // army groups of a seat, descending, 0 after the last
    std::uint8_t lineups[kMaxPlayers][kMaxGroups] = {};                // province of each group
    std::uint8_t armies = 0, farmers = 0, buildings[kBuildings] = {};  // supplies (SU38)
    std::uint8_t seed_armies = 0, seed_farmers = 0;
    std::uint8_t price[kActions] = {};                        // chests
    std::uint8_t deploy[kActions] = {}, levy[kActions] = {};  // armies, 0 for other actions
    std::uint8_t winter_loss[kEvents] = {};
    std::uint8_t revolts[kProvisions] = {}, extra_farmers[kProvisions] = {};  // by rice missing
    Tower tower;
};

// What is due next. The first block is chance, the second decisions.
enum class Step : std::uint8_t {
    open,     // the lower empty slot of the open pair gets a card
    draw,     // the province drawn blindly
    tower,    // cubes of `color` that come out
    face,     // one of the year's four events opens
    field,    // an action card is laid or turned up on field `index`
    special,  // a special is laid on slot `index`
    event,    // the event of the season
    tie,      // who of the seats with equal bids picks next
    winter,   // a province of the victim is drawn
    claim,    // draft: an open province or a blind draw
    group,    // draft: the army group for `draft.card`
    plan,     // planning space `index` of `active`
    bid,
    pick,    // a special
    move,    // from the province of `active` on the space of the action executed
    revolt,  // the left neighbor of the victim: which drawn province revolts next
    end
};
constexpr bool is_chance(Step step) { return step < Step::claim; }

// Round 0, until the tower is seeded; afterwards all zero.
struct Draft {
    std::uint8_t open[2];                           // kNoProvince where a card is due
    std::uint8_t card;                              // chosen, waiting for its army group
    std::uint8_t stale;                             // blind draws since the pair changed (SU7)
    std::uint8_t buried;                            // length of `under`
    std::uint8_t under[2 * (kMaxGroups - 1)];       // cards under the pile, the next to come first
    std::uint8_t groups[kMaxPlayers][kGroupSizes];  // groups left, by size from kSmallestGroup
    std::uint8_t zero[23];
};

// The rounds of spring, summer and fall.
struct Plans {
    Bits changed;                              // provinces that changed hands this round
    std::uint8_t cards[kMaxPlayers][kSpaces];  // by seat and planning space: see card
    std::uint8_t zero;
};

// Winter.
struct Winter {
    Bits drawn;            // provinces of the victim that are still to revolt
    std::uint8_t to_draw;  // how many more are drawn
    std::uint8_t extra;    // farmers of each revolt besides those for markers
    std::uint8_t zero[54];
};

struct State {
    Bits owned[kMaxPlayers];
    Bits buildings[kBuildings];  // castles, temples, theaters
    Bits markers[2];             // bits 0 and 1 of the number of revolt markers of each province
    union {                      // by round: draft in 0, winter in 4 and 8, else plans
        Draft draft;
        Plans plans;
        Winter winter;
    };
    std::uint16_t points[kMaxPlayers];  // victory points
    std::uint16_t opened, face_up;      // events opened in this game; face up beside the board
    std::uint16_t thrown;               // cubes of the running throw in all (N), else 0
    std::uint8_t armies[kProvinces];
    std::uint8_t supply[kMaxPlayers];  // armies; those of farmers follow from tower and tray
    std::uint8_t chests[kMaxPlayers], rice[kMaxPlayers];
    std::uint8_t tower[kColors];  // stuck, by color
    // In the tray. While a throw runs: what is thrown of the colors from `color` on (with what lay
    // in the tray before), what came out of the others.
    std::uint8_t tray[kColors];
    std::uint8_t fields[kActions];  // action cards on the fields, kActions if unknown
    std::uint8_t slots[kSpecials];  // special | taker << 4; kept until the next round is laid out
    std::uint8_t event;             // current event or no_event
    Step step;
    std::uint8_t round;   // 0 setup, 1..3 and 5..7 spring to fall, 4 and 8 winter
    std::uint8_t index;   // fields, slots, planning spaces: the one in question; else 0
    std::uint8_t turn;    // draft: turns done; execution and winter: slot whose taker acts; else 0
    std::uint8_t active;  // seat of the decision or action, 0 if there is none
    std::uint8_t target;  // province attacked or in revolt while a throw runs, else kNoProvince
    std::uint8_t color;   // color thrown next, 0 if no throw runs
    std::uint8_t zero;

    friend bool operator==(const State& a, const State& b) {
        return std::memcmp(&a, &b, sizeof(State)) == 0;
    }
};
static_assert(sizeof(Draft) == 64 && sizeof(Plans) == 64 && sizeof(Winter) == 64);
static_assert(sizeof(State) <= 256, "the architecture allows 256 bytes");

// What `seat` knows: the position with card::hidden on the planning spaces it cannot see. While
// seats plan, these are all spaces planned so far of all others; afterwards the bids until they
// are revealed and the spaces with a card (not card::empty, not card::lost) of actions not yet
// executed. Everything else is public, so nothing more is counted.
struct InfoSet {
    State shown;
    std::uint8_t seat;
    std::uint8_t zero[7];
};

}  // namespace shogun
HENRO_END
