// SPDX-License-Identifier: MIT
#include "cli/logits_file.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "cli/command.hpp"

namespace hlg::cli {
namespace {

class LogitsFileOnDisk : public testing::Test {
protected:
    void SetUp() override {
        path_ = testing::TempDir() + "hlg_logits_" + testing::UnitTest::GetInstance()->current_test_info()->name();
        std::filesystem::remove(path_);
    }
    void TearDown() override { std::filesystem::remove(path_); }

    void write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

    void write(const std::vector<float>& numbers) const {
        write(std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float)));
    }

    // The error's text; empty if there was none.
    [[nodiscard]] std::string refusal(LogitsRow wanted) const {
        wanted.path = path_;
        try {
            read_logits(wanted);
        } catch (const UsageError& error) {
            return error.what();
        }
        return {};
    }

    std::string path_;
};

TEST_F(LogitsFileOnDisk, WholeFileIsOneRow) {
    write(std::vector<float>{1.5F, -2.0F, 0.0F});
    EXPECT_EQ(read_logits({.path = path_}), (std::vector<float>{1.5F, -2.0F, 0.0F}));
}

TEST_F(LogitsFileOnDisk, RowsAreTakenByNumber) {
    write(std::vector<float>{1, 2, 3, 4, 5, 6});
    EXPECT_EQ(read_logits({.path = path_, .vocab = 2, .row = 2}), (std::vector<float>{5, 6}));
    EXPECT_EQ(read_logits({.path = path_, .vocab = 3, .row = 0}), (std::vector<float>{1, 2, 3}));
}

TEST_F(LogitsFileOnDisk, HalvesAreLittleEndian) {
    write(std::string("\x00\x3c\x01\x00", 4));
    EXPECT_EQ(read_logits({.path = path_, .dtype = Dtype::f16}), (std::vector<float>{1.0F, 0x1p-24F}));
}

TEST_F(LogitsFileOnDisk, RefusalsNameWhatIsWrong) {
    EXPECT_EQ(refusal({}), "no such file: " + path_);
    write(std::string());
    EXPECT_EQ(refusal({}), path_ + " is empty");
    write(std::string("\x93NUMPY\x01\x00", 8));
    EXPECT_NE(refusal({}).find("NumPy"), std::string::npos);
    EXPECT_NE(refusal({.vocab = 7}).find("NumPy"), std::string::npos);
    write(std::string(10, '\0'));
    EXPECT_EQ(refusal({}), path_ + " has 10 bytes, which is not a whole number of f32 logits of 4 bytes");
    EXPECT_EQ(refusal({.vocab = 4}), path_ + " is too short: a row of 4 f32 logits takes 16 bytes, it has 10");
    EXPECT_EQ(refusal({.vocab = 2}), path_ + " has 10 bytes, not a multiple of a row: a row of 2 f32 logits takes 8 bytes");
    write(std::string(16, '\0'));
    EXPECT_EQ(refusal({.vocab = 2, .row = 2}), "--row must be from 0 to 1: " + path_ + " holds 2 rows of 2 tokens, got 2");
    EXPECT_EQ(refusal({.vocab = 4, .row = 1}), "--row must be 0: " + path_ + " holds 1 row of 4 tokens, got 1");
    EXPECT_EQ(refusal({.row = 1}), "--row must be 0 without --vocab: " + path_ + " then holds one row, got 1");
    EXPECT_NE(refusal({.vocab = 2, .row = std::numeric_limits<std::int64_t>::max()}), "");
}

TEST(LogitsFile, FolderIsRefused) { EXPECT_THROW(read_logits({.path = testing::TempDir()}), UsageError); }

}  // namespace
}  // namespace hlg::cli
