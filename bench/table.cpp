#include "bench/table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace hlg::bench {

std::string grouped(long long value) {
    std::string text = std::to_string(value);
    for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
        text.insert(static_cast<std::size_t>(at), 1, ',');
    return text;
}

std::string three_digits(double value) {
    if (value >= 999.5) return grouped(std::llround(value));
    const int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    return text.data();
}

void Table::print(std::ostream& out) const {
    const std::size_t columns = rows_.front().size();
    std::vector<std::size_t> width(columns, 3);
    for (const auto& row : rows_)
        for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
    const auto print_row = [&](const std::vector<std::string>& row) {
        for (std::size_t c = 0; c < columns; ++c) {
            const std::string cell = c < row.size() ? row[c] : "";
            const std::string pad(width[c] - cell.size(), ' ');
            out << "| " << (c == 0 ? cell + pad : pad + cell) << ' ';
        }
        out << "|\n";
    };
    print_row(rows_.front());
    for (std::size_t c = 0; c < columns; ++c) out << (c == 0 ? "|:" : "|-") << std::string(width[c], '-') << (c == 0 ? "-" : ":");
    out << "|\n";
    std::for_each(rows_.begin() + 1, rows_.end(), print_row);
}

}  // namespace hlg::bench
