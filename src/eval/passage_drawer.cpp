// SPDX-License-Identifier: MIT
#include "eval/passage_drawer.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/core.h>

namespace hlg::eval {
namespace {

constexpr std::uint64_t bands = 3;
constexpr std::uint64_t most_prompts = 100;
constexpr std::uint64_t most_samples = 1000;
constexpr std::size_t first_end_sample = 500;  // far from those of the texts without an end

}  // namespace

std::uint64_t text_seed(std::uint64_t run_seed, SeedBand band, std::size_t prompt, std::size_t sample) {
    return ((run_seed * bands + static_cast<std::uint64_t>(band)) * most_prompts + prompt) * most_samples + sample;
}

PassageDrawer::PassageDrawer(TextSource& source, const DiversityOptions& options, std::size_t texts, const Progress& progress)
    : source_(source), options_(options), texts_(texts), progress_(progress) {
    if (options.development.size() > most_prompts || options.held_out.size() > most_prompts)
        throw std::invalid_argument(fmt::format("at most {} prompts", most_prompts));
    if (options.samples > first_end_sample || options.end_samples > first_end_sample)
        throw std::invalid_argument(fmt::format("at most {} samples", first_end_sample));
}

const std::vector<std::string>& PassageDrawer::prompts(SeedBand band) const {
    return band == SeedBand::development ? options_.development : options_.held_out;
}

Progress PassageDrawer::share(std::size_t texts) const {
    return [this, texts](double part) {
        const double done = static_cast<double>(done_) + part * static_cast<double>(texts);
        return !progress_ || progress_(std::min(1.0, done / static_cast<double>(std::max<std::size_t>(texts_, 1))));
    };
}

std::vector<TextJob> PassageDrawer::jobs(const engine::SamplingSettings& sampling, const DrawPlan& plan) const {
    std::vector<TextJob> jobs;
    const std::vector<std::string>& prompts = this->prompts(plan.band);
    for (std::size_t prompt = 0; prompt < prompts.size(); ++prompt)
        for (std::size_t sample = plan.first; sample < plan.first + plan.samples; ++sample) {
            TextJob& job = jobs.emplace_back();
            job.label = fmt::format("{}, prompt {}, sample {}", plan.label, prompt + 1, sample + 1);
            job.prompt = prompts[prompt];
            job.sampling = sampling;
            job.sampling.seed = text_seed(options_.seed, plan.band, prompt, sample);
            job.max_tokens = options_.tokens;
            job.ignore_end = plan.ban_end;
            job.log_probabilities = plan.ban_end;
        }
    return jobs;
}

PassageTable PassageDrawer::draw(const engine::SamplingSettings& sampling, const DrawPlan& plan) {
    const std::vector<TextJob> jobs = this->jobs(sampling, plan);
    PassageTable table(prompts(plan.band).size());
    source_.write(
        jobs,
        [&](std::size_t job, const WrittenText& text) {
            const std::size_t prompt = job / plan.samples;
            table[prompt].push_back(
                read_passage(prompts(plan.band)[prompt], text, options_.real.empty() ? nullptr : &options_.real));
        },
        share(jobs.size()));
    done_ += jobs.size();
    return table;
}

EndRate PassageDrawer::end_rate(const engine::SamplingSettings& sampling, const std::string& label) {
    const DrawPlan plan{label, SeedBand::held_out, first_end_sample, options_.end_samples, false};
    const std::vector<TextJob> jobs = this->jobs(sampling, plan);
    EndRate rate;
    source_.write(
        jobs,
        [&](std::size_t, const WrittenText& text) {
            if (!text.error.empty()) throw std::runtime_error(text.error);
            const bool ended = text.finish == "stop";
            ++rate.texts;
            rate.ended += ended ? 1 : 0;
            rate.tokens += text.generated_tokens + (ended ? 1 : 0);
        },
        share(jobs.size()));
    done_ += jobs.size();
    return rate;
}

}  // namespace hlg::eval
