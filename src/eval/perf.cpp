// SPDX-License-Identifier: MIT
#include "eval/perf.hpp"

#include <algorithm>
#include <chrono>
#include <sstream>
#include <stdexcept>

#include <fmt/core.h>

#include "eval/summary.hpp"

namespace hlg::eval {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kWords =
    "The ferry left the north shore late that morning because the fog lay thick over the water and nobody could see the far "
    "bank. "
    "Two farmers with a cart of apples waited beside the pier and argued about the price of salt while their horse ate the grass "
    "between the stones. When the bell rang at last the ferryman lifted the rope, counted his passengers twice, and pushed off "
    "with "
    "a long pole that was black with age. Halfway across a boy asked whether the river had ever frozen, and the old woman at the "
    "stern said that in her youth they had walked over it with lanterns to dance in the village on the other side.";

/** So many words of a text that goes round, begun at another one for each number. */
std::string prompt(std::size_t number, std::size_t words) {
    static const std::vector<std::string> all = [] {
        std::istringstream text(kWords);
        return std::vector<std::string>{std::istream_iterator<std::string>(text), {}};
    }();
    std::string text = fmt::format("{} days later:", number + 2);
    for (std::size_t i = 0; i < words; ++i) text += " " + all[(31 * number + i) % all.size()];
    return text;
}

/** Runs, whose prompts are never those of another run. */
class Timing {
public:
    Timing(TextSource& source, const PerfOptions& options, std::size_t at_a_time)
        : source_(source), options_(options), at_a_time_(at_a_time) {}

    PerfRun run(const Arm& arm, const Progress& progress) {
        PerfRun run;
        run.first_seconds = seconds(arm, 1, progress);
        const double decode = seconds(arm, 1 + options_.tokens, progress) - run.first_seconds;
        run.tokens_per_second = static_cast<double>(at_a_time_ * options_.tokens) / std::max(decode, 1e-9);
        return run;
    }

private:
    double seconds(const Arm& arm, std::size_t tokens, const Progress& progress) {
        std::vector<TextJob> jobs(at_a_time_);
        for (TextJob& job : jobs) {
            job.prompt = prompt(next_, options_.words);
            job.sampling = explicit_settings(arm.sampling);
            job.sampling.seed = ++next_;
            job.max_tokens = tokens;
            job.ignore_end = true;
        }
        const auto start = Clock::now();
        const std::vector<WrittenText> texts = write_all(source_, jobs, progress);
        const std::chrono::duration<double> took = Clock::now() - start;
        for (const WrittenText& text : texts) {
            if (!text.error.empty()) throw std::invalid_argument(text.error);
            if (text.generated_tokens != tokens)
                throw std::runtime_error(
                    fmt::format("{} tokens were asked for and {} came: the source ends texts early, or has no "
                                "room for prompts of {} words",
                                tokens, text.generated_tokens, options_.words));
        }
        return took.count();
    }

    TextSource& source_;
    const PerfOptions& options_;
    std::size_t at_a_time_;
    std::size_t next_ = 0;
};

double median(const std::vector<PerfPair>& pairs, std::size_t arm, double PerfRun::*what) {
    std::vector<double> values;
    values.reserve(pairs.size());
    for (const PerfPair& pair : pairs) values.push_back(pair[arm].*what);
    return weighted_quantile(values, std::vector<double>(values.size(), 1.0), 0.5);
}

struct Kind {
    const char* label;
    const char* unit;
    double PerfRun::*what;
};
constexpr std::array<Kind, 2> kinds{
    {{"Decoding", "tokens/s", &PerfRun::tokens_per_second}, {"First token", "s", &PerfRun::first_seconds}}};

void check(const PerfOptions& options) {
    if (options.arms.size() != 2) throw std::invalid_argument("two arms are compared");
    if (options.pairs < 2 || options.tokens < 1 || options.words < 1) throw std::invalid_argument("too little to measure");
    if (options.at_a_time.empty()) throw std::invalid_argument("no number of requests");
}

}  // namespace

std::vector<PerfPair> time_pairs(TextSource& source, const PerfOptions& options, std::size_t at_a_time,
                                 const Progress& progress) {
    Timing timing(source, options, at_a_time);
    const double all = static_cast<double>(options.pairs) + 1;
    std::vector<PerfPair> pairs;
    for (std::size_t pair = 0; pair <= options.pairs; ++pair) {
        const Progress share = [&](double) { return !progress || progress(static_cast<double>(pair) / all); };
        PerfPair runs;
        for (std::size_t i = 0; i < 2; ++i) {
            const std::size_t arm = (i + pair) % 2;
            runs[arm] = timing.run(options.arms[arm], share);
        }
        if (pair > 0) pairs.push_back(runs);  // the first one warms up
    }
    return pairs;
}

Interval median_ratio(const std::vector<PerfPair>& pairs, double PerfRun::*what, const BootstrapOptions& options) {
    std::vector<double> ratios;
    ratios.reserve(pairs.size());
    for (const PerfPair& pair : pairs) ratios.push_back(pair[1].*what / pair[0].*what);
    return bootstrap(
        Resampling::independent(ratios.size()),
        [&](std::span<const double> times) { return weighted_quantile(ratios, times, 0.5); }, options);
}

Report perf_report(TextSource& source, const PerfOptions& options, const Progress& progress) {
    check(options);
    const std::string first = options.arms[0].name;
    const std::string second = options.arms[1].name;
    Report report("perf", fmt::format("What {} costs beside {}, in time", second, first));
    report.input(source.facts().json());
    report.seed("bootstrap", options.bootstrap.seed);
    report.set("pairs", options.pairs);
    report.set("words", options.words);
    report.set("tokens", options.tokens);
    Table table({{"measure", "Measure"},
                 {"requests", "Requests at a time"},
                 {"unit", "Unit"},
                 {"first", first},
                 {"second", second},
                 {"ratio", fmt::format("{} / {}", second, first), "", 3, "median over pairs of runs", true}});
    for (std::size_t i = 0; i < options.at_a_time.size(); ++i) {
        const Progress share = [&](double done) {
            return !progress || progress((static_cast<double>(i) + done) / static_cast<double>(options.at_a_time.size()));
        };
        const std::vector<PerfPair> pairs = time_pairs(source, options, options.at_a_time[i], share);
        for (const Kind& kind : kinds) {
            Json row{{"measure", kind.label},
                     {"requests", std::to_string(options.at_a_time[i])},
                     {"unit", kind.unit},
                     {"first", number(median(pairs, 0, kind.what))},
                     {"second", number(median(pairs, 1, kind.what))}};
            const Interval ratio = median_ratio(pairs, kind.what, options.bootstrap);
            Table::put(row, "ratio", ratio);
            table.add(std::move(row));
            if (kind.what == &PerfRun::tokens_per_second)
                report.find(fmt::format("{} at a time: {} decodes at {:.3f} ({:.3f} to {:.3f}) times the speed of {}.",
                                        options.at_a_time[i], second, ratio.estimate, ratio.low, ratio.high, first));
        }
    }
    report.table("speed", std::move(table));
    report.section(
        "speed", fmt::format("{} beside {}, in pairs of runs", second, first),
        {"Decoding: all requests' tokens after the first one, over the time beyond that to the first tokens. First token: from "
         "the "
         "requests to the last one's first token. Times of a busy machine differ from run to run; ratios of pairs that ran one "
         "right after the other differ less."},
        {{{"title", "Ratios and their intervals"},
          {"table", "speed"},
          {"mark", "interval"},
          {"x", {{"key", "ratio"}}},
          {"y", {{"key", "requests"}, {"scale", "category"}}},
          {"facet", "measure"},
          {"rules", {{{"axis", "x"}, {"at", 1}}}}}},
        {"speed"});
    return report;
}

}  // namespace hlg::eval
