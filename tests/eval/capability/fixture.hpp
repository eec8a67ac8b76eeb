// SPDX-License-Identifier: MIT
//
// A folder of a made-up dataset that a test writes, and where the published ones are, if this machine has them.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "eval/capability/data_file.hpp"

namespace hlg::eval::capability {

class DataFolder : public testing::Test {
protected:
    void SetUp() override {
        const testing::TestInfo& info = *testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::path(testing::TempDir()) / (std::string("hlg_") + info.test_suite_name() + "_" + info.name());
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    /** Writes a file, and the folders to it. */
    void write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name, std::ios::binary) << text;
    }

    [[nodiscard]] std::string folder() const { return folder_.string(); }

    /** What a DataError says, without the folder; "none" if there is none. */
    [[nodiscard]] std::string error_of(const std::function<void()>& work) const {
        try {
            work();
        } catch (const DataError& error) {
            std::string said = error.what();
            const std::string path = folder() + "/";
            for (std::size_t at = said.find(path); at != std::string::npos; at = said.find(path)) said.erase(at, path.size());
            return said;
        }
        return "none";
    }

    std::filesystem::path folder_;
};

/** The folder of published datasets, or nothing: a test that needs it is skipped. */
inline std::string published() { return std::filesystem::is_directory(HLG_SHARED_EVAL) ? HLG_SHARED_EVAL : ""; }

#define HLG_SKIP_WITHOUT_PUBLISHED() \
    if (published().empty()) GTEST_SKIP() << "no published datasets in " << HLG_SHARED_EVAL

}  // namespace hlg::eval::capability
