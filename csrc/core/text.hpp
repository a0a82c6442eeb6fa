// Reading and writing one-line texts: a first word, then key=value parts in any order. Used by the
// views and positions of every game, so that errors sound alike and name the part at fault.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace henro {

inline std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

// A quoted piece of a caller's text for a message: printable and not endless.
inline std::string quoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text.substr(0, 60)) out += c >= ' ' && c <= '~' ? c : '?';
    return out + (text.size() > 60 ? "...'" : "'");
}

// The key=value parts of one text. `keys` lists every part the text must have, and no other.
class Fields {
public:
    Fields(ErrorKind kind, std::string_view text, std::string_view name,
           const std::vector<std::string_view>& keys)
        : kind_(kind), keys_(keys), values_(keys.size()), present_(keys.size()) {
        std::vector<std::string_view> parts;
        for (const std::string_view part : split(text, ' '))
            if (!part.empty()) parts.push_back(part);
        if (parts.empty() || parts[0] != name)
            throw Error(kind_, what() + " must start with '" + std::string(name) + "', not " +
                                   quoted(parts.empty() ? "" : parts[0]));
        for (std::size_t i = 1; i < parts.size(); ++i) read(parts[i]);
        for (std::size_t k = 0; k < keys_.size(); ++k)
            if (!present_[k])
                throw Error(kind_, what() + ": part '" + std::string(keys_[k]) + "=' is missing");
    }

    std::string_view operator[](std::string_view key) const { return values_[index(key)]; }

    [[noreturn]] void fail(std::string_view key, const std::string& rule) const {
        throw Error(kind_,
                    what() + ": " + std::string(key) + "=" + shortened((*this)[key]) + ": " + rule);
    }

    int number(std::string_view key, std::string_view text, int low, int high) const {
        // Digits alone, without sign or leading zeros: a text has one way to write a number.
        unsigned value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size() || value < unsigned(low) ||
            value > unsigned(high) || (text.size() > 1 && text[0] == '0'))
            fail(key, quoted(text) + " is not a whole number from " + std::to_string(low) + " to " +
                          std::to_string(high));
        return int(value);
    }
    int number(std::string_view key, int low, int high) const {
        return number(key, (*this)[key], low, high);
    }

    // Comma-separated entries, exactly `size` of them.
    std::vector<std::string_view> list(std::string_view key, std::size_t size,
                                       char separator = ',') const {
        std::vector<std::string_view> entries = split((*this)[key], separator);
        if (entries.size() != size)
            fail(key, "has " + std::to_string(entries.size()) + " entries where " +
                          std::to_string(size) + " are needed");
        return entries;
    }

private:
    std::string what() const { return kind_ == ErrorKind::view ? "view" : "position"; }
    static std::string shortened(std::string_view text) {
        std::string q = quoted(text);
        return q.substr(1, q.size() - 2);
    }

    std::size_t index(std::string_view key) const {
        std::size_t k = 0;
        while (keys_[k] != key) ++k;
        return k;
    }

    void read(std::string_view part) {
        const std::size_t equals = part.find('=');
        const std::string_view key = part.substr(0, equals);
        for (std::size_t k = 0; k < keys_.size(); ++k) {
            if (keys_[k] != key || equals == std::string_view::npos) continue;
            if (present_[k])
                throw Error(kind_, what() + ": part '" + std::string(key) + "=' comes twice");
            present_[k] = true;
            values_[k] = part.substr(equals + 1);
            return;
        }
        throw Error(kind_, what() + ": unknown part " + quoted(part));
    }

    ErrorKind kind_;
    std::vector<std::string_view> keys_;
    std::vector<std::string_view> values_;
    std::vector<bool> present_;
};

}  // namespace henro
