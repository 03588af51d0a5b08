#include <algorithm>
#include <array>
#include <random>

#include <electret/studio/server/pages.hpp>
#include <electret/studio/server/request.hpp>

namespace electret::studio {
namespace {

/// Compares in a time that does not depend on where two texts of one length differ.
bool is_same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    difference |= static_cast<unsigned char>(a[k]) ^ static_cast<unsigned char>(b[k]);
  return difference == 0;
}

/// The words of a list that is separated by commas.
std::vector<std::string_view> words_of(const std::vector<std::string>& fields) {
  std::vector<std::string_view> words;
  for (const std::string_view field : fields)
    for (std::size_t at = 0; at <= field.size();) {
      const std::size_t end = std::min(field.find(',', at), field.size());
      std::string_view word = field.substr(at, end - at);
      while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
      while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
      if (!word.empty()) words.push_back(word);
      at = end + 1;
    }
  return words;
}

bool is_one_of(const std::vector<std::string>& fields, const std::array<std::string, 2>& allowed) {
  return fields.size() == 1 && (fields[0] == allowed[0] || fields[0] == allowed[1]);
}

bool offers_token(const std::vector<std::string>& protocols, std::string_view token) {
  bool speaks = false, knows = false;
  for (const std::string_view word : words_of(protocols)) {
    speaks |= word == subprotocol;
    if (word.starts_with("token.")) knows |= is_same_secret(word.substr(6), token);
  }
  return speaks && knows;
}

}  // namespace

std::string_view content_type(std::string_view file) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> types{
      {{".html", "text/html; charset=utf-8"},
       {".js", "text/javascript; charset=utf-8"},
       {".css", "text/css; charset=utf-8"},
       {".svg", "image/svg+xml"},
       {".json", "application/json"},
       {".txt", "text/plain; charset=utf-8"},
       {".png", "image/png"},
       {".woff2", "font/woff2"}}};
  for (const auto& [ending, type] : types)
    if (file.ends_with(ending)) return type;
  return "application/octet-stream";
}

Verdict judge(const RequestHead& head, unsigned short port, std::string_view token) {
  // Browsers leave out HTTP's own port.
  const std::string number = port == 80 ? std::string() : ":" + std::to_string(port);
  const std::array<std::string, 2> hosts{"127.0.0.1" + number, "localhost" + number};
  if (!is_one_of(head.hosts, hosts)) return {403, "Forbidden", {}, {}};
  if (head.method != "GET" || head.has_body) return {400, "Bad Request", {}, {}};
  if (head.target == "/socket") {
    if (!head.is_upgrade) return {400, "Bad Request", {}, {}};
    if (!is_one_of(head.origins, {"http://" + hosts[0], "http://" + hosts[1]}))
      return {403, "Forbidden", {}, {}};
    if (!offers_token(head.protocols, token)) return {401, "Unauthorized", {}, {}};
    return {101, "Switching Protocols", {}, {}};
  }
  if (head.is_upgrade) return {400, "Bad Request", {}, {}};
  for (const EmbeddedPage& page : embedded_pages())
    if (page.path == head.target) return {200, "OK", page.bytes, content_type(page.file)};
  return {404, "Not Found", {}, {}};
}

const std::vector<std::pair<std::string_view, std::string_view>>& safety_fields() {
  static const std::vector<std::pair<std::string_view, std::string_view>> fields{
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob: "
       "data:; base-uri "
       "'none'; form-action 'none'; frame-ancestors 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"Cache-Control", "no-store"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"}};
  return fields;
}

std::string random_token() {
  std::random_device source;  // The system's, not a generator of our own.
  std::string token;
  for (int k = 0; k < 32; ++k) token += "0123456789abcdef"[source() & 15U];
  return token;
}

}  // namespace electret::studio
