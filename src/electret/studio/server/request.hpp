#pragma once
/// \file
/// Which HTTP requests are answered, and how (docs/studio.md, "Who may come in"). Nothing here knows sockets.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace electret::studio {

/// What counts of a request's head.
struct RequestHead {
  std::string method;                                  ///< "GET".
  std::string target;                                  ///< "/app.js".
  std::vector<std::string> hosts, origins, protocols;  ///< The fields' values as sent; several if repeated.
  bool is_upgrade = false;                             ///< To a WebSocket.
  bool has_body = false;
};

/// The status: 200 (a page), 101 (the socket), 400, 401, 403 or 404.
struct Verdict {
  int status = 400;
  std::string_view reason;  ///< One word for the status line.
  std::string_view body;    ///< Of a page.
  std::string_view type;
};

/// `token` is what the page must offer as the subprotocol "token.TOKEN".
[[nodiscard]] Verdict judge(const RequestHead& head, unsigned short port, std::string_view token);

/// The fields that every answer has, for the page's safety.
[[nodiscard]] const std::vector<std::pair<std::string_view, std::string_view>>& safety_fields();

/// The subprotocol that the server speaks.
inline constexpr std::string_view subprotocol = "electret.1";

/// 128 random bits as 32 hexadecimal digits.
[[nodiscard]] std::string random_token();

}  // namespace electret::studio
