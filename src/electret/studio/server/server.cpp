#include <array>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>  // Boost 1.74's awaitable.hpp forgets it.

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include <electret/core/errors.hpp>
#include <electret/studio/protocol/bytes.hpp>
#include <electret/studio/protocol/json.hpp>
#include <electret/studio/server/outbox.hpp>
#include <electret/studio/server/request.hpp>
#include <electret/studio/server/server.hpp>
#include <electret/studio/session/session.hpp>

namespace electret::studio {
namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = net::ip::tcp;
using boost::system::error_code;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::size_t head_limit = 8192;
constexpr int most_connections = 16;
constexpr seconds time_to_speak{10}, silence{20}, lingering{2}, farewell{1};
constexpr int credits = 2;
constexpr int messages_a_second = 1000;

/// What the connections have in common; everything but the session runs on the one thread of `io`.
struct Hub {
  std::string token;
  unsigned short port = 0;
  Session* session = nullptr;
  std::map<int, class Page*> pages;
  int next_page = 1, connections = 0;
  std::shared_ptr<const Frame> newest;
};

/// Counts a connection while it lives.
class Counted {
 public:
  explicit Counted(Hub& hub) : hub_(hub) { ++hub_.connections; }
  ~Counted() { --hub_.connections; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  Hub& hub_;
};

/// A page's socket.
class Page : public std::enable_shared_from_this<Page> {
 public:
  Page(Hub& hub, std::shared_ptr<Counted> counted, beast::tcp_stream&& stream)
      : hub_(hub), counted_(std::move(counted)), socket_(std::move(stream)) {}
  ~Page() { leave(); }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  void accept(const http::request<http::empty_body>& request) {
    socket_.set_option(websocket::stream_base::timeout{time_to_speak, silence, true});
    socket_.set_option(websocket::stream_base::decorator([](websocket::response_type& response) {
      response.set(http::field::sec_websocket_protocol, std::string(subprotocol));
    }));
    socket_.read_message_max(most_message_bytes);
    socket_.auto_fragment(false);
    request_ = request;
    socket_.async_accept(request_, [self = shared_from_this()](error_code error) {
      if (!error) self->begin();
    });
  }

  /// What everybody is told concerns a page from its welcome on; the answer to hello begins with that.
  void tell(const Event& event, bool is_everybody_told) {
    if (std::holds_alternative<Welcome>(event)) is_welcome_ = true;
    if (is_everybody_told && !is_welcome_) return;
    Outbox::Message message{std::make_shared<std::string>(event_bytes(event)), kind_of(event), true};
    if (const auto* topology = std::get_if<std::shared_ptr<const Topology>>(&event))
      message.generation = (*topology)->generation;
    if (message.bytes->empty()) message = {std::make_shared<std::string>(write_event(event)), kind_of(event)};
    queue(std::move(message));
  }

  /// Sends what there is to send, if nothing is being sent.
  void pump() {
    if (is_writing_ || is_closing_) return;
    if (!outbox_.empty()) return write_event_message();
    if (last_words_) return close(last_words_->first, last_words_->second);
    const auto& frame = hub_.newest;
    if (!said_hello_ || credits_ == 0 || !frame || generation_ != frame->generation ||
        frame->sequence == sent_frame_)
      return;
    --credits_;
    sent_frame_ = frame->sequence;
    write(std::make_shared<std::string>(frame_bytes(*frame, sent_)), true);
  }

  /// Closes once everything that was told is sent.
  void close_when_sent(websocket::close_code code, const std::string& why) {
    last_words_ = {code, why};
    pump();
  }

  void close(websocket::close_code code, const std::string& why) {
    if (is_closing_) return;
    is_closing_ = true;
    leave();
    socket_.async_close({code, why}, [self = shared_from_this()](error_code) {});
  }

 private:
  void begin() {
    if (hub_.pages.size() >= static_cast<std::size_t>(most_pages))
      return close(websocket::close_code::try_again_later, "four pages are open already");
    number_ = hub_.next_page++;
    hub_.pages[number_] = this;
    hub_.session->set_pages(static_cast<int>(hub_.pages.size()));
    read();
  }

  void leave() {
    const int number = std::exchange(number_, 0);
    if (number == 0 || hub_.pages.erase(number) == 0) return;
    hub_.session->leave(number);
    hub_.session->set_pages(static_cast<int>(hub_.pages.size()));
  }

  void drop() {
    is_closing_ = true;
    leave();
    error_code ignored;
    beast::get_lowest_layer(socket_).socket().close(ignored);
  }

  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) return self->leave();
      if (self->is_closing_) return;
      self->take();
      if (!self->is_closing_) self->read();
    });
  }

  bool is_too_many() {
    const auto now = std::chrono::steady_clock::now();
    if (now - second_begun_ >= seconds(1)) {
      second_begun_ = now;
      in_second_ = 0;
    }
    return ++in_second_ > messages_a_second;
  }

  void take() {
    const std::string text = beast::buffers_to_string(buffer_.data());
    buffer_.consume(buffer_.size());
    if (is_too_many()) return close(websocket::close_code::policy_error, "too many messages");
    if (!socket_.got_text())
      return close(websocket::close_code::unknown_data, "binary messages are not understood");
    std::visit([this](const auto& message) { take(message); }, read_message(text));
  }
  void take(const Malformed& malformed) { close(websocket::close_code::policy_error, malformed.why); }
  void take(const Refused& refused) { answer(refused.id, refused.error); }
  void take(const Drawn&) {
    credits_ = std::min(credits, credits_ + 1);
    pump();
  }
  void take(const Request& request) {
    if (std::holds_alternative<Hello>(request.command)) {
      said_hello_ = true;
      is_welcome_ = false;
      credits_ = credits;
      generation_.reset();
      sent_ = {};
      sent_frame_ = 0;
    } else if (!said_hello_) {
      return answer(request.id, "say hello first");
    }
    if (!hub_.session->post({number_, request.id, request.command}))
      answer(request.id, "too many commands wait: ask again later");
  }

  void answer(double id, const std::string& error) {
    queue({std::make_shared<std::string>(write_event(Answer{id, error}))});
  }

  void queue(Outbox::Message message) {
    if (!outbox_.push(std::move(message))) return drop();
    pump();
  }

  void write_event_message() {
    Outbox::Message message = outbox_.pop();
    if (message.generation) {
      generation_ = message.generation;
      sent_ = {};
      sent_frame_ = 0;
    }
    write(std::move(message.bytes), message.is_binary);
  }

  void write(Outbox::Bytes bytes, bool is_binary) {
    is_writing_ = true;
    socket_.binary(is_binary);
    const net::const_buffer view(bytes->data(), bytes->size());
    socket_.async_write(view,
                        [self = shared_from_this(), bytes = std::move(bytes)](error_code error, std::size_t) {
                          self->is_writing_ = false;
                          if (error) return self->leave();
                          self->pump();
                        });
  }

  Hub& hub_;
  std::shared_ptr<Counted> counted_;
  // Without permessage-deflate, which is not offered: its templates take a sixth of this file's compilation.
  websocket::stream<beast::tcp_stream, false> socket_;
  http::request<http::empty_body> request_;
  beast::flat_buffer buffer_;
  Outbox outbox_;
  bool is_writing_ = false, is_closing_ = false, said_hello_ = false, is_welcome_ = false;
  int number_ = 0, credits_ = 0;
  std::optional<std::pair<websocket::close_code, std::string>> last_words_;
  std::optional<std::uint32_t> generation_;
  std::uint32_t sent_frame_ = 0;
  SentFrame sent_;
  std::chrono::steady_clock::time_point second_begun_{};
  int in_second_ = 0;
};

/// A connection until its one request is answered, or has become a page's socket.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Hub& hub, tcp::socket&& socket)
      : hub_(hub),
        counted_(std::make_shared<Counted>(hub)),
        stream_(std::move(socket)),
        buffer_(head_limit + 1024) {
    parser_.header_limit(head_limit);
    parser_.body_limit(std::uint64_t{0});
  }

  void begin() {
    if (hub_.connections > most_connections) return answer({503, "Service Unavailable", {}, {}});
    stream_.expires_after(time_to_speak);
    http::async_read_header(
        stream_, buffer_, parser_,
        [self = shared_from_this()](error_code error, std::size_t) { self->judge_head(error); });
  }

 private:
  void judge_head(error_code error) {
    if (error == http::error::end_of_stream || error == beast::error::timeout ||
        error == net::error::connection_reset)
      return;
    if (error) return answer({400, "Bad Request", {}, {}});
    const auto& request = parser_.get();
    RequestHead head;
    head.method = std::string(request.method_string());
    head.target = std::string(request.target());
    for (const auto& field : request) {
      const std::string value(field.value());
      if (field.name() == http::field::host) head.hosts.push_back(value);
      if (field.name() == http::field::origin) head.origins.push_back(value);
      if (field.name() == http::field::sec_websocket_protocol) head.protocols.push_back(value);
    }
    head.is_upgrade = websocket::is_upgrade(request);
    head.has_body =
        request.has_content_length() ? parser_.content_length().value_or(0) > 0 : request.chunked();
    const Verdict verdict = judge(head, hub_.port, hub_.token);
    if (verdict.status != 101) return answer(verdict);
    stream_.expires_never();  // The page has timeouts of its own.
    std::make_shared<Page>(hub_, counted_, std::move(stream_))->accept(request);
  }

  void answer(const Verdict& verdict) {
    text_ = "HTTP/1.1 " + std::to_string(verdict.status) + " " + std::string(verdict.reason) + "\r\n";
    for (const auto& [name, value] : safety_fields())
      text_ += std::string(name) + ": " + std::string(value) + "\r\n";
    const std::string plain =
        verdict.body.empty() ? std::to_string(verdict.status) + " " + std::string(verdict.reason) + "\n" : "";
    text_ +=
        "Content-Type: " + std::string(verdict.type.empty() ? "text/plain; charset=utf-8" : verdict.type) +
        "\r\n";
    text_ += "Content-Length: " + std::to_string(plain.size() + verdict.body.size()) +
             "\r\nConnection: close\r\n\r\n" + plain;
    const std::array<net::const_buffer, 2> parts{net::buffer(text_),
                                                 net::const_buffer(verdict.body.data(), verdict.body.size())};
    stream_.expires_after(time_to_speak);
    net::async_write(stream_, parts, [self = shared_from_this()](error_code error, std::size_t) {
      if (!error) self->hang_up();
    });
  }

  /// What the other side still sends is read and dropped for a while: closing before would reset the
  /// connection, and the answer would be lost.
  void hang_up() {
    error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    stream_.expires_after(lingering);
    drain();
  }
  void drain() {
    stream_.async_read_some(net::buffer(rest_), [self = shared_from_this()](error_code error, std::size_t) {
      if (!error) self->drain();
    });
  }

  Hub& hub_;
  std::shared_ptr<Counted> counted_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  http::request_parser<http::empty_body> parser_;
  std::string text_;
  std::array<char, 4096> rest_{};
};

}  // namespace

std::string why_no_server() {
  return {};
}

struct Server::Impl : Listener {
  Impl(const SessionOptions& options, const ServerOptions& wanted) : session(options, *this) {
    listen(wanted.port);
    hub.session = &session;
    hub.token = random_token();
  }

  void listen(unsigned short port) {
    const tcp::endpoint here(net::ip::address_v4::loopback(), port);
    error_code error;
    acceptor.open(here.protocol(), error);
    if (!error) acceptor.set_option(net::socket_base::reuse_address(true), error);
    if (!error) acceptor.bind(here, error);
    if (!error) acceptor.listen(net::socket_base::max_listen_connections, error);
    if (error) throw IoError("port " + std::to_string(port) + " cannot be had: " + error.message());
    hub.port = acceptor.local_endpoint().port();
  }

  void accept() {
    acceptor.async_accept([this](error_code error, tcp::socket socket) {
      if (error == net::error::operation_aborted) return;
      if (!error) {
        error_code ignored;
        socket.set_option(tcp::no_delay(true), ignored);
        std::make_shared<Connection>(hub, std::move(socket))->begin();
        return accept();
      }
      // Out of descriptors, for example: others may be closed in a moment.
      pause.expires_after(milliseconds(100));
      pause.async_wait([this](error_code stopped) {
        if (!stopped) accept();
      });
    });
  }

  void tell(int page, const Event& event) override {
    net::post(io, [this, page, event] {
      if (page == everyone)
        for (const auto& [number, each] : std::map(hub.pages)) each->tell(event, true);
      else if (const auto found = hub.pages.find(page); found != hub.pages.end())
        found->second->tell(event, false);
    });
  }

  void show(std::shared_ptr<const Frame> frame) override {
    const std::lock_guard lock(mutex);
    const bool is_posted = slot != nullptr;
    slot = std::move(frame);
    if (is_posted) return;
    net::post(io, [this] {
      {
        const std::lock_guard taking(mutex);
        hub.newest = std::move(slot);
        slot = nullptr;
      }
      for (const auto& [number, each] : std::map(hub.pages)) each->pump();
    });
  }

  /// Lets the pages read that it is over.
  void say_farewell() {
    net::post(io, [this] {
      error_code ignored;
      acceptor.close(ignored);
      pause.cancel();
      for (const auto& [number, each] : std::map(hub.pages))
        each->close_when_sent(websocket::close_code::going_away, "the server has ended");
    });
    const auto until = std::chrono::steady_clock::now() + farewell;
    std::unique_lock lock(mutex);
    ended.wait_until(lock, until, [this] { return is_io_done; });
  }

  std::mutex mutex;
  std::condition_variable ended;
  std::shared_ptr<const Frame> slot;  ///< The newest frame, not yet seen by the pages.
  bool is_over = false, is_io_done = false;
  // Pages that are still there go with `io`, and use what is above it.
  Hub hub;
  Session session;
  net::io_context io{1};
  net::steady_timer pause{io};
  tcp::acceptor acceptor{io};
};

Server::Server(const SessionOptions& session, const ServerOptions& options)
    : impl_(std::make_unique<Impl>(session, options)) {}

Server::~Server() = default;

std::string Server::url() const {
  return "http://127.0.0.1:" + std::to_string(impl_->hub.port) + "/#" + impl_->hub.token;
}

void Server::serve(std::stop_token stop) {
  Impl& server = *impl_;
  const auto end = [&server] {
    {
      const std::lock_guard lock(server.mutex);
      server.is_over = true;
    }
    server.ended.notify_all();
  };
  server.accept();
  std::thread sockets([&server] {
    server.io.run();
    {
      const std::lock_guard lock(server.mutex);
      server.is_io_done = true;
    }
    server.ended.notify_all();
  });
  server.session.start(end);
  {
    const std::stop_callback stopping(stop, end);
    std::unique_lock lock(server.mutex);
    server.ended.wait(lock, [&server] { return server.is_over; });
  }
  std::exception_ptr failure;
  try {
    server.session.stop();
  } catch (...) {
    failure = std::current_exception();
  }
  server.say_farewell();
  server.io.stop();
  sockets.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace electret::studio
