// llama.cpp's own llama-batched-bench as a rival of the lanes: decodes random tokens, draws none.
#pragma once

#include <cstddef>
#include <string>

namespace hlg::bench {

class BatchedBench {
public:
    BatchedBench(std::string model, std::size_t lanes, std::size_t context, int threads);

    /** Whether this build's engine brought the program: HLG_ENGINE=source does. */
    static bool available();

    /** Seconds for so many tokens a lane after a prompt of so many, without the prompt. Throws std::runtime_error. */
    [[nodiscard]] double run(std::size_t prompt, std::size_t tokens) const;

private:
    std::string model_;
    std::size_t lanes_;
    std::size_t context_;
    int threads_;
};

}  // namespace hlg::bench
