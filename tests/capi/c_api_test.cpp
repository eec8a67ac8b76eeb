// The C interface's settings: struct sizes, messages, status texts. What happens to a step is in c_api_step_test.cpp.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "hlg/curve.hpp"
#include "hlg/hlg.h"

namespace {

hlg_params defaults() {
    hlg_params params;
    EXPECT_EQ(hlg_params_init(&params, sizeof params), HLG_OK);
    return params;
}

// A NaN differs from itself, its bytes do not.
using Bytes = std::array<unsigned char, sizeof(hlg_params)>;
Bytes bytes(const hlg_params& params) { return std::bit_cast<Bytes>(params); }

// The status and the message of hlg_sampler_new; the sampler is freed.
struct Made {
    hlg_status status;
    std::string message;
    bool sampler;
};

Made make(const hlg_params* params) {
    std::array<char, 200> message{"stale"};
    hlg_sampler* sampler = nullptr;
    const hlg_status status = hlg_sampler_new(params, &sampler, message.data(), message.size());
    Made made{status, message.data(), sampler != nullptr};
    hlg_sampler_free(sampler);
    return made;
}

// A program built with a later version, whose struct has more fields.
struct Later {
    hlg_params known;
    std::array<double, 3> added;
};

TEST(CParams, InitGivesTheDocumentedDefaults) {
    const hlg_params params = defaults();
    EXPECT_EQ(params.size, sizeof(hlg_params));
    EXPECT_EQ(params.temperature, 1.0);
    EXPECT_EQ(params.top_p, 1.0);
    EXPECT_EQ(params.min_p, 0.0);
    EXPECT_EQ(params.top_k, 0);
    EXPECT_EQ(params.seed, 0U);
    EXPECT_EQ(params.hlg, 0);
    EXPECT_EQ(params.pivot, HLG_PIVOT_ENTROPY);
    EXPECT_EQ(params.toe_shape, HLG_TOE_FADE);
    EXPECT_EQ(params.reserved, 0);
    EXPECT_TRUE(std::isnan(params.pivot_offset));
    EXPECT_EQ(params.width, 1.6);
    EXPECT_EQ(params.shoulder, 0.6);
    EXPECT_EQ(params.toe, 2.0);
    EXPECT_TRUE(make(&params).sampler);
}

// Fields are only ever appended: a program built against this version must find them where they are now.
TEST(CParams, LayoutIsFixed) {
    EXPECT_EQ(offsetof(hlg_params, size), 0U);
    EXPECT_EQ(offsetof(hlg_params, temperature), sizeof(std::size_t));
    EXPECT_EQ(offsetof(hlg_params, hlg), sizeof(std::size_t) + 40);
    EXPECT_EQ(offsetof(hlg_params, pivot_offset), sizeof(std::size_t) + 56);
    EXPECT_EQ(sizeof(hlg_params), sizeof(std::size_t) + 88);
    EXPECT_EQ(sizeof(hlg_edit), 8U);
    EXPECT_EQ(sizeof(hlg_position), 16U);
    EXPECT_EQ(sizeof(hlg_statistics), 56U);
}

TEST(CParams, InitRefusesSizesThatNoVersionHas) {
    hlg_params params;
    std::memset(static_cast<void*>(&params), 0x5A, sizeof params);
    const Bytes untouched = bytes(params);
    for (const std::size_t size :
         {std::size_t{0}, sizeof params - 1, std::size_t{4097}, std::numeric_limits<std::size_t>::max()}) {
        EXPECT_EQ(hlg_params_init(&params, size), HLG_ERROR_ARGUMENT) << size;
        EXPECT_EQ(bytes(params), untouched) << size;
    }
    EXPECT_EQ(hlg_params_init(nullptr, sizeof params), HLG_ERROR_ARGUMENT);
}

TEST(CParams, NewRefusesSizesThatNoVersionHas) {
    hlg_params params = defaults();
    for (const std::size_t size :
         {std::size_t{0}, sizeof params - 1, std::size_t{4097}, std::numeric_limits<std::size_t>::max()}) {
        params.size = size;
        const Made made = make(&params);
        EXPECT_EQ(made.status, HLG_ERROR_ARGUMENT) << size;
        EXPECT_NE(made.message.find("hlg_params_init"), std::string::npos) << made.message;
        EXPECT_EQ(hlg_params_preset(&params, "note"), HLG_ERROR_ARGUMENT) << size;
    }
}

TEST(CParams, ALaterProgramsUnsetFieldsAreFine) {
    Later later;
    std::memset(static_cast<void*>(&later), 0x5A, sizeof later);
    ASSERT_EQ(hlg_params_init(&later.known, sizeof later), HLG_OK);
    EXPECT_EQ(later.known.size, sizeof later);
    for (const double added : later.added) EXPECT_EQ(added, 0.0);
    EXPECT_EQ(hlg_params_preset(&later.known, "balanced"), HLG_OK);
    EXPECT_TRUE(make(&later.known).sampler);
}

// A setting that this library does not know must not be dropped silently.
TEST(CParams, ALaterProgramsSetFieldsAreRefused) {
    Later later;
    ASSERT_EQ(hlg_params_init(&later.known, sizeof later), HLG_OK);
    later.added.back() = 1;
    const Made made = make(&later.known);
    EXPECT_EQ(made.status, HLG_ERROR_ARGUMENT);
    EXPECT_NE(made.message.find("newer"), std::string::npos) << made.message;
}

TEST(CParams, PresetsAreThoseOfTheCppInterface) {
    std::size_t i = 0;
    for (const hlg::Preset& preset : hlg::presets()) {
        ASSERT_EQ(hlg_preset_name(i++), preset.name);
        hlg_params params = defaults();
        params.temperature = 0.3;
        params.seed = 9;
        ASSERT_EQ(hlg_params_preset(&params, preset.name.data()), HLG_OK);
        EXPECT_EQ(params.hlg, 1);
        EXPECT_EQ(params.pivot, static_cast<int>(preset.params.pivot));
        EXPECT_EQ(params.toe_shape, static_cast<int>(preset.params.toe_shape));
        EXPECT_EQ(params.pivot_offset, preset.params.pivot_offset.value_or(hlg::default_offset(preset.params.pivot)));
        EXPECT_EQ(params.width, preset.params.width);
        EXPECT_EQ(params.shoulder, preset.params.shoulder);
        EXPECT_EQ(params.toe, preset.params.toe);
        EXPECT_EQ(params.temperature, 0.3);
        EXPECT_EQ(params.seed, 9U);
    }
    EXPECT_EQ(hlg_preset_name(i), nullptr);
}

TEST(CParams, AnUnknownPresetChangesNothing) {
    hlg_params params = defaults();
    const Bytes before = bytes(params);
    EXPECT_EQ(hlg_params_preset(&params, ""), HLG_ERROR_PARAMETER);
    EXPECT_EQ(hlg_params_preset(&params, "NOTE"), HLG_ERROR_PARAMETER);
    EXPECT_EQ(hlg_params_preset(&params, nullptr), HLG_ERROR_ARGUMENT);
    EXPECT_EQ(hlg_params_preset(nullptr, "note"), HLG_ERROR_ARGUMENT);
    EXPECT_EQ(bytes(params), before);
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(CSamplerNew, EverySettingOutOfItsRangeIsNamed) {
    const auto message = [](auto field, auto value) {
        hlg_params params = defaults();
        params.hlg = 1;
        params.*field = value;
        const Made made = make(&params);
        EXPECT_EQ(made.status, HLG_ERROR_PARAMETER) << made.message;
        EXPECT_FALSE(made.sampler);
        return made.message;
    };
    EXPECT_EQ(message(&hlg_params::temperature, -0.5), "[temperature] must be between 0 and 100, got -0.5");
    EXPECT_EQ(message(&hlg_params::temperature, 101.0), "[temperature] must be between 0 and 100, got 101");
    EXPECT_EQ(message(&hlg_params::temperature, kNan), "[temperature] must be between 0 and 100, got nan");
    EXPECT_EQ(message(&hlg_params::top_p, 1.5), "[top_p] must be between 0 and 1, got 1.5");
    EXPECT_EQ(message(&hlg_params::min_p, -1.0), "[min_p] must be between 0 and 1, got -1");
    EXPECT_EQ(message(&hlg_params::top_k, std::int64_t{-2}), "[top_k] must be >= 0, or -1 for off, got -2");
    EXPECT_EQ(message(&hlg_params::pivot, 3), "[hlg.pivot] must be top, entropy or median, got 3");
    EXPECT_EQ(message(&hlg_params::toe_shape, -1), "[hlg.toe_shape] must be log or fade, got -1");
    EXPECT_EQ(message(&hlg_params::pivot_offset, 1e5), "[hlg.pivot_offset] must be between -10000 and 10000, got 100000");
    EXPECT_EQ(message(&hlg_params::pivot_offset, -kInf), "[hlg.pivot_offset] must be between -10000 and 10000, got -inf");
    EXPECT_EQ(message(&hlg_params::width, -1.0), "[hlg.width] must be >= 0 or off, got -1");
    EXPECT_EQ(message(&hlg_params::shoulder, 0.0), "[hlg.shoulder] must be > 0 or off, got 0");
    EXPECT_EQ(message(&hlg_params::toe, kNan), "[hlg.toe] must be > 0 or off, got nan");
    EXPECT_EQ(message(&hlg_params::hlg, 2), "[hlg] must be 0 or 1, got 2");
    EXPECT_EQ(message(&hlg_params::reserved, 1), "[reserved] must be 0, got 1");
}

TEST(CSamplerNew, TheCurvesKnobsAreNotLookedAtWhileItIsOff) {
    hlg_params params = defaults();
    params.pivot = 77;
    params.toe = -1;
    EXPECT_TRUE(make(&params).sampler);
}

TEST(CSamplerNew, InfinityMeansOff) {
    hlg_params params = defaults();
    params.hlg = 1;
    params.width = params.shoulder = params.toe = kInf;
    EXPECT_TRUE(make(&params).sampler);
}

TEST(CSamplerNew, MessagesAreCutToTheBuffer) {
    hlg_params params = defaults();
    params.temperature = -1;
    const std::string whole = make(&params).message;
    for (std::size_t size = 0; size <= whole.size() + 2; ++size) {
        std::vector<char> buffer(size + 8, '#');
        hlg_sampler* sampler = nullptr;
        EXPECT_EQ(hlg_sampler_new(&params, &sampler, buffer.data(), size), HLG_ERROR_PARAMETER);
        const std::size_t length = size == 0 ? 0 : std::min(size - 1, whole.size());
        EXPECT_EQ(std::string(buffer.data(), length), whole.substr(0, length));
        if (size > 0) {
            EXPECT_EQ(buffer[length], '\0');
        }
        EXPECT_EQ(std::string(buffer.data() + size, 8), "########") << "wrote past " << size << " bytes";
    }
}

TEST(CSamplerNew, NullPointers) {
    hlg_params params = defaults();
    hlg_sampler* sampler = nullptr;
    EXPECT_EQ(hlg_sampler_new(&params, nullptr, nullptr, 0), HLG_ERROR_ARGUMENT);
    EXPECT_EQ(hlg_sampler_new(nullptr, nullptr, nullptr, 0), HLG_ERROR_ARGUMENT);
    EXPECT_EQ(hlg_sampler_new(nullptr, &sampler, nullptr, 100), HLG_ERROR_ARGUMENT);
    EXPECT_EQ(sampler, nullptr);
    // A null message with a size is as good as none.
    EXPECT_EQ(hlg_sampler_new(&params, &sampler, nullptr, 100), HLG_OK);
    EXPECT_NE(sampler, nullptr);
    hlg_sampler_free(sampler);
    hlg_sampler_free(nullptr);
}

TEST(CStatus, EveryValueHasItsOwnText) {
    std::vector<std::string> texts;
    for (int i = HLG_OK; i <= HLG_ERROR_INTERNAL; ++i) texts.emplace_back(hlg_status_text(static_cast<hlg_status>(i)));
    for (std::size_t i = 0; i < texts.size(); ++i) {
        EXPECT_FALSE(texts[i].empty());
        for (std::size_t j = 0; j < i; ++j) EXPECT_NE(texts[i], texts[j]);
        EXPECT_EQ(hlg::to_string(static_cast<hlg::Status>(i)), texts[i]);
    }
}

// C++ allows an hlg_status to hold 0 to 15; the C program of tests/install tries the values beyond.
TEST(CStatus, UnknownValuesHaveAText) {
    for (int i = HLG_ERROR_INTERNAL + 1; i < 16; ++i) EXPECT_STREQ(hlg_status_text(static_cast<hlg_status>(i)), "unknown status");
}

}  // namespace
