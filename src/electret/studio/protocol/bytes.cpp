#include <array>
#include <bit>
#include <cstring>

#include <electret/studio/protocol/bytes.hpp>

namespace electret::studio {
namespace {

/// Numbers of a charge in a hand.
constexpr std::size_t ball_floats = 5;

/// Appends numbers in the byte order of the protocol.
class Bytes {
 public:
  explicit Bytes(std::size_t room) { text_.reserve(room); }

  template <class T>
  void add(T value) {
    std::array<char, sizeof(T)> raw{};
    std::memcpy(raw.data(), &value, sizeof(T));
    if constexpr (std::endian::native == std::endian::big)
      text_.append(raw.rbegin(), raw.rend());
    else
      text_.append(raw.data(), raw.size());
  }
  template <class T>
  void add_all(const T* values, std::size_t count) {
    if constexpr (std::endian::native == std::endian::big)
      for (std::size_t k = 0; k < count; ++k) add(values[k]);
    else
      text_.append(reinterpret_cast<const char*>(values), count * sizeof(T));
  }
  void head(BinaryKind kind, std::uint8_t flags, const Frame& of) {
    add(binary_magic);
    add(std::uint16_t{1});
    add(static_cast<std::uint8_t>(kind));
    add(flags);
    add(of.generation);
    add(of.sequence);
    add(of.time);
    add(static_cast<std::uint64_t>(of.step));
    add(of.points);
    add(static_cast<std::uint32_t>(of.balls ? of.balls->size() / ball_floats : 0));
    for (const double value : {of.origin.x, of.origin.y, of.origin.z}) add(value);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

std::size_t size_of_block(const Floats& block) {
  return block ? block->size() * sizeof(float) : 0;
}

}  // namespace

namespace {

std::string frame_message(const Frame& frame, BinaryKind kind, SentFrame& sent) {
  Bytes bytes(binary_head + size_of_block(frame.positions) + size_of_block(frame.charges) +
              size_of_block(frame.scalar));
  std::uint8_t flags = frame.generation != sent.generation || frame.step != sent.step + 1 ? is_jump : 0;
  sent.generation = frame.generation;
  sent.step = frame.step;
  const auto choose = [&](const Floats& now, Floats& before, FrameFlag flag) {
    if (now && now != before) flags |= flag;
    before = now;
  };
  choose(frame.charges, sent.charges, has_charges);
  choose(frame.scalar, sent.scalar, has_scalar);
  choose(frame.placements, sent.placements, has_placements);
  choose(frame.external, sent.external, has_external);
  if (frame.hands) flags |= has_hands;  // They always come anew: without them there are none.
  if (frame.balls) flags |= has_balls;  // Likewise.
  bytes.head(kind, flags, frame);
  bytes.add_all(frame.positions->data(), frame.positions->size());
  const auto add = [&](const Floats& block, FrameFlag flag) {
    if ((flags & flag) != 0) bytes.add_all(block->data(), block->size());
  };
  add(frame.charges, has_charges);
  add(frame.scalar, has_scalar);
  add(frame.placements, has_placements);
  add(frame.external, has_external);
  add(frame.balls, has_balls);
  add(frame.hands, has_hands);
  return bytes.take();
}

}  // namespace

std::string frame_bytes(const Frame& frame, SentFrame& sent) {
  return frame_message(frame, BinaryKind::frame, sent);
}

std::string asked_frame_bytes(const AskedFrame& asked) {
  Frame frame = *asked.frame;
  frame.sequence = asked.number;
  SentFrame none;
  return frame_message(frame, BinaryKind::asked_frame, none);
}

std::string picture_bytes(const TracedPicture& traced) {
  Bytes bytes(binary_head + traced.png->size());
  Frame head;
  head.sequence = traced.number;
  bytes.head(BinaryKind::picture, 0, head);
  bytes.add_all(traced.png->data(), traced.png->size());
  return bytes.take();
}

std::string topology_bytes(const Topology& topology) {
  Bytes bytes(binary_head + 16 +
              4 * (2 * topology.springs.size() + 3 * topology.faces.size() + topology.groups.size()));
  Frame head;
  head.generation = topology.generation;
  head.points = topology.points;
  head.origin = topology.origin;
  bytes.head(BinaryKind::topology, 0, head);
  for (const std::size_t count :
       {topology.springs.size(), topology.faces.size(), topology.groups.size(), std::size_t{0}})
    bytes.add(static_cast<std::uint32_t>(count));
  if (!topology.springs.empty()) bytes.add_all(topology.springs.data()->data(), 2 * topology.springs.size());
  if (!topology.faces.empty()) bytes.add_all(topology.faces.data()->data(), 3 * topology.faces.size());
  bytes.add_all(topology.groups.data(), topology.groups.size());
  return bytes.take();
}

std::string gradient_bytes(const VertexGradient& gradient) {
  Bytes bytes(binary_head + size_of_block(gradient.by_charge) + size_of_block(gradient.by_place));
  Frame head;
  head.generation = gradient.generation;
  head.sequence = gradient.number;
  head.points = static_cast<std::uint32_t>(gradient.by_charge->size());
  bytes.head(BinaryKind::gradient, 0, head);
  bytes.add_all(gradient.by_charge->data(), gradient.by_charge->size());
  bytes.add_all(gradient.by_place->data(), gradient.by_place->size());
  return bytes.take();
}

std::string field_bytes(const FieldValues& values) {
  Bytes bytes(binary_head + size_of_block(values.field));
  Frame head;
  head.generation = values.generation;
  head.sequence = values.number;
  head.step = values.step;
  head.points = static_cast<std::uint32_t>(values.field->size() / 3);
  bytes.head(BinaryKind::field, 0, head);
  bytes.add_all(values.field->data(), values.field->size());
  return bytes.take();
}

std::string event_bytes(const Event& event) {
  if (const auto* topology = std::get_if<std::shared_ptr<const Topology>>(&event))
    return topology_bytes(**topology);
  if (const auto* asked = std::get_if<AskedFrame>(&event)) return asked_frame_bytes(*asked);
  if (const auto* traced = std::get_if<TracedPicture>(&event)) return picture_bytes(*traced);
  if (const auto* gradient = std::get_if<VertexGradient>(&event)) return gradient_bytes(*gradient);
  if (const auto* field = std::get_if<FieldValues>(&event)) return field_bytes(*field);
  return {};
}

}  // namespace electret::studio
