// SPDX-License-Identifier: MIT
#include "engine/engine.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "engine/chat_reader.hpp"
#include "engine/prepare.hpp"
#include "engine/scheduler.hpp"
#include "engine/worker_pool.hpp"

namespace hlg::engine {
namespace {

// Enough that a long prompt's tokenising does not delay a short one's.
constexpr std::size_t workers = 2;

Error stops() { return {ErrorCode::interrupted, "the engine stops"}; }

/** What the engine's thread shares with all others. It lives as long as the last ticket. */
struct Shared {
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<std::unique_ptr<Task>> inbox;
    std::vector<std::shared_ptr<Stream>> decoding;  ///< whom the decode under way works for
    bool poked = false;                             ///< there may be something to do
    bool stopping = false;
    EngineStatistics statistics;
    std::atomic<bool> abort = false;  ///< ends a decode under way

    void poke() {
        {
            const std::lock_guard lock(mutex);
            poked = true;
        }
        changed.notify_one();
    }

    /** After a cancel: a decode that nobody waits for any more need not go on. */
    void cancelled() {
        {
            const std::lock_guard lock(mutex);
            poked = true;
            const bool wanted =
                std::any_of(decoding.begin(), decoding.end(), [](const auto& stream) { return !stream->cancelled.load(); });
            if (!decoding.empty() && !wanted) abort = true;
        }
        changed.notify_one();
    }
};

}  // namespace

struct Ticket::State {
    std::shared_ptr<Stream> stream;
    std::shared_ptr<Shared> shared;
    ChatReader chat;
};

Ticket::Ticket(std::unique_ptr<State> state) : state_(std::move(state)) {}
Ticket::Ticket(Ticket&&) noexcept = default;

Ticket& Ticket::operator=(Ticket&& other) noexcept {
    if (state_) cancel();
    state_ = std::move(other.state_);
    return *this;
}

Ticket::~Ticket() {
    if (state_) cancel();
}

std::optional<Event> Ticket::next() {
    State& state = *state_;
    while (!state.chat.ready())
        if (!state.chat.take(state.stream->events.next(), state.stream->chat)) return std::nullopt;
    return state.chat.next();
}

std::optional<Event> Ticket::next_for(std::chrono::milliseconds time, bool& ended) {
    State& state = *state_;
    const auto until = std::chrono::steady_clock::now() + time;
    ended = false;
    // A text may tell nothing of a chat yet, and the next one may be there already: who is told of events together reads them so.
    while (!state.chat.ready()) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
        std::optional<Event> event = state.stream->events.next_for(std::max(left, std::chrono::milliseconds(0)), &ended);
        if (!state.chat.take(std::move(event), state.stream->chat)) return std::nullopt;
    }
    return state.chat.next();
}

void Ticket::cancel() {
    if (!state_->stream->cancelled.exchange(true)) state_->shared->cancelled();
}

void Ticket::on_event(std::function<void()> call) { state_->stream->events.on_event(std::move(call)); }

struct Engine::Impl {
    Impl(Model loaded, EngineOptions given)
        : model(std::move(loaded)), options(std::move(given)), chat_template(ChatTemplate::make(model, options.chat_template)) {}

    void run();
    void tell_statistics() const;
    bool take_work(bool wait);
    void prepare_request(Request request, const std::shared_ptr<Stream>& stream);
    PrepareContext prepare_context();

    Model model;
    EngineOptions options;
    std::shared_ptr<Shared> shared = std::make_shared<Shared>();
    std::optional<BatchContext> context;
    std::optional<Scheduler> scheduler;  ///< the engine thread's alone
    Result<ChatTemplate> chat_template;
    std::once_flag grammars;
    std::optional<GrammarVocabulary> vocabulary;
    std::optional<WorkerPool> pool;
    std::thread thread;
};

Engine::Engine(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Result<std::unique_ptr<Engine>> Engine::start(Model model, EngineOptions options) {
    if (Result<ResolvedSettings> checked = resolve(options.settings); !checked) return checked.error();
    auto impl = std::make_unique<Impl>(std::move(model), std::move(options));
    if (!impl->options.chat_template.empty() && !impl->chat_template) return impl->chat_template.error();
    Result<BatchContext> context = BatchContext::open(impl->model, impl->options.context, impl->shared->abort);
    if (!context) return context.error();
    impl->context.emplace(std::move(*context));
    impl->scheduler.emplace(*impl->context, impl->options.reproducible, impl->options.draws);
    impl->shared->statistics.limits = impl->context->limits();
    impl->pool.emplace(workers);
    impl->thread = std::thread([engine = impl.get()] { engine->run(); });
    return std::unique_ptr<Engine>(new Engine(std::move(impl)));
}

Engine::~Engine() {
    {
        const std::lock_guard lock(impl_->shared->mutex);
        impl_->shared->stopping = true;
        impl_->shared->abort = true;
    }
    impl_->shared->changed.notify_one();
    impl_->thread.join();
    impl_->pool.reset();  // its jobs see that the engine stops
    for (const std::unique_ptr<Task>& task : impl_->shared->inbox) task->fail(stops());
    impl_->shared->inbox.clear();
    // A stream's queue holds what is shared, to tell of room; this is the way back. A ticket may be looking at it.
    std::vector<std::shared_ptr<Stream>> decoding;
    const std::lock_guard lock(impl_->shared->mutex);
    decoding.swap(impl_->shared->decoding);
}

// What is known of the scheduler's work; with the lock held.
void Engine::Impl::tell_statistics() const {
    shared->statistics.waiting = scheduler->waiting();
    shared->statistics.running = scheduler->running();
    shared->statistics.held = scheduler->held();
    shared->statistics.tally = scheduler->tally();
}

// Takes over what came in; with `wait`, sleeps until something does. False when the engine stops.
bool Engine::Impl::take_work(bool wait) {
    std::unique_lock lock(shared->mutex);
    if (wait) {
        tell_statistics();  // that the last one is done; it may be long until there is more to tell
        shared->changed.wait(lock, [this] { return shared->poked || shared->stopping; });
    }
    shared->poked = false;
    for (std::unique_ptr<Task>& task : shared->inbox) scheduler->add(std::move(task));
    shared->inbox.clear();
    shared->decoding = scheduler->streams();
    tell_statistics();
    if (!shared->stopping) shared->abort = false;
    return !shared->stopping;
}

void Engine::Impl::run() {
    bool idle = true;
    while (take_work(idle)) idle = !scheduler->step();
    scheduler->fail_all(stops());
}

PrepareContext Engine::Impl::prepare_context() {
    const auto make_vocabulary = [this]() -> const GrammarVocabulary& {
        std::call_once(grammars, [this] { vocabulary.emplace(model); });
        return *vocabulary;
    };
    return {model, context->limits().context, options.settings, chat_template, make_vocabulary};
}

// A worker's job.
void Engine::Impl::prepare_request(Request request, const std::shared_ptr<Stream>& stream) {
    bool stopping = false;
    {
        const std::lock_guard lock(shared->mutex);
        stopping = shared->stopping;
    }
    Result<std::vector<std::unique_ptr<Task>>> tasks =
        stopping ? stops() : prepare(std::move(request), prepare_context(), stream);
    if (!tasks) stream->events.push({0, ErrorEvent{tasks.error()}});
    const bool empty = !tasks || tasks->empty();
    {
        const std::lock_guard lock(shared->mutex);
        --shared->statistics.preparing;
        shared->poked = true;
        if (!empty)
            for (std::unique_ptr<Task>& task : *tasks) shared->inbox.push_back(std::move(task));
    }
    if (empty) stream->events.close();
    shared->changed.notify_one();
}

Ticket Engine::submit(Request request) {
    auto state = std::make_unique<Ticket::State>();
    state->shared = impl_->shared;
    state->stream = std::make_shared<Stream>(impl_->options.events);
    state->stream->events.on_room([shared = impl_->shared] { shared->poke(); });
    bool busy = false;
    {
        const std::lock_guard lock(impl_->shared->mutex);
        EngineStatistics& statistics = impl_->shared->statistics;
        ++statistics.requests;
        busy = statistics.preparing + impl_->shared->inbox.size() + statistics.waiting + statistics.running >=
               impl_->options.most_requests;
        if (!busy) ++statistics.preparing;
    }
    if (busy) {
        state->stream->events.push({0, ErrorEvent{{ErrorCode::too_busy, "too many requests wait already"}}});
        state->stream->events.close();
    } else {
        // Held by value: std::function wants copies, and a request is no small thing.
        auto held = std::make_shared<Request>(std::move(request));
        impl_->pool->post(
            [impl = impl_.get(), held, stream = state->stream] { impl->prepare_request(std::move(*held), stream); });
    }
    return Ticket(std::move(state));
}

EngineStatistics Engine::statistics() const {
    const std::lock_guard lock(impl_->shared->mutex);
    EngineStatistics statistics = impl_->shared->statistics;
    statistics.waiting += impl_->shared->inbox.size();  // the scheduler has not seen these
    return statistics;
}

const Model& Engine::model() const noexcept { return impl_->model; }

const Result<ChatTemplate>& Engine::chat_template() const noexcept { return impl_->chat_template; }

const ContextLimits& Engine::limits() const noexcept { return impl_->context->limits(); }

Result<std::vector<Completion>> complete(Engine& engine, GenerateRequest request) {
    std::vector<Completion> completions(std::max<std::size_t>(request.choices, 1));
    Ticket ticket = engine.submit(std::move(request));
    while (std::optional<Event> event = ticket.next()) {
        if (const auto* failed = std::get_if<ErrorEvent>(&event->what)) return failed->error;
        Completion& completion = completions[event->choice];
        if (auto* part = std::get_if<TextEvent>(&event->what)) {
            completion.text += part->text;
            std::move(part->tokens.begin(), part->tokens.end(), std::back_inserter(completion.tokens));
        } else if (auto* chat = std::get_if<ChatEvent>(&event->what)) {
            for (const ChatDelta& delta : chat->deltas) completion.message.append(delta);
            std::move(chat->tokens.begin(), chat->tokens.end(), std::back_inserter(completion.tokens));
        } else if (auto* last = std::get_if<FinishedEvent>(&event->what)) {
            completion.finished = std::move(*last);
        }
    }
    return completions;
}

}  // namespace hlg::engine
