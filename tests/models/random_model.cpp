// SPDX-License-Identifier: MIT
#include "random_model.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace hlg::test {
namespace {

std::string from_environment(const char* name) {
    const char* value = std::getenv(name);
    if (value == nullptr) throw std::runtime_error(std::string(name) + " is not set: run this through ctest");
    return value;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const TestModel& model) { return out << model.name; }

std::vector<TestModel> test_models() {
    return {
        {"gemma4-q8_0", 262'144, "gemma4"},  {"gemma4-q4_0", 262'144, "gemma4"},     {"gemma4-q4_k_m", 262'144, "gemma4"},
        {"minicpm5-q8_0", 130'560, "llama"}, {"storyteller", 4'096, "llama", false},
    };
}

std::string test_name(const testing::TestParamInfo<TestModel>& info) {
    std::string name = info.param.name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

engine::Model load(const TestModel& model) {
    const std::string path =
        model.random ? from_environment("HLG_TEST_MODELS") + "/" + model.name + ".gguf" : from_environment("HLG_TEST_MODEL");
    auto loaded = engine::Model::load(path);
    if (!loaded) throw std::runtime_error(loaded.error().message);
    return std::move(*loaded);
}

}  // namespace hlg::test
