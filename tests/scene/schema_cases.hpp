#pragma once
/// A scene for every key of the schema.

#include <functional>
#include <map>
#include <string>

#include <electret/scene/read.hpp>

namespace electret::test {

/// What to write for one key, and whether it arrived.
struct SchemaCase {
  std::string text;
  std::function<bool(const Assembly&)> arrived;
};

/// By "table.key".
std::map<std::string, SchemaCase> schema_cases();

}  // namespace electret::test
