// SPDX-License-Identifier: MIT
//
// Options that go through to llama.cpp: how a model is loaded and how its context is made.
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <vector>

#include <ggml.h>
#include <gguf.h>
#include <gtest/gtest.h>

#include "demo_engine.hpp"

namespace hlg::engine {
namespace {

std::string demo_path() { return std::getenv("HLG_TEST_MODEL"); }

/** An adapter of rank 1 that adds `value` to every weight of a square tensor; it goes with its object. */
class LoraFile {
public:
    explicit LoraFile(float value, const char* architecture = "llama", const std::string& tensor = "blk.0.attn_output.weight")
        : path_(testing::TempDir() + "hlg_lora_" + std::to_string(getpid()) + "_" + std::to_string(++count) + ".gguf") {
        const auto size = static_cast<std::int64_t>(std::stoul(*demo_model().metadata("llama.embedding_length")));
        const std::unique_ptr<ggml_context, decltype(&ggml_free)> context(
            ggml_init({.mem_size = std::size_t{1} << 20U, .mem_buffer = nullptr, .no_alloc = false}), ggml_free);
        const std::unique_ptr<gguf_context, decltype(&gguf_free)> file(gguf_init_empty(), gguf_free);
        gguf_set_val_str(file.get(), "general.type", "adapter");
        gguf_set_val_str(file.get(), "general.architecture", architecture);
        gguf_set_val_str(file.get(), "adapter.type", "lora");
        gguf_set_val_f32(file.get(), "adapter.lora.alpha", 1.0F);
        const auto add = [&](const std::string& name, std::int64_t columns, std::int64_t rows, float element) {
            ggml_tensor* made = ggml_new_tensor_2d(context.get(), GGML_TYPE_F32, columns, rows);
            ggml_set_name(made, name.c_str());
            std::fill_n(static_cast<float*>(made->data), columns * rows, element);
            gguf_add_tensor(file.get(), made);
        };
        add(tensor + ".lora_a", size, 1, 1.0F);
        add(tensor + ".lora_b", 1, size, value);
        gguf_write_to_file(file.get(), path_.c_str(), false);
    }
    ~LoraFile() { std::remove(path_.c_str()); }
    LoraFile(const LoraFile&) = delete;
    LoraFile& operator=(const LoraFile&) = delete;

    [[nodiscard]] const std::string& path() const noexcept { return path_; }

private:
    inline static int count = 0;
    std::string path_;
};

/** ln p of a story's tokens with these options of the context. */
std::vector<float> scores(ContextOptions context) {
    const std::unique_ptr<Engine> engine = demo_engine({.context = std::move(context)});
    Ticket ticket = engine->submit(ScoreRequest{.tokens = engine->model().tokenize("Once upon a time there was a king.")});
    while (std::optional<Event> event = ticket.next())
        if (auto* scored = std::get_if<ScoredEvent>(&event->what)) return std::move(scored->log_probabilities);
    ADD_FAILURE() << "no scores";
    return {};
}

double distance(const std::vector<float>& one, const std::vector<float>& other) {
    EXPECT_EQ(one.size(), other.size());
    double most = 0.0;
    for (std::size_t i = 0; i < one.size(); ++i)
        most = std::max(most, std::abs(static_cast<double>(one[i]) - static_cast<double>(other[i])));
    return most;
}

Error start_error(ContextOptions context) {
    context.context = 256;
    Result<std::unique_ptr<Engine>> engine = Engine::start(demo_model(), {.context = std::move(context)});
    EXPECT_FALSE(engine);
    return engine ? Error{} : engine.error();
}

void expect_error(const Error& error, ErrorCode code, const std::string& words) {
    EXPECT_EQ(error.code, code) << error.message;
    EXPECT_NE(error.message.find(words), std::string::npos) << error.message;
}

TEST(Lora, ChangesTheModelByItsScale) {
    const LoraFile file(0.02F);
    const std::vector<float> plain = scores({});
    const std::vector<float> whole = scores({.lora = {{file.path(), 1.0F}}});
    EXPECT_GT(distance(plain, whole), 0.01);
    EXPECT_EQ(distance(plain, scores({.lora = {{file.path(), 0.0F}}})), 0.0);
    // Halves of one thing are the whole, up to the rounding of their sum.
    const LoraFile again(0.02F);
    EXPECT_LT(distance(whole, scores({.lora = {{file.path(), 0.5F}, {again.path(), 0.5F}}})), 1e-3);
    EXPECT_LT(distance(plain, scores({.lora = {{file.path(), 1.0F}, {again.path(), -1.0F}}})), 1e-3);
}

TEST(Lora, SaysWhatIsWrongWithAnAdapter) {
    expect_error(start_error({.lora = {{"/no/such/lora.gguf", 1.0F}}}), ErrorCode::no_such_file,
                 "[lora] can't be applied: no such file: /no/such");
    expect_error(start_error({.lora = {{demo_path(), 1.0F}}}), ErrorCode::bad_settings, "expect general.type to be 'adapter'");
    const LoraFile other(0.1F, "gemma");
    expect_error(start_error({.lora = {{other.path(), 1.0F}}}), ErrorCode::bad_settings, "arch mismatch");
    const LoraFile elsewhere(0.1F, "llama", "blk.99.attn_output.weight");
    expect_error(start_error({.lora = {{elsewhere.path(), 1.0F}}}), ErrorCode::bad_settings, "does not exist in base model");
}

TEST(ContextOptions, CacheTypesAndFlashAttention) {
    const std::vector<float> plain = scores({});
    const std::vector<float> exact = scores({.cache_type_k = "f32", .cache_type_v = "f32"});
    const std::vector<float> flash = scores({.flash_attention = true});
    const std::vector<float> rough = scores({.cache_type_k = "q8_0", .cache_type_v = "q8_0"});  // turns flash attention on
    EXPECT_GT(distance(plain, exact), 0.0);
    EXPECT_GT(distance(plain, flash), 0.0);
    EXPECT_LT(distance(plain, flash), 0.05);
    EXPECT_GT(distance(plain, rough), distance(plain, exact));
    EXPECT_LT(distance(plain, rough), 0.5);
    EXPECT_EQ(distance(plain, scores({.flash_attention = false})), 0.0);
}

TEST(ContextOptions, SmallModelsKeepKeysInF32) {
    if (!gpu_devices().empty()) GTEST_SKIP() << "on CPUs only";
    const std::vector<float> plain = scores({});
    EXPECT_EQ(distance(plain, scores({.cache_type_k = "f32"})), 0.0);
    EXPECT_GT(distance(plain, scores({.cache_type_k = "f16"})), 0.0);
    EXPECT_EQ(distance(scores({.flash_attention = true}), scores({.flash_attention = true, .cache_type_k = "f16"})), 0.0);
}

TEST(ContextOptions, SaysWhatIsWrongWithACacheType) {
    expect_error(start_error({.cache_type_k = "q2_k"}), ErrorCode::bad_settings, "[cache_type_k] must be one of f32, f16");
    expect_error(start_error({.cache_type_v = ""}), ErrorCode::bad_settings, "[cache_type_v] must be one of f32, f16");
    expect_error(start_error({.flash_attention = false, .cache_type_v = "q4_0"}), ErrorCode::bad_settings, "[flash_attn]");
}

TEST(LoadOptions, EveryWayOfLoadingGivesTheSameText) {
    const std::unique_ptr<Engine> usual = demo_engine();
    const std::string text = completion(*usual, story(20)).text;
    for (const LoadOptions& load : {LoadOptions{.mmap = false}, LoadOptions{.mmap = true}, LoadOptions{.mlock = true},
                                    LoadOptions{.mmap = false, .mlock = true}, LoadOptions{.gpu_layers = 0},
                                    LoadOptions{.devices = {{}}}, LoadOptions{.devices = {{"CPU"}}}}) {
        Result<Model> model = Model::load(demo_path(), load);
        ASSERT_TRUE(model) << model.error().message;
        Result<std::unique_ptr<Engine>> engine = Engine::start(*model, {.context = {.context = 512, .threads = 1}});
        ASSERT_TRUE(engine) << engine.error().message;
        EXPECT_EQ(completion(**engine, story(20)).text, text);
    }
}

TEST(LoadOptions, NamesTheKnownDevices) {
    const Result<Model> model = Model::load(demo_path(), {.devices = {{"CPU", "Abacus0"}}});
    ASSERT_FALSE(model);
    expect_error(model.error(), ErrorCode::bad_settings, "[device] must be among those here (none, CPU");
    expect_error(model.error(), ErrorCode::bad_settings, "got Abacus0");
}

}  // namespace
}  // namespace hlg::engine
