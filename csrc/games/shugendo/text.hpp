// Shugendo: the words that its texts are made of, for writing and reading alike.
#pragma once

#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "core/handle.hpp"
#include "games/shugendo/game.hpp"

HENRO_BEGIN
namespace shugendo {

// What the object of an action, or an entry of a list, is.
enum class Id { none, seat, yokai, half, track, cell, card, reward, board, milestone };

std::string id_text(const Setup& setup, Id type, int i);
std::optional<int> find_id(const Setup& setup, Id type, std::string_view text);
const char* what_is(Id type);  // "card"

inline constexpr const char* kPhaseWords[] = {"setup", "reveal", "action", "restock", "recruit"};
inline constexpr const char* kStepWords[] = {
    "first",    "reward",        "board", "milestone", "refill", "draw",    "reveal",
    "mischief", "gain",          "main",  "swap",      "farms",  "village", "boost",
    "guest",    "guest_replace", "buy",   "replace",   "end",    "sealed"};
static_assert(std::size(kStepWords) == std::size_t(Step::between));
inline constexpr const char* kSkipWords[] = {"-", "recruit", "action"};
inline constexpr const char* kMainWords[] = {"-", "explore", "expand", "develop"};
inline constexpr const char* kLastWords[] = {"-", "explore", "farm", "village", "city"};

// What stands on a cell: nothing, or a letter behind it; a Prefecture adds kMark.
inline constexpr char kTokenLetters[] = {'-', 'f', 'v', 'c'};  // by low + 2 * high
inline constexpr char kMark = '*';

inline bool has_flower(const Setup& setup) {
    const auto option = setup.options.find("flower");
    return option != setup.options.end() && option->second == "1";
}

// Whether boards and Milestone cards are in the hands of a seat (SG3, SG41).
inline bool has_board(bool flower, const State& s, int seat) {
    if (!flower || s.step > Step::board) return true;
    return s.step == Step::board && seat < s.turn;
}
inline bool has_milestone(bool flower, const State& s, int seat) {
    if (!flower || s.step > Step::milestone) return true;
    return s.step == Step::milestone && seat < s.turn;
}

// Tokens of a pile: one a player, in the last pile one in all (SG38).
inline int tokens_in(int pile, int piles, int players) { return pile + 1 < piles ? players : 1; }

}  // namespace shugendo
HENRO_END
