#pragma once
/// \file
/// The types of a scene's values, as pointers to the members that hold them.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <electret/scene/scene.hpp>

namespace electret {

using Box = std::array<Vec3, 2>;
using Expressions = std::array<std::string, 3>;
using Constants = std::map<std::string, double>;

using NamedTexts = std::vector<std::pair<std::string, std::string>>;  ///< In the order of the file.

/// A list of numbers, texts, and true or false, each as TOML writes it; texts without quotes.
struct ListedValues {
  std::vector<std::string> texts;
};

struct Slot {
  std::variant<double*, std::optional<double>*, int*, Count*, std::optional<Count>*, bool*, std::string*,
               Vec3*, std::optional<Vec3>*, PerItem<double>*, PerItem<Vec3>*, std::vector<double>*,
               std::vector<Vec3>*, std::vector<std::string>*, std::vector<Index>*, std::vector<Edge>*,
               std::optional<Box>*, Interpolation*, Expressions*, Constants*, std::optional<GeneratorSpec>*,
               std::optional<FibreDirection>*, NamedTexts*, ListedValues*>
      target;
};

}  // namespace electret
