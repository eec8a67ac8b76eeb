// SPDX-License-Identifier: MIT
#include "engine/model.hpp"

#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

namespace hlg::engine {
namespace {

std::string model_path() { return std::getenv("HLG_TEST_MODEL"); }

ErrorCode load_error(const std::string& path) {
    const auto model = Model::load(path);
    EXPECT_FALSE(model) << path;
    return model ? ErrorCode::decode_failed : model.error().code;
}

TEST(Model, LoadsTheDemoModelAndReportsProgress) {
    float last = -1.0F;
    LoadOptions options;
    options.progress = [&](float done) {
        EXPECT_GE(done, last);
        last = done;
        return true;
    };
    const auto model = Model::load(model_path(), options);
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ(last, 1.0F);
    EXPECT_EQ(model->vocabulary_size(), 4096U);
    EXPECT_EQ(model->trained_context(), 1024U);
    EXPECT_EQ(model->metadata("general.architecture"), "llama");
    EXPECT_FALSE(model->metadata("no.such.key"));
}

TEST(Model, TokensAndPiecesRoundTrip) {
    const auto model = Model::load(model_path());
    ASSERT_TRUE(model);
    const std::string text = "The king \u2014 na\u00efve, \U0001F600 \u2014 laughed.";
    std::string back;
    const std::vector<Token> tokens = model->tokenize(text);
    for (const Token token : tokens) back += model->piece(token);
    EXPECT_EQ(back, text);
    EXPECT_TRUE(model->is_end(tokens.front()));  // this model's begin mark is its end mark
    EXPECT_FALSE(model->is_end(tokens.back()));
}

TEST(Model, StopsLoadingWhenAsked) {
    LoadOptions options;
    options.progress = [](float) { return false; };
    const auto model = Model::load(model_path(), options);
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, ErrorCode::interrupted);
}

TEST(Model, SaysWhatIsWrongWithAFile) {
    EXPECT_EQ(load_error("/no/such/model.gguf"), ErrorCode::no_such_file);
    EXPECT_EQ(load_error("/"), ErrorCode::no_such_file);
    const std::string path = testing::TempDir() + "hlg_model_test";
    std::ofstream(path) << "PK";
    EXPECT_EQ(load_error(path), ErrorCode::not_a_model);
    std::ofstream(path) << "not a model at all";
    EXPECT_EQ(load_error(path), ErrorCode::not_a_model);
    std::ofstream(path) << "GGUF, or so it says";
    EXPECT_EQ(load_error(path), ErrorCode::bad_model);
    std::string half(1'000'000, '\0');
    std::ifstream(model_path(), std::ios::binary).read(half.data(), static_cast<std::streamsize>(half.size()));
    std::ofstream(path, std::ios::binary) << half;
    EXPECT_EQ(load_error(path), ErrorCode::bad_model);
    std::remove(path.c_str());
}

// Of a file that is cut short, in its header or behind it: what it is, and the engine's first reason, without its functions.
TEST(Model, SaysThatAFileIsCutShort) {
    const std::string path = testing::TempDir() + "hlg_cut_model_test";
    for (const std::size_t size : {100U, 100'000U, 3'000'000U}) {
        std::string part(size, '\0');
        std::ifstream(model_path(), std::ios::binary).read(part.data(), static_cast<std::streamsize>(size));
        std::ofstream(path, std::ios::binary) << part;
        const auto model = Model::load(path);
        ASSERT_FALSE(model);
        const std::string& message = model.error().message;
        EXPECT_TRUE(message.starts_with(path + " is cut short or damaged: ")) << message;
        for (const char* function : {"llama_", "gguf_", "error loading model"})
            EXPECT_EQ(message.find(function), std::string::npos) << message;
    }
    std::remove(path.c_str());
}

}  // namespace
}  // namespace hlg::engine
