#include <algorithm>
#include <variant>

#include <electret/core/errors.hpp>
#include <electret/scene/identity.hpp>
#include <electret/scene/slot.hpp>
#include <electret/scene/tables/table.hpp>

namespace electret {
namespace {

template <class Value>
Hash& add_value(Hash& hash, const Value& value) {
  return hash.add(value);
}
Hash& add_value(Hash& hash, bool value) {
  return hash.add(value ? 1 : 0);
}
Hash& add_value(Hash& hash, Interpolation value) {
  return hash.add(static_cast<int>(value));
}
Hash& add_value(Hash& hash, const Box& value) {
  return hash.add(value[0]).add(value[1]);
}
Hash& add_value(Hash& hash, const std::vector<Edge>& value) {
  for (const Edge& pair : value) hash.add(pair[0]).add(pair[1]);
  return hash;
}
Hash& add_value(Hash& hash, const Expressions& value) {
  for (const std::string& component : value) hash.add(component);
  return hash;
}
Hash& add_value(Hash& hash, const Constants& value) {
  for (const auto& [name, number] : value) hash.add(name).add(number);
  return hash;
}
Hash& add_value(Hash& hash, const NamedTexts& value) {
  for (const auto& [name, text] : value) hash.add(name).add(text);
  return hash;
}
Hash& add_value(Hash& hash, const ListedValues& value) {
  return hash.add(value.texts);
}
Hash& add_value(Hash&, const GeneratorSpec&) {
  throw InternalError("a mesh is told by its vertices, not by the table that makes it");
}
Hash& add_value(Hash&, const FibreDirection&) {
  throw InternalError("a muscle is told by its fibres, not by how they are written");
}
template <class T>
Hash& add_value(Hash& hash, const std::optional<T>& value) {
  hash.add(value ? 1 : 0);
  return value ? add_value(hash, *value) : hash;
}
template <class T>
Hash& add_value(Hash& hash, const PerItem<T>& value) {
  return hash.add(value.file).add(value.values);
}

}  // namespace

Hash& Hash::add_rows(const SchemaTable& table, void* object) {
  for (const SchemaRow& row : table.rows) {
    if (row.slot == nullptr) continue;
    add(row.key);
    std::visit([&](const auto* value) { add_value(*this, *value); }, row.slot(object).target);
  }
  return *this;
}

std::string Hash::text() const {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result;
  for (int shift = 60; shift >= 0; shift -= 4) result += digits[(state_ >> shift) & 15];
  return result;
}

Hash& Identity::part(std::string_view name) {
  const auto found =
      std::find_if(parts_.begin(), parts_.end(), [&](const auto& part) { return part.first == name; });
  return found != parts_.end() ? found->second : parts_.emplace_back(name, Hash()).second;
}

std::vector<Fingerprint> Identity::fingerprints() const {
  std::vector<Fingerprint> all;
  for (const auto& [name, hash] : parts_) all.push_back({name, hash.text()});
  return all;
}

std::vector<Fingerprint> tables_identity(const Assembly& assembly) {
  Identity identity;
  for (const SceneTable& table : scene_tables())
    if (table.identify != nullptr) table.identify(table, assembly, identity);
  return identity.fingerprints();
}

}  // namespace electret
