// SPDX-License-Identifier: MIT
#include "cli/generate.hpp"

#include <chrono>
#include <memory>
#include <vector>

#include <fmt/core.h>

#include "cli/engine_options.hpp"
#include "engine/bell.hpp"

namespace hlg::cli {
namespace {

class Generation {
public:
    Generation(std::span<RunReport> reports, std::size_t choices, RunOutput& output)
        : reports_(reports), choices_(choices), output_(output) {}

    void submit(engine::Engine& engine, engine::GenerateRequest request) {
        Under& under = requests_.emplace_back(Under{engine.submit(std::move(request))});
        under.ticket.on_event([bell = bell_] { bell->ring(); });  // the engine may ring when this object has gone
    }

    void run(const std::atomic<bool>& interrupted) {
        while (read_all()) {
            output_.tick();
            bell_->wait();
            if (!interrupted) continue;
            for (Under& under : requests_) under.ticket.cancel();
        }
    }

private:
    /** A request under way. */
    struct Under {
        engine::Ticket ticket;
        bool ended = false;
    };

    /** Takes in every event that is there. False when all requests have ended. */
    bool read_all() {
        bool open = false;
        for (std::size_t i = 0; i < requests_.size(); ++i) {
            Under& under = requests_[i];
            while (!under.ended) {
                std::optional<engine::Event> event = under.ticket.next_for(std::chrono::milliseconds(0), under.ended);
                if (!event) break;
                take(i, *event);
            }
            open = open || !under.ended;
        }
        return open;
    }

    void take(std::size_t request, engine::Event& event) {
        const std::size_t index = request * choices_ + event.choice;
        RunReport& report = reports_[index];
        if (const auto* part = std::get_if<engine::TextEvent>(&event.what)) {
            report.text += part->text;
            output_.part(index, part->text);
        } else if (auto* last = std::get_if<engine::FinishedEvent>(&event.what)) {
            report.finished = std::move(*last);
            output_.ended();
        } else if (auto* failed = std::get_if<engine::ErrorEvent>(&event.what)) {
            output_.stop();
            if (requests_.size() > 1) failed->error.message = fmt::format("prompt {}: {}", request + 1, failed->error.message);
            give_up(failed->error);
        }
    }

    std::span<RunReport> reports_;
    std::size_t choices_;
    RunOutput& output_;
    std::shared_ptr<engine::Bell> bell_ = std::make_shared<engine::Bell>();
    std::vector<Under> requests_;
};

}  // namespace

void generate(engine::Engine& engine, const GenerationOptions& options, std::span<RunReport> reports, RunOutput& output,
              const std::atomic<bool>& interrupted) {
    Generation generation(reports, options.choices(), output);
    for (std::size_t i = 0; i < reports.size(); i += options.choices())
        generation.submit(engine, options.request(reports[i].prompt));
    generation.run(interrupted);
}

}  // namespace hlg::cli
