// SPDX-License-Identifier: MIT
#include "calibration.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

#include <fmt/core.h>
#include <llama.h>

#include "architecture.hpp"
#include "engine/backend.hpp"
#include "engine/model.hpp"
#include "gguf_file.hpp"

namespace hlg::tools {
namespace {

using Row = std::vector<float>;

// One prompt's entropy is a matter of luck with the few highest of many logits: it varies by a nat and more, as a trained model's
// does by what the text is about.
constexpr std::array<const char*, 4> prompts{
    "Once upon a time",
    "def area(width, height):\n    return",
    "Der Zug nach Norden h\xC3\xA4lt heute nicht in",
    "Q: Why is the sky blue at noon and red in the evening?\nA:",
};

/** A model read back from its file, and one sequence of tokens in it. */
class Reader {
public:
    explicit Reader(const std::string& path) : model_(load(path)) {
        llama_context_params params = llama_context_default_params();
        params.n_ctx = params.n_batch = params.n_ubatch = 256;
        params.n_outputs_max = 1;
        params.n_threads = params.n_threads_batch = 1;  // how work is shared out may change the last bits
        context_.reset(llama_init_from_model(model_.handle(), params));
        if (!context_) throw MakeError("no context for the model that was made: " + engine::take_backend_error());
    }

    [[nodiscard]] const engine::Model& model() const noexcept { return model_; }

    /** The logits of the token after the text. */
    [[nodiscard]] Row logits_after(const char* text) const {
        std::vector<engine::Token> tokens = model_.tokenize(text);
        llama_memory_clear(llama_get_memory(context_.get()), true);
        const llama_batch batch = llama_batch_get_one(tokens.data(), static_cast<std::int32_t>(tokens.size()));
        if (llama_decode(context_.get(), batch) != 0)
            throw MakeError("the model that was made does not decode: " + engine::take_backend_error());
        const float* logits = llama_get_logits_ith(context_.get(), -1);
        return {logits, logits + model_.vocabulary_size()};
    }

private:
    struct FreeContext {
        void operator()(llama_context* context) const noexcept { llama_free(context); }
    };

    static engine::Model load(const std::string& path) {
        auto model = engine::Model::load(path);
        if (!model) throw MakeError("the model that was made does not load: " + model.error().message);
        return std::move(*model);
    }

    engine::Model model_;
    std::unique_ptr<llama_context, FreeContext> context_;
};

std::vector<Row> logits_of(const Reader& reader) {
    std::vector<Row> rows;
    rows.reserve(prompts.size());
    for (const char* prompt : prompts) rows.push_back(reader.logits_after(prompt));
    return rows;
}

double entropy(const Row& row, double scale) {
    const double top = *std::max_element(row.begin(), row.end());
    double sum = 0.0;
    double weighted = 0.0;
    for (const float logit : row) {
        const double below = scale * (logit - top);
        const double weight = std::exp(below);
        sum += weight;
        weighted += weight * below;
    }
    return std::log(sum) - weighted / sum;
}

Entropies entropies(const std::vector<Row>& rows, double scale) {
    Entropies found{.lowest = INFINITY};
    for (const Row& row : rows) {
        const double nats = entropy(row, scale);
        found.lowest = std::min(found.lowest, nats);
        found.highest = std::max(found.highest, nats);
    }
    return found;
}

/** Three digits: what differs in the last bits of the logits between machines does not reach the file. */
double rounded(double scale) {
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), "%.3g", scale);
    return std::strtod(digits.data(), nullptr);
}

/** Bisects the logarithm of the scale: the larger the logits, the lower every entropy. */
double find_scale(const std::vector<Row>& rows, double target) {
    double low = 0.01;
    double high = 1000.0;
    while (high / low > 1.001) {
        const double middle = std::sqrt(low * high);
        (entropies(rows, middle).middle() > target ? low : high) = middle;
    }
    return rounded(low);
}

}  // namespace

Calibration calibrate(const std::string& path, double target) {
    const double scale = find_scale(logits_of(Reader(path)), target);
    fill_tensor(path, output_norm, static_cast<float>(scale));
    const Reader reader(path);
    const engine::Model& model = reader.model();
    const Calibration made{scale, entropies(logits_of(reader), 1.0), model.vocabulary_size(), model.parameters()};
    if (made.entropies.lowest < lowest_entropy || made.entropies.highest > highest_entropy) {
        throw MakeError(fmt::format(
            "entropies from {:.2f} to {:.2f} nats over the prompts, not within {} and {}: another --seed or --entropy may do",
            made.entropies.lowest, made.entropies.highest, lowest_entropy, highest_entropy));
    }
    return made;
}

}  // namespace hlg::tools
