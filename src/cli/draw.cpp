// SPDX-License-Identifier: MIT
//
// hlg draw: the sampler on raw logits from any framework. Everything is computed before anything is written, so that an
// error leaves neither half a file nor a stray line. What is not asked for goes to stderr.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <new>
#include <string>

#include <fmt/core.h>
#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/draw_report.hpp"
#include "cli/edit_options.hpp"
#include "cli/flags.hpp"
#include "cli/logits_file.hpp"
#include "cli/numbers.hpp"
#include "cli/output_file.hpp"
#include "cli/sampling_options.hpp"
#include "cli/terminal.hpp"

namespace hlg::cli {
namespace {

static_assert(std::endian::native == std::endian::little, "the files that draw reads and writes are little-endian");

// ln 1e-4: below it lies what people call the tail.
const double default_below = std::log(1e-4);

// Draws between two writes: enough to make the reading of the row cheap, few enough to stay in the cache.
constexpr std::size_t chunk = std::size_t{1} << 16U;

struct DrawOptions {
    std::string path;
    std::optional<Dtype> dtype;
    std::optional<std::int64_t> vocab;
    std::optional<std::int64_t> row;
    std::optional<std::int64_t> count;
    std::optional<std::uint64_t> index;
    std::optional<std::int64_t> choice;
    std::string probabilities;
    std::string shaped;
    bool stats = false;
    std::vector<double> below;
    SamplingOptions sampling;
    EditOptions edits;
};

/** Token ids wanted: one, unless something else was asked for. */
std::int64_t count_of(const DrawOptions& options) {
    const bool other = options.stats || !options.probabilities.empty() || !options.shaped.empty();
    return options.count.value_or(other ? 0 : 1);
}

/** The dtype that was given, else the one that the file's name tells. No guess: halves read as floats are numbers, too. */
Dtype dtype_of(const DrawOptions& options) {
    if (options.dtype) return *options.dtype;
    const std::size_t dot = options.path.rfind('.');
    const std::optional<Dtype> named =
        dot == std::string::npos ? std::nullopt : dtype_from(std::string_view(options.path).substr(dot + 1));
    if (named) return *named;
    throw UsageError(fmt::format("--dtype f32, f16 or bf16 is needed: {}",
                                 options.path == "-" ? "stdin does not say what its numbers are"
                                                     : fmt::format("the name {} does not end in one of them", options.path)));
}

/** Token ids come with a seed worth knowing; without them it counts only as a setting that was given. */
bool seed_matters(const DrawOptions& options) { return count_of(options) > 0 || options.sampling.given().seed.has_value(); }

/** Numbers and text on one stdout can't be told apart. */
void check_stdout(const DrawOptions& options) {
    const int binary = static_cast<int>(options.probabilities == "-") + static_cast<int>(options.shaped == "-");
    const bool text = options.stats || count_of(options) > 0;
    if (binary > 1 || (binary == 1 && text))
        throw UsageError("only one of --probs -, --shaped -, token ids and --stats can go to stdout");
    if (binary == 1 && stdout_is_terminal())
        throw UsageError(fmt::format("{} - writes binary numbers, and stdout is a terminal: redirect it, or name a file",
                                     options.shaped == "-" ? "--shaped" : "--probs"));
}

/** One logits row with its sampler. */
class Job {
public:
    explicit Job(const DrawOptions& options)
        : options_(options), logits_(read()), settings_(resolve()), sampler_(settings_.params) {}

    [[nodiscard]] const engine::ResolvedSettings& settings() const noexcept { return settings_; }

    [[nodiscard]] std::vector<double> probabilities() {
        std::vector<double> result(logits_.size());
        expect(sampler_.probabilities(step(), result));
        return result;
    }

    [[nodiscard]] std::vector<float> shaped() {
        std::vector<float> result(logits_.size());
        expect(sampler_.shape(step(), result));
        return result;
    }

    [[nodiscard]] std::string report(std::span<const double> probabilities) {
        DrawReport report{.row = options_.row.value_or(0),
                          .seed = seed_matters(options_) ? std::optional(settings_.params.seed) : std::nullopt,
                          .settings = settings_,
                          .logits = logits_,
                          .probabilities = probabilities,
                          .edits = options_.edits.edits(),
                          .statistics = {},
                          .mass_below = {}};
        for (const double below : options_.below.empty() ? std::vector{default_below} : options_.below) {
            expect(sampler_.statistics(step(), below, report.statistics));
            report.mass_below.push_back({below, report.statistics.mass_below});
        }
        return to_json(report);
    }

    /** Fills `tokens` with the generated tokens first, first + 1, ... */
    void draw(std::uint64_t first, std::span<std::int32_t> tokens) {
        const Position position{.index = options_.index.value_or(0) + first,
                                .choice = static_cast<std::uint32_t>(options_.choice.value_or(0))};
        expect(sampler_.draw_many(step(), position, tokens));
    }

private:
    [[nodiscard]] std::vector<float> read() const {
        options_.sampling.check();
        return read_logits({options_.path, dtype_of(options_), options_.vocab, options_.row.value_or(0)});
    }

    /** Looks at the logits first: an error is one line, without remarks on settings in front of it. */
    [[nodiscard]] engine::ResolvedSettings resolve() const {
        options_.edits.check(logits_.size());
        Sampler plain({});
        expect(plain.draw(step(), {}).status);
        return options_.sampling.resolve();
    }

    [[nodiscard]] Step step() const { return {.logits = logits_, .edits = options_.edits.edits()}; }

    /** Throws what `status` means for this row. */
    void expect(Status status) const {
        const std::string where =
            fmt::format("{}, row {}", options_.path == "-" ? "stdin" : options_.path, options_.row.value_or(0));
        switch (status) {
            case Status::ok: return;
            case Status::nan:
                throw UsageError(
                    fmt::format("{}: the logit of token {} is NaN", where, first([](float x) { return std::isnan(x); })));
            case Status::infinite: {
                const auto infinite = [](float x) { return x == std::numeric_limits<float>::infinity(); };
                throw UsageError(fmt::format("{}: the logit of token {} is +inf", where, first(infinite)));
            }
            case Status::no_token:
                throw UsageError(fmt::format("{}: no token is left, as all {} are masked{}", where, logits_.size(),
                                             options_.edits.edits().empty() ? "" : " or banned"));
            case Status::edit: throw UsageError("--bias adds up to more than a float32 holds");
            case Status::memory: throw std::bad_alloc();
            default: throw std::runtime_error(std::string(to_string(status)));
        }
    }

    template <class Is>
    [[nodiscard]] std::ptrdiff_t first(Is is) const {
        return std::find_if(logits_.begin(), logits_.end(), is) - logits_.begin();
    }

    const DrawOptions& options_;
    std::vector<float> logits_;
    engine::ResolvedSettings settings_;
    Sampler sampler_;
};

void print_tokens(Job& job, std::int64_t count) {
    std::vector<std::int32_t> tokens;
    fmt::memory_buffer text;
    for (std::uint64_t first = 0; first < static_cast<std::uint64_t>(count); first += tokens.size()) {
        tokens.resize(std::min<std::size_t>(chunk, static_cast<std::uint64_t>(count) - first));
        job.draw(first, tokens);
        text.clear();
        for (const std::int32_t token : tokens) fmt::format_to(std::back_inserter(text), "{}\n", token);
        write_file("-", {text.data(), text.size()});
    }
}

int draw(const DrawOptions& options) {
    check_stdout(options);
    const std::int64_t count = count_of(options);
    Job job(options);
    std::vector<double> probabilities;
    if (options.stats || !options.probabilities.empty()) probabilities = job.probabilities();
    const std::string report = options.stats ? job.report(probabilities) + "\n" : std::string();
    if (!options.shaped.empty()) write_file(options.shaped, raw_bytes(std::span<const float>(job.shaped())));
    if (!options.probabilities.empty()) write_file(options.probabilities, raw_bytes(std::span<const double>(probabilities)));
    print_tokens(job, count);
    write_file("-", report);
    if (count > 0 && !options.sampling.given().seed) fmt::print(stderr, "hlg draw: seed {}\n", job.settings().params.seed);
    return exit_ok;
}

void add_input(Flags& flags, DrawOptions& options) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    const auto read_dtype = [&options](const std::string& word) {
        options.dtype = dtype_from(word);
        if (!options.dtype) throw UsageError("--dtype must be f32, f16 or bf16, got " + word);
    };
    flags.text("--logits", "FILE", options.path, "Rows of raw little-endian numbers; - = stdin");
    flags.require("--logits");
    flags.word("--dtype", "f32|f16|bf16", read_dtype,
               "How one logit is stored (as the file's name ends: .f32, .f16, .bf16; else needed)");
    flags.whole("--vocab", options.vocab, 1, most, "Tokens a row (the whole file is one row)");
    flags.whole("--row", options.row, 0, std::numeric_limits<std::int64_t>::max(), "The row to take, from 0 (0)");
}

void add_output(Flags& flags, DrawOptions& options) {
    constexpr std::int64_t most = std::int64_t{1} << 53U;
    const auto read_below = [&options](const std::string& word) {
        options.below.push_back(parse_real(word).value_or(1.0));
        if (options.below.back() > 0.0 || !std::isfinite(options.below.back()))
            throw UsageError("--below must be a log-probability, finite nats and at most 0, got " + word);
    };
    flags.whole("--count", options.count, 0, most, "Token ids to draw, one a line (1; with an output below: 0)");
    flags.unsigned64("--index", options.index, "Index of the first of them among the generated tokens (0)");
    flags.whole("--choice", options.choice, 0, std::numeric_limits<std::uint32_t>::max(), "Which of a request's n answers (0)");
    flags.text("--probs", "FILE", options.probabilities, "Write the exact distribution, float64; - = stdout");
    flags.text("--shaped", "FILE", options.shaped, "Write the shaped logits, float32, -inf where undrawable; - = stdout");
    flags.on("--stats", options.stats, "One JSON object: entropy, top1, collision, surprisal, kl, tail mass, settings");
    flags.each("--below", "LOGPROB", read_below,
               "In --stats: mass that goes to tokens which the model gives less than this; repeatable (-9.21 = ln 1e-4)");
}

}  // namespace

void add_draw(CLI::App& app, Action& action) {
    auto options = std::make_shared<DrawOptions>();
    Flags flags(app, "draw", "Draw tokens from raw logits of any framework, or write their distribution");
    add_input(flags, *options);
    add_output(flags, *options);
    options->edits.add_to(flags);
    options->sampling.add_to(flags);
    flags.when_chosen([options, &action] { action = [options] { return draw(*options); }; });
}

}  // namespace hlg::cli
