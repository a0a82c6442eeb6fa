// A list with a fixed capacity that lives where it is declared: nothing in a hot loop allocates.
#pragma once

#include <cstddef>

#include "core/isa.hpp"

HENRO_BEGIN

template <class T, std::size_t Capacity>
class List {
public:
    constexpr void push(const T& value) {
        HENRO_ASSERT(size_ < Capacity);
        items_[size_++] = value;
    }
    constexpr void clear() { size_ = 0; }
    constexpr std::size_t size() const { return size_; }
    constexpr const T& operator[](std::size_t i) const { return items_[i]; }
    constexpr T& operator[](std::size_t i) { return items_[i]; }
    constexpr const T* begin() const { return items_; }
    constexpr const T* end() const { return items_ + size_; }

private:
    std::size_t size_ = 0;
    T items_[Capacity];  // uninitialised on purpose: only the first size_ entries are read
};

HENRO_END
