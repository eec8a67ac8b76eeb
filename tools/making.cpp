// SPDX-License-Identifier: MIT
#include "making.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include <llama.h>

#include "engine/backend.hpp"
#include "vocabulary.hpp"

namespace hlg::tools {
namespace {

namespace fs = std::filesystem;

struct FileType {
    const char* name;
    llama_ftype type;
};
constexpr std::array<FileType, 4> file_types{{
    {"f16", LLAMA_FTYPE_MOSTLY_F16},
    {"q8_0", LLAMA_FTYPE_MOSTLY_Q8_0},
    {"q4_0", LLAMA_FTYPE_MOSTLY_Q4_0},
    {"q4_k_m", LLAMA_FTYPE_MOSTLY_Q4_K_M},
}};

const FileType& file_type(const std::string& name) {
    const auto found =
        std::find_if(file_types.begin(), file_types.end(), [&](const FileType& type) { return type.name == name; });
    if (found == file_types.end()) throw MakeError("no such type: " + name);
    return *found;
}

/** A file under a name that nobody looks for, and gone at the end unless it was given its own. */
class TemporaryFile {
public:
    explicit TemporaryFile(const std::string& target) : target_(target), path_(target + ".partial." + std::to_string(getpid())) {}
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        std::error_code ignored;
        fs::remove(path_, ignored);
    }

    [[nodiscard]] const std::string& path() const noexcept { return path_; }

    void put_in_place() const {
        std::error_code failure;
        fs::rename(path_, target_, failure);
        if (failure) throw MakeError("can't write " + target_ + ": " + failure.message());
    }

private:
    std::string target_;
    std::string path_;
};

std::string read_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file) throw MakeError("can't read " + path);
    return text;
}

/** The model in float16, its logits as they come. */
void write_float16(const MakeRequest& request, const std::string& path) {
    ModelPlan plan = request.plan;
    Gguf metadata(gguf_init_empty());
    if (request.vocabulary.empty()) {
        build_vocabulary(metadata.get(), plan.vocabulary);
    } else {
        plan.vocabulary = copy_vocabulary(metadata.get(), request.vocabulary);
    }
    if (!request.chat_template.empty())
        gguf_set_val_str(metadata.get(), "tokenizer.chat_template", read_text(request.chat_template).c_str());
    describe(metadata.get(), plan);
    write_gguf(path, std::move(metadata), tensors_of(plan), request.seed);
}

void quantise(const std::string& from, const std::string& to, const FileType& type) {
    if (type.type == LLAMA_FTYPE_MOSTLY_F16) {
        std::error_code failure;
        fs::copy_file(from, to, failure);
        if (failure) throw MakeError("can't write " + to + ": " + failure.message());
        return;
    }
    llama_model_quantize_params params = llama_model_quantize_default_params();
    params.ftype = type.type;
    engine::take_backend_error();
    if (llama_model_quantize(from.c_str(), to.c_str(), &params) != 0)
        throw MakeError("can't quantise to " + std::string(type.name) + ": " + engine::take_backend_error());
}

}  // namespace

std::vector<std::string> type_names() {
    std::vector<std::string> names;
    names.reserve(file_types.size());
    for (const FileType& type : file_types) names.emplace_back(type.name);
    return names;
}

void make_models(const MakeRequest& request, const std::function<void(const MadeFile&)>& report) {
    validate(request.plan);
    engine::start_backend(false);
    std::error_code failure;
    fs::create_directories(request.folder, failure);
    if (failure) throw MakeError("can't make the folder " + request.folder + ": " + failure.message());
    const std::string stem = request.folder + "/" + request.plan.name + "-";
    const TemporaryFile float16(stem + "float16");
    write_float16(request, float16.path());
    for (const std::string& name : request.types) {
        const std::string target = stem + name + ".gguf";
        const TemporaryFile file(target);
        quantise(float16.path(), file.path(), file_type(name));
        // Each file for itself: rounding the weights moves every logit a little, and the entropy with them.
        const Calibration made = calibrate(file.path(), request.entropy);
        file.put_in_place();
        report({target, fs::file_size(target), made});
    }
}

}  // namespace hlg::tools
