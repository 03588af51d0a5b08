/// What pages of the studio send: text messages, and the heads of requests. The first byte says which.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <electret/core/text.hpp>
#include <electret/studio/protocol/json.hpp>
#include <electret/studio/server/request.hpp>

namespace {

using namespace electret;

void read_text(std::string_view text) {
  const studio::PageMessage message = studio::read_message(text);
  if (const auto* refused = std::get_if<studio::Refused>(&message)) {
    // Whatever is answered is a message, too.
    if (refused->error.empty() || studio::write_event(studio::Answer{refused->id, refused->error}).empty())
      std::abort();
  } else if (const auto* request = std::get_if<studio::Request>(&message)) {
    if (const auto* play = std::get_if<studio::Play>(&request->command);
        play != nullptr && play->rate && !(*play->rate > 0.0))
      std::abort();
    if (const auto* step = std::get_if<studio::Step>(&request->command); step != nullptr && step->steps < 1)
      std::abort();
    if (const auto* seek = std::get_if<studio::Seek>(&request->command); seek != nullptr && seek->step < 0)
      std::abort();
    const auto is_near = [](const Vec3& place) {
      return std::abs(place.x) <= 1e12 && std::abs(place.y) <= 1e12 && std::abs(place.z) <= 1e12;
    };
    if (const auto* hand = std::get_if<studio::HandBegin>(&request->command);
        hand != nullptr &&
        !(hand->hand >= 0 && hand->hand <= studio::most_hand && hand->point >= 0 && hand->brush >= 0.0 &&
          hand->strength > 0.0 && hand->strength <= 1.0 && (!hand->at || is_near(*hand->at))))
      std::abort();
    if (const auto* hand = std::get_if<studio::HandMove>(&request->command);
        hand != nullptr && !is_near(hand->to))
      std::abort();
    if (const auto* ball = std::get_if<studio::BallBegin>(&request->command);
        ball != nullptr && !(ball->hand >= 0 && ball->hand <= studio::most_hand && is_near(ball->at) &&
                             ball->charge != 0.0 && std::abs(ball->charge) <= 1e12 && ball->width > 0.0))
      std::abort();
    if (const auto* external = std::get_if<studio::SetExternal>(&request->command);
        external != nullptr && !((external->charge || external->position) && external->number >= 0 &&
                                 (!external->position || is_near(*external->position))))
      std::abort();
    const auto is_charge = [](double value) { return std::abs(value) <= 1e12; };
    if (const auto* charge = std::get_if<studio::SetCharge>(&request->command);
        charge != nullptr && !(charge->body >= 0 && is_charge(charge->value) && charge->gesture >= 0.0))
      std::abort();
    if (const auto* paint = std::get_if<studio::Paint>(&request->command);
        paint != nullptr && !(paint->body >= 0 && paint->charges.size() == paint->vertices.size() &&
                              std::all_of(paint->charges.begin(), paint->charges.end(), is_charge)))
      std::abort();
    if (const auto* tune = std::get_if<studio::Tune>(&request->command);
        tune != nullptr && !(tune->gesture >= 0.0 && (!tune->revision || *tune->revision >= 0)))
      std::abort();
    if (const auto* trace = std::get_if<studio::RayTrace>(&request->command);
        trace != nullptr && !(trace->width >= studio::least_side && trace->height >= studio::least_side &&
                              static_cast<double>(trace->width) * trace->height <= studio::most_pixels))
      std::abort();
    if (const auto* field = std::get_if<studio::AskField>(&request->command);
        field != nullptr && !(field->columns >= 1 && field->rows >= 1 &&
                              field->columns * field->rows <= studio::most_field_points &&
                              is_near(field->corner) && is_near(field->across) && is_near(field->along)))
      std::abort();
    if (std::holds_alternative<studio::Leave>(request->command)) std::abort();
  }
}

/// Lines: the method, the target, then fields by their first letter.
void read_head(std::string_view text) {
  studio::RequestHead head;
  const std::vector<std::string> lines = lines_of(text);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const std::string& line = lines[k];
    const std::string value = line.empty() ? line : line.substr(1);
    if (k == 0) head.method = line;
    if (k == 1) head.target = line;
    if (k < 2 || line.empty()) continue;
    if (line[0] == 'h') head.hosts.push_back(value);
    if (line[0] == 'o') head.origins.push_back(value);
    if (line[0] == 'p') head.protocols.push_back(value);
    if (line[0] == 'u') head.is_upgrade = true;
    if (line[0] == 'b') head.has_body = true;
  }
  const studio::Verdict verdict = studio::judge(head, 8000, "0123456789abcdef0123456789abcdef");
  const bool is_ours =
      head.hosts.size() == 1 && (head.hosts[0] == "127.0.0.1:8000" || head.hosts[0] == "localhost:8000");
  if ((verdict.status == 200 || verdict.status == 101) && !is_ours) std::abort();
  if (verdict.status == 101 && (head.origins.size() != 1 || head.protocols.empty())) std::abort();
  if (!verdict.body.empty() && verdict.status != 200) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  if (bytes[0] == 'h')
    read_head(text);
  else
    read_text(text);
  return 0;
}
