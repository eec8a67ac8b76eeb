// SPDX-License-Identifier: MIT
#include "vocabulary.hpp"

#include <array>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace hlg::tools {
namespace {

// Token types as GGUF numbers them.
constexpr std::int32_t normal_token = 1;
constexpr std::int32_t control_token = 3;

constexpr std::array<const char*, 5> control_tokens{"<unk>", "<s>", "</s>", "<|im_start|>", "<|im_end|>"};
constexpr std::uint32_t begin_token = 1;
constexpr std::uint32_t end_token = 4;  // of a turn; llama.cpp knows </s> as an end by its name

std::string utf8(std::uint32_t code) {
    const auto tail = [&](unsigned shift) { return static_cast<char>(0x80U | ((code >> shift) & 0x3FU)); };
    if (code < 0x80) return {static_cast<char>(code)};
    if (code < 0x800) return {static_cast<char>(0xC0U | (code >> 6U)), tail(0)};
    if (code < 0x10000) return {static_cast<char>(0xE0U | (code >> 12U)), tail(6), tail(0)};
    return {static_cast<char>(0xF0U | (code >> 18U)), tail(12), tail(6), tail(0)};
}

/** How GPT-2 and its descendants write each byte in a token: visible Latin-1 as itself, the others from U+0100 on, in order. */
std::array<std::string, 256> byte_letters() {
    std::array<std::string, 256> letters;
    std::uint32_t next = 0x100;
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        const bool visible = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte != 0xAD);
        letters[byte] = utf8(visible ? byte : next++);
    }
    return letters;
}

/** Tokens and merges, growing until the size is reached: whatever is added after that is left out. */
class Builder {
public:
    explicit Builder(std::size_t size) : size_(size) {
        for (const char* token : control_tokens) add(token, control_token);
        for (const std::string& letter : letters_) add(letter, normal_token);
    }

    [[nodiscard]] bool full() const { return tokens_.size() >= size_; }

    /** A token of these bytes, merged from all but the last and the last, and before it the tokens it is made of. */
    void add_bytes(std::string_view bytes) {
        if (bytes.size() < 2) return;
        const std::string_view front = bytes.substr(0, bytes.size() - 1);
        if (!known_.contains(spelled(bytes))) add_bytes(front);
        if (full() || !add(spelled(bytes), normal_token)) return;
        merges_.push_back(spelled(front) + " " + spelled(bytes.substr(front.size())));
    }

    void store(gguf_context* metadata) const {
        store(metadata, "tokenizer.ggml.tokens", tokens_);
        store(metadata, "tokenizer.ggml.merges", merges_);
        gguf_set_arr_data(metadata, "tokenizer.ggml.token_type", GGUF_TYPE_INT32, types_.data(), types_.size());
    }

private:
    static void store(gguf_context* metadata, const char* key, const std::vector<std::string>& words) {
        std::vector<const char*> pointers;
        pointers.reserve(words.size());
        for (const std::string& word : words) pointers.push_back(word.c_str());
        gguf_set_arr_str(metadata, key, pointers.data(), pointers.size());
    }

    [[nodiscard]] std::string spelled(std::string_view bytes) const {
        std::string word;
        for (const char byte : bytes) word += letters_[static_cast<unsigned char>(byte)];
        return word;
    }

    /** False if it is there already. */
    bool add(const std::string& token, std::int32_t type) {
        if (!known_.insert(token).second) return false;
        tokens_.push_back(token);
        types_.push_back(type);
        return true;
    }

    std::size_t size_;
    std::array<std::string, 256> letters_ = byte_letters();
    std::vector<std::string> tokens_;
    std::vector<std::int32_t> types_;
    std::vector<std::string> merges_;
    std::unordered_set<std::string> known_;
};

void add_white_space(Builder& builder) {
    for (const char* unit : {" ", "\n", "\t", "\r\n"}) {
        std::string run = unit;
        for (int length = 2; length <= 16; ++length) builder.add_bytes(run += unit);
    }
}

void add_numbers(Builder& builder) {
    for (int number = 0; number < 1000; ++number) {
        const std::string digits = std::to_string(1000 + number);  // with leading zeros behind the 1
        builder.add_bytes(std::string_view(digits).substr(2));
        builder.add_bytes(std::string_view(digits).substr(1));
    }
}

void add_characters(Builder& builder, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t code = first; code <= last && !builder.full(); ++code) builder.add_bytes(utf8(code));
}

/** Every word of `length` letters, small and with a capital, at the start of a text and after a space. */
void add_words(Builder& builder, int length) {
    std::string word(static_cast<std::size_t>(length), 'a');
    for (;;) {
        if (builder.full()) return;
        std::string capital = word;
        capital[0] = static_cast<char>(capital[0] - 'a' + 'A');
        for (const std::string& form : {word, capital}) {
            builder.add_bytes(form);
            builder.add_bytes(" " + form);
        }
        std::size_t place = word.size();  // the next word: count up from the last letter
        while (place > 0 && word[place - 1] == 'z') word[--place] = 'a';
        if (place == 0) return;
        ++word[place - 1];
    }
}

void add_text(Builder& builder) {
    add_white_space(builder);
    for (const int length : {1, 2}) add_words(builder, length);
    add_numbers(builder);
    add_characters(builder, 0x80, 0x7FF);       // Latin, Greek, Cyrillic, Hebrew, Arabic
    add_characters(builder, 0x1F300, 0x1F64F);  // emoji
    add_words(builder, 3);
    add_characters(builder, 0x3041, 0x30FF);  // kana
    add_characters(builder, 0x4E00, 0x9FFF);  // Chinese characters
    add_words(builder, 4);                    // nearly two million, so that there is no end to reach
}

}  // namespace

std::int64_t copy_vocabulary(gguf_context* metadata, const std::string& path) {
    const Gguf source = read_metadata(path);
    const std::int64_t tokens = gguf_find_key(source.get(), "tokenizer.ggml.tokens");
    if (tokens < 0) throw MakeError("no vocabulary in " + path);
    const auto count = static_cast<std::int64_t>(gguf_get_arr_n(source.get(), tokens));
    std::vector<std::string> foreign;  // what the file says about its own model
    for (std::int64_t i = 0; i < gguf_get_n_kv(source.get()); ++i) {
        const std::string key = gguf_get_key(source.get(), i);
        if (!key.starts_with("tokenizer.")) foreign.push_back(key);
    }
    for (const std::string& key : foreign) gguf_remove_key(source.get(), key.c_str());
    gguf_set_kv(metadata, source.get());
    return count;
}

void build_vocabulary(gguf_context* metadata, std::int64_t size) {
    Builder builder(static_cast<std::size_t>(size));
    add_text(builder);
    gguf_set_val_str(metadata, "tokenizer.ggml.model", "gpt2");
    gguf_set_val_str(metadata, "tokenizer.ggml.pre", "minicpm5");  // how text is cut into words before merging
    builder.store(metadata);
    gguf_set_val_u32(metadata, "tokenizer.ggml.unknown_token_id", 0);
    gguf_set_val_u32(metadata, "tokenizer.ggml.bos_token_id", begin_token);
    gguf_set_val_u32(metadata, "tokenizer.ggml.eos_token_id", end_token);
    gguf_set_val_bool(metadata, "tokenizer.ggml.add_bos_token", true);
}

}  // namespace hlg::tools
