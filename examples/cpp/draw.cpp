// libhlg from C++: what the curve does to one next-token distribution, and a few draws from it.
#include <array>
#include <cstdint>
#include <cstdio>
#include <hlg/sampler.hpp>
#include <limits>
#include <vector>

namespace {

// Temperature and each named setting of the curve, side by side.
void compare(const hlg::Step& step) {
    std::printf("%-12s %8s %6s %10s %10s\n", "", "entropy", "top-1", "collision", "below 1e-4");
    const auto row = [&](const char* name, const hlg::SamplerParams& params) {
        hlg::Sampler sampler(params);
        hlg::Statistics statistics;
        const hlg::Status status = sampler.statistics(step, /*log_prob=*/-9.2, statistics);
        if (status != hlg::Status::ok) return std::printf("%-12s %s\n", name, hlg::to_string(status).data());
        return std::printf("%-12s %8.3f %6.3f %10.3f %10.2e\n", name, statistics.entropy, statistics.top1, statistics.collision,
                           statistics.mass_below);
    };
    row("temperature", {.temperature = 1.0});
    for (const hlg::Preset& preset : hlg::presets()) row(preset.name.data(), {.hlg = preset.params});
}

}  // namespace

int main() {
    // A model of 5,000 tokens: a handful of good ones, a long tail of noise.
    std::vector<float> logits(5000);
    for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = i < 20 ? 8.0F - 0.4F * static_cast<float>(i) : -4.0F;
    // The first token is banned. Edits act after the curve, so the curve still sees the model as it is.
    const std::array<hlg::Edit, 1> edits{{{0, -std::numeric_limits<float>::infinity()}}};
    const hlg::Step step{.logits = logits, .edits = edits};
    compare(step);

    try {
        hlg::SamplerParams params;
        params.seed = 7;
        params.hlg = hlg::CurveParams{.pivot = hlg::Pivot::entropy, .width = 1.5, .toe = 2.0, .toe_shape = hlg::ToeShape::fade};
        hlg::Sampler sampler(params);
        for (std::uint64_t index = 0; index < 10; ++index) {
            const hlg::Draw draw = sampler.draw(step, {.index = index});
            if (draw.status != hlg::Status::ok) return 1;
            std::printf("%d%c", draw.token, index < 9 ? ' ' : '\n');
        }
    } catch (const hlg::ParameterError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 2;
    }
    return 0;
}
