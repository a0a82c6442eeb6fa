// The search tree: a hash table of edges keyed by (parent edge, action). An edge is also the node
// it leads to. 24 bytes an edge, at most 32 with the room the table keeps free when it is full.
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

struct Edge {
    std::uint32_t parent_plus_one;  // 0 marks a free slot
    std::uint32_t visits;
    std::uint32_t available;  // how often it could have been chosen
    Action action;
    std::uint16_t prior;  // of the choice when the edge was made, in 1/65535
    std::uint64_t sum;    // utility of the seat that chooses the edge, in 1/kUtilityOne
};
static_assert(sizeof(Edge) == 24);

class Tree {
public:
    using Id = std::uint32_t;
    static constexpr Id kRoot = 0xfffffffeu;

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
    Id find(Id parent, Action action) const {
        std::size_t i = home(parent, action);
        while (edges_[i].parent_plus_one != 0 &&
               (edges_[i].parent_plus_one != parent + 1 || edges_[i].action != action))
            i = (i + 1) & mask_;
        return Id(i);
    }
    bool is_free(Id id) const { return edges_[id].parent_plus_one == 0; }
    bool full() const { return size_ >= limit_; }
    std::size_t size() const { return size_; }

    void insert(Id slot, Id parent, Action action) {
        edges_[slot].parent_plus_one = parent + 1;
        edges_[slot].action = action;
        ++size_;
    }

    Edge& operator[](Id id) { return edges_[id]; }
    const Edge& operator[](Id id) const { return edges_[id]; }

    // Makes room ahead of an iteration; ids change. Without memory left the tree stays as it is.
    void reserve() {
        if (full() && mask_ + 1 < max_slots_) grow();
    }

private:
    static constexpr std::size_t kFirstSlots = 1 << 7;
    static constexpr std::size_t kMostSlots = std::size_t{1} << 31;

    struct Free {
        void operator()(Edge* edges) const { std::free(edges); }
    };
    using Slots = std::unique_ptr<Edge[], Free>;

    std::size_t home(Id parent, Action action) const {
        // Siblings lie close together: choosing among them touches one page, often one line.
        const std::uint64_t hash = (std::uint64_t(parent) + 1) * 0x9e3779b97f4a7c15u;
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

    void grow() {
        const std::size_t slots = mask_ + 1;
        std::unique_ptr<Id[], void (*)(void*)> moved(
            static_cast<Id*>(std::calloc(slots, sizeof(Id))), std::free);  // new id + 1
        Slots old = std::move(edges_);
        if (!moved || !allocate(slots * 2)) {
            edges_ = std::move(old);
            max_slots_ = slots;
            return;
        }
        for (Id id = 0; id < slots; ++id)
            if (old[id].parent_plus_one != 0) move_edge(old.get(), moved.get(), id);
    }

    // Parents first: a child's key holds its parent's new id.
    Id move_edge(const Edge* old, Id* moved, Id id) {
        if (moved[id] != 0) return moved[id] - 1;
        const Edge& edge = old[id];
        const Id parent = edge.parent_plus_one - 1 == kRoot
                              ? kRoot
                              : move_edge(old, moved, edge.parent_plus_one - 1);
        const Id slot = find(parent, edge.action);
        edges_[slot] = edge;
        edges_[slot].parent_plus_one = parent + 1;
        ++size_;
        moved[id] = slot + 1;
        return slot;
    }

    Slots edges_;
    std::size_t mask_ = 0, limit_ = 0, size_ = 0, max_slots_;
    int shift_ = 0;
};

HENRO_END
