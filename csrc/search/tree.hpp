// The memory of a search: a hash table of edges. An edge is a choice at a node, and a node is what
// a seat has seen since the root, as a 48-bit key. Edges do not point to each other, so that any of
// them can be dropped. 24 bytes an edge, at most 32 with the room the table keeps free.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "core/bits.hpp"
#include "core/game.hpp"

HENRO_BEGIN

// What a seat has seen since the root. Two nodes among a million share a key by an accident of one
// in 500; their figures then mix, nothing worse.
using NodeKey = std::uint64_t;

constexpr NodeKey step_key(NodeKey key, Action action) {
    key = (key ^ (std::uint64_t(action) + 1)) * 0x9e3779b97f4a7c15u;
    return key ^ (key >> 29);
}

struct Edge {
    std::uint32_t key_low;
    std::uint32_t visits;
    std::uint32_t available;  // how often it could have been chosen; 0 marks a free slot
    Action action;
    std::uint16_t prior;    // of the choice when the edge was made, in 1/65535
    std::int64_t sum : 48;  // utility of the seat that chooses the edge, in 1/kUtilityOne
    std::uint64_t key_high : 16;
};
static_assert(sizeof(Edge) == 24);

class Tree {
public:
    using Id = std::uint32_t;

    // Starts with room for `expected` edges, as far as max_bytes allow, and grows up to max_bytes.
    Tree(std::size_t max_bytes, std::size_t expected)
        : max_slots_(std::min(std::bit_floor(std::max(max_bytes / sizeof(Edge), kFirstSlots)),
                              kMostSlots)) {
        const std::size_t wanted = std::bit_ceil(std::min(expected, kMostSlots) / 3 * 4);
        std::size_t slots = std::clamp(wanted, kFirstSlots, max_slots_);
        while (!allocate(slots) && slots > kFirstSlots) slots /= 2;
        if (!edges_) throw std::bad_alloc();
    }

    // The slot of the edge, or the free slot where it belongs.
    Id find(NodeKey key, Action action) const {
        std::size_t i = home(key, action);
        while (edges_[i].available != 0 && !is(edges_[i], key, action)) i = (i + 1) & mask_;
        return Id(i);
    }
    bool is_free(Id id) const { return edges_[id].available == 0; }
    bool full() const { return size_ >= limit_; }
    std::size_t size() const { return size_; }

    void insert(Id slot, NodeKey key, Action action) {
        Edge& edge = edges_[slot];
        edge.key_low = std::uint32_t(key);
        edge.key_high = std::uint16_t(key >> 32);
        edge.action = action;
        edge.available = 1;
        ++size_;
    }

    void clear() {
        std::fill_n(edges_.get(), mask_ + 1, Edge{});
        size_ = 0;
    }

    Edge& operator[](Id id) { return edges_[id]; }
    const Edge& operator[](Id id) const { return edges_[id]; }

    // Makes room ahead of an iteration: grows or, at its full size, drops the edges visited least.
    // Ids change.
    void reserve() {
        if (!full()) return;
        if (mask_ + 1 >= max_slots_ || !grow()) recycle();
    }

private:
    static constexpr std::size_t kFirstSlots = 1 << 7;
    static constexpr std::size_t kMostSlots = std::size_t{1} << 31;

    struct Free {
        void operator()(Edge* edges) const { std::free(edges); }
    };
    using Slots = std::unique_ptr<Edge[], Free>;

    static bool is(const Edge& edge, NodeKey key, Action action) {
        return edge.key_low == std::uint32_t(key) && edge.action == action &&
               edge.key_high == std::uint16_t(key >> 32);
    }

    static NodeKey key_of(const Edge& edge) {
        return edge.key_low | std::uint64_t(edge.key_high) << 32;
    }

    std::size_t home(NodeKey key, Action action) const {
        // Siblings lie close together: choosing among them touches one page, often one line.
        const std::uint64_t hash = (key << 16) * 0x9e3779b97f4a7c15u;
        return (std::size_t(hash >> shift_) + action) & mask_;
    }

    bool allocate(std::size_t slots) {
        Slots edges(static_cast<Edge*>(std::calloc(slots, sizeof(Edge))));
        if (!edges) return false;
        edges_ = std::move(edges);
        mask_ = slots - 1;
        shift_ = 64 - std::countr_zero(slots);
        limit_ = slots / 4 * 3;
        size_ = 0;
        return true;
    }

    bool grow() {
        const std::size_t slots = mask_ + 1;
        Slots old = std::move(edges_);
        if (!allocate(slots * 2)) {
            edges_ = std::move(old);
            max_slots_ = slots;
            return false;
        }
        for (std::size_t i = 0; i < slots; ++i)
            if (old[i].available != 0) {
                edges_[find(key_of(old[i]), old[i].action)] = old[i];
                ++size_;
            }
        return true;
    }

    // Drops the edges visited least until at most half of the room is taken.
    void recycle() {
        for (std::uint32_t most = 1; size_ > limit_ / 2; most *= 2)
            for (std::size_t i = 0; i <= mask_;)
                if (edges_[i].available != 0 && edges_[i].visits <= most)
                    remove(i);  // another edge may have moved here: look again
                else
                    ++i;
    }

    // Closes the gap by moving up later edges whose way from home leads past it.
    void remove(std::size_t gap) {
        for (std::size_t i = (gap + 1) & mask_; edges_[i].available != 0; i = (i + 1) & mask_) {
            const std::size_t from = home(key_of(edges_[i]), edges_[i].action);
            if (((i - from) & mask_) < ((i - gap) & mask_)) continue;
            edges_[gap] = edges_[i];
            gap = i;
        }
        edges_[gap] = Edge{};
        --size_;
    }

    Slots edges_;
    std::size_t mask_ = 0, limit_ = 0, size_ = 0, max_slots_;
    int shift_ = 0;
};

HENRO_END
