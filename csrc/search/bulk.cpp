// The loops that run long, instantiated for one game (HENRO_GAME) and one instruction set
// (HENRO_ISA). No standard container is used here: its code could be shared with other files.
#include <new>

#include "core/handle.hpp"
#include "search/ismcts.hpp"
#include HENRO_GAME_HEADER

#define HENRO_STRING(x) #x
#define HENRO_NAME(x) HENRO_STRING(x)

HENRO_BEGIN

template <class T, class Buffer>
T& as(Buffer& buffer) {
    static_assert(sizeof(T) <= sizeof(buffer.bytes));
    return *std::launder(reinterpret_cast<T*>(buffer.bytes));
}

template <GameRules G>
struct Bulk {
    using Tables = typename G::Tables;
    using State = typename G::State;
    using InfoSet = typename G::InfoSet;

    // Uniform play by legal and apply alone: the standard that G::playout must equal.
    static int plain_playout(const Tables& tables, State& s, Rng& rng) {
        int plies = 0;
        for (;;) {
            const int seat = G::actor(s);
            if (seat == kTerminal) return plies;
            if (seat == kChance) {
                G::apply(tables, s, G::sample_chance(tables, s, rng));
                continue;
            }
            List<Action, G::kMaxLegal> legal;
            G::legal(tables, s, legal);
            G::apply(tables, s, legal[std::size_t(rng.below(int(legal.size())))]);
            HENRO_ASSERT(G::consistent(tables, s));
            ++plies;
        }
    }

    static PlayoutTotals playouts(const void* erased, const StateBuffer& start, std::uint64_t first,
                                  std::uint64_t last, std::uint64_t seed, PlayoutKind kind) {
        const Tables& tables = *static_cast<const Tables*>(erased);
        PlayoutTotals totals;
        totals.games = last - first;
        for (std::uint64_t i = first; i < last; ++i) {
            State s = as<const State>(start);
            Rng rng(seed, i);
            totals.plies +=
                std::uint64_t(kind.plain      ? plain_playout(tables, s, rng)
                              : kind.informed ? G::informed_playout(tables, s, rng, kNoHorizon)
                                              : G::playout(tables, s, rng));
            Utility utilities[G::kMaxPlayers]{};
            int scores[G::kMaxPlayers]{};
            G::utilities(tables, s, utilities);
            G::scores(tables, s, scores);
            for (int p = 0; p < tables.players; ++p) {
                totals.utilities[std::size_t(p)] += utilities[p];
                totals.scores[std::size_t(p)] += scores[p];
            }
        }
        return totals;
    }

    static std::uint64_t count_leaves(const Tables& tables, const State& s, int depth) {
        const int seat = G::actor(s);
        if (depth == 0 || seat == kTerminal) return 1;
        std::uint64_t leaves = 0;
        const auto visit = [&](Action a) {
            State next = s;
            G::apply(tables, next, a);
            leaves += count_leaves(tables, next, depth - 1);
        };
        if (seat == kChance) {
            List<ChanceOutcome, G::kMaxChance> outcomes;
            G::chance_outcomes(tables, s, outcomes);
            for (const ChanceOutcome& outcome : outcomes) visit(outcome.action);
        } else {
            List<Action, G::kMaxLegal> legal;
            G::legal(tables, s, legal);
            for (const Action a : legal) visit(a);
        }
        return leaves;
    }

    static std::uint64_t perft(const void* tables, const StateBuffer& s, int depth) {
        return count_leaves(*static_cast<const Tables*>(tables), as<const State>(s), depth);
    }

    static Searcher* searcher(const void* tables, const InfoBuffer& info,
                              const SearchParams& params) {
        return new Ismcts<G>(*static_cast<const Tables*>(tables), as<const InfoSet>(info), params);
    }

    static std::uint64_t sample_many(const void* tables, const InfoBuffer& info, std::uint64_t n,
                                     std::uint64_t seed) {
        Rng rng(seed);
        std::uint64_t hash = 0;
        for (std::uint64_t i = 0; i < n; ++i)
            hash = mix64(hash ^ hash_bytes(G::sample(*static_cast<const Tables*>(tables),
                                                     as<const InfoSet>(info), rng)));
        return hash;
    }

    static constexpr BulkOps ops{HENRO_NAME(HENRO_ISA), playouts, perft, searcher, sample_many};
};

namespace HENRO_GAME {
extern const BulkOps bulk;
const BulkOps bulk = Bulk<Game>::ops;
}  // namespace HENRO_GAME

HENRO_END
