// SPDX-License-Identifier: MIT
//
// Continuous batching. Tasks wait in a queue until a lane is free, then run; they join and leave at any step.
//
//     one step:   drop what was cancelled -> tasks whose readers are behind give their lanes to those that wait -> waiting tasks
//                 take free lanes -> put a batch together -> decode -> hand out logits, to several
//                 lanes at once where that pays
//
// A batch has the next token of every lane that generates and, beside them, one chunk of prompt, the oldest prompt's first. So a
// long prompt delays the other lanes by the time of a chunk a step, never by its own.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "engine/lanes.hpp"
#include "engine/tally.hpp"
#include "engine/task.hpp"
#include "engine/thread_team.hpp"

namespace hlg::engine {

class Scheduler {
public:
    /** `reproducible`: one lane a decode, prompts in whole chunks from multiples of their size; see Lanes. */
    Scheduler(BatchContext& context, bool reproducible, DrawSharing draws = {});

    void add(std::unique_ptr<Task> task) { waiting_.push_back(std::move(task)); }

    /** One step. False if there was nothing to do: no task, or every one's reader is behind. */
    bool step();

    /** Ends every task with this error. */
    void fail_all(const Error& error);

    /** The streams that the next decode works for. */
    [[nodiscard]] std::vector<std::shared_ptr<Stream>> streams() const;

    [[nodiscard]] std::size_t waiting() const noexcept { return waiting_.size(); }
    [[nodiscard]] std::size_t running() const noexcept { return running_.size(); }
    /** Tokens in the lanes of what runs. */
    [[nodiscard]] std::size_t held() const;
    [[nodiscard]] const Tally& tally() const noexcept { return tally_; }

private:
    struct Output {
        std::size_t position;
        std::int32_t row;
        std::span<const float> logits = {};  ///< [vocab], once decoded
    };
    struct Running {
        std::unique_ptr<Task> task;
        std::size_t lane;
        std::size_t added = 0;  ///< tokens of it in the batch
        std::vector<Output> outputs = {};
        std::size_t generated = 0;  ///< tokens, before this step
    };

    void drop_cancelled();
    void give_way();
    void admit();
    [[nodiscard]] bool must_wait(const Task& task) const;
    [[nodiscard]] bool may_run(const Task& task) const { return task.has_room() && !must_wait(task); }
    void plan();
    void plan_one();
    std::size_t add_tokens(Running& running, std::size_t most, std::size_t others);
    [[nodiscard]] Failure decode();
    void recover(const Error& error);
    void deliver();
    void hand_out();
    void retire();

    BatchContext& context_;
    bool reproducible_;
    std::size_t share_from_;  ///< logits
    Lanes lanes_;
    ThreadTeam team_;
    std::deque<std::unique_ptr<Task>> waiting_;
    std::vector<Running> running_;  ///< in the order of their admission
    std::size_t turn_ = 0;          ///< whose decode it is, when each has its own
    Tally tally_;
};

}  // namespace hlg::engine
