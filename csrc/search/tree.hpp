// The memory of a search: a hash table of edges. An edge is a choice at a node, and a node is what
// a seat has seen since the root, as a 48-bit key. Edges do not point to each other, so that any of
// them can be dropped. 24 bytes an edge, at most 32 with the room the table keeps free.
//
// Several threads may walk one tree at once. Nothing waits on the way: a free slot becomes an edge
// in one step, its figures are added to by relaxed atomic operations, and whatever mixture of them
// another thread reads is good enough to choose by. Only to grow or to drop edges all others have
// to be outside, which each is as soon as it finds no more room.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>

#include "core/bits.hpp"
#include "core/game.hpp"
#include "core/gate.hpp"
#include "core/memory.hpp"

HENRO_BEGIN

// What a seat has seen since the root. Two nodes among a million share a key by an accident of one
// in 500; their figures then mix, nothing worse.
using NodeKey = std::uint64_t;

constexpr NodeKey step_key(NodeKey key, Action action) {
    key = (key ^ (std::uint64_t(action) + 1)) * 0x9e3779b97f4a7c15u;
    return key ^ (key >> 29);
}

// What is known of an edge.
struct Figures {
    std::uint32_t visits;     // counted on the way down: to other threads a loss until it is known
    std::uint32_t available;  // how often it could have been chosen
    // 48 bits: sum of the utility of the seat that chooses the edge, in 1/kUtilityOne. 16 bits:
    // prior of the choice when the edge was made, in 1/65535.
    std::uint64_t value;

    std::int64_t sum() const { return std::int64_t(value) >> 16; }
    std::uint16_t prior() const { return std::uint16_t(value); }
    static std::uint64_t value_of(std::int64_t sum, std::uint16_t prior) {
        return std::uint64_t(sum) << 16 | prior;
    }
};

struct Edge {
    std::uint64_t name;  // 48 bits of the node's key, 16 of the action; 0 marks a free slot
    Figures figures;
};
static_assert(sizeof(Edge) == 24);

// Figures that other threads may read and change at any time.
template <class T>
T load(const T& figure) {
    return __atomic_load_n(&figure, __ATOMIC_RELAXED);
}
template <class T>
void store(T& figure, T value) {
    __atomic_store_n(&figure, value, __ATOMIC_RELAXED);
}

// Where the edges lie.
struct Slots {
    Edge* edges = nullptr;
    std::size_t mask = 0;
    int shift = 0;

    // Siblings lie close together: choosing among them touches one page, often one line.
    std::size_t near(std::uint64_t node) const {
        return std::size_t((node * 0x9e3779b97f4a7c15u) >> shift);
    }
    std::size_t home(std::uint64_t name) const {
        const auto nth = std::uint16_t(name);
        return (near(name - nth) + nth) & mask;
    }
    std::size_t after(std::size_t slot) const { return (slot + 1) & mask; }
    bool is_free(std::size_t slot) const { return edges[slot].name == 0; }
};

// The edges of one tree. Its searchers see it through a Tree each.
class Table {
public:
    // Starts with room for `expected` edges, as far as max_bytes allow, and grows up to max_bytes.
    Table(std::size_t max_bytes, std::size_t expected)
        : max_slots_(std::min(std::bit_floor(std::max(max_bytes / sizeof(Edge), kFirstSlots)),
                              kMostSlots)) {
        const std::size_t wanted = std::bit_ceil(std::min(expected, kMostSlots) / 3 * 4);
        std::size_t slots = std::clamp(wanted, kFirstSlots, max_slots_);
        while (!allocate(slots) && slots > kFirstSlots) slots /= 2;
        if (!memory_) throw std::bad_alloc();
    }

    // Edges, and the room that searchers inside have taken for more.
    std::size_t size() const { return load(size_); }

    // Drops all edges, once all searchers are outside.
    void clear() {
        gate_.close();
        std::fill_n(slots_.edges, slots_.mask + 1, Edge{});
        size_ = 0;
        gate_.open();
    }

private:
    friend class Tree;
    static constexpr std::size_t kFirstSlots = 1 << 7;
    static constexpr std::size_t kMostSlots = std::size_t{1} << 31;

    struct Free {
        void operator()(Edge* edges) const { std::free(edges); }
    };

    // Room for up to `wanted` edges.
    std::size_t take(std::size_t wanted) {
        std::size_t size = load(size_), room;
        do room = std::min(wanted, limit_ - size);
        while (!__atomic_compare_exchange_n(&size_, &size, size + room, true, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED));
        return room;
    }
    void give_back(std::size_t room) { __atomic_fetch_sub(&size_, room, __ATOMIC_RELAXED); }

    // With all searchers outside: grows or, at its full size, drops the edges visited least.
    void make_room() {
        if (size_ < limit_) return;
        if (slots_.mask + 1 >= max_slots_ || !grow()) recycle();
    }

    bool allocate(std::size_t slots) {
        std::unique_ptr<Edge[], Free> edges(
            static_cast<Edge*>(zeroed_memory(slots * sizeof(Edge))));
        if (!edges) return false;
        memory_ = std::move(edges);
        slots_ = {memory_.get(), slots - 1, 64 - std::countr_zero(slots)};
        limit_ = slots / 4 * 3;
        size_ = 0;
        return true;
    }

    bool grow() {
        const std::size_t slots = slots_.mask + 1;
        std::unique_ptr<Edge[], Free> old = std::move(memory_);
        if (!allocate(slots * 2)) {
            memory_ = std::move(old);
            max_slots_ = slots;
            return false;
        }
        for (std::size_t i = 0; i < slots; ++i) {
            if (old[i].name == 0) continue;
            std::size_t to = slots_.home(old[i].name);
            while (!slots_.is_free(to)) to = slots_.after(to);
            slots_.edges[to] = old[i];
            ++size_;
        }
        return true;
    }

    // Drops the edges visited least until at most half of the room is taken.
    void recycle() {
        for (std::uint32_t most = 1; size_ > limit_ / 2; most *= 2)
            for (std::size_t i = 0; i <= slots_.mask;)
                if (!slots_.is_free(i) && slots_.edges[i].figures.visits <= most)
                    remove(i);  // another edge may have moved here: look again
                else
                    ++i;
    }

    // Closes the gap by moving up later edges whose way from home leads past it.
    void remove(std::size_t gap) {
        Edge* const edges = slots_.edges;
        for (std::size_t i = slots_.after(gap); !slots_.is_free(i); i = slots_.after(i)) {
            const std::size_t from = slots_.home(edges[i].name);
            if (((i - from) & slots_.mask) < ((i - gap) & slots_.mask)) continue;
            edges[gap] = edges[i];
            gap = i;
        }
        edges[gap] = Edge{};
        --size_;
    }

    Gate gate_;
    std::unique_ptr<Edge[], Free> memory_;
    Slots slots_;
    std::size_t limit_ = 0, size_ = 0, max_slots_;
    bool joint_ = false;  // more than one searcher
};

// The tree as one searcher sees it, from entering to leaving it.
class Tree {
public:
    using Id = std::uint32_t;
    static constexpr Id kNone = 0xffffffffu;

    // Of a node: what the names of its edges begin with, and where they lie.
    struct Node {
        std::uint64_t name;
        std::size_t near;

        std::uint64_t edge(Action action) const { return name + nth(action); }
        static std::uint64_t nth(Action action) { return std::uint64_t(action) + 1; }
    };

    explicit Tree(Table& table) : table_(table) {}
    // Beside another searcher, which must not be inside.
    explicit Tree(Tree& other) : table_(other.table_) { table_.joint_ = true; }
    Tree& operator=(const Tree&) = delete;

    void enter() {
        table_.gate_.enter();
        slots_ = table_.slots_;
        joint_ = table_.joint_;
    }
    void leave() {
        table_.give_back(room_);
        room_ = 0;
        table_.gate_.leave();
    }

    // Makes room ahead of an iteration. Ids change.
    void reserve() {
        ++iterations_;
        if (has_room()) return;
        leave();
        table_.gate_.close();
        table_.make_room();
        table_.gate_.open();
        enter();
    }

    Node node(NodeKey key) const { return {key << 16, slots_.near(key << 16)}; }

    Id find(const Node& node, Action action) const {
        const std::uint64_t name = node.edge(action);
        for (std::size_t i = home(node, action);; i = slots_.after(i)) {
            const std::uint64_t there = load(slots_.edges[i].name);
            if (there == name) return Id(i);
            if (there == 0) return kNone;
        }
    }

    // The edge, made if there is none; none if the table is full.
    Id add(const Node& node, Action action, std::uint16_t prior = 0) {
        if (!has_room()) return kNone;
        const std::uint64_t name = node.edge(action);
        for (std::size_t i = home(node, action);; i = slots_.after(i)) {
            Edge& edge = slots_.edges[i];
            std::uint64_t there = load(edge.name);
            if (there == 0 && replace(edge.name, there, name)) {
                --room_;
                increase(edge.figures.value, Figures::value_of(0, prior));
                there = name;
            }
            if (there != name) continue;
            count_available(Id(i));
            return Id(i);
        }
    }

    Figures read(Id id) const {
        const Figures& there = at(id);
        return {load(there.visits), load(there.available), load(there.value)};
    }
    std::uint32_t visits(Id id) const { return load(at(id).visits); }

    void visit(Id id) { increase(at(id).visits, 1u); }
    // Threads pass each other what they change, and of every node on the way all moves are counted:
    // high counts go up in steps. Low ones may miss what other threads add in between.
    void count_available(Id id) {
        std::uint32_t& available = at(id).available;
        const std::uint32_t count = load(available);
        if (!joint_ || count < kManyAvailable)
            store(available, count + 1);
        else if (iterations_ % kStep == 0)
            increase(available, kStep);
    }
    void gain(Id id, std::int64_t utility) {
        increase(at(id).value, Figures::value_of(utility, 0));
    }
    // Replaces sum and prior by change(sum, prior), again if another thread was quicker.
    template <class Change>
    void update(Id id, Change change) {
        std::uint64_t& value = at(id).value;
        std::uint64_t old = load(value), next;
        do {
            const Figures before{.visits = 0, .available = 0, .value = old};
            std::int64_t sum = before.sum();
            std::uint16_t prior = before.prior();
            change(sum, prior);
            next = Figures::value_of(sum, prior);
        } while (!replace(value, old, next));
    }

private:
    static constexpr std::size_t kRoom = 64;  // taken at once where others take too
    static constexpr std::uint32_t kManyAvailable = 512, kStep = 16;

    Figures& at(Id id) const { return slots_.edges[id].figures; }

    std::size_t home(const Node& node, Action action) const {
        return (node.near + Node::nth(action)) & slots_.mask;
    }

    bool has_room() {
        if (room_ == 0)
            room_ = table_.take(joint_ ? kRoom : std::numeric_limits<std::size_t>::max());
        return room_ != 0;
    }

    // Whether the figure was still `old` and has changed; if not, `old` is what it is now.
    bool replace(std::uint64_t& figure, std::uint64_t& old, std::uint64_t by) const {
        if (joint_)
            return __atomic_compare_exchange_n(&figure, &old, by, false, __ATOMIC_RELAXED,
                                               __ATOMIC_RELAXED);
        store(figure, by);
        return true;
    }

    // Locked operations are slow even where nobody else is.
    template <class T>
    void increase(T& figure, T by) const {
        if (joint_)
            __atomic_fetch_add(&figure, by, __ATOMIC_RELAXED);
        else
            store(figure, T(figure + by));
    }

    Table& table_;
    Slots slots_;
    std::size_t room_ = 0;  // edges it may still make
    std::uint32_t iterations_ = 0;
    bool joint_ = false;
};

// Inside a tree for the time of a block.
class Stay {
public:
    explicit Stay(Tree& tree) : tree_(tree) { tree_.enter(); }
    ~Stay() { tree_.leave(); }
    Stay(const Stay&) = delete;
    Stay& operator=(const Stay&) = delete;

private:
    Tree& tree_;
};

HENRO_END
