// SPDX-License-Identifier: MIT
//
// A client's connection: requests one after the other, each answered before the next is looked at. The network thread's alone.
//
//     reading -> opening -> answering -> sending -> reading ...            or, at last, -> farewell -> closed
//
// It always reads, for a client that goes away says so there; what comes early waits in a bounded buffer. It writes one thing at
// a time, and makes the next only when the client has taken the last: slow clients fill nothing but their own socket.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include "api/problem.hpp"
#include "net/access_log.hpp"
#include "net/answer.hpp"
#include "net/request_reader.hpp"
#include "net/response_text.hpp"
#include "net/site.hpp"

namespace hlg::net {

class Connection : public std::enable_shared_from_this<Connection> {
public:
    Connection(boost::asio::ip::tcp::socket socket, Site& site);
    void start();

    /** Ends the answer under way with this problem; the client still gets it. `why` is for the log. */
    void cut(const api::Problem& problem, End why);

    void close(End end);

private:
    using Error = boost::system::error_code;
    enum class State {
        reading,    ///< of the next request there is nothing yet, or a part
        opening,    ///< a worker finds out what it means
        answering,  ///< the engine is asked
        sending,    ///< the answer is complete, not all of it sent
        farewell,   ///< nothing more will be sent; the client may not have noticed yet
        closed,
    };

    // connection.cpp: bytes and deadlines
    void read();
    /** Whatever goes wrong with one client, memory as a rule, is the end of this client's connection and of no other's. */
    template <class Work>
    void guard(Work work) {
        try {
            work();
        } catch (const std::exception& error) {
            break_off(error);
        }
    }
    void break_off(const std::exception& error);
    void on_readable(const Error& error);
    void on_end_of_input();
    void advance();
    void on_head();
    void send(std::string bytes);
    void write_some();
    void on_written(const Error& error, std::size_t count);
    void say_farewell();
    void next_request();
    [[nodiscard]] Clock::time_point due() const;
    [[nodiscard]] Clock::time_point reading_due() const;
    void on_due();
    void arm();

    // connection_answer.cpp: what is said
    void on_request();
    void begin_answer();
    [[nodiscard]] std::optional<api::Problem> barred(const api::HttpRequest& request) const;
    void refuse_method();
    void tell_options(const api::HttpRequest& request);
    bool answer_ourselves(const api::HttpRequest& request);
    void open();
    void on_opened(Opened opened);
    void ask(std::unique_ptr<api::Exchange> exchange);
    void refuse(const api::Problem& problem);
    void respond(api::Reply reply);
    void pump();
    void stream(const std::string& bytes);
    void ping();
    std::string frame(const std::string& bytes);
    [[nodiscard]] std::vector<api::Header> more_headers() const;
    void finish_answer(End end);

    boost::asio::ip::tcp::socket socket_;
    boost::asio::steady_timer timer_;
    Site& site_;
    std::string client_;  ///< address and port
    State state_ = State::reading;

    RequestReader reader_;
    std::string input_;  ///< read, not yet used
    bool waiting_to_read_ = false;
    bool head_seen_ = false;  ///< of a request whose body is still coming

    std::string output_;  ///< being sent
    std::size_t sent_ = 0;
    std::string next_output_;
    bool writing_ = false;

    std::size_t number_ = 0;  ///< of the request, so that late news of an earlier one are not mistaken
    IncomingRequest request_;
    std::string id_;
    std::unique_ptr<Answer> answer_;
    bool head_sent_ = false;
    bool keep_alive_ = false;
    int status_ = 0;
    End end_ = End::complete;  ///< of an answer that the client got as far as it goes
    std::size_t body_bytes_ = 0;
    std::size_t tokens_ = 0;

    Clock::time_point started_ = Clock::now();   ///< the request's first byte, or the wait for it
    Clock::time_point arrived_ = Clock::now();   ///< its last
    Clock::time_point progress_ = Clock::now();  ///< the client took something, or was given something to take
    std::size_t received_ = 0;                   ///< bytes of the request so far
    Clock::time_point armed_until_ = Clock::time_point::max();
};

}  // namespace hlg::net
