#pragma once
/// \file
/// Fingerprints of what determines a run, part by part. The hash is FNV-1a over the values' bits.

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <electret/scene/assembly.hpp>

namespace electret {

struct SchemaTable;

struct Fingerprint {
  std::string part;   ///< "time step", "[coulomb]", "masses", ….
  std::string value;  ///< 16 hexadecimal digits.
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

class Hash {
 public:
  Hash& add(std::uint64_t bits) {
    for (int byte = 0; byte < 8; ++byte) {
      state_ = (state_ ^ ((bits >> (8 * byte)) & 0xff)) * 0x100000001b3u;
    }
    return *this;
  }
  Hash& add(double value) { return add(std::bit_cast<std::uint64_t>(value)); }
  Hash& add(Count value) { return add(static_cast<std::uint64_t>(value)); }
  Hash& add(int value) { return add(static_cast<std::uint64_t>(value)); }
  Hash& add(const Vec3& v) { return add(v.x).add(v.y).add(v.z); }
  Hash& add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    return *this;
  }
  template <class T>
  Hash& add(const std::vector<T>& values) {
    add(static_cast<std::uint64_t>(values.size()));
    for (const T& value : values) add(value);
    return *this;
  }
  template <class T>
  Hash& add(const KeyFrames<T>& keys) {
    return add(keys.times).add(keys.values).add(static_cast<int>(keys.interpolation));
  }
  Hash& add(const ElementSet& set) { return add(set.tetrahedra).add(set.hexahedra); }
  template <class... T>
  Hash& add(const std::tuple<T...>& values) {
    std::apply([&](const auto&... each) { (add(each), ...); }, values);
    return *this;
  }
  /// Adds every key of a table. They are found through the schema, so that none can be forgotten. `object` is
  /// the struct that the table fills.
  Hash& add_rows(const SchemaTable& table, void* object);

  [[nodiscard]] std::uint64_t value() const { return state_; }
  [[nodiscard]] std::string text() const;

 private:
  std::uint64_t state_ = 0xcbf29ce484222325u;
};

/// The hashes of a scene, by parts. Tables add to them in the order of the reference.
class Identity {
 public:
  /// The part called `name`; several tables may add to it.
  Hash& part(std::string_view name);
  [[nodiscard]] std::vector<Fingerprint> fingerprints() const;

 private:
  std::vector<std::pair<std::string, Hash>> parts_;
};

/// The parts that the scene's tables have. Comments, the scene's name and the length of the run do not count.
std::vector<Fingerprint> tables_identity(const Assembly& assembly);

}  // namespace electret
