// Jinja: component tables, the position and what one seat knows of it.
#pragma once

#include <array>
#include <cstdint>

#include "core/bits.hpp"
#include "core/game.hpp"

HENRO_BEGIN
namespace jinja {

inline constexpr int kMinPlayers = 2, kMaxPlayers = 5;
inline constexpr int kSeasons = 5;
inline constexpr int kKinds = 4;  // honden, kitsune_statue, torii_gate, chozuya
inline constexpr int kTokensOfKind = 20;
inline constexpr int kTerritories = 7, kRegions = 3;
inline constexpr int kActivities = 13, kPlaces = kTerritories + kActivities;
inline constexpr int kLanterns = 7, kDeeds = 28, kOmikuji = 34, kKitsune = 13, kFaces = 4;
inline constexpr int kDealtOmikuji = 5, kReturnedOmikuji = 2;
inline constexpr int kMostOrdered = kOmikuji - 3 * kMinPlayers;  // places of the ordered part
inline constexpr int kMostBuys = 5;
inline constexpr int kMostCost = 9, kMostCircles = 2;

enum Territory { hokkaido, tohoku, kanto, kansai, chugoku, shikoku, kyushu };
inline constexpr int kRegionOf[kTerritories] = {0, 0, 1, 1, 2, 2, 2};

enum Place {  // territories first
    deed_exchange = kTerritories,
    deed_buyback,
    omikuji,
    gain_territory,
    territory_build,
    change_lantern,
    minor_offering,
    major_offering,
    market,
    roll_structures,
    random_structures,
    supplement_gold,
    roll_gold
};

enum Kitsune {
    k_fortune,
    k_trade,
    k_lights,
    k_purse,
    k_gift,
    k_vow,
    k_mason,
    k_praise,
    k_pilgrims,
    k_alms,
    k_crafts,
    k_omen,
    k_grace,
    k_none
};

enum class Bonus : std::uint8_t {
    gold1,
    gold2,
    honor1,
    honor2,
    rand1,
    rand2,
    choice1,
    harvest,
    lantern,
    omikuji,
    donate
};

enum class Size : std::uint8_t { small, medium, large };
enum class Condition : std::uint8_t { size_terr, size_reg, all, most, distinct, regions };

struct Deed {
    std::uint8_t territory;
    Size size;
    std::uint8_t structures[kKinds];
    std::uint8_t honor;
    Bonus bonus;
};

struct OmikujiCard {
    Condition condition;
    Size size;           // size_terr, size_reg, most
    std::uint8_t where;  // a territory, a region, a set of territories (all) or a number (distinct)
    std::uint8_t honor;
};

struct Tables {
    int players = 0;
    std::uint8_t spaces[kTerritories]{};
    Bonus lanterns[kLanterns][2]{};  // blue, red
    Deed deeds[kDeeds]{};
    OmikujiCard omikuji[kOmikuji]{};
    std::uint8_t circles[kPlaces]{};  // at this player count
    std::uint8_t costs[kPlaces]{};
    std::uint8_t full_mark[24]{};  // the bit of State::workers that is set once a place is full
    Bits affordable[3][kMostCost + 1]{};  // by Discount and Gold
    std::uint8_t faces[kFaces]{};         // of six: blue, red, blue_star, red_star
    std::uint8_t workers = 0;
    std::uint8_t start_gold[kMaxPlayers]{};
    std::uint8_t start_fox[kMaxPlayers]{};
    Bits places = 0;                    // that exist at this player count
    Bits of_territory[kTerritories]{};  // sets of Deeds
    Bits of_size[3]{};
    Bits automatic = 0;  // Deeds whose bonus is gold or honor (J28)
};

// What is due next. The first block is chance, the second decisions (P1..P22).
enum class Step : std::uint8_t {
    lantern,
    goods,
    deal_omikuji,
    deal_deed,
    fill,
    kitsune,
    draw,
    draw_omikuji,
    die,
    return_setup,
    draft,
    place,
    territory,
    discard,
    search,
    keep,
    return_card,
    pick,
    build,
    flip_first,
    flip_second,
    gain,
    star,
    market,
    choose,
    omit,
    lights,
    vow,
    use,
    flip_one,
    donate,
    end
};
constexpr bool is_chance(Step step) { return step < Step::return_setup; }

// Which part of a season the step belongs to: where the game goes on after an effect.
enum class Stage : std::uint8_t { setup, kitsune, work, lanterns, deeds };

// Where a Deed is. While it is in a pack or was drafted and not moved since, `memory` says more.
namespace at {
inline constexpr int aside = 0, pile = 1, pack = 2, hand0 = 3, built0 = hand0 + kMaxPlayers;
inline constexpr int seen = built0 + kMaxPlayers, unseen = seen + 1;  // in an InfoSet
constexpr int hand(int seat) { return hand0 + seat; }
constexpr int built(int seat) { return built0 + seat; }
}  // namespace at

// Where an Omikuji is: the unordered deck, a hand, or a place of the ordered part (J23).
inline constexpr int kInDeck = 0, kOrdered = 1 + kMaxPlayers;

struct Player {
    std::uint8_t structures[kKinds];
    std::uint32_t facts;  // see the functions below

    friend bool operator==(const Player&, const Player&) = default;
};
inline constexpr int kNoCard = 63;  // no Omikuji returned yet, or not known which

// Bit fields of Player::facts by hand: the language leaves their layout open.
template <int Shift, int Width>
struct Field {
    static constexpr std::uint32_t kMask = (1u << Width) - 1;
    static int get(const Player& p) { return int(p.facts >> Shift & kMask); }
    static void set(Player& p, int value) {
        HENRO_ASSERT(value >= 0 && std::uint32_t(value) <= kMask);
        p.facts = (p.facts & ~(kMask << Shift)) | std::uint32_t(value) << Shift;
    }
    static void add(Player& p, int value) { set(p, get(p) + value); }
};
using Gold = Field<0, 9>;
using Honor = Field<9, 9>;
using ReturnedLow = Field<18, 6>;  // the two Omikuji put back at setup
using ReturnedHigh = Field<24, 6>;
using Fox = Field<30, 1>;
using Drew = Field<31, 1>;  // has drawn an Omikuji since the setup

struct State {
    Player players[kMaxPlayers];
    std::uint32_t open_deeds;      // Deeds in hands that everybody knows (J37)
    std::uint32_t pending_deeds;   // E3: built Deeds whose bonus is still due
    std::uint32_t lanterns;        // a nibble a territory: lantern id, red side << 3
    std::uint32_t deed_planes[4];  // bit d of plane i is bit i of where Deed d is: at
    std::uint16_t revealed;        // Kitsune cards seen so far
    std::uint16_t market;          // kinds sold, last kind << 4, buys << 6, bought at all << 9
    std::uint16_t tokens[kTerritories];     // nibbles by kind
    std::uint8_t omikuji_at[kOmikuji];      // kInDeck, 1 + seat, kOrdered + place
    std::uint8_t placer[kMostOrdered / 2];  // nibbles: who put the card of that place
    std::uint8_t memory[21];                // six bits a Deed: Slot
    std::uint8_t workers[kPlaces];          // seats with a worker there, circles taken << 5
    std::uint8_t count, season, first, active;
    Step step;
    Stage stage;
    std::uint8_t placed;      // setup: plies done of the step; then workers placed this season
    std::uint8_t kitsune;     // active card or k_none
    std::uint8_t supplement;  // Gold on Supplement Gold
    std::uint8_t turn;        // season order position in the stages kitsune, lanterns and deeds
    std::uint8_t drawn, to_draw;
    std::uint8_t where;    // the place in question; E2: territory, repeats << 5
    std::uint8_t deed;     // the Deed in question, under k_mason
    std::uint8_t star;     // a star waits for its flip
    std::uint8_t ordered;  // cards in the ordered part of the Omikuji deck
    std::uint8_t flipped;  // first Lantern, second << 3

    friend bool operator==(const State&, const State&) = default;
};
static_assert(sizeof(State) == 192, "the architecture allows 192 bytes");

// Where a Deed came from, as long as it lies where the draft put it: its pack and the round in
// which it was taken, 0 while it is in the pack.
struct Slot {
    int pack, round;
};

// What `seat` knows: the position without what it cannot know. Of the Deeds, those it saw in a
// pack but cannot place are at::seen, with the pack and the last round it saw them in; those it
// never saw are at::unseen. Omikuji it cannot place count as in the deck.
struct InfoSet {
    State shown;
    std::uint8_t seat;
    std::uint8_t open_rounds[kMaxPlayers];  // by pack: rounds whose Deed is one of the `seen`
    std::uint8_t deeds_in_hand[kMaxPlayers];
    std::uint8_t omikuji_in_hand[kMaxPlayers];
};

}  // namespace jinja
HENRO_END
