// Shogun: the words of component tables and texts, and what the parts of a text depend on. All ids
// are fixed, for the rules know them.
#pragma once

#include <iterator>
#include <optional>
#include <string_view>

#include "core/handle.hpp"
#include "games/shogun/knowledge.hpp"

HENRO_BEGIN
namespace shogun {

inline constexpr const char* kProvinceIds[kProvinces] = {
    "mutsu",  "echigo",      "shimotsuke", "hitachi", "kozuke",  "shinano", "etchu",    "kaga",
    "noto",   "awa_boso",    "kazusa",     "shimosa", "musashi", "sagami",  "kai",      "suruga",
    "izu",    "totomi",      "mikawa",     "owari",   "mino",    "hida",    "echizen",  "omi",
    "wakasa", "tamba",       "harima",     "shima",   "ise",     "kii",     "yamato",   "settsu",
    "sanuki", "awa_shikoku", "tosa",       "iyo",     "tajima",  "hoki",    "mimasaka", "bizen",
    "bitchu", "bingo",       "izumo",      "iwami",   "aki"};
inline constexpr const char* kActionIds[kActions] = {"castle",  "temple",  "theater", "rice",
                                                     "tax",     "deploy5", "deploy3", "deploy1",
                                                     "battlea", "battleb"};
inline constexpr const char* kBuildingIds[kBuildings] = {kActionIds[castle], kActionIds[temple],
                                                         kActionIds[theater]};
inline constexpr const char* kEventIds[kEvents] = {
    "tax_max5", "tax_min6", "rice_max3", "rice_min4", "levy",      "farmers2",
    "temple_a", "temple_b", "castle_a",  "castle_b",  "theater_a", "theater_b"};
inline constexpr const char* kSpecialIds[kSpecials] = {"attack", "defend", "chest", "rice", "six"};
inline constexpr const char* kColorIds[kColors] = {"p0", "p1", "p2", "p3", "p4", "f"};

inline constexpr const char* kSupplyIds[] = {"armies",   "farmers",     "castles",     "temples",
                                             "theaters", "seed_armies", "seed_farmers"};
inline constexpr const char* kTowerIds[] = {"blend", "sbw", "won"};
inline constexpr const char* kBoardIds[] = {"sun", "moon"};
inline constexpr const char* kSetupIds[] = {"draft", "lineup"};

inline constexpr const char* kSeasonIds[] = {"setup", "spring", "summer", "fall", "winter"};
inline constexpr const char* kStepIds[] = {"open",  "draw", "tower",  "face",   "field", "special",
                                           "event", "tie",  "winter", "claim",  "group", "plan",
                                           "bid",   "pick", "move",   "revolt", "end"};
static_assert(std::size(kStepIds) == std::size_t(Step::end) + 1);

// Cards on planning spaces that are neither a province nor a chest bid.
inline constexpr const char* kBlankId = "blank";
inline constexpr const char* kEmptyId = "empty";
inline constexpr const char* kLostId = "void";

template <std::size_t N>
std::optional<int> find_word(const char* const (&words)[N], std::string_view text) {
    for (std::size_t i = 0; i < N; ++i)
        if (text == words[i]) return int(i);
    return std::nullopt;
}

// The options of a game (SU3); the first word of each list is what an option is unless given.
struct Options {
    int board, setup, tower;
};
Options options(const Setup& setup);

// ---- Which parts of a text say something at this moment of the game; the others are "-".

inline int year_of(const State& s) { return s.round > kRounds / 2 ? 2 : 1; }
inline int season_of(const State& s) { return is_setup(s) ? 0 : (s.round - 1) % 4 + 1; }

inline bool is_drafting(const State& s) { return is_setup(s) && s.step != Step::tower; }
inline bool is_revolting(const State& s) { return is_winter(s) && s.step != Step::end; }
inline bool is_executing(const State& s) {
    return s.step == Step::move || (s.step == Step::tower && has_plans(s));
}
inline bool has_active(const State& s) {
    return s.step == Step::draw || is_executing(s) || (s.step >= Step::claim && s.step < Step::end);
}

}  // namespace shogun
HENRO_END
