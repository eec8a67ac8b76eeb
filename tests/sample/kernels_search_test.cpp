// The kernels over arrays of units against plain loops, on every set that runs here.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "sample/kernels.hpp"

namespace hlg::test {
namespace {

using sample::Kernels;

// Units as the envelope has them: many small, few large, some none; the largest is the largest there is.
std::vector<std::uint32_t> some_units(std::size_t n) {
    std::vector<std::uint32_t> units(n);
    for (std::size_t i = 0; i < n; ++i) units[i] = static_cast<std::uint32_t>((i * 2654435761U % 1000) >> (i % 11));
    for (std::size_t i = 7; i < n; i += 97) units[i] = 5033164;  // 1.2 times 2^22
    return units;
}

TEST(Kernels, SumsUpToEachLimit) {
    for (const std::size_t n : {0U, 1U, 15U, 16U, 17U, 510U, 4096U, 4097U, 70001U}) {
        const std::vector<std::uint32_t> units = some_units(n);
        sample::Cuts expected;
        expected.limits = {0, 1, 3, 64, 500, 999, 5033163, 5033164};
        for (std::size_t j = 0; j < sample::Cuts::kCount; ++j)
            for (const std::uint32_t u : units) expected.sums[j] += u <= expected.limits[j] ? u : 0;
        for (const Kernels* kernels : sample::available_kernels()) {
            sample::Cuts found;
            found.limits = expected.limits;
            found.sums.fill(7);  // what was there does not count
            kernels->sums_up_to(units.data(), n, found);
            EXPECT_EQ(found.sums, expected.sums) << kernels->name << ' ' << n;
        }
    }
}

TEST(Kernels, AboveListsPlacesInOrder) {
    for (const std::size_t n : {0U, 1U, 15U, 16U, 17U, 510U, 4097U})
        for (const std::uint32_t limit : {0U, 3U, 500U, 5033164U}) {
            const std::vector<std::uint32_t> units = some_units(n);
            std::vector<std::uint32_t> expected;
            for (std::size_t i = 0; i < n; ++i)
                if (units[i] > limit) expected.push_back(static_cast<std::uint32_t>(i));
            for (const Kernels* kernels : sample::available_kernels()) {
                std::vector<std::uint32_t> found(n + sample::kLanes);
                found.resize(kernels->above(units.data(), n, limit, found.data()));
                EXPECT_EQ(found, expected) << kernels->name << ' ' << n;
            }
        }
}

TEST(Kernels, FindCountsThroughTheEntries) {
    for (const std::size_t n : {1U, 16U, 127U, 128U, 129U, 700U}) {
        std::vector<std::uint32_t> units = some_units(n);
        units[n / 2] += 3;
        // Sums of opened blocks come near 2^31; a stride of them needs 64 bits.
        if (n > 600)
            for (std::size_t i = 0; i < 128; ++i) units[i] = 0x7FFFFFFFU - static_cast<std::uint32_t>(i);
        for (const Kernels* kernels : sample::available_kernels()) {
            std::uint64_t before = 0;
            for (std::size_t i = 0; i < n; before += units[i++])
                for (const std::uint32_t place : {0U, units[i] / 2, units[i] - 1}) {
                    if (place >= units[i]) continue;
                    std::uint64_t unit = before + place;
                    ASSERT_EQ(kernels->find(units.data(), n, unit), i) << kernels->name;
                    ASSERT_EQ(unit, place) << kernels->name;
                }
        }
    }
}

}  // namespace
}  // namespace hlg::test
