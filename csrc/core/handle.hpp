// The type-erased game handle: what bindings, the C interface and tools see of a game. Everything
// here has one layout for every instruction set; bulk work goes through BulkOps, of which there is
// one set for each instruction set, chosen once when the handle is made.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/game.hpp"

namespace henro {

inline constexpr int kMaxSeats = 8;
inline constexpr std::size_t kMaxLegalAny = 550;  // legal actions in any game
inline constexpr std::size_t kMaxStateBytes = 256;

struct alignas(64) StateBuffer {
    std::byte bytes[kMaxStateBytes];
};
struct alignas(64) InfoBuffer {
    std::byte bytes[kMaxStateBytes + 64];
};

// Component tables as they come from Python: rows of whole numbers by table name.
struct Setup {
    int players = 0;
    std::string components_id;
    std::map<std::string, std::vector<std::vector<std::int64_t>>> tables;
    std::map<std::string, std::vector<std::string>> names;  // of the rows, where rows have names
    std::map<std::string, std::string> options;             // make_game fills in what is left out
};

// Uniform; uniform by the generic loop over legal and apply; or by the rule of thumb.
struct PlayoutKind {
    bool plain = false;
    bool informed = false;
};

struct PlayoutTotals {
    std::uint64_t games = 0, plies = 0;                // plies: decisions only
    std::array<std::uint64_t, kMaxSeats> utilities{};  // sums, in 1/kUtilityOne
    std::array<std::int64_t, kMaxSeats> scores{};
};

struct SearchParams {
    bool flat = false;  // the same number of playouts for every move, without a tree
    SearchOptions how;
    std::uint64_t seed = 1;
    std::size_t max_bytes = std::size_t{64} << 20;  // of the tree
    std::size_t expected_edges = 0;                 // room to start with, within max_bytes
};

struct RootMove {
    Action action = 0;
    std::uint64_t visits = 0;
    std::uint64_t inherited = 0;  // visits from earlier searches that this one goes on with
    std::array<std::uint64_t, kMaxSeats> utilities{};  // sums, in 1/kUtilityOne
};

// One search from one seat's knowledge, run in slices.
class Searcher {
public:
    virtual ~Searcher() = default;
    // Returns the iterations done: fewer than asked only after stop().
    virtual std::uint64_t run(std::uint64_t iterations) = 0;
    // Goes on from a later position of the seat, with what it believes after what it has seen and,
    // to reuse it, with what was learned on the way there: `seen` are the actions since then that
    // the seat saw, its own and forced ones included. Searchers in one tree go on together, the one
    // whose tree it is first.
    virtual void advance(const InfoBuffer&, std::span<const Action> seen, bool reuse) = 0;
    // A searcher for another thread, from the same knowledge, with the same beliefs and in the same
    // tree, which stays this one's: so do its edges and the visits from earlier searches. None of
    // them may be running; the new one must not outlive this one.
    virtual Searcher* beside(std::uint64_t seed) = 0;
    virtual void world(std::uint64_t seed, StateBuffer&) const = 0;  // as iterations draw theirs
    virtual std::span<const RootMove> root() const = 0;
    virtual int principal_variation(Action* line, int capacity) = 0;  // its length
    // Visits of the best root move beyond the second, by all searchers of the tree.
    virtual std::uint64_t lead() = 0;
    virtual int depth() const = 0;
    virtual std::size_t edges() = 0;
    virtual bool mixed() const = 0;  // the visits of the root's moves are a mixed strategy
    void stop() { stop_.store(true, std::memory_order_relaxed); }

protected:
    std::atomic<bool> stop_{false};
};

struct BulkOps {
    const char* isa;
    // Playouts first..last-1, playout i from stream i of the seed.
    PlayoutTotals (*playouts)(const void* tables, const StateBuffer&, std::uint64_t first,
                              std::uint64_t last, std::uint64_t seed, PlayoutKind kind);
    std::uint64_t (*perft)(const void* tables, const StateBuffer&, int depth);
    Searcher* (*searcher)(const void* tables, const InfoBuffer&, const SearchParams&);
    // n worlds drawn one after the other; returns a hash over them (benchmarks, signature).
    std::uint64_t (*sample_many)(const void* tables, const InfoBuffer&, std::uint64_t n,
                                 std::uint64_t seed);
};

// An option of a game and the values it takes, the default first.
struct GameOption {
    std::string name;
    std::vector<std::string> values;
};

struct GameFacts {
    std::string name;
    int min_players, max_players, num_actions;
    std::size_t state_bytes, info_bytes;
    std::vector<GameOption> options;
};

class GameHandle {
public:
    virtual ~GameHandle() = default;
    virtual const GameFacts& facts() const = 0;
    virtual const Setup& setup() const = 0;
    virtual SearchOptions search() const = 0;  // the game's own way

    virtual void initial(StateBuffer&) const = 0;
    virtual int actor(const StateBuffer&) const = 0;
    virtual int subject(const StateBuffer&) const = 0;
    virtual std::size_t legal(const StateBuffer&, Action* out) const = 0;  // kMaxLegalAny places
    virtual bool is_legal(const StateBuffer&, Action) const = 0;
    virtual void apply(StateBuffer&, Action) const = 0;  // must be legal
    virtual void chance_outcomes(const StateBuffer&, std::vector<ChanceOutcome>&) const = 0;
    virtual Action sample_chance(const StateBuffer&, std::uint64_t seed) const = 0;
    virtual void utilities(const StateBuffer&, Utility*) const = 0;
    virtual void scores(const StateBuffer&, int*) const = 0;
    virtual void ranks(const StateBuffer&, int*) const = 0;
    virtual bool equal(const StateBuffer&, const StateBuffer&) const = 0;
    virtual void evaluate(const StateBuffer&, Utility*) const = 0;  // what is to be expected
    virtual void priors(const StateBuffer&,
                        float* out) const = 0;  // of the legal actions, in order

    virtual void observe(const StateBuffer&, int seat, InfoBuffer&) const = 0;
    virtual int observer(const InfoBuffer&) const = 0;
    virtual void public_state(const InfoBuffer&, StateBuffer&) const = 0;
    virtual void sample(const InfoBuffer&, std::uint64_t seed, StateBuffer&) const = 0;
    virtual std::uint64_t key(const InfoBuffer&) const = 0;
    virtual Action greedy(const InfoBuffer&) const = 0;  // the observer is to move

    virtual std::string action_text(Action) const = 0;
    virtual std::optional<Action> parse_action(std::string_view) const = 0;
    // What `seat` is told when the action is taken here; nothing if empty.
    virtual std::string event_text(const StateBuffer&, Action, int seat) const = 0;
    virtual std::string position_text(const StateBuffer&) const = 0;
    virtual void parse_position(std::string_view, StateBuffer&) const = 0;
    virtual std::string view_text(const InfoBuffer&) const = 0;
    virtual void parse_view(std::string_view, InfoBuffer&) const = 0;

    virtual std::array<std::size_t, 2> tensor_shape() const = 0;
    virtual void tensor(const InfoBuffer&, float*) const = 0;  // zeroed, tensor_shape() values

    virtual const void* tables() const = 0;
    virtual const BulkOps& bulk() const = 0;
};

// The games this build knows, and a handle for one of them. Throws Error.
const std::vector<GameFacts>& games();
std::shared_ptr<const GameHandle> make_game(const std::string& name, const Setup& setup);

}  // namespace henro
