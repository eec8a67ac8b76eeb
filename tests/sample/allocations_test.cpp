// No allocation after warm-up: this program counts every operator new.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "hlg/hlg.h"
#include "sample/cases.hpp"

// GCC pairs each operator delete with the operator new it inlined, and does not see that all of these end in malloc and free.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif

namespace {
std::atomic<std::size_t> allocations{0};
}

void* operator new(std::size_t size) {
    ++allocations;
    if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    ++allocations;
    const auto align = static_cast<std::size_t>(alignment);
    if (void* memory = std::aligned_alloc(align, (size + align - 1) / align * align)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace hlg::test {
namespace {

// Warm-up sees each shape once: how many candidates a step has depends on its logits.
void expect_none_after_warm_up(const SamplerParams& params, const std::vector<std::vector<float>>& steps,
                               const std::vector<Edit>& edits, const std::vector<std::uint32_t>& allowed = {}) {
    Sampler sampler(params);
    std::size_t before = 0;
    for (std::uint64_t round = 0; round < 20; ++round) {
        if (round == 1) before = allocations;
        for (const auto& logits : steps)
            ASSERT_EQ(sampler.draw({.logits = logits, .edits = edits, .allowed = allowed}, {.index = round}).status, Status::ok);
    }
    EXPECT_EQ(allocations - before, 0U);
}

std::vector<std::vector<float>> steps() {
    std::vector<std::vector<float>> all;
    for (const Shape shape : {Shape::certain, Shape::confident, Shape::open, Shape::flat})
        all.push_back(synthetic(shape, 32000, 9));
    return all;
}

std::vector<Edit> some_edits() {
    std::vector<Edit> edits(300);
    std::int32_t i = 0;
    for (Edit& edit : edits) {
        edit = {i * 100, i % 3 == 0 ? -std::numeric_limits<float>::infinity() : -0.5F};
        ++i;
    }
    return edits;
}

TEST(Allocations, TheCounterCounts) {
    const std::size_t before = allocations;
    ::operator delete(::operator new(1));  // a plain new might be optimised away
    EXPECT_EQ(allocations - before, 1U);
}

TEST(Allocations, TemperatureAndEveryCurve) {
    for (const CurveChoice& choice : curve_choices()) {
        SCOPED_TRACE(choice.name);
        for (const double temperature : {0.0, 0.7, 2.0}) {
            expect_none_after_warm_up({temperature, 1, 0, 0, 1, choice.params}, steps(), {});
            expect_none_after_warm_up({temperature, 1, 0, 0, 1, choice.params}, steps(), some_edits());
        }
    }
}

TEST(Allocations, ClassicChains) {
    for (const auto& [top_p, top_k, min_p] :
         {std::tuple(0.9, 0, 0.0), std::tuple(0.5, 0, 0.0), std::tuple(1.0, 40, 0.0), std::tuple(1.0, 0, 0.05),
          std::tuple(0.95, 100, 0.01), std::tuple(0.9, 5000, 0.0)}) {
        expect_none_after_warm_up({0.8, top_p, top_k, min_p, 1, {}}, steps(), {});
        expect_none_after_warm_up({0.8, top_p, top_k, min_p, 1, {}}, steps(), some_edits());
    }
}

TEST(Allocations, SortedEditsOfChangingTokens) {
    const auto logits = steps();
    Sampler sampler({1, 1, 0, 0, 1, CurveParams{}});
    std::vector<Edit> edits = some_edits();
    ASSERT_EQ(sampler.draw({.logits = logits[2], .edits = edits}, {}).status, Status::ok);
    const std::size_t before = allocations;
    for (std::uint64_t round = 0; round < 50; ++round) {
        for (Edit& edit : edits) ++edit.token;
        ASSERT_EQ(sampler.draw({.logits = logits[2], .edits = edits}, {.index = round}).status, Status::ok);
    }
    EXPECT_EQ(allocations - before, 0U);
}

TEST(Allocations, UnsortedEdits) {
    std::vector<Edit> edits(300);
    for (std::int32_t i = 0; i < 300; ++i) edits[static_cast<std::size_t>(i)] = {(i * 7919) % 32000, -0.1F};
    expect_none_after_warm_up({1, 1, 0, 0, 1, {}}, {synthetic(Shape::open, 32000, 3)}, edits);
}

TEST(Allocations, AGrammarsMask) {
    expect_none_after_warm_up({1, 1, 0, 0, 1, CurveParams{}}, steps(), {}, std::vector<std::uint32_t>(1000, 0x5A5A5A5AU));
}

TEST(Allocations, TheCInterface) {
    hlg_params params;
    ASSERT_EQ(hlg_params_init(&params, sizeof(params)), HLG_OK);
    ASSERT_EQ(hlg_params_preset(&params, "balanced"), HLG_OK);
    hlg_sampler* sampler = nullptr;
    ASSERT_EQ(hlg_sampler_new(&params, &sampler, nullptr, 0), HLG_OK);
    const std::vector<float> logits = synthetic(Shape::open, 32000, 9);
    const hlg_edit edit{5, -1};
    hlg_step step{};
    step.logits = logits.data();
    step.vocab = logits.size();
    step.edits = &edit;
    step.edit_count = 1;
    std::int32_t token = -1;
    ASSERT_EQ(hlg_draw(sampler, &step, {}, &token), HLG_OK);
    const std::size_t before = allocations;
    for (std::uint64_t i = 0; i < 100; ++i) ASSERT_EQ(hlg_draw(sampler, &step, {i, 0, 0}, &token), HLG_OK);
    EXPECT_EQ(allocations - before, 0U);
    hlg_sampler_free(sampler);
}

}  // namespace
}  // namespace hlg::test
