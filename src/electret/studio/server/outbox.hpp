#pragma once
/// \file
/// What a page was told and has not taken. It is bounded, also for a page that never reads: of what describes
/// all there is, and of what it asked for, only the newest waits; the rest may be a megabyte.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <electret/studio/session/events.hpp>

namespace electret::studio {

class Outbox {
 public:
  using Bytes = std::shared_ptr<const std::string>;
  /// Of the kinds up to `rows_anew`, a newer message takes the place of one that waits. `rows_anew` makes
  /// waiting `rows` void, too.
  enum class Kind {
    document,
    system,
    keys,
    fields,
    changes,
    topology,
    asked_frame,
    picture,
    gradient,
    rows_anew,
    rows,
    other
  };
  struct Message {
    Bytes bytes;
    Kind kind = Kind::other;
    bool is_binary = false;
    std::optional<std::uint32_t> generation{};  ///< Of a topology.
  };
  /// Bytes of `rows` and `other` that may wait.
  static constexpr std::size_t most = std::size_t{1} << 20;

  /// False if too much waits; the page is to be dropped then.
  [[nodiscard]] bool push(Message message) {
    if (message.kind <= Kind::rows_anew)
      forget([&](Kind each) {
        return each == message.kind || (message.kind == Kind::rows_anew && each == Kind::rows);
      });
    else
      counted_ += message.bytes->size();
    messages_.push_back(std::move(message));
    return counted_ <= most;
  }
  [[nodiscard]] bool empty() const { return messages_.empty(); }
  [[nodiscard]] std::size_t size() const { return messages_.size(); }
  [[nodiscard]] Message pop() {
    Message message = std::move(messages_.front());
    messages_.pop_front();
    discount(message);
    return message;
  }

 private:
  template <class Is>
  void forget(const Is& is) {
    std::erase_if(messages_, [&](const Message& each) {
      if (!is(each.kind)) return false;
      discount(each);
      return true;
    });
  }
  void discount(const Message& message) {
    if (message.kind > Kind::rows_anew) counted_ -= message.bytes->size();
  }

  std::deque<Message> messages_;
  std::size_t counted_ = 0;
};

/// The kind of an event's message.
[[nodiscard]] inline Outbox::Kind kind_of(const Event& event) {
  if (std::holds_alternative<DocumentInfo>(event)) return Outbox::Kind::document;
  if (std::holds_alternative<SystemInfo>(event)) return Outbox::Kind::system;
  if (std::holds_alternative<KeysInfo>(event)) return Outbox::Kind::keys;
  if (std::holds_alternative<FieldsInfo>(event)) return Outbox::Kind::fields;
  if (std::holds_alternative<ChangesInfo>(event)) return Outbox::Kind::changes;
  if (std::holds_alternative<std::shared_ptr<const Topology>>(event)) return Outbox::Kind::topology;
  if (std::holds_alternative<AskedFrame>(event)) return Outbox::Kind::asked_frame;
  if (std::holds_alternative<TracedPicture>(event)) return Outbox::Kind::picture;
  if (std::holds_alternative<VertexGradient>(event)) return Outbox::Kind::gradient;
  if (const auto* rows = std::get_if<EnergyRows>(&event))
    return rows->restart ? Outbox::Kind::rows_anew : Outbox::Kind::rows;
  return Outbox::Kind::other;
}

}  // namespace electret::studio
