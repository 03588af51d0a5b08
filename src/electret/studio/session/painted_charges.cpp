#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include <electret/core/digits.hpp>
#include <electret/core/errors.hpp>
#include <electret/record/session_files.hpp>
#include <electret/scene/toml_text.hpp>
#include <electret/studio/session/painted_charges.hpp>

namespace electret::studio {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view between = ".charges", ending = ".csv";

/// A body's name as part of a file's.
std::string stem_of_body(const std::string& body) {
  constexpr std::size_t longest = 100;
  std::string stem = body.substr(0, longest);
  for (char& c : stem)
    if (!is_ascii_alphanumeric(c) && c != '-') c = '_';
  return stem.empty() ? "body" : stem;
}

/// "torus.charges.3.csv" of "torus.charges.csv".
std::string numbered_file(const std::string& name, int number) {
  return name.substr(0, name.size() - ending.size()) + "." + std::to_string(number) + std::string(ending);
}

/// 3 of "torus.charges.3.csv" of "torus.charges.csv"; 0 of others.
int number_of_stroke(const std::string& file, const std::string& name) {
  const int number = painted_number(file);
  return number > 0 && file == numbered_file(name, number) ? number : 0;
}

}  // namespace

std::string path_from(const std::string& folder, const PaintedFile& file) {
  std::error_code error;
  const fs::path path = fs::relative(file.path, folder.empty() ? "." : folder, error);
  return error || path.empty() ? file.path : path.string();
}

std::string PaintedFile::name() const {
  return fs::path(path).filename().string();
}

std::string place_in(const std::string& folder, const std::string& name) {
  return folder.empty() || folder == "." ? name : (fs::path(folder) / name).string();
}

std::string charges_file(const std::string& body, int number) {
  return stem_of_body(body) + std::string(between) + (number > 1 ? "-" + std::to_string(number) : "") +
         std::string(ending);
}

std::string free_charges_file(const std::string& body,
                              const std::function<bool(const std::string&)>& is_taken) {
  int number = 1;
  while (is_taken(charges_file(body, number))) ++number;
  return charges_file(body, number);
}

bool is_charges_file(const std::string& body, const std::string& name) {
  if (name == charges_file(body)) return true;
  const std::string head = stem_of_body(body) + std::string(between) + "-";
  int number = 0;
  if (name.starts_with(head)) std::from_chars(name.data() + head.size(), name.data() + name.size(), number);
  return number > 1 && name == charges_file(body, number);
}

std::string charges_table(const std::vector<double>& charges) {
  std::string table = "charge\n";
  char digits[32];
  for (const double charge : charges) {
    const auto end = std::to_chars(std::begin(digits), std::end(digits), charge).ptr;
    table.append(std::begin(digits), end) += '\n';
  }
  return table;
}

bool occurs_once(const std::string& text, const std::string& part) {
  const std::size_t first = text.find(part);
  return first != std::string::npos && text.find(part, first + 1) == std::string::npos;
}

std::vector<ChargedBody> bodies_with_files(const Node& root) {
  std::vector<ChargedBody> found;
  const Node::Member* bodies = root.member("body");
  for (std::size_t k = 0; bodies != nullptr && k < bodies->node.items.size(); ++k) {
    const Node::Member* charges = bodies->node.items[k].member("charges");
    if (charges != nullptr && charges->node.kind == Node::Kind::text)
      found.push_back({k, charges->node.text});
  }
  return found;
}

std::vector<ChargedBody> bodies_with_own_files(const Node& root, const std::string& text) {
  std::vector<ChargedBody> found = bodies_with_files(root);
  std::erase_if(found, [&](const ChargedBody& each) {
    const Node::Member* name = root.member("body")->node.items[each.body].member("name");
    return name == nullptr || !is_charges_file(name->node.text, each.file) || !occurs_once(text, each.file);
  });
  return found;
}

std::vector<std::string> painted_overrides(const Node& root, const std::string& folder,
                                           const PaintedFiles& painted) {
  std::vector<std::string> overrides;
  for (const auto& [body, file] : bodies_with_files(root))
    if (const auto found = painted.find(file); found != painted.end())
      overrides.push_back("body." + std::to_string(body) +
                          ".charges=" + toml_string(path_from(folder, found->second)));
  return overrides;
}

Node with_painted(Node root, const std::string& folder, const PaintedFiles& painted) {
  for (const auto& [body, file] : bodies_with_files(root))
    if (const auto found = painted.find(file); found != painted.end())
      for (Node::Member& member : root.members)
        if (member.key == "body")
          set_member(member.node.items[body], "charges", text_node(path_from(folder, found->second)));
  return root;
}

std::vector<std::string> strokes_of(const std::string& folder, const std::string& name) {
  std::vector<std::string> strokes;
  for (const std::string& file : painted_files(folder))
    if (number_of_stroke(file, name) > 0 && fs::exists(fs::path(folder) / file)) strokes.push_back(file);
  std::sort(strokes.begin(), strokes.end(),
            [](const std::string& a, const std::string& b) { return painted_number(a) < painted_number(b); });
  return strokes;
}

FileReader reading_painted(FileReader read, const std::string& folder, PaintedFiles painted) {
  std::map<std::string, std::shared_ptr<const std::string>> files;
  for (const auto& [name, file] : painted) files[place_in(folder, name)] = file.bytes;
  return [read = std::move(read), files = std::move(files)](const std::string& path) {
    const auto found = files.find(path);
    return found != files.end() ? *found->second : read(path);
  };
}

/// Counted from the highest number in the folder, so that what an earlier session left stays.
PaintedFile PaintedStore::add(const std::string& folder, const std::string& name, std::string bytes) {
  std::error_code error;
  const fs::path place = fs::weakly_canonical(fs::absolute(folder), error);
  int last = 0;
  for (const auto& entry : fs::directory_iterator(place, error))
    last = std::max(last, number_of_stroke(entry.path().filename().string(), name));
  const std::lock_guard lock(mutex_);
  for (const auto& [path, file] : files_) last = std::max(last, number_of_stroke(file.name(), name));
  const std::string path = (place / numbered_file(name, last + 1)).string();
  return files_[path] = {path, std::make_shared<const std::string>(std::move(bytes))};
}

void PaintedStore::take(const PaintedFile& file) {
  const std::lock_guard lock(mutex_);
  files_[file.path] = file;
}

/// A scene in the session's folder names them relative to that.
std::optional<PaintedFile> PaintedStore::find(const std::string& path) const {
  if (fs::path(path).filename().string().find(between) == std::string::npos) return std::nullopt;
  std::error_code error;
  const std::string whole = fs::weakly_canonical(fs::absolute(path), error).string();
  const std::lock_guard lock(mutex_);
  const auto found = files_.find(whole);
  return found != files_.end() ? std::optional(found->second) : std::nullopt;
}

std::optional<PaintedFile> PaintedStore::named_by(const std::string& assignment,
                                                  const std::string& folder) const {
  const std::size_t value = assignment.find('=') + 1;
  if (!key_of_override(assignment).ends_with(".charges") || value >= assignment.size() ||
      assignment[value] != '"')
    return std::nullopt;
  return find((fs::path(folder) / value_of_override(assignment.substr(value)).text).string());
}

void PaintedStore::forget_all_but(const std::vector<PaintedFile>& used) {
  const std::lock_guard lock(mutex_);
  std::erase_if(files_, [&](const auto& entry) {
    const PaintedFile& file = entry.second;
    const auto is_it = [&](const PaintedFile& other) { return other.path == file.path; };
    return file.bytes.use_count() == 1 && std::none_of(used.begin(), used.end(), is_it);
  });
}

void PaintedStore::keep_own_files(const Node& root, const SceneSource& source,
                                  const std::string& session_folder, PaintedFiles& painted,
                                  PaintedFiles& saved) {
  for (const ChargedBody& each : bodies_with_own_files(root, source.text)) {
    if (painted.contains(each.file)) continue;
    try {
      painted[each.file] = saved[each.file] =
          add(session_folder, each.file, source.read(place_in(source.folder, each.file)));
    } catch (const InputError&) {
      painted.erase(each.file);
    } catch (const IoError&) {
      painted.erase(each.file);
    }
  }
}

FileReader PaintedStore::reading(std::shared_ptr<const PaintedStore> store, FileReader read) {
  return [store = std::move(store), read = std::move(read)](const std::string& path) {
    const auto file = store->find(path);
    return file ? *file->bytes : read(path);
  };
}

}  // namespace electret::studio
