// The games of this build. CMake passes HENRO_GAMES = X(shikoku) X(...), one entry a game folder.
#include "handle/model.hpp"

#include <algorithm>
#include <cstdlib>

#include "core/text.hpp"
#include "games/all.hpp"

namespace henro {

// Each game's bulk loops, compiled for the portable instruction set and for x86-64-v3.
#define X(game)                \
    inline namespace base {    \
    namespace game {           \
    extern const BulkOps bulk; \
    }                          \
    }                          \
    namespace v3 {             \
    namespace game {           \
    extern const BulkOps bulk; \
    }                          \
    }
HENRO_GAMES
#undef X

namespace {

// x86-64-v3 with a fast PDEP: Zen 1 and 2 have the instruction, but in slow microcode. The variable
// HENRO_ISA=base asks for the portable loops, to compare the two.
bool has_v3() {
    if (const char* isa = std::getenv("HENRO_ISA"); isa && std::string_view(isa) == "base")
        return false;
#if defined(HENRO_HAVE_V3)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
           __builtin_cpu_supports("fma") && !__builtin_cpu_is("znver1") &&
           !__builtin_cpu_is("znver2");
#else
    return false;
#endif
}

struct Entry {
    GameFacts facts;
    std::shared_ptr<const GameHandle> (*make)(const Setup&);
};

template <class G>
std::shared_ptr<const GameHandle> make(const Setup& setup, const BulkOps& portable,
                                       const BulkOps& fast) {
    return std::make_shared<const Model<G>>(setup, has_v3() ? fast : portable);
}

#if defined(HENRO_HAVE_V3)
#define HENRO_FAST(game) v3::game::bulk
#else
#define HENRO_FAST(game) base::game::bulk
#endif

const std::vector<Entry>& entries() {
    static const std::vector<Entry> all = {
#define X(game)                                                                   \
    Entry{Model<game::Game>::make_facts(), [](const Setup& setup) {               \
              return make<game::Game>(setup, base::game::bulk, HENRO_FAST(game)); \
          }},
        HENRO_GAMES
#undef X
    };
    return all;
}

std::string known_names() {
    std::string names;
    for (const Entry& entry : entries()) names += (names.empty() ? "" : ", ") + entry.facts.name;
    return names;
}

std::string listed(const std::vector<std::string>& words, const char* last) {
    std::string all;
    for (std::size_t i = 0; i < words.size(); ++i)
        all += (i == 0 ? "" : i + 1 == words.size() ? last : ", ") + ("'" + words[i] + "'");
    return all;
}

// The setup with every option of the game, as given or by default.
Setup with_options(Setup setup, const GameFacts& game) {
    std::map<std::string, std::string> all;
    std::vector<std::string> names;
    for (const GameOption& option : game.options) {
        names.push_back(option.name);
        const auto given = setup.options.find(option.name);
        const std::string& value =
            given == setup.options.end() ? option.values.front() : given->second;
        if (std::find(option.values.begin(), option.values.end(), value) == option.values.end())
            throw Error(ErrorKind::option, game.name + ": option '" + option.name + "' must be " +
                                               listed(option.values, " or ") + ", not " +
                                               quoted(value));
        all[option.name] = value;
    }
    for (const auto& [name, value] : setup.options)
        if (!all.contains(name))
            throw Error(ErrorKind::option,
                        game.name + " has no option " + quoted(name) +
                            (names.empty() ? "" : "; it has " + listed(names, " and ")));
    setup.options = std::move(all);
    return setup;
}

}  // namespace

const std::vector<GameFacts>& games() {
    static const std::vector<GameFacts> facts = [] {
        std::vector<GameFacts> all;
        for (const Entry& entry : entries()) all.push_back(entry.facts);
        return all;
    }();
    return facts;
}

std::shared_ptr<const GameHandle> make_game(const std::string& name, const Setup& setup) {
    for (const Entry& entry : entries()) {
        const GameFacts& facts = entry.facts;
        if (facts.name != name) continue;
        if (setup.players < facts.min_players || setup.players > facts.max_players)
            throw Error(ErrorKind::option, name + " is for " + std::to_string(facts.min_players) +
                                               " to " + std::to_string(facts.max_players) +
                                               " players, not " + std::to_string(setup.players));
        return entry.make(with_options(setup, facts));
    }
    throw Error(ErrorKind::unknown_game,
                "unknown game '" + name + "'; this build knows: " + known_names());
}

}  // namespace henro
