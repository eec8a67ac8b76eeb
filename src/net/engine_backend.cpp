// SPDX-License-Identifier: MIT
#include "net/engine_backend.hpp"

#include <chrono>
#include <utility>

namespace hlg::net {
namespace {

class TicketEvents : public Events {
public:
    explicit TicketEvents(engine::Ticket ticket) : ticket_(std::move(ticket)) {}

    std::optional<engine::Event> next(bool& ended) override { return ticket_.next_for(std::chrono::milliseconds(0), ended); }
    void on_event(std::function<void()> call) override { ticket_.on_event(std::move(call)); }

private:
    engine::Ticket ticket_;
};

class EngineBackend : public Backend {
public:
    EngineBackend(std::unique_ptr<engine::Engine> engine, api::ServiceOptions options)
        : engine_(std::move(engine)), service_(*engine_, std::move(options)) {}

    Opened open(const api::HttpRequest& request) override { return service_.open(request); }
    std::unique_ptr<Events> submit(engine::Request request) override {
        return std::make_unique<TicketEvents>(engine_->submit(std::move(request)));
    }
    [[nodiscard]] engine::EngineStatistics statistics() const override { return engine_->statistics(); }
    [[nodiscard]] std::string model_id() const override { return service_.model_id(); }

private:
    std::unique_ptr<engine::Engine> engine_;
    api::Service service_;
};

}  // namespace

std::shared_ptr<Backend> engine_backend(std::unique_ptr<engine::Engine> engine, api::ServiceOptions options) {
    return std::make_shared<EngineBackend>(std::move(engine), std::move(options));
}

}  // namespace hlg::net
