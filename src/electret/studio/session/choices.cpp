#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <electret/core/text.hpp>
#include <electret/record/run_directory.hpp>
#include <electret/studio/session/choices.hpp>

namespace electret::studio {
namespace {

namespace fs = std::filesystem;

constexpr int deepest = 4;
constexpr std::size_t most_entries = 200;
/// A scene's tables begin within this part of its text, bytes.
constexpr std::streamsize head = 16384;

constexpr auto new_scenes = std::to_array<SceneText>({
    {"torus", R"([scene]
name = "torus"

[time]
step = 0.03                            # s
duration = 15.0                        # s

[coulomb]

[[body]]
name = "torus"
generate = { shape = "torus", major_radius = 1.0, minor_radius = 0.4, vertices = 145, sampling = "best_candidate" }
mass = 1.0                             # kg per vertex
charge = 6e-6                          # C per vertex

  [[body.springs]]
  from = "nearest"
  neighbours = 24
  stiffness = 10.0                     # N/m
)"},
    {"blob", R"([scene]
name = "blob"

[time]
step = 0.01                            # s
duration = 10.0                        # s

[coulomb]

[[body]]
name = "blob"
generate = { shape = "blob", vertices = 1000 }
total_mass = 1.0                       # kg
total_charge = 2e-6                    # C

  [[body.springs]]
  from = "nearest"
  neighbours = 12
  stiffness = 20.0                     # N/m
)"},
    {"cloth", R"([scene]
name = "cloth"

[time]
step = 0.005                           # s
duration = 10.0                        # s

[gravity]
acceleration = [0.0, 0.0, -9.81]

[damping]
drag = 0.2

[[body]]
name = "cloth"
generate = { shape = "grid", width = 1.0, height = 1.0, rows = 21, columns = 21 }
total_mass = 0.3                       # kg

  [[body.springs]]
  from = "edges"
  stiffness = 200.0                    # N/m

  [[body.springs]]
  from = "diagonals"
  stiffness = 100.0

  [[body.group]]
  name = "held"
  indices = [0, 20]

  [[body.pin]]
  group = "held"
)"},
    {"chain", R"([scene]
name = "chain"

[time]
step = 0.004                           # s
duration = 10.0                        # s

[gravity]
acceleration = [0.0, 0.0, -9.81]

[damping]
drag = 0.1

[[body]]
name = "chain"
generate = { shape = "chain", length = 1.0, vertices = 21 }
mass = 0.01                            # kg per vertex

  [[body.springs]]
  from = "edges"
  stiffness = 500.0                    # N/m

  [[body.group]]
  name = "top"
  indices = [0]

  [[body.pin]]
  group = "top"
)"},
    {"T-shirt", R"([scene]
name = "T-shirt"

[time]
step = 0.005                           # s
duration = 10.0                        # s

[gravity]
acceleration = [0.0, 0.0, -9.81]

[damping]
drag = 0.2

[[body]]
name = "shirt"
generate = { shape = "tshirt" }
total_mass = 0.2                       # kg

  [[body.springs]]
  from = "edges"
  stiffness = 100.0                    # N/m

[[obstacle]]
name = "floor"
shape = "plane"
point = [0.0, 0.0, -1.0]
normal = [0.0, 0.0, 1.0]
)"},
});

struct Head {
  bool is_scene = false;
  std::string title;
};

/// Whether a file looks like a scene, and the name that it gives itself.
Head head_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(static_cast<std::size_t>(head), '\0');
  file.read(text.data(), head);
  text.resize(static_cast<std::size_t>(file.gcount()));
  Head found;
  if (text.starts_with(session_mark)) return found;  // It repeats a scene that is listed already.
  bool in_scene = false, has_time = false, has_body = false;
  for (const std::string& line : lines_of(text)) {
    const auto first = line.find_first_not_of(" \t");
    if (first == std::string::npos) continue;
    if (line[first] == '[') in_scene = line.compare(first, 7, "[scene]") == 0;
    has_time |= line.compare(first, 6, "[time]") == 0;
    has_body |= line.compare(first, 8, "[[body]]") == 0;
    const auto open = line.find('"');
    if (in_scene && line.compare(first, 4, "name") == 0 && open != std::string::npos)
      found.title = line.substr(open + 1, line.rfind('"') - open - 1);
  }
  found.is_scene = has_time && has_body;
  return found;
}

class Search {
 public:
  Search(std::string folder, int looks) : folder_(std::move(folder)), looks_(looks) {}

  ChoicesInfo entries() {
    std::vector<fs::path> level{folder_};
    for (int depth = 0; depth <= deepest; ++depth) {
      std::vector<fs::path> next;
      for (const fs::path& each : level) look_into(each, next);
      std::sort(next.begin(), next.end());
      level = std::move(next);
    }
    const auto by_name = [](const OpenChoice& a, const OpenChoice& b) { return a.name < b.name; };
    std::sort(scenes_.begin(), scenes_.end(), by_name);
    std::sort(runs_.begin(), runs_.end(), by_name);
    ChoicesInfo all;
    for (auto* list : {&scenes_, &runs_}) all.entries.insert(all.entries.end(), list->begin(), list->end());
    return all;
  }

 private:
  void look_into(const fs::path& folder, std::vector<fs::path>& below) {
    std::error_code error;
    for (fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
         !error && at != end && looks_ > 0; at.increment(error)) {
      --looks_;
      const std::string name = at->path().filename().string();
      if (name.starts_with('.') || !is_utf8(at->path().string())) continue;
      std::error_code ignored;
      if (at->is_symlink(ignored)) continue;
      if (at->is_directory(ignored)) {
        if (name != "build") below.push_back(at->path());
      } else if (name == "trajectory.h5") {
        add(runs_, {named(folder), "run", folder.filename().string(), named(folder.parent_path())});
      } else if (at->is_regular_file(ignored) && at->path().extension() == ".toml" && !is_of_session(name) &&
                 scenes_.size() < most_entries) {
        if (const Head found = head_of(at->path()); found.is_scene)
          add(scenes_, {named(at->path()), "scene", printable(found.title.empty() ? name : found.title),
                        named(folder)});
      }
    }
  }
  static void add(std::vector<OpenChoice>& list, OpenChoice entry) {
    if (list.size() < most_entries) list.push_back(std::move(entry));
  }
  [[nodiscard]] std::string named(const fs::path& path) const {
    const fs::path seen = path.lexically_relative(folder_);
    return seen.empty() ? path.string() : seen.string();
  }

  std::string folder_;
  int looks_;
  std::vector<OpenChoice> scenes_, runs_;
};

}  // namespace

std::span<const SceneText> new_scene_texts() {
  return new_scenes;
}

ChoicesInfo choices_below(const std::string& folder, int looks) {
  ChoicesInfo all = Search(folder, looks).entries();
  for (const SceneText& example : example_texts()) {
    std::string title(example.name);
    std::replace(title.begin(), title.end(), '_', ' ');
    all.entries.push_back({"example:" + std::string(example.name), "example", title, "examples"});
  }
  for (const SceneText& scene : new_scenes)
    all.entries.push_back({"new:" + std::string(scene.name), "new", std::string(scene.name), ""});
  return all;
}

std::optional<SceneText> text_of_choice(const std::string& name) {
  const auto find = [&](std::span<const SceneText> texts, std::string_view mark) -> std::optional<SceneText> {
    if (!name.starts_with(mark)) return std::nullopt;
    for (const SceneText& each : texts)
      if (each.name == std::string_view(name).substr(mark.size())) return each;
    return std::nullopt;
  };
  if (const auto example = find(example_texts(), "example:")) return example;
  return find(new_scenes, "new:");
}

bool looks_like_scene(const std::string& path) {
  return head_of(path).is_scene;
}

bool is_of_session(const std::string& name) {
  return name.starts_with("session.") && (name.ends_with(".start.toml") || name.ends_with(".text.toml"));
}

std::string whole_path(const std::string& path) {
  std::error_code error;
  return fs::weakly_canonical(fs::absolute(path), error).string();
}

bool is_at_or_below(const std::string& path, const std::string& folder) {
  std::error_code error;
  const fs::path inner = fs::canonical(path, error);
  if (error) return false;
  const fs::path outer = fs::canonical(folder, error);
  if (error) return false;
  const fs::path seen = inner.lexically_relative(outer);
  return !seen.empty() && *seen.begin() != "..";
}

bool is_within(const std::string& path, const std::string& folder) {
  std::error_code error;
  return fs::is_regular_file(path, error) && is_at_or_below(path, folder);
}

}  // namespace electret::studio
