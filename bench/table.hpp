// A Markdown table whose columns line up in a terminal too.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace hlg::bench {

class Table {
public:
    explicit Table(std::vector<std::string> head) : rows_{std::move(head)} {}

    /** A row's cells; missing ones stay empty. */
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

    /** The first column is left-aligned, the others right. */
    void print(std::ostream& out) const;

private:
    std::vector<std::vector<std::string>> rows_;
};

/** A number with three significant digits, as people read it: 0.123, 1.23, 12.3, 123, 1,230. */
std::string three_digits(double value);

/** A count with separators: 262,144. */
std::string grouped(long long value);

}  // namespace hlg::bench
