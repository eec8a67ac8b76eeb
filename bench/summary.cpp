#include "bench/summary.hpp"

#include <algorithm>
#include <cmath>

#include "bench/measure.hpp"
#include "bench/table.hpp"

namespace hlg::bench {
namespace {

constexpr std::size_t kLargest = 262144;

/** The value that a tenth of all exceed: nearest rank. */
double p90(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(std::ceil(0.9 * static_cast<double>(values.size()))) - 1];
}

double worst(const std::vector<double>& values) { return values.empty() ? 0 : *std::max_element(values.begin(), values.end()); }

}  // namespace

bool Summary::find(const std::string& subject, const std::string& context, Measured& found) const {
    const auto at = runs_.find(subject + "/" + context);
    if (at == runs_.end()) return false;
    const auto middle = [&](double Measured::*field) {
        std::vector<double> values;
        for (const Measured& run : at->second) values.push_back(run.*field);
        return median(std::move(values));
    };
    found = {middle(&Measured::us), middle(&Measured::floor_us), middle(&Measured::ratio), middle(&Measured::allocations)};
    return true;
}

template <class Value>
std::vector<double> Summary::collect(const std::string& subject, const Contexts& over, const Value& value) const {
    std::vector<double> values;
    Measured found;
    for (const Context* context : over)
        if (find(subject, context->name, found)) values.push_back(value(found, *context));
    return values;
}

std::vector<double> Summary::ratios(const std::string& subject, const Contexts& over) const {
    return collect(subject, over, [](const Measured& m, const Context&) { return m.ratio; });
}

// Through the floor, which was measured beside both: what else the machine did meanwhile cancels.
std::vector<double> Summary::gains(const std::string& subject, const char* rival, const Contexts& over) const {
    std::vector<double> values;
    Measured own;
    Measured other;
    for (const Context* context : over)
        if (find(subject, context->name, own) && find(rival, context->name, other)) values.push_back(other.ratio / own.ratio);
    return values;
}

template <class Test>
Summary::Contexts Summary::select(const Test& test) const {
    Contexts chosen;
    for (const Context& context : contexts_)
        if (test(context)) chosen.push_back(&context);
    return chosen;
}

Summary::Contexts Summary::real() const {
    return select([](const Context& context) { return context.real; });
}

Summary::Contexts Summary::largest() const {
    auto measured = select([](const Context& context) { return context.real && context.vocab == kLargest; });
    if (!measured.empty()) return measured;
    return select([](const Context& context) { return context.vocab == kLargest && context.group != "flat"; });
}

void Summary::print_contexts(std::ostream& out, const std::string& title, const Contexts& over) const {
    if (over.empty()) return;
    Table table({title, "us", "x max: median", "p90", "worst", "allocations"});
    bool any = false;
    const auto us = [](const Measured& m, const Context&) { return m.us; };
    const auto floor_us = [](const Measured& m, const Context&) { return m.floor_us; };
    const auto taken = [](const Measured& m, const Context&) { return m.allocations; };
    std::vector<double> floors;
    for (const Subject& subject : subjects_) {
        const auto ratio = ratios(subject.name, over);
        if (ratio.empty()) continue;
        any = true;
        const auto floor = collect(subject.name, over, floor_us);
        floors.insert(floors.end(), floor.begin(), floor.end());
        table.add({subject.label, three_digits(median(collect(subject.name, over, us))), three_digits(median(ratio)),
                   three_digits(p90(ratio)), three_digits(worst(ratio)),
                   grouped(std::llround(worst(collect(subject.name, over, taken))))});
    }
    if (!any) return;
    table.add({"one-pass max (the floor)", three_digits(median(floors)), "1.00", "1.00", "1.00", "0"});
    out << '\n';
    table.print(out);
}

void Summary::print_rivals(std::ostream& out) const {
    const auto over = largest();
    Table table({"times faster than llama.cpp, 262,144 tokens", "temp -> dist", "its default chain"});
    bool any = false;
    for (const Subject& subject : subjects_) {
        if (subject.kind != Subject::Kind::draw) continue;
        const auto full = gains(subject.name, kRivalTemperature, over);
        const auto usual = gains(subject.name, kRivalUsual, over);
        if (full.empty() && usual.empty()) continue;
        any = true;
        table.add(
            {subject.label, full.empty() ? "" : three_digits(median(full)), usual.empty() ? "" : three_digits(median(usual))});
    }
    if (!any) return;
    out << "\nMedian over " << over.size() << (over.front()->real ? " real" : " synthetic") << " contexts.\n\n";
    table.print(out);
}

void Summary::print_grid(std::ostream& out, const std::string& title, const std::vector<Column>& columns) const {
    std::vector<std::string> head{title};
    for (const Column& column : columns) head.push_back(column.label);
    Table table(head);
    bool any = false;
    for (const Subject& subject : subjects_) {
        std::vector<std::string> row{subject.label};
        bool filled = false;
        for (const Column& column : columns) {
            Measured found;
            const bool there = find(subject.name, column.context, found);
            filled = filled || there;
            row.push_back(there ? three_digits(found.ratio) : "");
        }
        if (filled) table.add(std::move(row));
        any = any || filled;
    }
    if (!any) return;
    out << '\n';
    table.print(out);
}

void Summary::print_grids(std::ostream& out) const {
    std::vector<Column> synthetic;
    for (const Context* context : select([](const Context& one) { return !one.real; }))
        synthetic.push_back({context->group + " " + std::to_string(context->vocab / 1000) + "k", context->name});
    print_grid(out, "synthetic, x max", synthetic);
    std::vector<Column> rotated;
    for (const Rotated& one : rotations(contexts_))
        rotated.push_back({std::to_string(one.contexts.size()) + " of " + one.model, one.name()});
    print_grid(out, "a model's contexts in rotation, x max", rotated);
}

void Summary::print_bars(std::ostream& out) const {
    Table table({"bar", "wanted", "measured", ""});
    bool any = false;
    const auto bar = [&](const std::string& what, const std::vector<double>& values, double value, double wanted, bool at_least) {
        if (values.empty()) return;
        any = true;
        const bool met = at_least ? value >= wanted : value <= wanted;
        table.add({what, (at_least ? ">= " : "<= ") + three_digits(wanted), three_digits(value), met ? "met" : "MISSED"});
    };
    const auto real_ones = real();
    for (const char* name : {"temperature", "hlg_top_note", "hlg_top_fade"}) {
        const auto ratio = ratios(name, real_ones);
        bar(std::string(name) + ", real, x max: median", ratio, median(ratio), 1.5, false);
        bar(std::string(name) + ", p90", ratio, p90(ratio), 4, false);
        bar(std::string(name) + ", worst", ratio, worst(ratio), 10, false);
        const auto full = gains(name, kRivalTemperature, largest());
        const auto usual = gains(name, kRivalUsual, largest());
        bar(std::string(name) + ", times faster than temp -> dist", full, median(full), 100, true);
        bar(std::string(name) + ", times faster than the default chain", usual, median(usual), 10, true);
    }
    const auto entropy = ratios("hlg_entropy", real_ones);
    const auto middle = ratios("hlg_median", real_ones);
    bar("hlg_entropy, real, x max: median", entropy, median(entropy), 6, false);
    bar("hlg_median, real, x max: median", middle, median(middle), 10, false);
    const auto flat = select([](const Context& context) { return context.group == "flat"; });
    for (const char* name : {"temperature", "hlg_top_note", "hlg_top_fade", "hlg_entropy", "hlg_median"}) {
        const auto ratio = ratios(name, flat);
        bar(std::string(name) + ", flat, x max: worst", ratio, worst(ratio), 15, false);
    }
    const auto everything = select([](const Context&) { return true; });
    double taken = 0;
    for (const Subject& subject : subjects_)
        if (subject.kind == Subject::Kind::draw)
            taken = std::max(
                taken, worst(collect(subject.name, everything, [](const Measured& m, const Context&) { return m.allocations; })));
    bar("allocations a token, every draw of ours, worst", {taken}, taken, 0, false);
    if (!any) return;
    out << '\n';
    table.print(out);
}

void Summary::print(std::ostream& out) const {
    const auto real_ones = real();
    if (!real_ones.empty()) print_contexts(out, grouped(static_cast<long long>(real_ones.size())) + " real contexts", real_ones);
    print_rivals(out);
    print_grids(out);
    print_bars(out);
}

}  // namespace hlg::bench
