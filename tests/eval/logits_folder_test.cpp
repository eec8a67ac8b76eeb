// Folders of logits: small ones written here, and the real ones where the machine has them.
#include "eval/logits_folder.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include "eval/sha256.hpp"

namespace hlg::eval {
namespace {

namespace fs = std::filesystem;

class LogitsFolder : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::path(testing::TempDir()) /
                  ("hlg_folder_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    void write(const std::string& name, const std::vector<float>& numbers) {
        std::ofstream(folder_ / name, std::ios::binary)
            .write(reinterpret_cast<const char*>(numbers.data()), static_cast<std::streamsize>(4 * numbers.size()));
    }
    void index(const std::string& text) { std::ofstream(folder_ / "index.json") << text; }
    Corpus read() { return read_logits_folder(folder_.string()); }
    std::string error() {
        try {
            read();
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "none";
    }

    fs::path folder_;
};

TEST_F(LogitsFolder, TextsRowsAndNextTokens) {
    write("a.f32", {1, 2, 3, 3, 2, 1});
    write("b.f32", {0, 0, 5, 5});
    index(R"([{"file": "a.f32", "model": "m", "vocab": 3, "dtype": "f32", "row": 0, "text": "one", "next_token": 0},
              {"file": "b.f32", "model": "other", "vocab": 4, "dtype": "f32"},
              {"file": "a.f32", "model": "m", "vocab": 3, "dtype": "f32", "row": 1, "text": "two", "next_token": null}])");
    const Corpus corpus = read();
    ASSERT_EQ(corpus.sources.size(), 2U);
    EXPECT_EQ(corpus.sources[0].texts, (std::vector<std::string>{"one", "two"}));
    EXPECT_EQ(corpus.sources[0].remark(), "2 texts");
    EXPECT_EQ(corpus.sources[1].remark(), "1 prompt");
    ASSERT_EQ(corpus.contexts.size(), 3U);
    EXPECT_EQ(corpus.contexts[0].next->group, 2U);
    EXPECT_EQ(corpus.contexts[1].text, 1U);
    EXPECT_FALSE(corpus.contexts[1].next);
    EXPECT_EQ(corpus.contexts[2].count, (std::vector<double>{2.0, 2.0}));
    EXPECT_EQ(corpus.sources[1].sha256, sha256_of_file((folder_ / "b.f32").string()));
}

TEST_F(LogitsFolder, ErrorsNameTheFileAndTheFault) {
    EXPECT_NE(error().find("can't read"), std::string::npos);
    index("{}");
    EXPECT_NE(error().find("must be a JSON array"), std::string::npos);
    index(R"([{"file": "a.f32", "model": "m", "vocab": 3, "dtype": "f64"}])");
    EXPECT_NE(error().find("entry 0: dtype must be f32, f16 or bf16, got f64"), std::string::npos);
    index(R"([{"file": "a.f32", "model": "m", "vocab": 3, "dtype": "f32"}])");
    EXPECT_NE(error().find("a.f32"), std::string::npos);
    write("a.f32", {1, 2});
    EXPECT_NE(error().find("has 8 bytes; row 0 of 3 f32 logits needs"), std::string::npos);
    write("a.f32", {1, 2, HUGE_VALF});
    EXPECT_NE(error().find("the logit of token 2 is +inf"), std::string::npos);
    index(R"([{"file": "a.f32", "model": "m", "vocab": 3, "dtype": "f32", "sha256": "00"}])");
    EXPECT_NE(error().find("SHA-256 differs"), std::string::npos);
}

TEST_F(LogitsFolder, StopsWhenToldTo) {
    write("a.f32", {1, 2, 3});
    index(R"([{"file": "a.f32", "model": "m", "vocab": 3, "dtype": "f32"}])");
    EXPECT_THROW(read_logits_folder(folder_.string(), [](double) { return false; }), Stopped);
}

TEST(RealLogits, HaveTheEntropiesAndClustersThatTheirReadmeTells) {
    if (!fs::exists(HLG_SHARED_LOGITS "/index.json")) GTEST_SKIP() << "no real logits here";
    const Corpus corpus = read_logits_folder(HLG_SHARED_LOGITS);
    ASSERT_EQ(corpus.contexts.size(), 82U);
    std::set<std::pair<std::string, std::size_t>> open;
    for (const Context& context : corpus.contexts)
        if (context.kind() == Class::open) open.insert({corpus.sources[context.source].id, context.cluster});
    const auto of = [&](const std::string& id) {
        return std::count_if(open.begin(), open.end(), [&](const auto& one) { return one.first == id; });
    };
    EXPECT_EQ(of("minicpm5-1b"), 14);
    EXPECT_EQ(of("qwen3.5-4b"), 4);
    EXPECT_EQ(of("gemma-2-2b"), 2);
    EXPECT_EQ(of("gemma-4-12b"), 0);
    EXPECT_NEAR(corpus.contexts.front().entropy, 0.3125, 5e-5);  // the first entry of index.json
}

}  // namespace
}  // namespace hlg::eval
