// What the measurements mean: a few tables, and which of the project's bars they clear.
#pragma once

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "bench/contexts.hpp"
#include "bench/subjects.hpp"

namespace hlg::bench {

/** One subject on one context. */
struct Measured {
    double us = 0;           ///< a token
    double floor_us = 0;     ///< the maximum of the same array
    double ratio = 0;        ///< token over floor
    double allocations = 0;  ///< a token
};

class Summary {
public:
    /** Both must outlive the summary. */
    Summary(const std::vector<Subject>& subjects, const std::vector<Context>& contexts)
        : subjects_(subjects), contexts_(contexts) {}

    /** Takes a run of "subject/context" or "subject/rotation"; of several for one name (--benchmark_repetitions) the median of
     * each number counts. */
    void add(const std::string& name, const Measured& run) { runs_[name].push_back(run); }

    /** Every table that there are measurements for. */
    void print(std::ostream& out) const;

private:
    using Contexts = std::vector<const Context*>;

    /** False when that pair was not run. */
    bool find(const std::string& subject, const std::string& context, Measured& found) const;
    template <class Value>
    std::vector<double> collect(const std::string& subject, const Contexts& over, const Value& value) const;
    std::vector<double> ratios(const std::string& subject, const Contexts& over) const;
    std::vector<double> gains(const std::string& subject, const char* rival, const Contexts& over) const;
    template <class Test>
    Contexts select(const Test& test) const;
    Contexts real() const;
    Contexts largest() const;

    void print_contexts(std::ostream& out, const std::string& title, const Contexts& over) const;
    void print_rivals(std::ostream& out) const;
    struct Column {
        std::string label, context;
    };
    void print_grid(std::ostream& out, const std::string& title, const std::vector<Column>& columns) const;
    void print_grids(std::ostream& out) const;
    void print_bars(std::ostream& out) const;

    const std::vector<Subject>& subjects_;
    const std::vector<Context>& contexts_;
    std::map<std::string, std::vector<Measured>> runs_;
};

}  // namespace hlg::bench
