#include <electret/core/errors.hpp>
#include <electret/studio/server/server.hpp>

namespace electret::studio {

std::string why_no_server() {
  return "this build has no studio, because Boost was missing or ELECTRET_STUDIO was OFF: apt-get install "
         "libboost-dev, then configure and build again";
}

struct Server::Impl {};

Server::Server(const SessionOptions&, const ServerOptions&) {
  throw InternalError(why_no_server());
}
Server::~Server() = default;
std::string Server::url() const {
  return {};
}
void Server::serve(std::stop_token) {}

}  // namespace electret::studio
