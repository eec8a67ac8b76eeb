// SPDX-License-Identifier: MIT
#include "engine/scheduler.hpp"

#include <algorithm>

namespace hlg::engine {

Scheduler::Scheduler(BatchContext& context, bool reproducible, DrawSharing draws)
    : context_(context),
      reproducible_(reproducible),
      share_from_(draws.from),
      lanes_(context, reproducible ? context.limits().chunk : 0),
      team_(draws.threads == 0 ? static_cast<std::size_t>(std::max(context.limits().threads, 1)) : draws.threads,
            context.limits().lanes) {}

bool Scheduler::step() {
    const Clock::time_point start = Clock::now();
    drop_cancelled();
    give_way();
    admit();
    for (Running& running : running_) {
        running.added = 0;
        running.outputs.clear();
    }
    reproducible_ ? plan_one() : plan();
    if (context_.size() == 0) return false;
    if (Failure failure = decode())
        recover(*failure);
    else
        deliver();
    retire();
    tally_.step_seconds += std::chrono::duration<double>(Clock::now() - start).count();
    return true;
}

void Scheduler::drop_cancelled() {
    std::erase_if(waiting_, [](const std::unique_ptr<Task>& task) {
        if (task->cancelled()) task->cancel();
        return task->done();
    });
    for (const Running& running : running_)
        if (running.task->cancelled()) running.task->cancel();
    retire();
}

// Choices of one request wait until the first of them has computed the prompt, then copy it.
bool Scheduler::must_wait(const Task& task) const {
    if (task.choice() == 0) return false;
    const auto leads = [&](const Task& other) { return other.stream() == task.stream() && other.choice() == 0; };
    return std::any_of(running_.begin(), running_.end(),
                       [&](const Running& running) {
                           return leads(*running.task) && !running.task->prompt_held(lanes_.held(running.lane));
                       }) ||
           std::any_of(waiting_.begin(), waiting_.end(), [&](const auto& other) { return leads(*other); });
}

// Nobody knows when a reader that is behind comes back, and in what order it reads: a lane that only waits for one must not keep
// others from running, or a reader that waits for one of those would wait for ever.
void Scheduler::give_way() {
    auto wanted = static_cast<std::size_t>(
        std::count_if(waiting_.begin(), waiting_.end(), [this](const auto& task) { return may_run(*task); }));
    wanted -= std::min(wanted, context_.limits().lanes - lanes_.busy());
    for (Running& running : running_) {
        if (wanted == 0) break;
        if (running.task->has_room()) continue;
        lanes_.release(running.lane);
        waiting_.push_back(std::move(running.task));
        --wanted;
    }
    std::erase_if(running_, [](const Running& running) { return running.task == nullptr; });
}

void Scheduler::admit() {
    for (std::size_t i = 0; i < waiting_.size() && lanes_.busy() < context_.limits().lanes;) {
        Task& task = *waiting_[i];
        if (!may_run(task)) {
            ++i;
            continue;
        }
        const std::optional<std::size_t> lane = lanes_.take(task.tokens(), task.most_reusable());
        if (!lane) return;
        if (!task.started()) {
            task.start(lanes_.held(*lane));
            tally_.reused_tokens += lanes_.held(*lane);
        }
        running_.push_back({.task = std::move(waiting_[i]), .lane = *lane});
        waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

// Up to `most` of a task's next tokens into the batch, which then has rows of logits left for `others`.
std::size_t Scheduler::add_tokens(Running& running, std::size_t most, std::size_t others) {
    const std::span<const Token> tokens = running.task->tokens();
    const std::size_t held = lanes_.held(running.lane);
    for (; running.added < most && held + running.added < tokens.size(); ++running.added) {
        const std::size_t position = held + running.added;
        const bool output = running.task->wants(position);
        if (output && context_.outputs() + others >= context_.limits().outputs) break;
        const std::int32_t row = context_.add(tokens[position], position, running.lane, output);
        if (output) running.outputs.push_back({position, row});
    }
    return running.added;
}

// In the order of the lanes: llama.cpp computes lanes with one KV stream each together only where their numbers follow each other
// in the batch, and each time they do not it reads all weights once more.
void Scheduler::plan() {
    struct Share {
        Running* running;
        std::size_t most;  // tokens, the oldest prompt's first
        bool generates;
    };
    std::vector<Share> shares;
    std::size_t budget = context_.limits().chunk;
    std::size_t generating = 0;
    for (Running& running : running_) {
        if (!running.task->has_room()) continue;
        const std::size_t left = running.task->tokens().size() - lanes_.held(running.lane);
        const bool generates = left == 1;
        const std::size_t most = generates ? 1 : std::min(left, budget);
        if (!generates) budget -= most;
        generating += generates ? 1 : 0;
        shares.push_back({&running, most, generates});
    }
    std::sort(shares.begin(), shares.end(), [](const Share& a, const Share& b) { return a.running->lane < b.running->lane; });
    for (const Share& share : shares) {
        generating -= share.generates ? 1 : 0;
        add_tokens(*share.running, share.most, generating);
    }
}

// One lane: of its prompt up to the next multiple of the chunk, of what it generated one token, as it was computed at first.
void Scheduler::plan_one() {
    const std::size_t chunk = context_.limits().chunk;
    for (std::size_t i = 0; i < running_.size() && context_.size() == 0; ++i) {
        Running& running = running_[turn_++ % running_.size()];
        if (!running.task->has_room()) continue;
        const std::size_t held = lanes_.held(running.lane);
        const std::size_t prompt = running.task->prompt_tokens();
        add_tokens(running, held < prompt ? std::min(chunk - held % chunk, prompt - held) : 1, 0);
    }
}

std::vector<std::shared_ptr<Stream>> Scheduler::streams() const {
    std::vector<std::shared_ptr<Stream>> streams;
    for (const Running& running : running_) streams.push_back(running.task->stream());
    for (const std::unique_ptr<Task>& task : waiting_) streams.push_back(task->stream());
    return streams;
}

std::size_t Scheduler::held() const {
    std::size_t held = 0;
    for (const Running& running : running_) held += lanes_.held(running.lane);
    return held;
}

Failure Scheduler::decode() {
    const Clock::time_point start = Clock::now();
    Failure failure = context_.decode();
    tally_.decode_seconds += std::chrono::duration<double>(Clock::now() - start).count();
    ++tally_.decodes;
    return failure;
}

// An abort was asked for, and leaves the lanes as they were before; any other failure costs the tasks in the batch their lanes.
void Scheduler::recover(const Error& error) {
    for (Running& running : running_) {
        if (running.added == 0) continue;
        if (error.code == ErrorCode::interrupted) {
            lanes_.trim(running.lane);
        } else {
            lanes_.clear(running.lane);
            running.task->fail(error);
        }
    }
}

void Scheduler::deliver() {
    for (Running& running : running_) {
        if (running.added == 0) continue;
        Task& task = *running.task;
        const std::size_t held = lanes_.held(running.lane);
        const bool prompt = held < task.prompt_tokens();
        const bool whole = held % context_.limits().chunk == 0 && running.added == context_.limits().chunk;
        lanes_.append(running.lane, task.tokens().subspan(held, running.added), prompt && whole);
        if (prompt) tally_.prompt_tokens += running.added;
        for (Output& output : running.outputs) output.logits = context_.logits(output.row);
        running.generated = task.generated();
    }
    hand_out();
    for (const Running& running : running_) {
        if (running.added == 0) continue;
        tally_.generated_tokens += running.task->generated() - running.generated;
        tally_.draws += running.task->take_draws();
    }
}

// Tasks share nothing but what is made for several threads: a stream's queue, and the model, which they only read.
void Scheduler::hand_out() {
    const auto take = [this](std::size_t i) {
        for (const Output& output : running_[i].outputs)
            if (!running_[i].task->done()) running_[i].task->take(output.position, output.logits);
    };
    std::size_t logits = 0;
    for (const Running& running : running_)
        for (const Output& output : running.outputs) logits += output.logits.size();
    if (logits >= share_from_)
        team_.each(running_.size(), take);
    else
        for (std::size_t i = 0; i < running_.size(); ++i) take(i);
}

void Scheduler::retire() {
    std::erase_if(running_, [this](const Running& running) {
        if (!running.task->done()) return false;
        lanes_.release(running.lane);
        return true;
    });
}

void Scheduler::fail_all(const Error& error) {
    for (const std::unique_ptr<Task>& task : waiting_) task->fail(error);
    waiting_.clear();
    for (const Running& running : running_) running.task->fail(error);
    retire();
}

}  // namespace hlg::engine
