// Shogun alone: the exact odds of a battle, and throws of the cube tower in bulk.
#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

#include "bindings.hpp"
#include "core/text.hpp"
#include "games/shogun/game.hpp"

namespace henro::python {
namespace {

using shogun::Battle, shogun::Fight, shogun::Side;

constexpr const char* kBattles[] = {"neutral", "player", "marked", "revolt"};
using Cubes = std::array<Whole, 3>;  // thrown, in the tray, stuck

[[noreturn]] void refuse(const std::string& rule) { throw Error(ErrorKind::option, rule); }

const shogun::Tables& tables_of(const GameHandle& game) {
    if (game.facts().name != shogun::Game::kName)
        refuse("only shogun has a cube tower, not " + game.facts().name);
    return *static_cast<const shogun::Tables*>(game.tables());
}

Battle battle_of(const std::string& name) {
    const auto* const found = std::find(std::begin(kBattles), std::end(kBattles), name);
    if (found == std::end(kBattles))
        refuse("a battle is 'neutral', 'player', 'marked' or 'revolt', not " + quoted(name));
    return Battle(found - kBattles);
}

int number(const std::string& what, long long value, int most) {
    if (value < 0 || value > most)
        refuse(what + " must be a whole number from 0 to " + std::to_string(most) + ", not " +
               std::to_string(value));
    return int(value);
}

Side side_of(const std::string& who, const Cubes& cubes, int supply) {
    const Side side = {number(who + ": thrown", cubes[0], supply),
                       number(who + ": tray", cubes[1], supply),
                       number(who + ": stuck", cubes[2], supply)};
    if (const int sum = side.thrown + side.tray + side.stuck; sum > supply)
        refuse(who + ": thrown, tray and stuck make " + std::to_string(sum) +
               " cubes, there are only " + std::to_string(supply));
    return side;
}

// A side that fights throws at least one cube; one that does not has no part in the odds.
void check_fighter(const std::string& who, const Side& side, bool fights) {
    if (fights && side.thrown == 0) refuse(who + ": at least one cube must be thrown");
    if (!fights && side.thrown + side.tray + side.stuck > 0)
        refuse(who + ": does not take part in this battle; its cubes in the tray are 'others'");
}

Fight fight_of(const shogun::Tables& t, const std::string& battle, const Cubes& attacker,
               const Cubes& defender, const Cubes& farmers, long long others) {
    Fight fight{battle_of(battle), side_of("attacker", attacker, t.armies),
                side_of("defender", defender, t.armies), side_of("farmers", farmers, t.farmers)};
    const bool attacked = fight.battle != Battle::revolt,
               defended = fight.battle != Battle::neutral;
    check_fighter("attacker", fight.attacker, attacked);
    check_fighter("defender", fight.defender, defended);
    if (attacked && defended && fight.farmers.thrown > 0)
        refuse("farmers: none are thrown when a player is attacked, they come from tray and tower");
    const int strangers = shogun::kMaxPlayers - int(attacked) - int(defended);
    fight.others = number("others: tray", others, strangers * t.armies);
    return fight;
}

py::tuple battle_odds(const GameHandle& game, const Text& battle, const Cubes& attacker,
                      const Cubes& defender, const Cubes& farmers, Whole others) {
    const shogun::Tables& t = tables_of(game);
    const shogun::Odds odds = shogun::battle_odds(
        t.tower, fight_of(t, battle.value, attacker, defender, farmers, others));
    return py::make_tuple(odds.won, odds.tie, odds.lost, odds.winners, odds.keepers);
}

py::array_t<std::uint8_t> sample_throws(const PyState& state, Whole n, py::handle seed) {
    constexpr int kMost = 10'000'000;  // Ctrl-C is not heeded before all are done
    const shogun::Tables& t = tables_of(*state.game);
    shogun::State start;
    std::memcpy(&start, &state.state, sizeof start);
    if (start.step != shogun::Step::tower)
        throw Error(ErrorKind::state, "no throw is running in this state");
    const int throws = number("the number of throws", n, kMost);
    const auto column = [&](int color) { return color == shogun::kGreen ? t.players : color; };
    int last = start.color;
    for (int c = last; c < shogun::kColors; ++c)
        if (start.tray[c] + start.tower[c] > 0) last = c;
    py::array_t<std::uint8_t> rows({throws, t.players + 1});
    auto* row = rows.mutable_data();
    Rng rng(seed_from(seed));
    const py::gil_scoped_release released;
    for (int i = 0; i < throws; ++i, row += t.players + 1) {
        std::fill_n(row, t.players + 1, std::uint8_t{0});
        for (int c = 0; c < start.color; ++c)
            if (start.tray[c] > 0) row[column(c)] = start.tray[c];
        for (shogun::State s = start;;) {
            const Action fallen = shogun::sample_chance(t, s, rng);
            row[column(s.color)] = std::uint8_t(fallen - shogun::make_tower_action(s.color, 0));
            if (s.color == last) break;
            shogun::apply(t, s, fallen);
        }
    }
    return rows;
}

}  // namespace

void bind_shogun(py::module_& module) {
    module.def("shogun_battle_odds", &battle_odds, py::arg("game"), py::arg("battle"),
               py::arg("attacker"), py::arg("defender"), py::arg("farmers"), py::arg("others"),
               "Use henro.solve.battle_odds. Cubes are (thrown, tray, stuck); the answer is the\n"
               "chances that the attack is won, tied and lost, and of 0, 1, ... armies left to\n"
               "the attacker and to the defender. Revolts are told from the farmers' side.");
    module.def("shogun_sample_throws", &sample_throws, py::arg("state"), py::arg("n"),
               py::arg("seed"),
               "What comes out of n throws, each drawn as the game draws the throw that runs in\n"
               "the state: uint8 array of n rows, one column a seat and the last for farmers.");
}

}  // namespace henro::python
