#pragma once
/// \file
/// Serves a session to pages in a browser on this machine: HTTP and WebSocket on 127.0.0.1.
///
/// \code
///   Server server(session_options, {});
///   std::puts(server.url().c_str());
///   server.serve(stop_token);
/// \endcode

#include <memory>
#include <stop_token>
#include <string>

#include <electret/studio/session/machine.hpp>

namespace electret::studio {

struct ServerOptions {
  unsigned short port = 0;  ///< 0: one that is free.
};

/// What this build lacks to serve, and how to get it; empty if nothing.
[[nodiscard]] std::string why_no_server();

class Server {
 public:
  /// Takes the port and the output folder. Throws IoError if the port is taken, and as Session.
  Server(const SessionOptions& session, const ServerOptions& options);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// "http://127.0.0.1:PORT/#TOKEN".
  [[nodiscard]] std::string url() const;
  /// Serves until a page asks to quit, or `stop` is requested, and writes what is left. Throws IoError if
  /// that cannot be written.
  void serve(std::stop_token stop);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace electret::studio
