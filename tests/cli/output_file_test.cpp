// SPDX-License-Identifier: MIT
#include "cli/output_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/command.hpp"

namespace hlg::cli {
namespace {

namespace fs = std::filesystem;

class OutputFile : public testing::Test {
protected:
    void SetUp() override {
        folder_ = testing::TempDir() + "hlg_output_" + testing::UnitTest::GetInstance()->current_test_info()->name();
        fs::remove_all(folder_);
        fs::create_directory(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    [[nodiscard]] static std::string content(const fs::path& path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }

    [[nodiscard]] std::ptrdiff_t entries() const { return std::distance(fs::directory_iterator(folder_), {}); }

    fs::path folder_;
};

TEST_F(OutputFile, ReplacesTheOldContentAndLeavesNothingElse) {
    write_file(folder_ / "a", "a long first version");
    write_file(folder_ / "a", "second");
    EXPECT_EQ(content(folder_ / "a"), "second");
    EXPECT_EQ(entries(), 1);
}

TEST_F(OutputFile, HasTheUsualPermissions) {
    write_file(folder_ / "a", "x");
    std::ofstream(folder_ / "b") << "x";
    EXPECT_EQ(fs::status(folder_ / "a").permissions(), fs::status(folder_ / "b").permissions());
}

TEST_F(OutputFile, LinkStaysALink) {
    std::ofstream(folder_ / "target") << "old";
    fs::create_symlink("target", folder_ / "link");
    write_file(folder_ / "link", "new");
    EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
    EXPECT_EQ(content(folder_ / "target"), "new");
}

TEST_F(OutputFile, RefusesWhatCannotBeWritten) {
    EXPECT_THROW(write_file(folder_, "x"), UsageError);
    EXPECT_THROW(write_file(folder_ / "no" / "such" / "folder", "x"), UsageError);
    EXPECT_EQ(entries(), 0);
}

TEST_F(OutputFile, DevicesAreWrittenAsTheyAre) {
    EXPECT_NO_THROW(write_file("/dev/null", "x"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    if (fs::exists("/dev/full")) {
        EXPECT_THROW(write_file("/dev/full", "x"), std::runtime_error);
    }
}

TEST(RawBytes, AreTheNumbersInMemory) {
    const std::vector<float> numbers{1.0F, -0.0F};
    EXPECT_EQ(raw_bytes(std::span<const float>(numbers)), std::string_view("\0\0\x80\x3f\0\0\0\x80", 8));
}

}  // namespace
}  // namespace hlg::cli
